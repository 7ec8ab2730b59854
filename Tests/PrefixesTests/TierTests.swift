import Eviction
import EvictionCore
import Parameters
import Prefixes
import Requests
import Results
import TestConditions
import Testing
import Traces

@Suite("Tiers of caches of prefixes")
struct TierTests {
  static let rules = TierRules.Kind.allCases.flatMap { kind in
    TierRules.Promotion.allCases.map { TierRules(kind, promotion: $0) }
  }

  static func tier(_ name: String, _ capacity: Int) throws -> TieredCaches.Tier {
    let specification = try Specification(parsing: name)
    let simulator = try #require(
      PrefixSimulator.catalog.first { $0.description.information.name == specification.name })
    return TieredCaches.Tier(
      simulator,
      RunOptions(
        capacity: capacity, arguments: try simulator.description.arguments(of: specification)))
  }

  static func run(
    _ tiers: [(String, Int)], _ forest: PromptForest, _ rules: TierRules, warmup: Int = 0
  ) throws -> PrefixCounts {
    try #require(
      try TieredCaches.run(
        forest, tiers: tiers.map { try tier($0.0, $0.1) }, rules: rules, warmup: warmup))
  }

  /// A naive tier: LRU and FIFO by lists, the others by the catalog's policies.
  static func naive(_ name: String, _ capacity: Int, slots: Int) throws -> any NaiveTier {
    if name == "lru" || name == "fifo" {
      return NaiveListTier(capacity: capacity, movesHits: name == "lru")
    }
    let simulator = try #require(
      PrefixSimulator.catalog.first { $0.description.information.name == name })
    let configuration = PolicyConfiguration(
      capacity: capacity, slots: slots,
      arguments: try simulator.description.arguments(of: Specification(name: name)))
    return name == "arc"
      ? try NaivePolicyTier<ARC>(configuration) : try NaivePolicyTier<SIEVE>(configuration)
  }

  @Test("Tiers count what a naive model counts", arguments: rules)
  func naiveModel(rules: TierRules) throws {
    let names = ["lru", "fifo", "sieve", "arc"]
    for seed in 0..<(isOptimized ? 240 : 48) as Range<UInt64> {
      let random = RandomForest(
        seed: seed, prompts: 40, longest: 1 + Int(seed % 11), hasEqualBlocks: seed % 4 < 2)
      let count = 2 + Int(seed % 2)
      let tiers = (0..<count).map { tier in
        let name = seed % 3 == 0 ? names[Int(seed / 3) % 4] : names[(Int(seed) + 3 * tier) % 4]
        return (name, 1 + (Int(seed) * (tier + 3) / 2) % (6 + 5 * tier))
      }
      let blocks = Int(random.chains.joined().max() ?? 0) + 1
      let model = NaiveTiers(
        rules, try tiers.map { try Self.naive($0.0, $0.1, slots: blocks) })
      for ((chain, tokens), wholeTokens) in zip(
        zip(random.chains, random.tokens), random.wholeTokens)
      {
        model.serve(chain.map { UInt32($0) }, tokens: tokens, wholeTokens: wholeTokens)
        #expect(model.isClosed, "seed \(seed)")
        if rules.kind == .exclusive { #expect(model.isExclusive, "seed \(seed)") }
      }
      let forest = random.forest
      let counts = try Self.run(tiers, forest, rules)
      let text = "seed \(seed), \(tiers)"
      #expect(counts.tiers.map(\.hitBlocks) == model.hitBlocks, "\(text)")
      #expect(counts.tiers.map(\.hitTokens) == model.hitTokens, "\(text)")
      #expect(counts.tiers.map(\.raisedTokens) == model.raisedTokens, "\(text)")
      #expect(counts.tiers.map(\.enteredTokens) == model.enteredTokens, "\(text)")
      #expect(counts.tiers.map(\.residents) == model.tiers.map(\.residents.count), "\(text)")
      #expect(counts.hitBlocks == model.hitBlocks.reduce(0, +))
      #expect(counts.hitTokens == model.hitTokens.reduce(0, +))
      #expect(
        counts.insertions - counts.evictions == counts.tiers.reduce(0) { $0 + $1.residents })
      let optimum = try #require(TieredCaches.optimum(forest, capacities: tiers.map(\.1)))
      #expect(counts.hitBlocks <= optimum.hitBlocks, "\(text)")
    }
  }

  @Test("One tier is the cache without tiers", arguments: rules)
  func oneTier(rules: TierRules) throws {
    for simulator in PrefixSimulator.catalog
    where simulator.keepsChains
      && simulator.description.needs.isSubset(of: [.keyHash, .cost, .time])
    {
      let information = simulator.description.information
      for seed in 0..<(isOptimized ? 8 : 2) as Range<UInt64> {
        let forest = RandomForest(seed: seed, prompts: 60, longest: 1 + Int(seed % 7)).forest
        let capacity = max(information.minimumCapacity, 3 + Int(seed * 5 % 20))
        let plain = try PrefixCacheTests.run(
          information.name, forest, capacity: capacity, warmup: 5)
        var counts = try Self.run([(information.name, capacity)], forest, rules, warmup: 5)
        #expect(counts.tiers.map(\.hitBlocks) == [plain.hitBlocks], "\(information.name)")
        counts.tiers = []
        counts.hadFilled = plain.hadFilled
        #expect(counts == plain, "\(information.name), seed \(seed)")
      }
    }
  }

  @Test("Every policy runs in every tier, and no tiers hit more than one cache of all blocks")
  func everyPolicy() throws {
    for simulator in PrefixSimulator.catalog
    where simulator.keepsChains
      && simulator.description.needs.isSubset(of: [.keyHash, .cost, .time])
    {
      let information = simulator.description.information
      for (number, rules) in Self.rules.enumerated() {
        let seed = UInt64(number)
        let forest = RandomForest(seed: seed, prompts: 80, longest: 3 + number).forest
        let least = max(information.minimumCapacity, 3)
        let tiers = [
          (information.name, least + number), (number % 2 == 0 ? information.name : "lru", least),
          (number % 3 == 0 ? "lru" : information.name, least + 9),
        ]
        // Debug builds check after each prompt that no resident block follows one that is not, or is in a faster tier.
        let counts = try Self.run(tiers, forest, rules)
        #expect(
          counts.insertions - counts.evictions == counts.tiers.reduce(0) { $0 + $1.residents })
        #expect(counts.hitBlocks == counts.tiers.reduce(0) { $0 + $1.hitBlocks })
        if information.ignoresCapacity { continue }
        let optimum = try #require(TieredCaches.optimum(forest, capacities: tiers.map(\.1)))
        #expect(counts.hitBlocks <= optimum.hitBlocks, "\(information.name), \(rules)")
      }
    }
  }

  @Test("Exclusive tiers of LRU hit what one LRU of all their blocks hits")
  func exclusiveRecency() throws {
    for seed in 0..<(isOptimized ? 600 : 100) as Range<UInt64> {
      let forest = RandomForest(
        seed: seed, prompts: 50, longest: 1 + Int(seed % 12), hasEqualBlocks: seed % 4 < 2
      ).forest
      let capacities = (0..<2 + Int(seed % 3)).map { 1 + (Int(seed) * (2 * $0 + 3) / 2) % 9 }
      let counts = try Self.run(capacities.map { ("lru", $0) }, forest, TierRules())
      let one = try PrefixCacheTests.run("lru", forest, capacity: capacities.reduce(0, +))
      #expect(counts.hitBlocks == one.hitBlocks, "seed \(seed), \(capacities)")
      #expect(counts.hitTokens == one.hitTokens)
      // And the device alone hits what it hits without tiers below.
      let device = try PrefixCacheTests.run("lru", forest, capacity: capacities[0])
      #expect(counts.tiers[0].hitBlocks == device.hitBlocks)
    }
  }

  @Test("Inclusive tiers may hit more blocks than the optimum of the largest, as each keeps others")
  func inclusiveUnion() throws {
    // LIFO keeps a and b, LRU the three blocks of each round.
    var keys: [UInt64] = [0, 1]
    for round in 1...10 as ClosedRange<UInt64> {
      for _ in 0..<3 { keys += (0..<3).map { 3 * round + $0 } }
      keys += [0, 1]
    }
    let trace = Trace.of(
      keys, groupStarts: Array(keys.indices),
      prompts: PromptColumns(
        blockTokens: 4, lengths: keys.map { _ in PromptLengths(input: 4) }))
    let forest = try #require(PromptForest(trace))
    let counts = try Self.run([("lifo", 3), ("lru", 3)], forest, TierRules(.inclusive))
    #expect(counts.hitBlocks == 10 * (2 * 3 + 2))
    let largest = try #require(TieredCaches.optimum(forest, capacities: [3]))
    #expect(largest.hitBlocks < counts.hitBlocks)
    let both = try #require(TieredCaches.optimum(forest, capacities: [3, 3]))
    #expect(counts.hitBlocks <= both.hitBlocks)
  }

  @Test("Below a device with any policy, a tier with room for all hits all blocks seen before")
  func hugeTier() throws {
    for rules in Self.rules {
      for (seed, policy) in ["lru", "fifo", "arc", "wtinylfu", "clfus", "lifo"].enumerated() {
        let forest = RandomForest(seed: UInt64(seed), prompts: 60, longest: 9).forest
        let counts = try Self.run(
          [(policy, 4 + seed), ("lru", forest.distinct)], forest, rules)
        let all = try PrefixCacheTests.run("lru", forest, capacity: forest.distinct)
        #expect(counts.hitBlocks == all.hitBlocks, "\(policy), \(rules)")
        #expect(counts.hitTokens == all.hitTokens)
      }
    }
  }

  @Test("By hand: what each rule moves")
  func byHand() throws {
    // a b; c d; a b; a b. The device has room for two, the tier below for two.
    let trace = Trace.of(
      [0, 1, 2, 3, 0, 1, 0, 1], groupStarts: [0, 2, 4, 6],
      prompts: PromptColumns(
        blockTokens: 10, lengths: [PromptLengths](repeating: PromptLengths(input: 20), count: 4)))
    let forest = try #require(PromptForest(trace))
    func tiers(_ rules: TierRules) throws -> [TierCounts] {
      try Self.run([("lru", 2), ("lru", 2)], forest, rules).tiers
    }
    // a b fall for c d, rise again while c d fall, and are hit in the device.
    let exclusive = try tiers(TierRules())
    #expect(exclusive.map(\.hitBlocks) == [2, 2] && exclusive.map(\.raisedTokens) == [0, 20])
    #expect(exclusive.map(\.enteredTokens) == [60, 40])
    // At first they are served from below.
    let second = try tiers(TierRules(.exclusive, promotion: .second))
    #expect(second.map(\.hitBlocks) == [0, 4] && second.map(\.raisedTokens) == [0, 20])
    // c d push a b out of both.
    let inclusive = try tiers(TierRules(.inclusive))
    #expect(inclusive.map(\.hitBlocks) == [2, 0] && inclusive.map(\.enteredTokens) == [60, 60])
    // a b stay below as they rise, so c d find no room there: they are pinned while they are served.
    let writeBack = try tiers(TierRules(.writeBack))
    #expect(writeBack.map(\.hitBlocks) == [2, 2] && writeBack.map(\.enteredTokens) == [60, 20])
    #expect(writeBack.map(\.residents) == [2, 2])
  }
}
