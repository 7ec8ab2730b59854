import Eviction
import EvictionCore
import Experiments
import Parameters
import Results
import Runner
import Testing
import Traces

/// LRU that wants more than most: four objects at least, and the time of every request.
private struct Demanding: ListPolicy, ~Copyable {
  static let information = PolicyInformation(
    name: "demanding", summary: "", paper: "", minimumCapacity: 4, bytesPerSlot: 9)
  static var needs: RequestNeeds { .time }

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

  mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {}
}

extension SlotLists<UInt8>.ID {
  fileprivate static var first: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(1) }
}

/// The cells that are run, refused and left out.
@Suite struct ExperimentPlanTests {
  static let policies = RunnablePolicyEntry.catalog + [RunnablePolicyEntry(Demanding.self)]

  static func trace(_ name: String = "t.csv", times: Bool = true) throws -> Trace {
    let text = times ? "time,key\n1,a\n2,b\n3,c\n4,a\n5,d\n6,e\n" : "key\na\nb\nc\na\nd\ne\n"
    return try TraceLoader.load(
      bytes: Array(text.utf8), name: name, format: "csv:key=key", columns: .all)
  }

  @Test func cellsStandByTraceThenCapacityThenPolicyThenSeed() throws {
    let plan = try ExperimentPlan(
      traces: [Self.trace("a"), Self.trace("b")], policies: PolicyChoice.parse(["lru,fifo"]),
      capacities: [.count(2), .count(1)], seeds: [1, 2])
    let cells = plan.cells.map { "\($0.trace) \($0.capacity) \($0.policy.name) \($0.seed)" }
    #expect(
      cells == [
        "0 2 lru 1", "0 2 lru 2", "0 2 fifo 1", "0 2 fifo 2",
        "0 1 lru 1", "0 1 lru 2", "0 1 fifo 1", "0 1 fifo 2",
        "1 2 lru 1", "1 2 lru 2", "1 2 fifo 1", "1 2 fifo 2",
        "1 1 lru 1", "1 1 lru 2", "1 1 fifo 1", "1 1 fifo 2",
      ])
  }

  @Test func equalCapacitiesAreRunOnce() throws {
    let plan = try ExperimentPlan(
      traces: [Self.trace()], policies: PolicyChoice.parse(["lru"]),
      capacities: [.fraction(Fraction(1, 100)), .count(1), .fraction(Fraction(20, 100)), .count(5)])
    #expect(plan.cells.map(\.capacity) == [1, 5])
  }

  @Test func policyBelowItsMinimumIsRefusedByNameAndLeftOutOfAll() throws {
    let named = try PolicyChoice.parse(["lru,demanding"], among: Self.policies)
    let refusal = #expect(throws: PlanError.self) {
      try ExperimentPlan(
        traces: [Self.trace()], policies: named, capacities: [.count(4), .count(3)])
    }
    #expect(refusal?.kind == .usage)
    #expect(refusal?.description == "demanding cannot run at capacity 3; give at least 4")

    let all = try PolicyChoice.parse(["all"], among: Self.policies)
    let plan = try ExperimentPlan(
      traces: [Self.trace()], policies: all, capacities: [.count(4), .count(3)])
    #expect(plan.cells.count(where: { $0.policy.name == "demanding" }) == 1)
    #expect(
      plan.notes.filter { $0.contains("demanding") } == [
        "t.csv, capacity 3: left out: demanding cannot run at capacity 3; give at least 4"
      ])
  }

  @Test(arguments: [
    ("lru,fifo,-lru", ["fifo"]), ("slru,slru:protected=0.5,arc,-slru", ["arc"]),
    ("slru,slru:protected=0.5,arc,-slru:protected=0.5", ["slru", "arc"]),
    ("lru,-arc", ["lru"]), ("-lru,lru", []), ("lru,-lru", []),
  ])
  func policiesAreLeftOut(_ text: String, _ labels: [String]) throws {
    #expect(((try? PolicyChoice.parse([text])) ?? []).map(\.label) == labels)
    let all = try PolicyChoice.parse(["all"]).map(\.label)
    let fewer = try PolicyChoice.parse(["all,-slru"]).map(\.label)
    #expect(fewer == all.filter { !$0.hasPrefix("slru") })
    #expect(throws: PolicyError.self) { try PolicyChoice.parse(["all,-nope"]) }
  }

  @Test func whatIsLeftOutIsSaidOnceForEveryReason() throws {
    let all = try PolicyChoice.parse(["all"], among: Self.policies)
    func notes(_ capacities: ClosedRange<Int>, times: Bool) throws -> [String] {
      try ExperimentPlan(
        traces: [Self.trace(times: times)], policies: all, capacities: capacities.map { .count($0) }
      ).notes
    }
    #expect(
      try notes(2...4, times: true).filter { $0.contains("demanding") } == [
        "t.csv, capacities 2, 3: left out: demanding cannot run at capacity 2; give at least 4"
      ])
    let lacking = try notes(4...24, times: false).filter { $0.contains("lacks") }
    #expect(lacking.filter { $0.hasPrefix("t.csv lacks times; left out: ") }.count == 1)
    #expect(lacking.filter { $0.contains("demanding") }.count == 1)
    #expect(Set(lacking).count == lacking.count)
  }

  @Test func aCapacityOfMoreThanAllKeysIsNoted() throws {
    func notes(_ capacities: String) throws -> [String] {
      try ExperimentPlan(
        traces: [Self.trace()], policies: PolicyChoice.parse(["lru"]),
        capacities: Capacity.list(parsing: capacities)
      ).notes
    }
    #expect(try notes("50%,100%,1000") == [])
    #expect(
      try notes("50%,150%") == ["capacity 150% is more than all keys: nothing has to be evicted"])
    #expect(
      try notes("150%,1,100.1%,150%") == [
        "capacities 150%, 100.1% are more than all keys: nothing has to be evicted"
      ])
  }

  @Test func whatAllTracesLackIsSaidOnce() throws {
    let plan = try ExperimentPlan(
      traces: ["a.csv", "b.csv"].map { try Self.trace($0, times: false) },
      policies: PolicyChoice.parse(["all"], among: Self.policies), capacities: [.count(4)])
    #expect(
      plan.notes.count { $0.hasPrefix("a.csv, b.csv lack times; left out: ") } == 1, "\(plan.notes)"
    )
    #expect(!plan.notes.contains { $0.contains("b.csv lacks") })
  }

  @Test func traceThatLacksWhatAPolicyNeedsIsRefusedByName() throws {
    let named = try PolicyChoice.parse(["demanding"], among: Self.policies)
    let refusal = try #require(
      #expect(throws: PlanError.self) {
        try ExperimentPlan(
          traces: [Self.trace(times: false)], policies: named, capacities: [.count(4)])
      })
    #expect(refusal.kind == .data)
    #expect(
      refusal.description == "demanding needs times, which t.csv does not have; "
        + "leave the policy out or record the trace with them")
  }

  @Test func columnsAreReadOnlyWhereTheyAreNeeded() throws {
    let plain = try PolicyChoice.parse(["lru"])
    let demanding = try PolicyChoice.parse(["demanding"], among: Self.policies)
    #expect(ExperimentPlan.columns(for: plain, isSized: false) == [.operations, .costs])
    #expect(ExperimentPlan.columns(for: plain, isSized: true) == [.operations, .costs, .sizes])
    #expect(
      ExperimentPlan.columns(for: demanding, isSized: false) == [.operations, .costs, .times])
  }

  @Test func sharesOfASizedRunAreOfTheFirstSizes() throws {
    let text = "key,size\na,100\na,900\nb,200\n"
    let trace = try TraceLoader.load(
      bytes: Array(text.utf8), name: "s.csv", columns: .all)
    let plan = try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse(["lru"]),
      capacities: [.fraction(Fraction(50, 100))], settings: .init(isSized: true))
    #expect(plan.cells.map(\.capacity) == [150])
  }
}

