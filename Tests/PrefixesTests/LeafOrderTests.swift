import EvictionCore
import Foundation
import Parameters
import Prefixes
import RecordedTraces
import Requests
import TestConditions
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

  @Test("An order is left out of those before it")
  func leftOut() throws {
    let all = LeafOrders.all.map(\.information.name)
    let (orders, others) = try LeafOrderChoice.parse(["all", "-frequency", "lru", "-session"])
    #expect(others == ["all", "lru"])
    #expect(orders.map(\.label) == all.filter { $0 != "frequency" && $0 != "session" })
    let (some, _) = try LeafOrderChoice.parse(["frequency:most=3,frequency,-frequency:most=3"])
    #expect(some.map(\.label) == ["frequency"])
    let (again, _) = try LeafOrderChoice.parse(["lru,-frequency,frequency"])
    #expect(again.map(\.label) == ["frequency"])
    let error = #expect(throws: PolicyError.self) {
      try LeafOrderChoice.parse(["frequency,-frequency"])
    }
    #expect(error?.description.contains("no other policy is named before") == true)
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

  /// The hit tokens of a naive cache.
  private func naiveHits(
    _ order: any NaiveLeafOrder, _ prompts: RandomForest, capacity: Int
  ) -> Int {
    let cache = NaiveLeafCache(order, capacity: capacity)
    let wholeTokens = prompts.wholeTokens
    for (prompt, chain) in prompts.chains.enumerated() {
      cache.serve(
        NaivePrompt(
          number: prompt, chain: chain, tokens: prompts.tokens[prompt],
          output: prompts.outputs[prompt], wholeTokens: wholeTokens[prompt]))
    }
    return cache.hitTokens
  }

  @Test("The odds hit as a naive model does", arguments: 0..<100 as Range<UInt64>)
  func naiveOdds(seed: UInt64) throws {
    let prompts = RandomForest(
      seed: seed, prompts: 120, longest: 1 + Int(seed % 7), hasEqualBlocks: seed % 2 == 0)
    let capacity = 2 + Int(seed % 12)
    for (age, requests, paths, ends) in [
      (0.5, 0.0, true, false), (1, 0, true, true), (1, 2, false, true), (0.5, 1, true, true),
    ] {
      let text = "reuse-odds:age=\(age):requests=\(requests):paths=\(paths):ends=\(ends)"
      let odds = try run(text, prompts.forest, capacity: capacity)
      let naive = NaiveOdds(age: age, requests: requests, paths: paths, ends: ends)
      #expect(odds.hitTokens == naiveHits(naive, prompts, capacity: capacity), "\(text)")
    }
  }

  @Test("The duel hits as a naive model does, and changes its order")
  func naiveDuel() throws {
    var changes = 0
    for seed in 0..<120 as Range<UInt64> {
      let prompts = RandomForest(
        seed: seed / 2, prompts: 120, longest: 1 + Int(seed / 2 % 7),
        hasEqualBlocks: seed % 2 == 0)
      let capacity = 2 + Int(seed / 2 % 12)
      let duel = try run("reuse-duel:half-life=16:margin=0.01", prompts.forest, capacity: capacity)
      let naive = NaiveDuel(capacity: capacity, halfLife: 16, margin: 0.01)
      #expect(duel.hitTokens == naiveHits(naive, prompts, capacity: capacity), "seed \(seed)")
      changes += naive.changes
    }
    #expect(changes > 60)
  }

  @Test(
    "The duel stays at LRU or above on generated prompts",
    arguments: ([
      ("prompt-mix", 42), ("prompt-mix", 11), ("chat", 42), ("agents", 42), ("retrieval", 42),
      ("shared-prompt", 42),
    ] as [(String, UInt64)]).prefix(isOptimized ? 6 : 2))
  func generated(name: String, seed: UInt64) throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(name)-\(UUID().uuidString).jsonl").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    try TraceWriter.write(
      PromptWorkload("\(name):requests=4000", seed: seed), to: file)
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
    for (capacity, least) in [(1_000, 0.10), (2_818, 0.10), (5_000, 0.10), (11_275, 0.20)] {
      let warmup = forest.prompts / 2
      let lru = try PrefixCacheTests.run("lru", forest, capacity: capacity, warmup: warmup)
      let best = try #require(PrefixOptimum.run(forest, capacity: capacity, warmup: warmup))
      let duel = try run("reuse-duel", forest, capacity: capacity, warmup: warmup)
      let gap = Double(best.hitTokens - lru.hitTokens)
      #expect(Double(duel.hitTokens - lru.hitTokens) / gap > least, "\(capacity) blocks")
    }
  }
}
