import Eviction

/// The key streams of a plan's cells: each trace prepared once per seed, whatever the number of cells.
struct PlannedStreams: Sendable {
  private struct Key: Hashable {
    let trace: Int
    let seed: Int
  }

  private var streams: [Key: RequestStream] = [:]
  private var references: [Int: RequestStream] = [:]

  /// Prepares the traces for what the plan's policies need, and for `more` needs.
  init(_ plan: SweepPlan, needs more: RequestNeeds = []) {
    let needs = plan.cells.reduce(more) { $0.union($1.policy.needs) }
    for cell in plan.cells {
      let key = Key(trace: cell.trace, seed: cell.seed)
      if streams[key] == nil {
        streams[key] = RequestStream(
          plan.traces[cell.trace], isSized: plan.settings.isSized, needs: needs,
          seed: UInt64(bitPattern: Int64(cell.seed)), warmup: plan.settings.warmup,
          countsSets: plan.settings.countsSets)
      }
    }
  }

  /// Prepares the traces on which yardsticks are simulated, too.
  mutating func prepare(for yardsticks: Yardsticks) {
    let plan = yardsticks.plan
    for cell in plan.cells where references[cell.trace] == nil {
      let stream = self[cell]
      let needs = stream.offers.intersection(yardsticks.needs)
      references[cell.trace] =
        stream.has(needs)
        ? stream
        : RequestStream(
          plan.traces[cell.trace], isSized: plan.settings.isSized, needs: needs,
          warmup: plan.settings.warmup, countsSets: plan.settings.countsSets)
    }
  }

  /// The stream on which a trace's yardsticks are simulated.
  subscript(reference trace: Int) -> RequestStream {
    guard let stream = references[trace] else {
      preconditionFailure("no yardsticks were prepared for")
    }
    return stream
  }

  /// The stream of one of the plan's cells.
  subscript(cell: SweepPlan.Cell) -> RequestStream {
    guard let stream = streams[Key(trace: cell.trace, seed: cell.seed)] else {
      preconditionFailure("the cell is not of this plan")
    }
    return stream
  }
}
