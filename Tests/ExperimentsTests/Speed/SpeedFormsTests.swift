import Comparison
import Eviction
import EvictionCore
import Experiments
import RecordedTraces
import Requests
import Results
import Runner
import Simulation
import Testing
import Traces

/// The forms in which `evict speed` runs a policy.
@Suite struct SpeedFormsTests {
  /// The rows of policies on a trace, one of each form.
  private static func rows(
    of policies: [PolicyChoice], on trace: Trace, settings: ExperimentPlan.Settings = .init(),
    capacity: Capacity = .count(50)
  ) throws -> [Results.Measurement] {
    let plan = try ExperimentPlan(
      traces: [trace], policies: policies, capacities: [capacity], settings: settings)
    let run = try ExperimentRun(SpeedExperiment(rounds: 1, isTimed: false).rows(of: plan)).run()
    #expect(run.failure == nil)
    return run.measurements
  }

  /// Policies that run, by name, with the forms of their rows.
  private static let online = RunnablePolicyEntry.catalog.filter {
    !$0.information.isBound
      && $0.needs.isDisjoint(with: [.nextUse, .expiry, .keyLength, .requestClass])
  }.map(\.information.name)

  @Test(.inReleaseBuilds, arguments: [0, 1_000])
  func everyFormOfAPolicyCountsTheSame(warmup: Int) throws {
    let trace = try WholeTraces.load("orders.txt.zst", columns: .all, limit: 5_000)
    let policies = Self.online + ["opt", "belady-size", "lru:admission=tinylfu", "slru:segments=4"]
    let rows = try Self.rows(
      of: PolicyChoice.parse(policies), on: trace, settings: .init(warmup: warmup))
    for rows in rows.grouped(by: \.policyLabel) {
      let forms = rows.map(\.form)
      let isBound = ["opt", "belady-size"].contains(rows[0].policy)
      #expect(
        forms.starts(with: isBound ? [.policy] : [.policy, .cache]), "\(rows[0].policyLabel)")
      for row in rows {
        #expect(
          [row.requests, row.hits, row.insertions, row.evictions]
            == [rows[0].requests, rows[0].hits, rows[0].insertions, rows[0].evictions],
          "\(CellKey(row).label)")
      }
    }
    for policy in ["lru", "fifo", "opt"] {
      let forms = rows.filter { $0.policyLabel == policy }.map(\.form)
      #expect(forms.last == .theorem, "\(policy)")
    }
    for policy in ["clock", "lru:admission=tinylfu"] {
      let forms = rows.filter { $0.policyLabel == policy }.map(\.form)
      #expect(forms == [.policy, .cache], "\(policy)")
    }
  }

  @Test func noLoopCountsSizes() throws {
    let trace = try WholeTraces.load("build.csv.zst", columns: .sizes, limit: 2_000)
    let rows = try Self.rows(
      of: PolicyChoice.parse(["lru", "fifo"]), on: trace, settings: .init(isSized: true),
      capacity: .bytes(1 << 20))
    #expect(rows.map(\.form) == [.policy, .cache, .policy, .cache])
    for rows in rows.grouped(by: \.policy) {
      #expect(rows[0].hits == rows[1].hits && rows[0].byteHitRatio == rows[1].byteHitRatio)
    }
  }

  @Test func aFaultOfAPolicyIsFoundInEachFormThatRunsIt() throws {
    let trace = try WholeTraces.load("zipf.txt.zst", columns: .all, limit: 5_000)
    func document(_ policy: RunnablePolicyEntry) throws -> ResultSet {
      let rows = try Self.rows(of: [PolicyChoice(policy)], on: trace)
      return ResultSet(
        traces: [
          TraceSummary(name: trace.name, format: "plain", requests: 5_000, distinct: trace.distinct)
        ],
        measurements: rows.filter { $0.form != .theorem })
    }
    let right = try document(RunnablePolicyEntry(LRU.self))
    let gate = Judgement.gate(
      ResultComparison(before: right, after: try document(RunnablePolicyEntry(LazyLRU.self))))
    #expect(gate.hasFailed)
    let closed = gate.items.filter { $0.severity == .failure && $0.difference.figure == "hits" }
    #expect(closed.map(\.difference.cell.label) == ["lru at 50", "lru at 50, cache"])
    #expect(!Judgement.gate(ResultComparison(before: right, after: right)).hasFailed)
  }

  @Test func aPolicyThatCallsItselfTheOptimumRunsItself() throws {
    let trace = try WholeTraces.load("zipf.txt.zst", columns: .all, limit: 5_000)
    let stream = RequestStream(trace, needs: .nextUse)
    func hits<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) throws -> Int {
      let simulator = PolicySimulator(policy)
      var options = SimulationOptions(
        RunOptions(
          capacity: 50, arguments: PolicyChoice(RunnablePolicyEntry(policy)).arguments))
      options.answer = .policy
      return try #require(try simulator.run(stream, options: options)).hits
    }
    #expect(try hits(Pretender.self) == hits(LRU.self))
    #expect(try hits(Pretender.self) < hits(OPT.self))
  }
}

/// LRU that leaves every eighth object where it is when it is requested again.
private struct LazyLRU: ListPolicy, ~Copyable {
  static let information = PolicyInformation(
    name: "lru", summary: "lru with a fault", paper: "None.", idea: "A gate finds it.",
    bytesPerSlot: 9)

  var lists: SlotLists<UInt8>

  init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 1, slots: configuration.slots)
  }

  mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    if request.slot % 8 != 3 { lists.moveToFront(request.slot, of: .first) }
  }

  mutating func insert(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    lists.evictBack(of: .first, host: &host)
  }
}

/// LRU whose page says that it is Belady's MIN.
private struct Pretender: ListPolicy, ~Copyable {
  static let information = PolicyInformation(
    name: "pretender", summary: "lru in disguise", paper: "None.", idea: "It must be found out.",
    bytesPerSlot: 9, baselines: [.optimum: "pretender"])

  static var needs: RequestNeeds { .nextUse }

  var lists: SlotLists<UInt8>

  init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 1, slots: configuration.slots)
  }

  mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    lists.moveToFront(request.slot, of: .first)
  }

  mutating func insert(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    lists.evictBack(of: .first, host: &host)
  }
}
