import Eviction
import Requests
import Runner
import Simulation
import Testing
import Traces

@Suite struct MissStreamTests {
  private func plan(
    _ trace: Trace, _ policy: PolicyChoice, capacity: Int, isSized: Bool = false
  ) throws -> ExperimentPlan {
    try ExperimentPlan(
      traces: [trace], policies: [policy], capacities: [.count(capacity)],
      settings: ExperimentPlan.Settings(isSized: isSized))
  }

  /// Every policy lets through what it misses, sized or not, and counts as it does without a log.
  @Test(arguments: RunnablePolicyEntry.catalog.map(\.information.name), [false, true])
  func everyPolicyLetsThroughWhatItMisses(_ policy: String, _ isSized: Bool) throws {
    let keys: [UInt64] = (0..<3000 as Range<UInt64>).map { index in
      let square: UInt64 = index * index % 97
      return square * (index % 3) + index % 50
    }
    let sizes: [UInt64] = keys.map { $0 % 7 + 1 }
    let times: [Int64] = keys.indices.map { Int64($0) * 1_000_000 }
    let ttls: [Int64] = keys.map { Int64($0) * 10_000_000 + 1 }
    let costs: [Double] = keys.map { Double($0 % 5) + 1 }
    let trace = Trace.of(keys, sizes: sizes, times: times, ttls: ttls, costs: costs)
    let choice = try PolicyChoice.parse([policy])[0]
    if !choice.needs.isDisjoint(with: [.keyLength, .requestClass]) { return }
    let plan = try plan(trace, choice, capacity: 40, isSized: isSized)
    let misses = try #require(try MissStream.run(plan))
    let hits = try #require(try MissStream.run(plan, keeping: .hits))
    let run = try choice.entry.simulator.run(
      RequestStream(trace, isSized: isSized, needs: choice.needs),
      options: SimulationOptions(RunOptions(capacity: 40, arguments: choice.arguments)))
    #expect(misses.counts.hits == run?.hits && hits.counts == misses.counts)
    #expect(hits.trace.requests == run?.hits)
    #expect(misses.trace.requests == 3000 - hits.trace.requests)
    #expect(misses.trace.distinct == trace.distinct && misses.trace.columns == trace.columns)
  }

  @Test func writesAndRemovalsPassThrough() throws {
    let trace = Trace.of(
      [1, 1, 1, 2, 1, 1], operations: [.get, .set, .get, .write, .delete, .get])
    let lru = try PolicyChoice.parse(["lru"])[0]
    let misses = try #require(try MissStream.run(try plan(trace, lru, capacity: 5)))
    #expect(misses.trace.operations.map(Array.init) == [.get, .set, .write, .delete, .get])
    let hits = try #require(try MissStream.run(try plan(trace, lru, capacity: 5), keeping: .hits))
    #expect(hits.trace.operations.map(Array.init) == [.get])
    #expect(try MissStream.run(try plan(trace, lru, capacity: 5)) { _ in false } == nil)
  }
}
