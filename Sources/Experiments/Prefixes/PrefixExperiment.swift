import Parameters
import Requests
import Results
import Traces

/// Runs policies as caches of prefixes.
package struct PrefixExperiment: ExperimentKind {
  /// The rules.
  private let setup: PrefixSetup
  /// The bytes of a token's keys and values; nil where they are not known.
  private let bytesPerToken: Int?
  private let hasOptimum: Bool

  /// - Parameters:
  ///   - setup: The rules.
  ///   - bytesPerToken: Turns capacities in bytes into blocks.
  ///   - hasOptimum: Compares rows with the optimum.
  package init(_ setup: PrefixSetup, bytesPerToken: Int?, hasOptimum: Bool) {
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
    var position = 0
    for (index, trace) in traces.enumerated() {
      guard let forest = PromptForest(trace) else {
        throw PlanError.noPrompts(trace: trace.name, format: trace.format)
      }
      notes += forest.notes(on: trace.name)
      let warmup = setup.definition == .kvcacheSimulator ? forest.prompts / 2 : 0
      if warmup + request.settings.warmup >= forest.prompts {
        throw PlanError.warmup(
          trace: trace.name, requests: forest.prompts, warmup: warmup + request.settings.warmup)
      }
      let engine = PrefixEngine(
        forest, setup, warmup: max(warmup, request.settings.warmup), bytesPerToken: bytesPerToken)
      let capacities = try request.capacities.map { (capacity) throws(PlanError) in
        try blocks(of: capacity, in: forest)
      }
      let base = try ExperimentPlan(
        traces: [trace], policies: request.policies, capacities: capacities.map { .count($0) },
        seeds: request.seeds, settings: ExperimentPlan.Settings())
      notes += base.notes
      var refused: [String] = []
      let optimum = hasOptimum ? PolicyChoice(.optimum) : nil
      let hasRow = request.policies.contains { $0.name == PrefixEngine.optimum }
      for cell in base.cells {
        if let refusal = refusal(of: cell.policy) {
          if cell.policy.isNamed { throw refusal }
          refused.append(refusal.description)
          continue
        }
        var row = prefixCell(
          cell, cell.policy, of: index, .row(position: position), engine)
        position += 1
        if let optimum {
          let beside = prefixCell(cell, optimum, of: index, .baseline, engine)
          if !hasRow && cells.last?.key.place != beside.key.place { cells.append(beside) }
          row.baselines[.optimum] = beside.key
        }
        cells.append(row)
      }
      notes += refused.unique
    }
    if cells.isEmpty { throw PlanError.nothingToRun }
    return ExperimentPlan(
      cells, traces: traces, policies: request.policies, settings: request.settings,
      notes: notes)
  }

  /// A cell of a policy at the place of another cell. The optimum draws nothing, so it runs for one seed.
  private func prefixCell(
    _ cell: Cell, _ policy: PolicyChoice, of trace: Int, _ role: Cell.Role, _ engine: PrefixEngine
  ) -> Cell {
    let seed = policy.name == PrefixEngine.optimum ? 42 : cell.seed
    return Cell(
      CellKey(
        kind: .prefix,
        place: CellKey.Place(trace: cell.key.trace, capacity: cell.capacity, unit: .blocks),
        policy: policy.label, seed: seed, variant: .prefix(engine.setup(of: policy))),
      role: role, trace: trace, policy: policy,
      run: RunOptions(
        capacity: cell.capacity, arguments: policy.arguments,
        seed: UInt64(bitPattern: Int64(seed))),
      engine: engine)
  }

  private func refusal(of policy: PolicyChoice) -> PlanError? {
    if policy.admission != nil { return .admission(policy: policy.label) }
    if policy.name == PrefixEngine.optimum || setup.residency == .free { return nil }
    return policy.entry.simulator.pinRefusal.map { .pins(policy: policy.name, reason: $0) }
  }

  private func blocks(
    of capacity: Capacity, in forest: PromptForest
  ) throws(PlanError) -> Int {
    guard case .bytes(let bytes) = capacity else {
      return capacity.resolved(total: forest.distinct)
    }
    guard let bytesPerToken else { throw .bytesPerTokenMissing }
    let blocks = bytes / (bytesPerToken * forest.blockTokens)
    if blocks == 0 { throw .capacity(text: capacity.description) }
    return blocks
  }
}
