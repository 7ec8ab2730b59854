import EvictionCore
import Parameters
import Prefixes
import Requests
import Testing
import Traces

@Suite("Caches of prefixes")
struct PrefixCacheTests {
  /// Runs a policy of the catalog.
  static func run(
    _ text: String, _ forest: PromptForest, capacity: Int, keepsChains: Bool = true,
    warmup: Int = 0
  ) throws -> PrefixCounts {
    let specification = try Specification(parsing: text)
    let simulator = try #require(
      PrefixSimulator.catalog.first { $0.description.information.name == specification.name })
    let options = PrefixOptions(
      RunOptions(
        capacity: capacity, arguments: try simulator.description.arguments(of: specification)),
      keepsChains: keepsChains, warmup: warmup)
    return try #require(try simulator.run(forest, options: options))
  }

  @Test("Policies hit what naive models hit", arguments: NaivePrefixCache.Order.allCases)
  func naiveModels(order: NaivePrefixCache.Order) throws {
    for seed in 0..<600 as Range<UInt64> {
      let random = RandomForest(
        seed: seed, prompts: 30, longest: 1 + Int(seed % 9), hasEqualBlocks: seed % 4 < 2)
      let capacity = 2 + Int(seed % 14)
      var model = NaivePrefixCache(order, capacity: capacity)
      for ((chain, tokens), wholeTokens) in zip(
        zip(random.chains, random.tokens), random.wholeTokens)
      {
        model.serve(chain, tokens: tokens, wholeTokens: wholeTokens)
        #expect(model.isClosed)
      }
      let counts = try Self.run(order.rawValue, random.forest, capacity: capacity)
      #expect(counts.hitBlocks == model.hitBlocks, "seed \(seed)")
      #expect(counts.hitTokens == model.hitTokens, "seed \(seed)")
      #expect(counts.tokens == random.tokens.reduce(0, +))
    }
  }

  @Test("Every policy that passes over pins keeps chains, and none beats the optimum")
  func everyPolicy() throws {
    for simulator in PrefixSimulator.catalog
    where simulator.keepsChains
      && simulator.description.needs.isSubset(of: [.keyHash, .cost, .time])
    {
      let information = simulator.description.information
      let name = information.name
      for seed in 0..<40 as Range<UInt64> {
        let forest = RandomForest(seed: seed, prompts: 60, longest: 1 + Int(seed % 7)).forest
        let capacity = max(information.minimumCapacity, 3 + Int(seed % 20))
        // Debug builds check after each prompt that no resident block follows one that is not.
        let counts = try Self.run(name, forest, capacity: capacity)
        if information.ignoresCapacity { continue }
        let optimum = try #require(PrefixOptimum.run(forest, capacity: capacity))
        #expect(counts.hitBlocks <= optimum.hitBlocks, "\(name), seed \(seed)")
        #expect(counts.insertions - counts.evictions <= capacity, "\(name), seed \(seed)")
      }
    }
  }

  @Test("Policies that cannot pass over pins keep no chains")
  func refusals() {
    let refused = PrefixSimulator.catalog.filter {
      !$0.keepsChains && !$0.description.information.isBound
    }
    // Those of the trait Learned are there where it is on.
    let names = Set(refused.map(\.description.information.name)).subtracting(["gl-cache"])
    #expect(names == ["clock-pro", "least-stale", "pannier", "plru"])
  }

  @Test("The optimum is what trying every set of blocks finds")
  func exhaustive() {
    for seed in 0..<1000 as Range<UInt64> {
      let random = RandomForest(seed: seed, prompts: 6, longest: 2 + Int(seed % 2), fresh: 4)
      guard (random.chains.joined().max() ?? 0) < 10 else { continue }
      let capacity = 1 + Int(seed % 5)
      let found = PrefixOptimum.run(random.forest, capacity: capacity)
      #expect(
        found?.hitBlocks == exhaustiveOptimum(random.chains, capacity: capacity), "seed \(seed)")
    }
  }

  @Test("The optimum hits as a naive model does", arguments: 0..<200 as Range<UInt64>)
  func optimum(seed: UInt64) throws {
    let random = RandomForest(seed: seed, prompts: 30, longest: 1 + Int(seed % 9))
    let capacity = 1 + Int(seed % 14)
    let counts = try #require(PrefixOptimum.run(random.forest, capacity: capacity))
    #expect(counts.hitBlocks == naiveOptimum(random.chains, capacity: capacity))
    #expect(counts.insertions - counts.evictions <= capacity)
  }

  @Test("A prompt longer than the cache keeps its head")
  func longPrompt() throws {
    // a b c d; then a b c d again, with room for two.
    let trace = Trace.of(
      [0, 1, 2, 3, 0, 1, 2, 3], groupStarts: [0, 4],
      prompts: PromptColumns(
        blockTokens: 10, lengths: [PromptLengths(input: 40), PromptLengths(input: 31)]))
    let forest = try #require(PromptForest(trace))
    for policy in ["lru", "fifo", "s3fifo", "arc", "sieve", "lfu"] {
      let counts = try Self.run(policy, forest, capacity: 2)
      #expect(counts.hitBlocks == 2, "\(policy)")
      #expect(counts.hitTokens == 20)
      #expect(counts.evictions == 0)
    }
  }

  @Test("Without chains, blocks behind a gap are orphans")
  func orphans() throws {
    // FIFO with room for three: a b c; d pushes a out; then b and c are resident behind nothing.
    let trace = Trace.of(
      [0, 1, 2, 3, 0, 1, 2], groupStarts: [0, 3, 4],
      prompts: PromptColumns(
        blockTokens: 1, lengths: [3, 1, 3].map { PromptLengths(input: $0) }))
    let forest = try #require(PromptForest(trace))
    let free = try Self.run("fifo", forest, capacity: 3, keepsChains: false)
    #expect(free.hitBlocks == 0)
    #expect(free.orphans == 2)
    let kept = try Self.run("fifo", forest, capacity: 3)
    #expect(kept.hitBlocks == 2)
    #expect(kept.orphans == 0)
  }

  @Test("Hits are told apart by session")
  func sessions() throws {
    let trace = Trace.of(
      [0, 1, 0, 1, 0, 2], groupStarts: [0, 2, 4],
      prompts: PromptColumns(
        blockTokens: 8, lengths: [16, 16, 12].map { PromptLengths(input: $0) },
        sessions: [0, 0, 1]))
    let forest = try #require(PromptForest(trace))
    let counts = try Self.run("lru", forest, capacity: 10)
    #expect(counts.hitTokens == 16 + 8)
    #expect(counts.sessionHitTokens == 16)
  }
}
