extension ResultSet {
  /// Refuses documents in which one deterministic cell has two results.
  ///
  /// Equal results may stand twice. Cells that counted other requests, as a warm-up makes them, are others.
  ///
  /// - Throws: ``ResultSetError/contradiction(file:other:cell:counts:)`` for the first cell in question.
  package static func checkContradictions(
    _ documents: [(file: String, results: ResultSet)]
  ) throws(ResultSetError) {
    var known: [ExactResult: (file: String, counts: [ExactResult.Value])] = [:]
    for (file, results) in zip(documents.map(\.file), tellingTracesApart(documents.map(\.results)))
    {
      for (result, counts) in results.exactResults {
        guard let other = known.updateValue((file, counts), forKey: result) else { continue }
        for (old, new) in zip(other.counts, counts) {
          guard let oldValue = old.value, let newValue = new.value, oldValue != newValue else {
            continue
          }
          throw .contradiction(
            file: file, other: other.file, cell: "\(result.cell.label) on \(result.cell.trace)",
            counts: [oldValue, newValue].map { "\($0) \(old.metric)" })
        }
      }
    }
  }

  /// Everything that runs and points of curves always repeat.
  private var exactResults: [(ExactResult, [ExactResult.Value])] {
    let runs = measurements.filter(\.isDeterministic).map { run in
      (
        ExactResult(cell: CellKey(run), requests: run.requests),
        [
          ("hits", "\(run.hits)"), ("insertions", "\(run.insertions)"),
          ("evictions", "\(run.evictions)"), ("byte hit ratio", run.byteHitRatio.map { "\($0)" }),
          ("cost hit ratio", run.costHitRatio.map { "\($0)" }),
        ]
      )
    }
    let points = curves.flatMap { curve in
      curve.points.map { point in
        (
          ExactResult(cell: CellKey(curve), requests: curve.requests, point: point.capacity),
          [("miss ratio at \(point.capacity)", "\(point.missRatio)")]
        )
      }
    }
    return runs + points
  }
}

/// The name of a result that every run of the same cell repeats.
private struct ExactResult: Hashable {
  /// A named value; nil where it was not measured.
  typealias Value = (metric: String, value: String?)

  let cell: CellKey
  let requests: Int
  /// The capacity of a curve's point; nil for a run.
  var point: Int?
}
