import EvictionCore
import Parameters
import RecordedTraces
import Requests
import Simulation
import Testing
import Traces

@Suite("Orders of the ends of chains")
struct LeafOrderTests {
  private func run(
    _ text: String, _ forest: PromptForest, capacity: Int, warmup: Int = 0
  ) throws -> PrefixCounts {
    let specification = try Specification(parsing: text)
    let entry = try #require(
      LeafOrders.all.first { $0.information.name == specification.name })
    let options = PrefixOptions(
      RunOptions(
        capacity: capacity,
        arguments: try specification.arguments(for: entry.information.parameters)),
      warmup: warmup)
    return try #require(entry.run(forest, options: options))
  }

  @Test("With one kind of block, the odds are LRU", arguments: 0..<50 as Range<UInt64>)
  func oneKind(seed: UInt64) throws {
    let forest = RandomForest(seed: seed, prompts: 60, longest: 1 + Int(seed % 7)).forest
    let capacity = 2 + Int(seed % 12)
    let odds = try run("reuse-odds:answers=false:paths=false", forest, capacity: capacity)
    #expect(odds == (try PrefixCacheTests.run("lru", forest, capacity: capacity)))
  }

  @Test(
    "No order beats the optimum or holds too much",
    arguments: LeafOrders.all.map(\.information.name))
  func bounds(name: String) throws {
    for seed in 0..<100 as Range<UInt64> {
      let forest = RandomForest(seed: seed, prompts: 60, longest: 1 + Int(seed % 7)).forest
      let capacity = 2 + Int(seed % 12)
      let counts = try run(name, forest, capacity: capacity)
      let optimum = try #require(PrefixOptimum.run(forest, capacity: capacity))
      #expect(counts.hitBlocks <= optimum.hitBlocks)
      #expect(counts.insertions - counts.evictions <= capacity)
    }
  }

  @Test("Kinds that come back stay", .withPublicTraces)
  func closesTheGap() throws {
    let trace = try WholeTraces.load("mooncake-synthetic.jsonl", columns: [.groups, .prompts])
    let forest = try #require(PromptForest(trace))
    for (capacity, least) in [(5_000, 0.10), (11_275, 0.20), (20_000, 0.20)] {
      let warmup = forest.prompts / 2
      let lru = try PrefixCacheTests.run("lru", forest, capacity: capacity, warmup: warmup)
      let best = try #require(PrefixOptimum.run(forest, capacity: capacity, warmup: warmup))
      let odds = try run("reuse-odds", forest, capacity: capacity, warmup: warmup)
      let gap = Double(best.hitTokens - lru.hitTokens)
      #expect(Double(odds.hitTokens - lru.hitTokens) / gap > least, "\(capacity) blocks")
    }
  }
}
