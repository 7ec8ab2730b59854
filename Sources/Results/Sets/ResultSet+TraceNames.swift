extension ResultSet {
  /// The documents with as many names of traces as there are different traces.
  ///
  /// What a document does not say of a trace (no checksum, no run that was counted) tells nothing apart.
  static func tellingTracesApart(_ documents: [ResultSet]) -> [ResultSet] {
    var renamings = documents.map { _ in [String: String]() }
    for name in documents.flatMap({ $0.traces.map(\.name) }).unique {
      let facts = documents.map { $0.facts(ofTrace: name) }
      var telling: [Int] = []
      for fact in facts[0].indices {
        let alike = facts.grouped { facts in telling.map { facts[$0] } }
        let isTelling = alike.contains { Set($0.compactMap { $0[fact] }).count > 1 }
        if isTelling { telling.append(fact) }
      }
      for (document, facts) in facts.enumerated() {
        let own = telling.compactMap { facts[$0] }
        if !own.isEmpty { renamings[document][name] = "\(name) (\(own.joined(separator: ", ")))" }
      }
    }
    return zip(documents, renamings).map { $0.renamingTraces($1) }
  }

  /// Returns the facts that tell a trace from others of its name, the plainest first; nil for what is not known
  /// here.
  private func facts(ofTrace name: String) -> [String?] {
    let summary = traces.first { $0.name == name }
    return [
      summary.map { "\($0.requests) requests" }, summary.map { "\($0.distinct) distinct keys" },
      summary?.sha256.map { "SHA-256 \($0.prefix(12))" }, summary?.format,
      countedRequests(ofTrace: name).map { "\($0) counted" },
    ]
  }

  /// Returns the number of requests of a trace that the results count: not those of a warm-up.
  private func countedRequests(ofTrace name: String) -> Int? {
    // Threads that all take the whole trace count it as often as there are threads.
    let runs = measurements.filter {
      $0.trace == name && $0.kind != .disk && $0.replay?.division != .copies
    }
    let counts =
      runs.isEmpty ? curves.filter { $0.trace == name }.map(\.requests) : runs.map(\.requests)
    return counts.filter { $0 > 0 }.min()
  }

  /// The results for others who must not know the traces: without names of traces, checksums of files and command lines.
  ///
  /// A trace of a suite is named by the checksum of its requests, in which keys are numbers in order of first appearance, so
  /// that the same trace counts once in joined documents; others are numbered.
  package var anonymous: ResultSet {
    let copies = (suite?.traces ?? []).filter { suite?.original(of: $0) != nil }
    let single = withoutTraces(Set(copies.map(\.name)))
    var names: [String: String] = [:]
    for (place, trace) in single.traces.enumerated() { names[trace.name] = "trace-\(place + 1)" }
    for trace in single.suite?.traces ?? [] {
      names[trace.name] = "trace-\(trace.requests.prefix(12))"
    }
    var results = single.renamingTraces(names)
    if var suite = results.suite {
      // A collection is told from those of others by its first trace.
      let first = Dictionary(suite.traces.map { ($0.collection, $0.requests) }) { first, _ in first
      }
      for place in suite.traces.indices {
        let collection = suite.traces[place].collection
        suite.traces[place].collection = collection.flatMap { _ in
          first[collection].map { "collection-\($0.prefix(12))" }
        }
      }
      suite.missing = []
      results.suite = suite
    }
    for place in results.traces.indices {
      results.traces[place].sha256 = nil
      results.traces[place].formatReason = nil
    }
    results.environment.command = nil
    results.environment.others = []
    results.plan = nil
    return results
  }

  /// Suites of several lists with each trace once: of a later one, what earlier ones have is left out.
  package static func countingOnce(_ documents: [ResultSet]) -> [ResultSet] {
    var known: [String: String] = [:]
    return documents.map { document in
      guard let suite = document.suite else { return document }
      let repeated = suite.traces.filter { known[$0.requests, default: suite.list] != suite.list }
      for trace in suite.traces where known[trace.requests] == nil {
        known[trace.requests] = suite.list
      }
      return document.withoutTraces(Set(repeated.map(\.name)))
    }
  }

  /// The results without those of some traces.
  package func withoutTraces(_ names: Set<String>) -> ResultSet {
    if names.isEmpty { return self }
    var results = self
    results.traces.removeAll { names.contains($0.name) }
    results.measurements.removeAll { names.contains($0.trace) }
    results.curves.removeAll { names.contains($0.trace) }
    results.references.removeAll { names.contains($0.trace) }
    results.explanations.removeAll { names.contains($0.trace) }
    results.recommendations.removeAll { names.contains($0.trace) }
    results.suite?.traces.removeAll { names.contains($0.name) }
    return results
  }

  private func renamingTraces(_ names: [String: String]) -> ResultSet {
    func rename(_ name: inout String) { name = names[name] ?? name }
    var renamed = self
    for index in traces.indices { rename(&renamed.traces[index].name) }
    for index in measurements.indices { rename(&renamed.measurements[index].trace) }
    for index in curves.indices { rename(&renamed.curves[index].trace) }
    for index in references.indices { rename(&renamed.references[index].trace) }
    for index in explanations.indices { rename(&renamed.explanations[index].trace) }
    for index in recommendations.indices { rename(&renamed.recommendations[index].trace) }
    if var suite {
      for index in suite.traces.indices { rename(&suite.traces[index].name) }
      renamed.suite = suite
    }
    return renamed
  }
}
