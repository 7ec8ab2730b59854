import Eviction
import Runner
import Testing
import Traces

/// LRU that evicts, from its third eviction on, a slot that nobody has requested yet.
private struct EvictsAStranger: ListPolicy, ~Copyable {
  static let information = PolicyInformation(
    name: "stranger", summary: "", paper: "", bytesPerSlot: 9)

  var lists: SlotLists<UInt8>
  private var evictions = 0

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
    evictions += 1
    if evictions < 3 { return lists.evictBack(of: .first, host: &host) }
    _ = lists.removeBack(of: .first, host: host)
    host.didEvictAndForget(Slot(lists.count + 7))
  }
}

/// Sweeps that check the contract of policy and host.
@Suite struct ContractCheckTests {
  private func plan(
    _ trace: Trace, _ policies: [PolicyChoice], capacity: Int, checks: Bool
  ) throws -> ExperimentPlan {
    try ExperimentPlan(
      traces: [trace], policies: policies, capacities: [.count(capacity)],
      sweep: SweepExperiment(checksContract: checks))
  }

  @Test func breachNamesPolicyAndRequest() throws {
    // Of 2: 1 and 2 fill it, 3 and 4 evict as LRU does, 5 is request number 4.
    let policies = [PolicyChoice(RunnablePolicyEntry(EvictsAStranger.self))]
    let trace = Trace.of([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    let checked = try ExperimentRun(plan(trace, policies, capacity: 2, checks: true)).run()
    let failure = try #require(checked.failure)
    #expect(checked.measurements.isEmpty)
    #expect(
      "\(failure.cause)".hasPrefix(
        "stranger at 2 on memory, request 4: violates “keeps the contract with its host”: "
          + "evicts slot 8, which is unknown"), "\(failure.cause)")
    let unchecked = try ExperimentRun(plan(trace, policies, capacity: 2, checks: false)).run()
    #expect(unchecked.failure == nil && unchecked.measurements.count == 1)
  }

  @Test func policiesOfTheCatalogPassWithTheSameCounts() throws {
    let policies = try PolicyChoice.parse(["all"])
    let trace = try TraceGenerators.trace("zipf:keys=500:requests=4000")
    func counts(checks: Bool) throws -> [Int] {
      let finished = try ExperimentRun(
        plan(trace, policies, capacity: 50, checks: checks)
      ).run()
      #expect(finished.failure == nil, "\(finished.failure.map { "\($0.cause)" } ?? "")")
      return finished.measurements.flatMap { [$0.hits, $0.insertions, $0.evictions] }
    }
    #expect(try counts(checks: true) == counts(checks: false))
  }
}
