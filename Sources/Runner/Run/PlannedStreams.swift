import EvictionCore
import Requests
import Results
import Synchronization
import Traces

/// The key streams of a plan's cells: each trace prepared once per seed, for everything that its cells need.
///
/// Next uses do not depend on the seed: a trace has them once, and the first cell that reads them computes
/// them, beside cells that do not. A trace in another order is there while the cells of its variation run.
package final class PlannedStreams: Sendable {
  private struct Key: Hashable {
    let trace: Int
    let seed: Int

    init(_ cell: Cell) {
      trace = cell.trace
      seed = cell.seed
    }
  }

  private let plan: ExperimentPlan
  private let needs: [Key: RequestNeeds]
  /// The streams of the traces as they are.
  private let streams: [Key: RequestStream]
  private let varied = Mutex<(variation: Variation, streams: [Key: RequestStream])?>(nil)

  /// Prepares the traces of a plan.
  package init(_ plan: ExperimentPlan) {
    var needs: [Key: RequestNeeds] = [:]
    for cell in plan.cells {
      needs[Key(cell), default: []].formUnion(cell.engine.needs(of: cell.policy))
    }
    self.plan = plan
    self.needs = needs
    let read = Set(plan.cells.filter(\.engine.readsStream).map(\.trace))
    streams = PlannedStreams.streams(
      of: plan,
      plan.traces.enumerated().map { read.contains($0.offset) ? $0.element : $0.element.outline },
      needs)
  }

  private static func streams(
    of plan: ExperimentPlan, _ traces: [Trace], _ needs: [Key: RequestNeeds]
  ) -> [Key: RequestStream] {
    let settings = plan.settings
    var nextUses: [Int: NextUses] = [:]
    for key in needs.keys where needs[key]?.contains(.nextUse) == true {
      let trace = traces[key.trace]
      nextUses[key.trace] =
        nextUses[key.trace]
        ?? NextUses(
          trace, requests: trace.requests, warmup: settings.warmup,
          countsSets: settings.countsSets)
    }
    var streams: [Key: RequestStream] = [:]
    for (key, needs) in needs {
      let trace = traces[key.trace]
      streams[key] = RequestStream(
        trace, isSized: settings.isSized, requests: trace.requests, needs: needs,
        seed: UInt64(bitPattern: Int64(key.seed)),
        nextUses: needs.contains(.nextUse) ? nextUses[key.trace] : nil)
    }
    return streams
  }

  /// Makes the traces of cells as their variation has them, in the place of those of the one before; nil for none.
  package func begin(_ variation: Variation?, for cells: [Cell] = []) {
    varied.withLock { $0 = nil }
    guard let variation, variation.changesTrace else { return }
    let wanted = Set(cells.filter(\.engine.readsStream).map(\.trace))
    if wanted.isEmpty { return }
    let traces = plan.traces.enumerated().map { place, trace in
      wanted.contains(place) ? variation.trace(trace) : trace
    }
    let streams = PlannedStreams.streams(
      of: plan, traces, needs.filter { wanted.contains($0.key.trace) })
    varied.withLock { $0 = (variation, streams) }
  }

  /// Begins the variation of a cell, unless it has begun; before one without, that of the cell before it ends.
  package func enter(_ cell: Cell) {
    guard let variation = cell.variation else { return begin(nil) }
    let isThere = varied.withLock {
      $0?.variation == variation && $0?.streams[Key(cell)] != nil
    }
    if !isThere { begin(variation, for: [cell]) }
  }

  /// The stream that one of the plan's cells runs on: of a variation, once it has begun.
  package subscript(cell: Cell) -> RequestStream {
    guard let variation = cell.variation, variation.changesTrace, cell.engine.readsStream else {
      return recorded(cell)
    }
    return varied.withLock { varied in
      guard let varied, varied.variation == variation, let stream = varied.streams[Key(cell)]
      else { preconditionFailure("the cell's variation has not begun") }
      return stream
    }
  }

  /// The stream of one of the plan's cells without its variation.
  package func recorded(_ cell: Cell) -> RequestStream {
    guard let stream = streams[Key(cell)] else {
      preconditionFailure("the cell is not of this plan")
    }
    return stream
  }
}
