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
  public let cells: [Cell]
  /// What all cells have in common.
  public let settings: Settings
  /// What was left out, one line for each reason.
  public let notes: [String]
  /// For each trace, after how many requests its windows end; empty without windows.
  let windowEnds: [[Int]]

  /// Plans every policy at every capacity on every trace, once per seed.
  ///
  /// - Throws: ``SweepError`` when a policy asked for by name cannot run somewhere, or when traces
  ///   and settings do not fit. What `all` stands for is left out where it cannot run, with a note.
  public init(
    traces: [Trace], policies: [PolicyChoice], capacities: [Capacity], seeds: [Int] = [42],
    settings: Settings = Settings()
  ) throws(SweepError) {
    self.traces = traces
    self.settings = settings
    var cells: [Cell] = []
    var notes: [String] = []
    var windowEnds: [[Int]] = []
    for (index, trace) in traces.enumerated() {
      try SweepPlan.check(trace, among: traces, settings: settings)
      windowEnds.append(try settings.windows?.ends(of: trace, warmup: settings.warmup) ?? [])
      let offers = RequestStream.offers(of: trace)
      var refusals: [Refusal] = []
      for capacity in SweepPlan.resolved(capacities, trace: trace, isSized: settings.isSized) {
        for policy in policies {
          if let refusal = policy.refusal(
            at: capacity, isSized: settings.isSized, trace: trace.name, offers: offers)
          {
            if policy.isNamed { throw refusal }
            refusals.append(Refusal(policy: policy.name, capacity: capacity, error: refusal))
            continue
          }
          for seed in seeds {
            cells.append(Cell(trace: index, capacity: capacity, policy: policy, seed: seed))
          }
        }
      }
      notes += SweepPlan.notes(on: refusals, trace: trace.name)
    }
    if cells.isEmpty { throw .nothingToRun }
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
    settings.windows.map { WindowLog($0, ends: windowEnds[cell.trace]) }
  }

  /// How a cell is run.
  func options(of cell: Cell) -> SimulationOptions {
    SimulationOptions(
      capacity: cell.capacity, arguments: cell.policy.arguments,
      seed: UInt64(bitPattern: Int64(cell.seed)), warmup: settings.warmup,
      countsSets: settings.countsSets)
  }

  private static func check(
    _ trace: Trace, among traces: [Trace], settings: Settings
  ) throws(SweepError) {
    if traces.count(where: { $0.name == trace.name }) > 1 { throw .sameName(trace: trace.name) }
    if settings.isSized && trace.sizes == nil { throw .sizesMissing(trace: trace.name) }
    if settings.warmup >= trace.requests {
      throw .warmup(trace: trace.name, requests: trace.requests, warmup: settings.warmup)
    }
  }

  /// The capacities for one trace, each once, in the order given.
  private static func resolved(_ capacities: [Capacity], trace: Trace, isSized: Bool) -> [Int] {
    var total = trace.distinct
    if isSized, capacities.contains(where: \.isShare) { total = trace.distinctBytes ?? total }
    return capacities.map { $0.resolved(total: total) }.reduce(into: []) { unique, capacity in
      if !unique.contains(capacity) { unique.append(capacity) }
    }
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
      try runner.check(capacity: capacity, isSized: isSized, arguments: arguments)
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
