extension ResultSet {
  /// Several documents as one, in their order, with the environment of the first; traces and reference
  /// curves once each.
  ///
  /// A name stands for one trace. Where documents mean different ones by it (other content, or more or
  /// fewer of its requests), what tells them apart follows the name: `a.lis (20000 requests)`.
  package init(joining documents: [ResultSet]) {
    var environment = documents.first?.environment ?? .current
    // Before traces are renamed: these are the names that can be run.
    let commands = documents.flatMap(\.commands).unique
    environment.command = commands.isEmpty ? nil : commands.joined(separator: "\n")
    for other in documents.dropFirst() { environment.add(other.environment) }
    let documents = ResultSet.tellingTracesApart(documents)
    self.init(
      environment: environment,
      traces: documents.flatMap(\.traces).grouped(by: \.name).map { traces in
        traces.first { $0.sha256 != nil } ?? traces[0]
      },
      measurements: documents.flatMap(\.measurements), curves: documents.flatMap(\.curves),
      references: documents.flatMap(\.references).grouped {
        [$0.policyLabel, $0.unit.rawValue, $0.hitRatioName, $0.trace]
      }.map { $0[0] },
      explanations: documents.flatMap(\.explanations),
      recommendations: documents.flatMap(\.recommendations),
      plan: documents.count == 1 ? documents[0].plan : nil,
      isComplete: documents.allSatisfy { $0.isComplete })
    if documents.allSatisfy({ $0.suite != nil }) {
      suite = SuiteRecord(joining: documents.compactMap(\.suite))
    }
  }
}

extension Environment {
  /// Returns true if times measured here and there compare: the same version, machine and compiler, and no other
  /// among them.
  package func isLike(_ other: Environment) -> Bool {
    func facts(_ environment: Environment) -> [String?] {
      [
        environment.version, environment.commit, environment.toolchain, environment.os,
        environment.cpu, "\(environment.cores)",
      ]
    }
    return facts(self) == facts(other) && others.isEmpty && other.others.isEmpty
  }
}
