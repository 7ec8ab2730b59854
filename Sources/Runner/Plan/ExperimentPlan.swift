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
    /// The time that a miss takes in virtual time; nil for none.
    package var delay: MissDelay?
    /// Charges each policy's own memory to its capacity; nil where it is not.
    package var charge: MetadataCharge?

    /// Settings; by default every object counts one, and every get is counted.
    package init(
      isSized: Bool = false, warmup: Int = 0, countsSets: Bool = false, expires: Bool = false
    ) {
      self.isSized = isSized
      self.warmup = warmup
      self.countsSets = countsSets
      self.expires = expires
    }
  }

  /// The traces; the outline of one that is read block by block.
  package let traces: [Trace]
  /// The trace that is read block by block; nil where all are in memory.
  package let stream: StreamedTrace?
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

  /// Plans what a request asks for: every policy at every capacity on every trace, once per seed.
  ///
  /// - Parameters:
  ///   - request: The policies, the capacities, resolved on each trace (equal ones are run once), seeds and settings.
  ///   - traces: The traces, of different names.
  ///   - part: The part of a partition, whose traces are `traces`; nil for the whole experiment.
  ///   - cells: Makes the cells of the rows.
  /// - Throws: ``PlanError`` when a policy that is named cannot run somewhere, or when traces
  ///   and settings do not fit. What `all` stands for is left out where it cannot run, with a note.
  package init(
    _ request: ExperimentRequest, on traces: [Trace], part: PartitionRange? = nil,
    cells: (_ rows: [Row]) throws -> [Cell]
  ) throws {
    try ExperimentPlan.checkNames(traces.map(\.name))
    if !request.kind.takesPrefetchers {
      for policy in request.policies { try policy.refusePrefetcher() }
    }
    if request.settings.charge != nil {
      for policy in request.policies { try policy.refuseUncountedMemory() }
    }
    let grid = CellGrid(
      traces: traces.count, capacities: request.capacities.count,
      policies: request.policies.count,
      runs: request.seeds.count * (1 + request.variations.all.count))
    let part =
      part
      ?? PartitionRange(
        traces: traces.indices, positions: 0..<grid.cells, isWhole: true)
    precondition(part.traces.count == traces.count, "a part is planned with its traces")
    (self.traces, stream, settings) = (traces, request.stream, request.settings)
    (self.grid, self.part, policies) = (grid, part, request.policies)
    capacities = try traces.map { try request.resolvedCapacities(on: $0) }
    var rows: [Row] = []
    var refusals: [Refusal] = []
    for (number, trace) in traces.enumerated() {
      try request.check(trace)
      let found = try request.rows(
        at: capacities[number], of: trace, number: number,
        from: grid.position(trace: part.traces.lowerBound + number))
      rows += found.rows.filter { part.positions.contains($0.position) }
      refusals += found.refusals.filter { part.positions.overlaps($0.positions) }
    }
    if rows.isEmpty && part.isWhole { throw PlanError.nothingToRun }
    let lasting = traces.filter {
      request.settings.expires && !RequestStream.offers(of: $0).contains(.expiry)
    }
    if lasting.count == traces.count, let trace = lasting.first {
      throw PlanError.timesToLiveMissing(trace: trace.name)
    }
    notes =
      ExperimentPlan.notes(on: request.capacities, isSized: settings.isSized)
      + ExperimentPlan.notes(on: refusals)
      + ExperimentPlan.note(onLasting: lasting.map(\.name))
    self.cells = try cells(rows).grouped(by: \.variation).flatMap(\.self)
  }

  /// Plans simulations; see ``init(_:on:part:cells:)``.
  package init(
    traces: [Trace], policies: [PolicyChoice], capacities: [Capacity], seeds: [Int] = [42],
    settings: Settings = Settings(), part: PartitionRange? = nil,
    sweep: SweepExperiment = SweepExperiment()
  ) throws {
    let request = ExperimentRequest(
      sweep, policies: policies, capacities: capacities, seeds: seeds, settings: settings)
    try self.init(request, on: traces, part: part) {
      try sweep.cells(of: $0, on: traces, request)
    }
  }

  /// A plan of cells that follow from no rows.
  package init(
    _ cells: [Cell], traces: [Trace], policies: [PolicyChoice], settings: Settings,
    notes: [String] = []
  ) {
    self.cells = cells
    self.traces = traces
    self.policies = policies
    self.settings = settings
    self.notes = notes
    stream = nil
    part = PartitionRange(traces: traces.indices, positions: 0..<cells.count, isWhole: true)
    capacities = []
    grid = CellGrid(traces: traces.count, capacities: 0, policies: policies.count, runs: 1)
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
      if needs.contains(.requestClass) { columns.insert(.classes) }
    }
    return columns
  }
}

