import Requests
import Results

/// Draws exact LRU at all sizes of a trace, in one pass.
package struct ReferenceEngine: Engine {
  package init() {}

  package func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    MissRatioCurve.lru(of: stream.trace, from: cell.run.warmup, goesOn: observer)
      .map(Outcome.curve)
  }
}

extension ExperimentPlan {
  /// The plan with a curve for each trace to compare its rows with: exact LRU at all sizes.
  ///
  /// The curve counts every get and no set, and nothing expires in it, so there is none where the rows count
  /// otherwise; and it is drawn by the partition that holds the trace's first cell.
  ///
  /// - Parameter held: Curves that are there already.
  package func withReferences(besides held: [MissRatioCurve] = []) -> ExperimentPlan {
    if settings.isSized || settings.warmup > 0 || settings.expires { return self }
    var cells = cells
    for (index, trace) in traces.enumerated() where holdsStart(ofTrace: index) {
      if settings.countsSets && trace.operations != nil { continue }
      if held.contains(where: { $0.trace == trace.name }) { continue }
      let engine = cells.first { $0.trace == index }?.engine ?? ReferenceEngine()
      guard let reference = engine.reference else { continue }
      let end = cells.lastIndex { $0.trace == index } ?? cells.indices.last
      cells.insert(
        cell(of: index, reference.engine, reference.unit), at: end.map { $0 + 1 } ?? 0)
    }
    return with(cells)
  }

  private func cell(of trace: Int, _ engine: any Engine, _ unit: Measurement.Unit) -> Cell {
    let lru = PolicyChoice(.lru)
    let place = CellKey.Place(trace: traces[trace].name, capacity: nil, unit: unit)
    return Cell(
      CellKey(kind: .curve, place: place, policy: lru.label, variant: .curve(rate: 1)),
      role: .baseline, trace: trace, policy: lru,
      run: RunOptions(capacity: traces[trace].distinct, arguments: lru.arguments),
      engine: engine)
  }
}
