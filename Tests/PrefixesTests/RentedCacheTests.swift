import Eviction
import EvictionCore
import Prefixes
import Requests
import Testing
import Traces

@Suite("Rented caches of prefixes")
struct RentedCacheTests {
  private static let second: Int64 = 1_000_000_000

  /// A cache of dictionaries that remembers every life of every block, written from the rules.
  private struct Model {
    let terms: RentedCache.Terms
    /// By block: the lives that prompts began, and the tokens in each.
    var lives: [UInt64: [(begin: Int64, tokens: Int)]] = [:]
    var sessions: [UInt64: UInt32] = [:]

    /// The tokens of a prompt that are read, written, left out, and read of the same session.
    mutating func serve(
      _ chain: [UInt64], tokens: Int, wholeTokens: [Int], session: UInt32, at now: Int64
    ) -> (read: Int, written: Int, rest: Int, own: Int) {
      defer { for block in chain { sessions[block] = session } }
      func held(_ count: Int) -> Int { min(wholeTokens.prefix(count).reduce(0, +), tokens) }
      let whole = held(chain.count)
      if whole < terms.minimumTokens { return (0, 0, tokens, 0) }
      var hits = chain.prefix { block in
        guard let begin = lives[block]?.last?.begin else { return false }
        return Double(now) <= Double(begin) + Double(terms.timeToLive)
      }.count
      if held(hits) < terms.minimumTokens { hits = 0 }
      for (place, block) in chain.enumerated() where place >= hits || terms.isRenewed {
        lives[block, default: []].append((now, held(place + 1) - held(place)))
      }
      let own = chain.prefix(hits).enumerated().reduce(0) { sum, block in
        sessions[block.element] == session
          ? sum + held(block.offset + 1) - held(block.offset) : sum
      }
      return (held(hits), whole - held(hits), tokens - whole, own)
    }

    /// Tokens kept × hours between two times.
    func tokenHours(from start: Int64, to end: Int64) -> Double {
      var sum = 0.0
      for lives in lives.values {
        for (index, life) in lives.enumerated() {
          let next = index + 1 < lives.count ? lives[index + 1].begin : end
          let death = min(Double(next), Double(life.begin) + Double(terms.timeToLive))
          sum += Double(life.tokens) * max(0, death - Double(max(life.begin, start)))
        }
      }
      return sum / 3.6e12
    }
  }

  /// Times at which some sessions pause long.
  private func times(_ count: Int, seed: UInt64) -> [Int64] {
    var generator = SplitMix64(seed: seed ^ 0x5EED)
    var now: Int64 = 1_000
    return (0..<count).map { _ in
      let isLong = generator.index(below: 4) == 0
      now += Int64(generator.index(below: isLong ? 40 : 4)) * Self.second
      return now
    }
  }

  @Test("Tokens read, written and kept are those of a naive model")
  func naiveModel() throws {
    for seed in 0..<300 as Range<UInt64> {
      let random = RandomForest(
        seed: seed, prompts: 40, longest: 1 + Int(seed % 9), hasEqualBlocks: seed % 4 < 2)
      let times = times(40, seed: seed)
      let forest = random.forest(at: times)
      let warmup = Int(seed % 3) * 10
      for life in [1, 5, 20, 60] as [Int64] {
        let terms = RentedCache.Terms(
          timeToLive: life * Self.second, isRenewed: seed % 3 > 0,
          minimumTokens: seed.isMultiple(of: 2) ? 0 : 9)
        let counts = try #require(RentedCache.run(forest, terms, warmup: warmup))
        var model = Model(terms: terms)
        var expected = (read: 0, written: 0, rest: 0, own: 0)
        let wholeTokens = random.wholeTokens
        for prompt in random.chains.indices {
          let served = model.serve(
            random.chains[prompt], tokens: random.tokens[prompt],
            wholeTokens: wholeTokens[prompt], session: random.sessions[prompt], at: times[prompt])
          if prompt < warmup { continue }
          expected.read += served.read
          expected.written += served.written
          expected.rest += served.rest
          expected.own += served.own
        }
        #expect(counts.hitTokens == expected.read, "seed \(seed), \(life) s")
        #expect(counts.writtenTokens == expected.written, "seed \(seed), \(life) s")
        #expect(counts.sessionHitTokens == expected.own, "seed \(seed), \(life) s")
        #expect(counts.tokens == expected.read + expected.written + expected.rest)
        #expect(counts.tokens == random.tokens.dropFirst(warmup).reduce(0, +))
        let kept = model.tokenHours(from: times[warmup], to: times[39])
        #expect(abs(counts.tokenHours - kept) <= 1e-9 * max(1, kept), "seed \(seed), \(life) s")
      }
    }
  }

