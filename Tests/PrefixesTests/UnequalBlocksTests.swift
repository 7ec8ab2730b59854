import Parameters
import Prefixes
import RecordedTraces
import Requests
import TestConditions
import Testing
import Traces

@Suite("Caches of prefixes of blocks that differ in tokens")
struct UnequalBlocksTests {
  /// a b c, then a b d, then a c, then a b c; a holds 10 tokens, b 3, c 7, d 1. The first prompt and the last have two
  /// tokens beyond their blocks.
  static func chunks() throws -> PromptForest {
    let tokens: [UInt32] = [10, 3, 7, 1]
    let keys: [UInt64] = [0, 1, 2, 0, 1, 3, 0, 2, 0, 1, 2]
    let trace = Trace.of(
      keys, groupStarts: [0, 3, 6, 8],
      prompts: PromptColumns(
        tokens: keys.map { tokens[Int($0)] },
        lengths: [22, 14, 17, 22].map { PromptLengths(input: $0) }, sessions: [0, 1, 0, 1]))
    return try #require(PromptForest(trace))
  }

  @Test("Each node knows the tokens up to its end")
  func depths() throws {
    let forest = try Self.chunks()
    #expect(forest.blockTokens == nil)
    // a, b and c behind it, d behind b, c behind a.
    #expect((0..<4).map(forest.chain) == [[0, 1, 2], [0, 1, 3], [0, 4], [0, 1, 2]])
    #expect(forest.depths == [10, 13, 20, 14, 17])
    #expect((0...3).map { forest.tokens(ofFirst: $0, of: 0) } == [0, 10, 13, 20])
    #expect((0..<3).map { forest.tokens(atPlace: $0, of: 3) } == [10, 3, 7])
    #expect(forest.uncoveredPrompts == 2)
    #expect(forest.reusableTokens(from: 0) == 13 + 10 + 20)
    #expect(forest.reusableTokens(from: 2) == 10 + 20)
    // Those that hold most: a three times, then c and b.
    #expect(forest.reusableTokens(from: 0, most: 5) == 3 * 10 + 7 + 3)
    #expect(forest.reusableTokens(from: 0, most: 1) == 10)
  }

  @Test("A note says that the optimum is exact in blocks only")
  func notes() throws {
    #expect(try Self.chunks().notes(on: "x").contains { $0.contains("opt is exact in blocks") })
  }

  @Test("LRU hits a and b, then a, then a and b")
  func recency() throws {
    // With room for three: d takes c's place, c behind a takes d's, and c that of the other c.
    let counts = try PrefixCacheTests.run("lru", Self.chunks(), capacity: 3)
    #expect(counts.hitBlocks == 2 + 1 + 2 && counts.blocks == 11)
    #expect(counts.hitTokens == 13 + 10 + 13 && counts.tokens == 75)
    #expect(abs(counts.hitRatios - (13.0 / 14 + 10.0 / 17 + 13.0 / 22)) < 1e-12)
    // Only b was requested last by the session that hits it.
    #expect(counts.sessionHitTokens == 3)
  }

  @Test("FIFO without chains hits a and b, then none, then a")
  func freeArrivals() throws {
    // d takes a's place, a takes b's, c behind a that of c.
    let counts = try PrefixCacheTests.run("fifo", Self.chunks(), capacity: 3, keepsChains: false)
    #expect(counts.hitBlocks == 2 + 0 + 1)
    #expect(counts.hitTokens == 13 + 0 + 10)
  }

  @Test("The optimum keeps what is needed, and says the most tokens of as many blocks")
  func optimum() throws {
    // Nothing takes the place of c.
    let three = try #require(PrefixOptimum.run(Self.chunks(), capacity: 3))
    #expect(three.hitBlocks == 6 && three.hitTokens == 43 && three.mostTokens == 43)
    // a and b stay; of 6 blocks that come again, 5 hold 40 tokens at most.
    let two = try #require(PrefixOptimum.run(Self.chunks(), capacity: 2))
    #expect(two.hitBlocks == 5 && two.hitTokens == 36 && two.mostTokens == 40)
  }

  /// The blocks that each prompt hits.
  private func hitsByPrompt(_ prompts: Int, _ run: (_ warmup: Int) throws -> PrefixCounts) rethrows
    -> [Int]
  {
    let later = try (0...prompts).map { try run($0).hitBlocks }
    return zip(later, later.dropFirst()).map { $0 - $1 }
  }

