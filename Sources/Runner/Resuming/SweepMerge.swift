import Results

/// Parts of one sweep as one document: cell by cell, in the sweep's order.
///
///     let merge = try SweepMerge([.init(file: "1.json", results: first), …])
///     for gap in merge.gaps { print(gap) }
///
/// Of all partitions of a sweep it is the document that the whole sweep would have written, times aside. The
/// order of the parts does not matter, and they may overlap.
///
/// - Complexity: O(n log n) for n results.
package struct SweepMerge {
  /// A document, and what messages call it.
  package struct Part {
    /// The file's name.
    package let file: String
    /// The document.
    package let results: ResultSet

    /// A document of this name.
    package init(file: String, results: ResultSet) {
      self.file = file
      self.results = results
    }
  }

  /// The document; not complete where there are gaps.
  package let results: ResultSet
  /// The gaps, in a line each.
  package let gaps: [String]
  /// Notes for the reader, in a line each.
  package let notes: [String]

  /// A part and its plan.
  private struct Planned {
    let file: String
    let results: ResultSet
    let plan: PlanRecord

    init(_ part: Part) throws(PartitionError) {
      guard let plan = part.results.plan else { throw .noPlan(file: part.file) }
      (file, results, self.plan) = (part.file, part.results, plan)
    }

    var start: Int {
      plan.shares.map { plan.positions(of: $0.share).lowerBound }.min() ?? 0
    }
  }

  /// Merges documents of which there is at least one.
  ///
  /// - Parameters:
  ///   - parts: The documents.
  ///   - acceptsOtherBuild: Merges what several programs measured.
  /// - Throws: ``PartitionError`` when they are of different sweeps, programs or traces, or disagree on
  ///   what a cell counted.
  package init(_ parts: [Part], acceptsOtherBuild: Bool = false) throws(PartitionError) {
    var planned: [Planned] = []
    for part in parts { planned.append(try Planned(part)) }
    planned.sort { $0.start < $1.start }
    precondition(!planned.isEmpty, "there is something to merge")
    let first = planned[0]
    for part in planned.dropFirst() {
      try SweepMerge.check(part, against: first, acceptsOtherBuild: acceptsOtherBuild)
    }
    let programs = planned.map(\.results.environment.program).unique
    notes =
      programs.count == 1
      ? []
      : [
        "measured with \(programs.joined(separator: " and ")): accepted, as --accept-other-build says"
      ]
    var plan = first.plan
    for part in planned { plan.take(part.plan) }
    let traces = try SweepMerge.traces(planned)
    let cells = try SweepMerge.cells(planned)
    let positions = CellPositions(plan)

    let coverage = PartitionCoverage(plan, cells: Array(cells.keys))
    if coverage.isWhole { plan.shares = [.init(share: .whole, cells: cells.count)] }
    gaps = coverage.gaps
    var environment = first.results.environment
    for part in planned.dropFirst() { environment.add(part.results.environment) }
    for share in first.plan.shares {
      for option in ["--shard ", "--shard="] {
        environment.command?.replace(" \(option)\(share.share)", with: "")
      }
    }
    var results = ResultSet(
      environment: environment,
      traces: traces.sorted { positions[trace: $0.name] < positions[trace: $1.name] },
      measurements: cells.sorted { $0.key < $1.key }.map(\.value.measurement),
      references: planned.flatMap(\.results.references)
        .grouped { "\($0.policyLabel) \($0.trace)" }.map { $0[0] }
        .sorted { positions[trace: $0.trace] < positions[trace: $1.trace] },
      explanations: planned.flatMap(\.results.explanations).best(by: positions),
      plan: plan, isComplete: coverage.isWhole)
    results.suite = SuiteRecord(joining: planned.compactMap(\.results.suite))
    self.results = results
  }

  private static func check(
    _ part: Planned, against first: Planned, acceptsOtherBuild: Bool
  ) throws(PartitionError) {
    _ = try part.results.environment.notes(
      on: part.file, besides: first.results.environment, of: first.file,
      acceptsOtherBuild: acceptsOtherBuild)
    if let difference = part.plan.difference(from: first.plan) {
      throw .plan(file: part.file, other: first.file, difference: difference.text)
    }
  }

  private static func traces(_ parts: [Planned]) throws(PartitionError) -> [TraceSummary] {
    var known: [String: (file: String, trace: TraceSummary)] = [:]
    for part in parts {
      for trace in part.results.traces {
        let other = known[trace.name] ?? (part.file, trace)
        if !other.trace.isOf(trace) {
          throw .trace(file: other.file, other: part.file, trace: trace.name)
        }
        known[trace.name] = other
      }
    }
    return known.values.map(\.trace)
  }

  private static func cells(
    _ parts: [Planned]
  ) throws(PartitionError) -> [Int: (file: String, measurement: Measurement)] {
    var cells: [Int: (file: String, measurement: Measurement)] = [:]
    for part in parts {
      let positions = CellPositions(part.plan)
      for measurement in part.results.measurements {
        guard let position = positions[measurement] else {
          throw .foreign(file: part.file, cell: measurement.cellLabel)
        }
        let other = cells[position] ?? (part.file, measurement)
        for (here, there) in zip(other.measurement.counts, measurement.counts) where here != there {
          throw .disagreement(
            file: other.file, other: part.file, cell: measurement.cellLabel, counts: [here, there])
        }
        cells[position] = other
      }
    }
    return cells
  }
}

extension PlanRecord {
  /// Takes over the traces and partitions of another part of the sweep.
  fileprivate mutating func take(_ other: PlanRecord) {
    for (place, trace) in other.traces.enumerated() {
      traces[place].capacities = traces[place].capacities ?? trace.capacities
    }
    shares = (shares + other.shares).unique.sorted {
      ($0.share.count, $0.share.index) < ($1.share.count, $1.share.index)
    }
  }
}

extension Measurement {
  /// The name of the cell: `lru at 1000 on OLTP.lis`.
  package var cellLabel: String { "\(CellKey(self).label) on \(trace)" }

  /// The counts that a deterministic run always repeats, in words.
  fileprivate var counts: [String] {
    [
      "\(hits) hits", "\(requests) requests", "\(insertions) insertions",
      "\(evictions) evictions",
    ]
  }
}
