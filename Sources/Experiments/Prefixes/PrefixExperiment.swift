import Parameters
import Prefixes
import Requests
import Results
import Runner
import Traces

/// Runs policies as caches of prefixes.
package struct PrefixExperiment: ExperimentKind {
  /// The rules.
  private let setup: PrefixSetup
  /// The bytes of a token's keys and values; nil where they are not known.
  private let bytesPerToken: Int?
  private let hasOptimum: Bool
  private let orders: [LeafOrderChoice]
  /// The tiers below the device.
  private let tiers: [TierChoice]

  /// - Parameters:
  ///   - setup: The rules. Without a router, each trace has the usual one.
  ///   - bytesPerToken: Turns capacities in bytes into blocks.
  ///   - hasOptimum: Compares rows with the optimum.
  ///   - orders: Runs these beside the policies.
  ///   - tiers: The tiers below the device, the fastest first, which the rules name.
  package init(
    _ setup: PrefixSetup, bytesPerToken: Int?, hasOptimum: Bool, orders: [LeafOrderChoice] = [],
    tiers: [TierChoice] = []
  ) {
    self.tiers = tiers
    self.orders = orders
    self.setup = setup
    self.bytesPerToken = bytesPerToken
    self.hasOptimum = hasOptimum
  }

  /// The columns that are read of traces.
  package static let columns: TraceColumns = [.times, .groups, .prompts]

  /// Plans each policy at each capacity.
  package func plan(
    _ request: ExperimentRequest, on traces: [Trace], part: PartitionRange?
  ) throws -> ExperimentPlan {
    try ExperimentPlan.checkNames(traces.map(\.name))
    var notes: [String] = []
    var cells: [Cell] = []
    for (index, trace) in traces.enumerated() {
      let added = try rows(request, on: trace, number: index, from: cells.count, &notes)
      cells += added
    }
    if cells.isEmpty { throw PlanError.nothingToRun }
    return ExperimentPlan(
      cells, traces: traces, policies: request.policies, settings: request.settings,
      notes: notes.unique)
  }

  /// The rows of a trace, at each capacity after the optimum that they are compared with.
  private func rows(
    _ request: ExperimentRequest, on trace: Trace, number: Int, from position: Int,
    _ notes: inout [String]
  ) throws -> [Cell] {
    guard let forest = PromptForest(trace) else {
      throw PlanError.noPrompts(
        trace: trace.name, format: trace.format,
        reason: TraceFormats.prefixRefusal(ofFormat: trace.format))
    }
    notes += forest.notes(on: trace.name)
    let warmup = request.settings.warmup
    if warmup >= forest.prompts {
      throw PlanError.warmup(trace: trace.name, requests: forest.prompts, warmup: warmup)
    }
    try checkTimes(of: forest, trace, &notes)
    let workers = try workers(of: forest, trace.name)
    var setup = setup
    setup.router = workers.router?.label
    let engine = PrefixEngine(
      VariedForests(forest, workers), setup, warmup: warmup, bytesPerToken: bytesPerToken,
      tiers: try tierBlocks(in: forest, of: trace))
    let capacities = try request.capacities.map { (capacity) throws(PlanError) in
      try blocks(of: capacity, in: forest, trace.name)
    }.unique
    let orders = try runnableOrders(&notes)
    let policies = try runnable(request, on: trace, capacities: capacities, &notes)
    let optimum = PolicyChoice(.optimum)
    let comparesItself = request.policies.contains { $0.name == PrefixEngine.optimum }
    var cells: [Cell] = []
    for (capacity, variation) in capacities.flatMap({ capacity in
      ([nil] + request.variations.all).map { (capacity, $0) }
    }) {
      let rows = policies.filter { $0.place.capacity == capacity && $0.variation == variation }
      let ranCapacity =
        rows.first?.run.capacity ?? variation?.capacity(capacity, atLeast: 1) ?? capacity
      func cell(
        _ policy: PolicyChoice, label: String, seed: Int, _ role: Cell.Role, _ engine: PrefixEngine
      ) -> Cell {
        Cell(
          CellKey(
            kind: .prefix,
            place: CellKey.Place(trace: trace.name, capacity: capacity, unit: .blocks),
            policy: label, seed: seed, variant: .prefix(engine.setup(of: policy)),
            variation: variation),
          role: role, trace: number, policy: policy,
          run: RunOptions(
            capacity: ranCapacity, arguments: policy.arguments,
            seed: UInt64(bitPattern: Int64(seed))),
          engine: engine)
      }
      let best = cell(
        optimum, label: optimum.label, seed: request.seeds[0], .baseline, engine)
      if hasOptimum && !comparesItself { cells.append(best) }
      func add(_ policy: PolicyChoice, label: String, seed: Int, _ engine: PrefixEngine) {
        var row = cell(
          policy, label: label, seed: seed, .row(position: position + cells.count), engine)
        if hasOptimum { row.baselines[.optimum] = best.key }
        cells.append(row)
      }
      for row in rows {
        add(row.policy, label: row.policy.label, seed: row.seed, engine)
      }
      for order in orders {
        add(optimum, label: order.label, seed: request.seeds[0], engine.with(order))
      }
    }
    for write in setup.prices?.writes ?? [] {
      let rented = PrefixEngine.rented(write, of: forest, warmup: warmup, setup: setup)
      cells.append(
        Cell(
          CellKey(
            kind: .prefix,
            place: CellKey.Place(trace: trace.name, capacity: forest.distinct, unit: .blocks),
            policy: rented.choice.label, seed: request.seeds[0],
            variant: .prefix(rented.engine.setup(of: optimum))),
          role: .row(position: position + cells.count), trace: number, policy: optimum,
          run: RunOptions(capacity: forest.distinct, arguments: optimum.arguments),
          engine: rented.engine))
    }
    return cells
  }

  /// Refuses prices of what the trace does not tell.
  private func checkTimes(
    of forest: PromptForest, _ trace: Trace, _ notes: inout [String]
  ) throws(TraceError) {
    guard let prices = setup.prices else { return }
    if trace.duration(from: 0) ?? 0 <= 0 {
      throw .lacking(
        trace: trace.name,
        column: trace.times == nil
          ? "times"
          : "times that differ" + (trace.duration(from: 0) == nil ? " by less than 292 years" : ""),
        remedy: "leave out --prices, which are for times to live and hours")
    }
    if trace.longestStepBack > 60_000_000_000 {
      notes.append(
        "\(trace.name): times go back by more than a minute, and the clock of prices does not; of logs "
          + "that are joined, name the older first")
    }
    if prices.gibHour != nil && forest.blockTokens == nil {
      notes.append(
        "\(trace.name): blocks differ, so a number of them is no number of GiB, and stores of one's own "
          + "have no costs")
    }
  }

  /// The workers of a trace's prompts.
  private func workers(
    of forest: PromptForest, _ trace: String
  ) throws(PlanError) -> Workers {
    if !setup.isDivided { return Workers(nil, count: 1) }
    let changes = self.changes
    if let change = changes.all.first(where: { $0.place(among: forest.prompts) >= forest.prompts })
    {
      throw .workerChange(trace: trace, change: change.description, prompts: forest.prompts)
    }
    let router = self.router ?? RouterChoice(Routers.usual(for: forest))
    if router.router.needsSessions && forest.sessions == nil {
      throw .sessionsMissing(
        router: router.label, trace: trace,
        others: Routers.all.filter { !$0.needsSessions }.map { $0.information.name })
    }
    return Workers(router, count: setup.workers, changes: changes)
  }

  /// The router of the rules; nil where they name none.
  private var router: RouterChoice? {
    setup.router.map { text in
      guard let router = try? RouterChoice(parsing: text) else {
        preconditionFailure("the router is one of the catalog")
      }
      return router
    }
  }

  /// The changes of the rules.
  private var changes: WorkerChanges {
    guard let text = setup.workerChanges else { return .none }
    guard let changes = try? WorkerChanges(parsing: text, workers: setup.workers) else {
      preconditionFailure("the changes were checked")
    }
    return changes
  }

  /// The rows that run. What draws nothing runs for one seed.
  private func runnable(
    _ request: ExperimentRequest, on trace: Trace, capacities: [Int], _ notes: inout [String]
  ) throws -> [Row] {
    let found = try request.rows(at: capacities, of: trace)
    notes += ExperimentPlan.notes(on: found.refusals)
    var runnable: [Row] = []
    for row in found.rows {
      if let refusal = refusal(of: row.policy) {
        if row.policy.isNamed { throw refusal }
        notes.append("\(refusal)")
      } else if row.policy.name != PrefixEngine.optimum || row.seed == request.seeds[0] {
        runnable.append(row)
      }
    }
    return runnable
  }

  /// The tiers with their blocks.
  private func tierBlocks(
    in forest: PromptForest, of trace: Trace
  ) throws(PlanError) -> [(choice: TierChoice, blocks: Int)] {
    try tiers.map { (tier) throws(PlanError) in
      let blocks = try blocks(of: tier.capacity, in: forest, trace.name)
      try tier.check(blocks: blocks, on: trace.name, offers: RequestStream.offers(of: trace))
      return (tier, blocks)
    }
  }

  /// The orders that run; none without chains, and none with tiers.
  private func runnableOrders(_ notes: inout [String]) throws(PlanError) -> [LeafOrderChoice] {
    if setup.residency == .leaves && tiers.isEmpty { return orders }
    for order in orders {
      let refusal =
        tiers.isEmpty
        ? PlanError.freeOrder(order: order.label) : .tieredOrder(order: order.label)
      if order.isNamed { throw refusal }
      notes.append("\(refusal)")
    }
    return []
  }

  private func refusal(of policy: PolicyChoice) -> PlanError? {
    if policy.admission != nil { return .admission(policy: policy.label) }
    do throws(PlanError) { try policy.refusePrefetcher() } catch { return error }
    if policy.name == PrefixEngine.optimum || setup.residency == .free { return nil }
    return policy.entry.prefixes.keepsChains ? nil : .pins(policy: policy.name)
  }

  private func blocks(
    of capacity: Capacity, in forest: PromptForest, _ trace: String
  ) throws(PlanError) -> Int {
    guard case .bytes(let bytes) = capacity else {
      return capacity.resolved(total: forest.distinct)
    }
    guard let blockTokens = forest.blockTokens else {
      throw .unequalBlocks(trace: trace, capacity: capacity.description)
    }
    guard let bytesPerToken else { throw .bytesPerTokenMissing }
    let (block, isOver) = bytesPerToken.multipliedReportingOverflow(by: blockTokens)
    if isOver || bytes < block {
      throw .lessThanBlock(
        trace: trace, capacity: capacity.description, block: isOver ? nil : block)
    }
    return bytes / block
  }
}
