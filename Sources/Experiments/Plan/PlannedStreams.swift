import EvictionCore
import Requests

/// The key streams of a plan's cells: each trace prepared once per seed, for everything that its cells need.
struct PlannedStreams: Sendable {
  private struct Key: Hashable {
    let trace: Int
    let seed: Int

    init(_ cell: Cell) {
      trace = cell.trace
      seed = cell.seed
    }
  }

  private var streams: [Key: RequestStream] = [:]

  /// Prepares the traces of a plan.
  init(_ plan: ExperimentPlan) {
    var needs: [Key: RequestNeeds] = [:]
    for cell in plan.cells {
      needs[Key(cell), default: []].formUnion(cell.engine.needs(of: cell.policy))
    }
    streams = needs.reduce(into: [:]) { streams, entry in
      let (key, needs) = entry
      streams[key] = RequestStream(
        plan.traces[key.trace], isSized: plan.settings.isSized, needs: needs,
        seed: UInt64(bitPattern: Int64(key.seed)), warmup: plan.settings.warmup,
        countsSets: plan.settings.countsSets)
    }
  }

  /// The stream of one of the plan's cells.
  subscript(cell: Cell) -> RequestStream {
    guard let stream = streams[Key(cell)] else {
      preconditionFailure("the cell is not of this plan")
    }
    return stream
  }
}
