import EvictionCore
import Requests

/// The key streams of a plan's cells: each trace prepared once per seed, for everything that its cells need.
///
/// Next uses do not depend on the seed: a trace has them once, and the first cell that reads them computes
/// them, beside cells that do not.
package struct PlannedStreams: Sendable {
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
  package init(_ plan: ExperimentPlan) {
    var needs: [Key: RequestNeeds] = [:]
    for cell in plan.cells {
      needs[Key(cell), default: []].formUnion(cell.engine.needs(of: cell.policy))
    }
    let settings = plan.settings
    var nextUses: [Int: NextUses] = [:]
    for key in needs.keys where needs[key]?.contains(.nextUse) == true {
      let trace = plan.traces[key.trace]
      nextUses[key.trace] =
        nextUses[key.trace]
        ?? NextUses(
          trace, requests: trace.requests, warmup: settings.warmup,
          countsSets: settings.countsSets)
    }
    for (key, needs) in needs {
      let trace = plan.traces[key.trace]
      streams[key] = RequestStream(
        trace, isSized: settings.isSized, requests: trace.requests, needs: needs,
        seed: UInt64(bitPattern: Int64(key.seed)),
        nextUses: needs.contains(.nextUse) ? nextUses[key.trace] : nil)
    }
  }

  /// The stream of one of the plan's cells.
  package subscript(cell: Cell) -> RequestStream {
    guard let stream = streams[Key(cell)] else {
      preconditionFailure("the cell is not of this plan")
    }
    return stream
  }
}