  /// Expects counts of tokens to be those of the blocks that each prompt hits.
  private func check(
    _ counts: PrefixCounts, _ prompts: RandomForest, hits: [Int], _ comment: Comment
  ) {
    var hitTokens = 0
    var ownTokens = 0
    var lastSessions: [UInt64: UInt32] = [:]
    for (prompt, chain) in prompts.chains.enumerated() {
      for block in chain.prefix(hits[prompt]) {
        hitTokens += prompts.tokens(of: block)
        if lastSessions[block] == prompts.sessions[prompt] {
          ownTokens += prompts.tokens(of: block)
        }
      }
      for block in chain { lastSessions[block] = prompts.sessions[prompt] }
    }
    #expect(counts.hitTokens == hitTokens, comment)
    #expect(counts.sessionHitTokens == ownTokens, comment)
    #expect(counts.tokens == prompts.tokens.reduce(0, +), comment)
  }

  @Test(
    "Every policy hits the blocks that it hits if they are equal, and the tokens that these hold")
  func everyPolicy() throws {
    for simulator in PrefixSimulator.catalog
    where simulator.description.needs.isSubset(of: [.keyHash, .cost, .time]) {
      let information = simulator.description.information
      if information.isBound { continue }
      for seed in 0..<(isOptimized ? 6 : 2) as Range<UInt64> {
        let equal = RandomForest(seed: seed, prompts: 24, longest: 2 + Int(seed % 5)).forest
        let unequal = RandomForest(
          seed: seed, prompts: 24, longest: 2 + Int(seed % 5), hasEqualBlocks: false)
        let forest = unequal.forest
        let capacity = max(information.minimumCapacity, 4 + Int(seed % 9))
        for keepsChains in simulator.keepsChains ? [true, false] : [false] {
          func run(_ forest: PromptForest, warmup: Int = 0) throws -> PrefixCounts {
            try PrefixCacheTests.run(
              information.name, forest, capacity: capacity, keepsChains: keepsChains,
              warmup: warmup)
          }
          let hits = try hitsByPrompt(24) { try run(equal, warmup: $0) }
          check(
            try run(forest), unequal, hits: hits,
            "\(information.name), seed \(seed), chains \(keepsChains)")
        }
      }
    }
  }

  @Test("The optimum and every order hit the tokens that their blocks hold")
  func everyOrder() throws {
    for seed in 0..<20 as Range<UInt64> {
      let prompts = RandomForest(
        seed: seed, prompts: 40, longest: 2 + Int(seed % 5), hasEqualBlocks: false)
      let forest = prompts.forest
      let capacity = 3 + Int(seed % 9)
      func optimum(_ warmup: Int) throws -> PrefixCounts {
        try #require(PrefixOptimum.run(forest, capacity: capacity, warmup: warmup))
      }
      let best = try optimum(0)
      check(best, prompts, hits: try hitsByPrompt(40, optimum), "opt, seed \(seed)")
      #expect(best.hitBlocks == naiveOptimum(prompts.chains, capacity: capacity))
      for order in LeafOrders.all {
        func run(_ warmup: Int) throws -> PrefixCounts {
          let arguments = Arguments(parameters: order.information.parameters)
          return try #require(
            order.run(
              forest,
              options: PrefixOptions(
                RunOptions(capacity: capacity, arguments: arguments), warmup: warmup)))
        }
        let counts = try run(0)
        check(
          counts, prompts, hits: try hitsByPrompt(40, run),
          "\(order.information.name), seed \(seed)")
        #expect(counts.hitTokens <= best.mostTokens)
      }
    }
  }

  @Test("RAGPulse's hits are those of a model in another language", .withPublicTraces)
  func ragPulse() throws {
    let trace = try WholeTraces.load("ragpulse-trace.jsonl", columns: [.groups, .prompts])
    let forest = try #require(PromptForest(trace))
    #expect(forest.prompts == 7106 && forest.distinct == 58727 && forest.uncoveredPrompts == 7106)
    for (capacity, hitBlocks, hitTokens, sessionHitTokens) in [
      (200, 12624, 6_455_464, 1_639_860), (587, 12790, 6_540_456, 1_640_884),
      (5872, 12856, 6_574_248, 1_641_908),
    ] {
      let counts = try PrefixCacheTests.run("lru", forest, capacity: capacity)
      #expect(counts.tokens == 20_917_099)
      #expect(counts.hitBlocks == hitBlocks && counts.hitTokens == hitTokens)
      #expect(counts.sessionHitTokens == sessionHitTokens)
    }
  }
}
