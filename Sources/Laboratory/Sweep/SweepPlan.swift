import Eviction
import Parameters
import Traces

/// What is run, cell by cell: traces × capacities × policies × seeds, each independent of the others.
public struct SweepPlan: Sendable {
  /// One policy at one capacity on one trace with one seed.
  public struct Cell: Sendable {
    /// The trace: a place in ``SweepPlan/traces``.
    public let trace: Int
    /// The capacity in objects or bytes.
    public let capacity: Int
    /// The policy with its parameters.
    public let policy: PolicyChoice
    /// Where every random draw starts from.
    public let seed: Int
    /// The place in the order of the whole sweep.
    public internal(set) var position = 0
  }

  /// What all cells have in common.
  public struct Settings: Sendable {
    /// Whether capacities count bytes; any capacity in bytes implies it.
    public var isSized: Bool
    /// Requests at the start that are run but not counted.
    public var warmup: Int
    /// Whether sets count as requests.
    public var countsSets: Bool
    /// At how many points of each run to look at what the policy has learned.
    public var internalsPoints: Int
    /// How runs are cut into windows that are counted one by one; nil for not at all.
    public var windows: WindowCut?

    /// Settings; by default every object counts one, and every get is counted.
    public init(
      isSized: Bool = false, warmup: Int = 0, countsSets: Bool = false, internalsPoints: Int = 0,
      windows: WindowCut? = nil
    ) {
      self.isSized = isSized
      self.warmup = warmup
      self.countsSets = countsSets
      self.internalsPoints = internalsPoints
      self.windows = windows
    }
  }

  /// The traces.
  public let traces: [Trace]
  /// What is run, in the order of the results.
  public private(set) var cells: [Cell]
  /// What all cells have in common.
  public let settings: Settings
  /// What was left out, one line for each reason.
  public let notes: [String]
  /// What the plan takes of a whole sweep.
  let part: SweepPart
  /// The policies asked for.
  let policies: [PolicyChoice]
  /// For each trace, what the capacities asked for are on it.
  let capacities: [[Int]]
  /// For each trace, after how many requests its windows end; empty without windows.
  let windowEnds: [[Int]]
  private let seedCount: Int

  /// Plans every policy at every capacity on every trace, once per seed.
  ///
  /// - Parameters:
  ///   - traces: The traces, of different names.
  ///   - policies: The policies with their parameters.
  ///   - capacities: What they may hold, resolved on each trace; equal ones are run once.
  ///   - seeds: Where random draws start from: every cell is run once for each.
  ///   - settings: What all cells have in common.
  ///   - part: For a share of a sweep what it takes of it: `traces` are then those of the part.
  /// - Throws: ``SweepError`` when a policy asked for by name cannot run somewhere, or when traces
  ///   and settings do not fit. What `all` stands for is left out where it cannot run, with a note.
  public init(
    traces: [Trace], policies: [PolicyChoice], capacities: [Capacity], seeds: [Int] = [42],
    settings: Settings = Settings(), part: SweepPart? = nil
  ) throws(SweepError) {
    try SweepPlan.checkNames(traces.map(\.name))
    let cellsPerTrace = capacities.count * policies.count * seeds.count
    let part =
      part
      ?? SweepPart(
        traces: traces.indices, positions: 0..<traces.count * cellsPerTrace, isWhole: true)
    precondition(part.traces.count == traces.count, "a part is planned with its traces")
    self.traces = traces
    self.settings = settings
    self.part = part
    self.policies = policies
    seedCount = seeds.count
    self.capacities = traces.map {
      SweepPlan.resolved(capacities, trace: $0, isSized: settings.isSized)
    }
    var cells: [Cell] = []
    var notes: [String] = []
    var windowEnds: [[Int]] = []
    for (index, trace) in traces.enumerated() {
      try SweepPlan.check(trace, settings: settings)
      windowEnds.append(try settings.windows?.ends(of: trace, warmup: settings.warmup) ?? [])
      let offers = RequestStream.offers(of: trace)
      var refusals: [Refusal] = []
      let resolved = self.capacities[index]
      for (rank, capacity) in resolved.enumerated() where resolved.firstIndex(of: capacity) == rank
      {
        for (place, policy) in policies.enumerated() {
          let start =
            (part.traces.lowerBound + index) * cellsPerTrace
            + (rank * policies.count + place) * seeds.count
          let positions = start..<start + seeds.count
          if let refusal = policy.refusal(
            at: capacity, isSized: settings.isSized, trace: trace.name, offers: offers)
          {
            if policy.isNamed { throw refusal }
            if part.positions.overlaps(positions) {
              refusals.append(Refusal(policy: policy.name, capacity: capacity, error: refusal))
            }
            continue
          }
          for (seed, position) in zip(seeds, positions) where part.positions.contains(position) {
            cells.append(
              Cell(
                trace: index, capacity: capacity, policy: policy, seed: seed, position: position))
          }
        }
      }
      notes += SweepPlan.notes(on: refusals, trace: trace.name)
    }
    if cells.isEmpty && part.isWhole { throw .nothingToRun }
    self.cells = cells
    self.notes = notes
    self.windowEnds = windowEnds
  }

