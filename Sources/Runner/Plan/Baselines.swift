import EvictionCore
import Requests
import Results

/// A cell that rows are measured against, at the same place.
package enum BaselineRole: Hashable, Sendable {
  /// FIFO.
  case fifo
  /// The optimum, Belady's MIN with bypass: no policy hits more, whether it may refuse or not.
  case optimum
  /// The optimum, or bounds of it in bytes.
  case bound
  /// A cache without limit.
  case infinite
  /// The row's policy in another order of the requests.
  case order(Int)
  /// A cache without limit in which nothing expires.
  case lasting
  /// A cache without limit in which nothing expires and each object counts one: it misses first requests only.
  case firstRequests
}

/// Adds the cells that rows are measured against: each once per place, unless it is one of the rows.
///
/// The optimum is known where every object counts one: Belady's MIN with bypass, the same for all policies. Nothing
/// expires in it, so that it is a bound where objects of the rows do: anyone who loses objects early has no more hits.
/// Where misses take time, FIFO's take as long, and MIN is no optimum.
package struct Baselines: Sendable {
  /// Adds what explanations need.
  package let explains: Bool
  private let bounds = BoundsEngine(isBaseline: true)
  private let simulation = SimulationEngine()

  private static let fifo = PolicyChoice(.fifo)
  package static let bypassingOptimum = PolicyChoice(.bypassingOptimum)
  private static let infinite = PolicyChoice(.infinite)
  /// The orders in which two threads may bring the requests of a replay to a cache: the recorded one, and those of its
  /// lock, which one of them keeps for a few requests or for many: a thread that loses its core waits milliseconds for it,
  /// in which the other one makes ten thousands. Two of each: of one, one run in nine lies outside.
  static let orders: [Variation?] =
    [nil]
    + [16, 64, 256, 1024, 4096, 16_384, 65_536].flatMap { reach in
      (1...2).map { Variation(.order, model: "lock", extent: reach, number: $0) }
    }

  /// - Parameter explains: Adds the bound and the cache without limit, for explanations.
  package init(explains: Bool = false) { self.explains = explains }

  /// Returns the plan with its baselines, in the order of the run: at each place they come first, and the
  /// rows that are baselines next, as no other row is finished before; rows that share a pass may run earlier.
  package func added(to plan: ExperimentPlan) -> ExperimentPlan {
    var cells: [Cell] = []
    for group in plan.groups.map({ Array(plan.cells[$0]) }) {
      cells += addBaselines(to: group, of: plan)
    }
    return plan.with(cells)
  }

  private func addBaselines(to rows: [Cell], of plan: ExperimentPlan) -> [Cell] {
    let isSized = plan.settings.isSized
    let offers = RequestStream.offers(of: plan.traces[rows[0].trace])
    let knowsFuture = plan.stream == nil && offers.contains(.nextUse)
    var rows = rows
    var wanted: [CellKey: Cell] = [:]
    var order: [CellKey] = []
    func want(_ cell: Cell) -> CellKey {
      if wanted.updateValue(cell, forKey: cell.key) == nil { order.append(cell.key) }
      return cell.key
    }
    func cell(_ choice: PolicyChoice, label: String? = nil) -> Cell {
      plan.baseline(choice, beside: rows[0]).cell(
        label: label, role: .baseline, engine: simulation)
    }
    func policy(_ choice: PolicyChoice) -> CellKey { want(cell(choice)) }
    let fifo = policy(Baselines.fifo)
    var shared: [BaselineRole: CellKey] = [.fifo: fifo]
    func lasting(_ choice: PolicyChoice) -> CellKey {
      if !plan.settings.expires { return policy(choice) }
      // A row of the same policy is another cell: its objects expire.
      var cell = cell(choice, label: "\(choice.label), nothing expires")
      cell.run.expires = false
      return want(cell)
    }
    func firstRequests() -> CellKey {
      var cell = plan.baseline(Baselines.infinite, beside: rows[0]).cell(
        label: "first requests", role: .baseline, engine: FirstRequestsEngine())
      cell.run.expires = false
      return want(cell)
    }
    if knowsFuture && !isSized && plan.settings.delay == nil {
      shared[.optimum] = lasting(Baselines.bypassingOptimum)
    }
    // Explanations are of the trace as it is.
    if explains && rows[0].variation == nil {
      shared[.infinite] = policy(Baselines.infinite)
      shared[.lasting] = lasting(Baselines.infinite)
      shared[.firstRequests] = isSized ? firstRequests() : shared[.lasting]
      if knowsFuture {
        shared[.bound] =
          isSized
          ? want(
            plan.baseline(Baselines.bypassingOptimum, beside: rows[0]).cell(
              of: .bounds, label: BoundsEngine.policy, role: .baseline, engine: bounds))
          : lasting(Baselines.bypassingOptimum)
      }
    }
    for index in rows.indices { rows[index].baselines.merge(shared) { _, new in new } }
    for (number, order) in Baselines.orders.enumerated() {
      for (index, row) in rows.enumerated() where row.key.replay?.isReordered == true {
        let cell = plan.baseline(row.policy, beside: row, in: order, seed: row.seed).cell(
          role: .baseline, engine: simulation)
        rows[index].baselines[.order(number)] = want(cell)
      }
    }
    let own = Set(rows.map(\.key))
    return order.filter { !own.contains($0) }.compactMap { wanted[$0] }
      + rows.filter { wanted[$0.key] != nil } + rows.filter { wanted[$0.key] == nil }
  }
}

/// Simulates a policy with each object counting one, whatever the rows count.
private struct FirstRequestsEngine: Engine {
  func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    try SimulationEngine().run(
      cell, on: RequestStream(stream.trace, limit: stream.requests), round: round,
      observer: observer)
  }
}

extension ExperimentPlan {
  /// A baseline at the place of a row, with the seed of the plan's first cell.
  fileprivate func baseline(
    _ policy: PolicyChoice, beside row: Cell, in order: Variation? = nil, seed: Int? = nil
  ) -> Row {
    Row(
      policy, at: row.key.place.capacity ?? row.capacity, of: row.trace, named: row.key.trace,
      seed: seed ?? cells[0].seed, settings: settings, variation: order ?? row.variation,
      ranCapacity: row.capacity)
  }

  /// The cells that stand together at one place in one variation, by the index of the first of them.
  package var groups: [Range<Int>] {
    var groups: [Range<Int>] = []
    for index in cells.indices {
      if let last = groups.last, cells[last.lowerBound].key.place == cells[index].key.place,
        cells[last.lowerBound].variation == cells[index].variation
      {
        groups[groups.count - 1] = last.lowerBound..<index + 1
      } else {
        groups.append(index..<index + 1)
      }
    }
    return groups
  }
}
