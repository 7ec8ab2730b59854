import EvictionCore
import Parameters
import Requests
import Results
import Traces

/// The cells of an experiment: traces × capacities × policies × seeds, each independent of the others.
package struct ExperimentPlan: Sendable {
  /// The settings that all cells have in common.
  package struct Settings: Sendable {
    /// True where capacities count bytes; any capacity in bytes implies it.
    package var isSized: Bool
    /// Requests at the start that are run but not counted.
    package var warmup: Int
    /// True where sets count as requests.
    package var countsSets: Bool
    /// True if objects leave when their time to live is over.
    package var expires: Bool
    /// The points of each run at which the policy is looked at.
    package var internalsPoints: Int
    /// The windows of each run that are counted one by one; nil for none.
    package var windows: WindowCut?
    /// Checks that policies keep the contract with their host.
    package var checksContract = false
    /// The facts about the trace where it is read block by block; nil where it is in memory.
    package var stream: StreamFacts?

    /// Settings; by default every object counts one, and every get is counted.
    package init(
      isSized: Bool = false, warmup: Int = 0, countsSets: Bool = false, expires: Bool = false,
      internalsPoints: Int = 0, windows: WindowCut? = nil
    ) {
      self.isSized = isSized
      self.warmup = warmup
      self.countsSets = countsSets
      self.expires = expires
      self.internalsPoints = internalsPoints
      self.windows = windows
    }
  }

  /// The traces.
  package let traces: [Trace]
  /// The rows, and the baselines that are run beside them, in the order of the run.
  package private(set) var cells: [Cell]
  /// The settings that all cells have in common.
  package let settings: Settings
  /// The notes on capacities, and on cells that are left out, one line for each reason.
  package let notes: [String]
  /// The part of a whole sweep.
  package let part: PartitionRange
  /// The requested policies.
  package let policies: [PolicyChoice]
  /// The requested capacities on each trace.
  package let capacities: [[Int]]
  /// Adds to the results what follows from the finished cells beyond their measurements.
  package var conclude: @Sendable (FinishedCells, inout ResultSet) -> Void = { _, _ in }
  private let grid: CellGrid

  /// Plans every policy at every capacity on every trace, once per seed.
  ///
  /// - Parameters:
  ///   - traces: The traces, of different names.
  ///   - policies: The policies with their parameters.
  ///   - capacities: The capacities, resolved on each trace; equal ones are run once.
  ///   - seeds: The random seeds: every cell is run once for each.
  ///   - settings: The settings that all cells have in common.
  ///   - part: The part of a partition, whose traces are `traces`; nil for the whole sweep.
  /// - Throws: ``PlanError`` when a policy that is named cannot run somewhere, or when traces
  ///   and settings do not fit. What `all` stands for is left out where it cannot run, with a note.
  package init(
    traces: [Trace], policies: [PolicyChoice], capacities: [Capacity], seeds: [Int] = [42],
    settings: Settings = Settings(), part: PartitionRange? = nil
  ) throws(PlanError) {
    try ExperimentPlan.checkNames(traces.map(\.name))
    grid = CellGrid(
      traces: traces.count, capacities: capacities.count, policies: policies.count,
      seeds: seeds.count)
    let part =
      part
      ?? PartitionRange(
        traces: traces.indices, positions: 0..<grid.cells, isWhole: true)
    precondition(part.traces.count == traces.count, "a part is planned with its traces")
    self.traces = traces
    self.settings = settings
    self.part = part
    self.policies = policies
    var resolved: [[Int]] = []
    for trace in traces {
      resolved.append(try ExperimentPlan.resolved(capacities, trace: trace, settings: settings))
    }
    self.capacities = resolved
    var cells: [Cell] = []
    var refusals: [Refusal] = []
    for (index, trace) in traces.enumerated() {
      try ExperimentPlan.check(trace, settings: settings)
      let engine = SimulationEngine(
        internalsPoints: settings.internalsPoints,
        windowEnds: try settings.windows?.ends(
          of: trace, warmup: settings.warmup, requests: settings.stream?.requests),
        windowSeconds: settings.windows?.seconds, checksContract: settings.checksContract)
      let offers = settings.offers(of: trace)
      let resolved = self.capacities[index]
      for (rank, capacity) in resolved.enumerated() where resolved.firstIndex(of: capacity) == rank
      {
        for (place, policy) in policies.enumerated() {
          let start = grid.position(
            trace: part.traces.lowerBound + index, capacity: rank, policy: place)
          let positions = start..<start + seeds.count
          if let refusal = policy.refusal(
            at: capacity, settings: settings, trace: trace.name, offers: offers)
          {
            if policy.isNamed { throw refusal }
            if part.positions.overlaps(positions) {
              refusals.append(
                Refusal(
                  policy: policy.name, trace: trace.name, capacity: capacity, error: refusal))
            }
            continue
          }
          for (seed, position) in zip(seeds, positions) where part.positions.contains(position) {
            cells.append(
              ExperimentPlan.cell(
                policy, at: capacity, of: index, named: trace.name, seed: seed,
                settings: settings, role: .row(position: position), engine: engine))
          }
        }
      }
    }
    if cells.isEmpty && part.isWhole { throw .nothingToRun }
    let lasting = traces.filter { settings.expires && !settings.offers(of: $0).contains(.expiry) }
    if lasting.count == traces.count, let trace = lasting.first {
      throw .timesToLiveMissing(trace: trace.name)
    }
    self.cells = cells
    notes =
      ExperimentPlan.notes(on: capacities, isSized: settings.isSized)
      + ExperimentPlan.notes(on: refusals)
      + ExperimentPlan.note(onLasting: lasting.map(\.name))
  }

  /// A plan of cells that follow from another plan, or from none.
  package init(
    _ cells: [Cell], traces: [Trace], policies: [PolicyChoice], settings: Settings,
    notes: [String] = []
  ) {
    self.cells = cells
    self.traces = traces
    self.policies = policies
    self.settings = settings
    self.notes = notes
    part = PartitionRange(traces: traces.indices, positions: 0..<cells.count, isWhole: true)
    capacities = []
    grid = CellGrid(traces: traces.count, capacities: 0, policies: policies.count, seeds: 1)
  }

  /// A cell of a policy that is simulated.
  package static func cell(
    _ policy: PolicyChoice, at capacity: Int, of trace: Int, named name: String, seed: Int,
    settings: Settings, role: Cell.Role, engine: any Engine
  ) -> Cell {
    let place = CellKey.Place(
      trace: name, capacity: capacity, unit: settings.isSized ? .bytes : .objects)
    return Cell(
      CellKey(kind: .sweep, place: place, policy: policy.label, seed: seed), role: role,
      trace: trace, policy: policy,
      run: RunOptions(
        capacity: capacity, arguments: policy.arguments,
        seed: UInt64(bitPattern: Int64(seed)), warmup: settings.warmup,
        countsSets: settings.countsSets, expires: settings.expires),
      engine: engine)
  }

  /// The rows, in the order of the results.
  package var rows: [Cell] {
    cells.filter { $0.position != nil }.sorted { ($0.position ?? 0) < ($1.position ?? 0) }
  }

  /// The same plan with other cells.
  package func with(_ cells: [Cell]) -> ExperimentPlan {
    var plan = self
    plan.cells = cells
    return plan
  }

  /// The same plan without the cells at these positions.
  package func without(_ positions: Set<Int>) -> ExperimentPlan {
    with(cells.filter { $0.position.map(positions.contains) != true })
  }

  /// True where the first cell of a trace belongs to this part of the sweep: what is computed once for a
  /// trace is then computed here.
  package func holdsStart(ofTrace trace: Int) -> Bool {
    part.positions.contains(grid.position(trace: part.traces.lowerBound + trace))
  }

  /// Refuses traces that results could not tell apart.
  ///
  /// - Throws: ``PlanError/sameName(trace:)``.
  package static func checkNames(_ names: [String]) throws(PlanError) {
    var known: Set<String> = []
    for name in names where !known.insert(name).inserted { throw .sameName(trace: name) }
  }

  private static func check(_ trace: Trace, settings: Settings) throws(PlanError) {
    if settings.isSized && trace.sizes == nil { throw .sizesMissing(trace: trace.name) }
    let requests = settings.stream.map { $0.requests ?? .max } ?? trace.requests
    if settings.warmup >= requests {
      throw .warmup(trace: trace.name, requests: requests, warmup: settings.warmup)
    }
  }

  /// The capacities on a trace, in the order given.
  private static func resolved(
    _ capacities: [Capacity], trace: Trace, settings: Settings
  ) throws(PlanError) -> [Int] {
    var total = trace.distinct
    if capacities.contains(where: \.isFraction) {
      if let stream = settings.stream {
        guard let known = settings.isSized ? stream.distinctBytes : stream.distinct else {
          throw .unknownKeys(trace: trace.name)
        }
        total = known
      } else if settings.isSized {
        total = trace.distinctBytes ?? total
      }
    }
    return capacities.map { $0.resolved(total: total) }
  }
}