  /// What the results of a cell start from: its identity, nothing measured yet.
  public func measurement(of cell: Cell, kind: Measurement.Kind) -> Measurement {
    Measurement(
      kind: kind, trace: traces[cell.trace].name, policy: cell.policy.name,
      parameters: Measurement.parameters(cell.policy.arguments), capacity: cell.capacity,
      unit: settings.isSized ? .bytes : .objects, seed: cell.seed)
  }

  /// What takes down a cell's windows; nil where they are not asked for.
  func windowLog(of cell: Cell) -> WindowLog? {
    settings.windows.map { WindowLog(ends: windowEnds[cell.trace], seconds: $0.seconds) }
  }

  /// How a cell is run.
  func options(of cell: Cell) -> RunOptions {
    RunOptions(
      capacity: cell.capacity, arguments: cell.policy.arguments,
      seed: UInt64(bitPattern: Int64(cell.seed)), warmup: settings.warmup,
      countsSets: settings.countsSets)
  }

  /// The same plan without the cells at these positions.
  public func without(_ positions: Set<Int>) -> SweepPlan {
    var plan = self
    plan.cells.removeAll { positions.contains($0.position) }
    return plan
  }

  /// Whether the first cell of a trace belongs to this part of the sweep: what is computed once for a
  /// trace is then computed here.
  public func holdsStart(ofTrace trace: Int) -> Bool {
    let cellsPerTrace = capacities[trace].count * policies.count * seedCount
    return part.positions.contains((part.traces.lowerBound + trace) * cellsPerTrace)
  }

  /// Refuses traces that results could not tell apart.
  ///
  /// - Throws: ``SweepError/sameName(trace:)``.
  public static func checkNames(_ names: [String]) throws(SweepError) {
    var known: Set<String> = []
    for name in names where !known.insert(name).inserted { throw .sameName(trace: name) }
  }

  private static func check(_ trace: Trace, settings: Settings) throws(SweepError) {
    if settings.isSized && trace.sizes == nil { throw .sizesMissing(trace: trace.name) }
    if settings.warmup >= trace.requests {
      throw .warmup(trace: trace.name, requests: trace.requests, warmup: settings.warmup)
    }
  }

  /// What the capacities are on a trace, in the order given.
  private static func resolved(_ capacities: [Capacity], trace: Trace, isSized: Bool) -> [Int] {
    var total = trace.distinct
    if isSized, capacities.contains(where: \.isShare) { total = trace.distinctBytes ?? total }
    return capacities.map { $0.resolved(total: total) }
  }
}

extension SweepPlan {
  /// Whether these capacities make a run sized, with or without the option that says so.
  ///
  /// - Throws: ``SweepError/mixedCapacities`` when plain numbers stand beside bytes.
  public static func isSized(
    _ capacities: [Capacity], asked: Bool
  ) throws(SweepError) -> Bool {
    if asked { return true }
    guard capacities.contains(where: \.isBytes) else { return false }
    if capacities.contains(where: \.isCount) { throw .mixedCapacities }
    return true
  }

  /// The columns that a trace is loaded with for these policies.
  public static func columns(for policies: [PolicyChoice], isSized: Bool) -> TraceColumns {
    var columns: TraceColumns = [.operations, .costs]
    if isSized { columns.insert(.sizes) }
    for needs in policies.map(\.needs) {
      if needs.contains(.time) { columns.insert(.times) }
      if needs.contains(.expiry) { columns.formUnion([.times, .ttls]) }
      if needs.contains(.keyLength) { columns.insert(.keyLengths) }
    }
    return columns
  }
}

extension PolicyChoice {
  /// Why the policy cannot run there; nil if it can.
  fileprivate func refusal(
    at capacity: Int, isSized: Bool, trace: String, offers: RequestNeeds
  ) -> SweepError? {
    let missing = needs.subtracting(offers)
    if !missing.isEmpty {
      return .needsMissing(policy: name, trace: trace, needs: missing.names)
    }
    do throws(PolicyError) {
      try entry.description.check(capacity: capacity, isSized: isSized, arguments: arguments)
      return nil
    } catch {
      return .policy(error)
    }
  }
}

extension RequestNeeds {
  /// What is needed, in words.
  var names: [String] {
    let named: [(RequestNeeds, String)] = [
      (.keyHash, "keys"), (.time, "times"), (.nextUse, "the future"), (.expiry, "times to live"),
      (.keyLength, "key lengths"), (.cost, "costs"),
    ]
    return named.filter { contains($0.0) }.map(\.1)
  }
}