  @Test("Blocks that live for ever are hit as by a cache of all blocks")
  func unlimited() throws {
    for seed in 0..<100 as Range<UInt64> {
      let random = RandomForest(
        seed: seed, prompts: 50, longest: 1 + Int(seed % 7), hasEqualBlocks: seed % 4 < 2)
      let forest = random.forest(at: times(50, seed: seed))
      let rented = try #require(RentedCache.run(forest, .init(timeToLive: .max)))
      let lru = try PrefixCacheTests.run("lru", forest, capacity: forest.distinct)
      #expect(rented.hitBlocks == lru.hitBlocks && rented.hitTokens == lru.hitTokens)
      #expect(rented.sessionHitTokens == lru.sessionHitTokens)
      #expect(rented.insertions == forest.distinct && rented.evictions == 0)
    }
  }

  @Test("No longer life reads fewer tokens, if reads renew it")
  func longerLives() throws {
    for seed in 0..<100 as Range<UInt64> {
      let random = RandomForest(seed: seed, prompts: 50, longest: 6)
      let forest = random.forest(at: times(50, seed: seed))
      let hits = try (1...40).map { life in
        try #require(RentedCache.run(forest, .init(timeToLive: life * Self.second))).hitTokens
      }
      #expect(hits == hits.sorted())
    }
  }

  @Test("Where times go back, the clock stands")
  func backwards() throws {
    let random = RandomForest(seed: 7, prompts: 50, longest: 6)
    var times = times(50, seed: 7)
    let sorted = times
    for prompt in times.indices where prompt % 5 == 4 && times[prompt] == times[prompt - 1] {
      times[prompt] -= 60 * Self.second
    }
    #expect(times != sorted)
    let terms = RentedCache.Terms(timeToLive: 5 * Self.second)
    #expect(
      RentedCache.run(random.forest(at: times), terms)
        == RentedCache.run(random.forest(at: sorted), terms))
  }

  @Test("Pauses are those between prompts of one session")
  func pauses() throws {
    let random = RandomForest(seed: 3, prompts: 60, longest: 4)
    let times = times(60, seed: 3)
    let forest = random.forest(at: times)
    for first in [0, 20] {
      var pauses: [Int64] = []
      for prompt in first..<60 {
        let before = (0..<prompt).last { random.sessions[$0] == random.sessions[prompt] }
        if let before { pauses.append(times[prompt] - times[before]) }
      }
      let longest = 5 * Self.second
      let found = try #require(forest.pauses(upTo: longest, from: first))
      #expect(found.all == pauses.count)
      #expect(found.within == pauses.count { $0 <= longest })
    }
    #expect(random.forest.pauses(upTo: 1, from: 0) == nil)
    #expect(forest.hours(from: 0) == Double(times[59] - times[0]) / 3.6e12)
  }

  @Test("A stop ends the run")
  func stops() {
    let random = RandomForest(seed: 1, prompts: 4_096, longest: 3)
    let forest = random.forest(at: times(4_096, seed: 1))
    #expect(RentedCache.run(forest, .init(timeToLive: 1)) { _ in false } == nil)
  }
}

extension RandomForest {
  /// The forest with a time for each prompt.
  fileprivate func forest(at times: [Int64]) -> PromptForest {
    var starts: [Int] = []
    var keys: [UInt64] = []
    for chain in chains {
      starts.append(keys.count)
      keys += chain
    }
    let lengths = tokens.map { PromptLengths(input: $0, output: 0) }
    let prompts =
      hasEqualBlocks
      ? PromptColumns(blockTokens: Self.blockTokens, lengths: lengths, sessions: sessions)
      : PromptColumns(
        tokens: keys.map { UInt32(tokens(of: $0)) }, lengths: lengths, sessions: sessions)
    let trace = Trace.of(
      keys, times: zip(chains, times).flatMap { chain, time in chain.map { _ in time } },
      groupStarts: starts, prompts: prompts)
    guard let forest = PromptForest(trace) else { preconditionFailure("there are prompts") }
    return forest
  }
}
