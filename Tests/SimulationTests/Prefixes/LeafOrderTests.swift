import EvictionCore
import Foundation
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

  @Test("Frequency up to one request is LRU", arguments: 0..<50 as Range<UInt64>)
  func oneRequest(seed: UInt64) throws {
    let forest = RandomForest(seed: seed, prompts: 60, longest: 1 + Int(seed % 7)).forest
    let capacity = 2 + Int(seed % 12)
    let frequency = try run("frequency:most=1:ends=false", forest, capacity: capacity)
    #expect(frequency == (try PrefixCacheTests.run("lru", forest, capacity: capacity)))
  }

  @Test(
    "The duel stays at LRU or above on generated prompts",
    arguments: ["chat", "agents", "retrieval", "shared-prompt", "prompt-mix"])
  func generated(name: String) throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(name)-\(UUID().uuidString).jsonl").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    try TraceWriter.write(PromptWorkload("\(name):requests=4000"), to: file)
    let forest = try #require(
      PromptForest(try TraceLoader.load(path: file, columns: [.groups, .prompts])))
    for part in [50, 20, 10, 4] {
      let (capacity, warmup) = (forest.distinct / part, forest.prompts / 2)
      let lru = try PrefixCacheTests.run("lru", forest, capacity: capacity, warmup: warmup)
      let duel = try run("reuse-duel", forest, capacity: capacity, warmup: warmup)
      #expect(duel.hitTokens >= lru.hitTokens, "\(capacity) blocks")
    }
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
    for (capacity, least) in [(1_000, 0.05), (2_818, 0.10), (5_000, 0.10), (11_275, 0.20)] {
      let warmup = forest.prompts / 2
      let lru = try PrefixCacheTests.run("lru", forest, capacity: capacity, warmup: warmup)
      let best = try #require(PrefixOptimum.run(forest, capacity: capacity, warmup: warmup))
      let duel = try run("reuse-duel", forest, capacity: capacity, warmup: warmup)
      let gap = Double(best.hitTokens - lru.hitTokens)
      #expect(Double(duel.hitTokens - lru.hitTokens) / gap > least, "\(capacity) blocks")
    }
  }
}
