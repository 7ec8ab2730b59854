import CacheReplay
import Eviction
import Experiments
import Requests
import Runner
import Simulation
import Testing
import Traces

/// Entries of policies, one beside each engine.
@Suite struct RunnablePolicyEntryTests {
  @Test func everyEngineHasThePoliciesOfTheCatalogInItsOrder() {
    let names = PolicyCatalog.all.map(\.name)
    #expect(PolicySimulator.catalog.map(\.description.information.name) == names)
    #expect(RunnablePolicyEntry.catalog.map(\.information.name) == names)
  }

  @Test func entryOfATypeRunsInEveryEngine() throws {
    let entry = RunnablePolicyEntry(FIFO.self)
    let choice = PolicyChoice(entry)
    let options = RunOptions(capacity: 2, arguments: choice.arguments)
    let stream = RequestStream(.of([1, 2, 1, 3, 1, 2]), needs: .keyHash)
    let simulated = try #require(
      try entry.simulator.run(stream, options: SimulationOptions(options)))
    let replayed = try #require(
      try entry.policy.replay(
        stream, options: ReplayOptions(run: options), policy: choice.specification))
    // Misses 1 2, hit 1, misses 3 (1 leaves), 1 (2 leaves), 2.
    #expect(simulated.hits == 1 && replayed.counts == simulated)
  }
}