extension ExperimentPlan {
  /// Returns true where these capacities or the option make a run sized.
  ///
  /// - Throws: ``PlanError/mixedCapacities`` when plain numbers stand beside bytes.
  package static func isSized(
    _ capacities: [Capacity], asked: Bool
  ) throws(PlanError) -> Bool {
    if asked { return true }
    guard capacities.contains(where: \.isBytes) else { return false }
    if capacities.contains(where: \.isCount) { throw .mixedCapacities }
    return true
  }

  /// The columns that a trace is loaded with for these policies.
  package static func columns(
    for policies: [PolicyChoice], isSized: Bool, expires: Bool = false
  ) -> TraceColumns {
    var columns: TraceColumns = [.operations, .costs]
    if expires { columns.formUnion([.times, .ttls]) }
    if isSized { columns.insert(.sizes) }
    for needs in policies.map(\.needs) {
      if needs.contains(.time) { columns.insert(.times) }
      if needs.contains(.expiry) { columns.formUnion([.times, .ttls]) }
      if needs.contains(.keyLength) { columns.insert(.keyLengths) }
    }
    return columns
  }
}

extension ExperimentPlan.Settings {
  /// The attributes of a request of `trace` that a run can know.
  package func offers(of trace: Trace) -> RequestNeeds {
    let offers = RequestStream.offers(of: trace)
    return stream == nil ? offers : offers.subtracting(.nextUse)
  }
}

extension PolicyChoice {
  /// Returns the reason why the policy cannot run there; nil if it can.
  fileprivate func refusal(
    at capacity: Int, settings: ExperimentPlan.Settings, trace: String, offers: RequestNeeds
  ) -> PlanError? {
    let missing = needs.subtracting(offers)
    if settings.stream != nil, missing.contains(.nextUse) { return .future(policy: name) }
    if !missing.isEmpty {
      return .needsMissing(policy: name, trace: trace, needs: missing.names)
    }
    do throws(PolicyError) {
      try entry.description.check(
        capacity: capacity, isSized: settings.isSized, arguments: arguments)
      return nil
    } catch {
      return .policy(error)
    }
  }
}