extension ExperimentRequest {
  /// Refuses a trace that the settings do not fit.
  fileprivate func check(_ trace: Trace) throws(PlanError) {
    if settings.isSized && trace.sizes == nil { throw .sizesMissing(trace: trace.name) }
    if case .time(let delay) = settings.delay {
      guard let last = trace.times?.max() else { throw .timesMissingForDelay(trace: trace.name) }
      if trace.duration(from: 0) == nil || last.addingReportingOverflow(delay).overflow {
        throw .timesTooFarForDelay(trace: trace.name)
      }
    }
    let requests = stream.map { $0.requests ?? .max } ?? trace.requests
    if settings.warmup >= requests {
      throw .warmup(trace: trace.name, requests: requests, warmup: settings.warmup)
    }
  }

  /// The capacities on a trace, in the order given.
  fileprivate func resolvedCapacities(on trace: Trace) throws(PlanError) -> [Int] {
    var total = trace.distinct
    if capacities.contains(where: \.isFraction) {
      if let stream {
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

  /// The rows of a trace: each policy that can run at each capacity, once per seed.
  ///
  /// - Parameters:
  ///   - capacities: The capacities, each of which is run once.
  ///   - trace: The trace.
  ///   - number: The trace's place in the plan.
  ///   - start: The position of the trace's first row.
  /// - Returns: The rows, and those of what `all` stands for that cannot run.
  /// - Throws: ``PlanError`` when a policy that is named cannot run.
  package func rows(
    at capacities: [Int], of trace: Trace, number: Int = 0, from start: Int = 0
  ) throws(PlanError) -> (rows: [Row], refusals: [ExperimentPlan.Refusal]) {
    var offers = RequestStream.offers(of: trace)
    if stream != nil { offers.remove(.nextUse) }
    let shape = RequestShape(trace, isSized: settings.isSized, isWhole: stream == nil)
    var rows: [Row] = []
    var refusals: [ExperimentPlan.Refusal] = []
    let runs = seeds.flatMap { seed in
      ([nil] + variations.all).map { (seed: seed, variation: $0) }
    }
    for (rank, capacity) in capacities.enumerated()
    where capacities.firstIndex(of: capacity) == rank {
      // The same for all policies that run there.
      let minimums = policies.map(\.information.minimumCapacity).filter { $0 <= capacity }
      let least = settings.isSized ? 1 : minimums.max() ?? 1
      for (place, policy) in policies.enumerated() {
        let first = start + (rank * policies.count + place) * runs.count
        let positions = first..<first + runs.count
        if let refusal = refusal(of: policy, at: capacity, on: trace.name, offers: offers) {
          if policy.isNamed { throw explained(refusal, rank, capacity, on: trace.name) }
          refusals.append(
            ExperimentPlan.Refusal(
              policy: policy.name, trace: trace.name, capacity: capacity, positions: positions,
              error: refusal))
          continue
        }
        for (run, position) in zip(runs, positions) {
          let row = Row(
            policy, at: capacity, of: number, named: trace.name, seed: run.seed,
            settings: settings, variation: run.variation,
            ranCapacity: run.variation?.capacity(capacity, atLeast: least), position: position)
          if let conflict = row.run.conflict(
            policy: policy.name, needs: policy.entry.needs, over: shape,
            isObserved: (kind as? SweepExperiment)?.checksContract ?? false)
          {
            throw .conflict(conflict, on: trace.name)
          }
          rows.append(row)
        }
      }
    }
    return (rows, refusals)
  }

  /// The same with what the capacity was a fraction of.
  private func explained(
    _ refusal: PlanError, _ rank: Int, _ capacity: Int, on trace: String
  ) -> PlanError {
    guard case .policy(let error) = refusal, case .capacityTooSmall = error,
      capacities.indices.contains(rank), case .fraction(let fraction) = capacities[rank]
    else { return refusal }
    return .tooSmallFraction(error, fraction, of: trace, is: capacity)
  }

  /// Returns the reason why a policy cannot run there; nil if it can.
  private func refusal(
    of policy: PolicyChoice, at capacity: Int, on trace: String, offers: RequestNeeds
  ) -> PlanError? {
    let missing = policy.needs.subtracting(offers)
    if stream != nil, missing.contains(.nextUse) { return .future(policy: policy.name) }
    if stream != nil, missing.contains(.requestClass) {
      return .classesOfStream(policy: policy.name)
    }
    if !missing.isEmpty {
      return .needsMissing(policy: policy.name, trace: trace, needs: missing.names)
    }
    do throws(PolicyError) {
      try policy.check(capacity: capacity, isSized: settings.isSized)
      return nil
    } catch {
      return .policy(error)
    }
  }
}

extension PolicyChoice {
  /// Throws ``PlanError`` if the policy has a prefetcher: not where caches are real, hold prefixes, or are ranked.
  package func refusePrefetcher() throws(PlanError) {
    guard let prefetcher else { return }
    throw .policy(
      .conflict(
        policy: name,
        explanation: "the prefetcher \(prefetcher.name) runs in sweep and curve only; leave it out")
    )
  }
}
