extension ResultSet {
  /// Refuses documents in which a miss takes different times: their latencies and hits do not compare.
  ///
  /// - Throws: ``ResultSetError/delays(file:other:_:)`` for the first two results that differ in it.
  package static func checkDelays(
    _ documents: [(file: String, results: ResultSet)]
  ) throws(ResultSetError) {
    var first: (file: String, delay: String)?
    for (file, results) in documents {
      for run in results.measurements {
        guard let known = first else {
          first = (file, run.delayText)
          continue
        }
        if known.delay == run.delayText { continue }
        throw .delays(file: known.file, other: file, [known.delay, run.delayText])
      }
    }
  }

  /// Refuses documents in which one deterministic cell has two results.
  ///
  /// Equal results may stand twice.
  ///
  /// - Throws: ``ResultSetError/contradiction(file:other:cell:counts:)`` for the first cell in question.
  package static func checkContradictions(
    _ documents: [(file: String, results: ResultSet)]
  ) throws(ResultSetError) {
    let results = tellingTracesApart(documents.map(\.results))
    let cells = results.flatMap {
      $0.measurements.map { CellKey($0) } + $0.curves.map { CellKey($0) }
    }
    let repeated = Set(cells.grouped { $0 }.filter { $0.count > 1 }.map { $0[0] })
    var known: [CellKey: [String: (file: String, value: JSON)]] = [:]
    for (file, results) in zip(documents.map(\.file), results) {
      for (cell, figures) in results.exactFigures(of: repeated) {
        for figure in figures {
          guard let other = known[cell]?[figure.path] else {
            known[cell, default: [:]][figure.path] = (file, figure.value)
            continue
          }
          if other.value == figure.value { continue }
          throw .contradiction(
            file: file, other: other.file, cell: "\(cell.label) on \(cell.trace)",
            counts: [other.value, figure.value].map { "\($0.text) \(figure.name)" })
        }
      }
    }
  }

  /// Everything that these cells' runs and points of curves always repeat, as far as it was measured.
  private func exactFigures(of cells: Set<CellKey>) -> [(CellKey, [DocumentFigure])] {
    if cells.isEmpty { return [] }
    let runs = measurements.filter { $0.isDeterministic && cells.contains(CellKey($0)) }
    let drawn = curves.filter { cells.contains(CellKey($0)) }
    let figures =
      runs.map { (CellKey($0), $0.figures) }
      + drawn.map { (CellKey($0), $0.figures.filter { $0.path != "points" } + $0.pointFigures) }
    return figures.map { cell, figures in
      (cell, figures.filter { $0.certainty == .exact && !$0.isDerived && $0.value != .null })
    }
  }
}

extension Measurement {
  /// The time of a miss: `10000000ns`, `100requests`.
  fileprivate var delayText: String {
    guard let latency else { return "no time" }
    return "\(latency.miss)\(latency.unit == .nanoseconds ? "ns" : "requests")"
  }
}

extension MissRatioCurve {
  /// Each point by its capacity: two curves need not have the same.
  fileprivate var pointFigures: [DocumentFigure] {
    points.map { point in
      DocumentFigure(
        path: "missRatio at \(point.capacity)", value: .number(point.missRatio), certainty: .exact,
        isDerived: false)
    }
  }
}

extension ResultSet {
  /// Returns the exact values in a document that do not follow from the others: `hit ratio of lru at 100 on t`.
  ///
  /// - Parameters:
  ///   - document: The document as it was written.
  ///   - results: The results that were read from it.
  package static func inconsistencies(in document: JSON, read results: ResultSet) -> [String] {
    func elements(_ key: String) -> [JSON] {
      if case .array(let elements)? = document[key] { elements } else { [] }
    }
    func differing(_ written: [DocumentFigure], _ read: [DocumentFigure], of name: String)
      -> [String]
    {
      let values = Dictionary(read.map { ($0.path, $0.value) }, uniquingKeysWith: { old, _ in old })
      return written.filter {
        $0.certainty == .exact && $0.value != .null
          && !$0.value.isEqual(to: values[$0.path] ?? .null)
      }.map { "\($0.name) of \(name)" }
    }
    var measurements = results.measurements[...]
    let runs = elements("results").flatMap { entry -> [String] in
      if entry["kind"] == .string(MissRatioCurve.kind) { return [] }
      guard let run = measurements.popFirst() else { return [] }
      let cell = CellKey(run)
      return differing(
        Measurement.figures(of: entry).filter(\.isDerived), run.figures,
        of: "\(cell.label) on \(cell.trace)")
    }
    let ranking = results.suite?.ranking ?? []
    return runs
      + zip(elements("ranking"), ranking).flatMap { row, read in
        differing(RankingRow.figures(of: row), read.figures, of: "the ranking")
      }
  }
}

extension JSON {
  /// True for equal values: other programs write `1` for `1.0`.
  fileprivate func isEqual(to other: JSON) -> Bool {
    if case (.array(let values), .array(let others)) = (self, other) {
      return values.count == others.count
        && zip(values, others).allSatisfy { $0.isEqual(to: $1) }
    }
    return self == other || double != nil && double == other.double
  }
}