/// Policies as users ask for them.
@Suite struct PolicyChoiceTests {
  @Test func allStandsForEveryPolicyAndItsVariantsOnce() throws {
    let labels = try PolicyChoice.parse(["arc,all", "arc"]).map(\.label)
    let online = try RunnablePolicyEntry.catalog.map(\.information).filter {
      !$0.isBound && !$0.isReinterpretation
    }.flatMap { try PolicyChoice.parse([$0.name] + $0.variants.map { "\($0)" }).map(\.label) }
    #expect(labels == ["arc"] + online.filter { $0 != "arc" })
    #expect(labels.contains("wtinylfu:climb=true"))
  }

  @Test(arguments: ["opt", "infinite", "pannier", "lfru"])
  func allStandsForNoBoundAndNoReinterpretation(_ name: String) throws {
    #expect(try !PolicyChoice.parse(["all"]).contains { $0.name == name })
    #expect(try PolicyChoice.parse(["all", name]).contains { $0.name == name })
  }

  @Test(
    arguments: [
      ("lru", nil), ("lhd", 1 << 20), ("lhd:interval=8192", 8192),
      ("lru:admission=adaptsize", 500_000),
      ("lru:admission=adaptsize:admission.interval=1000", 1000),
    ] as [(String, Int?)])
  func learnersSayWhenTheyLearn(_ text: String, interval: Int?) throws {
    let choice = try #require(try PolicyChoice.parse([text]).first)
    #expect(choice.learning?.interval == interval)
  }

  @Test func policyNamedBesideAllCountsAsNamed() throws {
    let choices = try PolicyChoice.parse(["all,arc"])
    #expect(choices.filter(\.isNamed).map(\.name) == ["arc"])
  }

  @Test func parametersTellChoicesApart() throws {
    let choices = try PolicyChoice.parse(["slru", "slru:protected=0.5,slru:protected=0.50"])
    #expect(choices.count == 2)
    #expect(Measurement.parameters(choices[1].arguments) == [.init("protected", .number(0.5))])
  }

  @Test(arguments: ["", "lru,", "LRU", "slru:protected", "slru:protected=9"])
  func nonsenseIsRefused(_ text: String) {
    #expect(throws: PolicyError.self) { try PolicyChoice.parse([text]) }
  }
}
