import EvictionCore
import Parameters
import Prefixes
import Requests
import Testing
import Traces

@Suite("Orders of papers")
struct CitedOrderTests {
  private func run(_ text: String, _ forest: PromptForest, capacity: Int) throws -> PrefixCounts {
    let specification = try Specification(parsing: text)
    let entry = try #require(
      LeafOrders.all.first { $0.information.name == specification.name })
    let arguments = try specification.arguments(for: entry.information.parameters)
    return try #require(
      entry.run(
        forest, options: PrefixOptions(RunOptions(capacity: capacity, arguments: arguments))))
  }

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

  @Test("Every order says what it follows")
  func origins() {
    for order in LeafOrders.all { #expect(!order.origin.isEmpty, "\(order.information.name)") }
  }

  @Test("Tail-Optimized LRU without a threshold is LRU", arguments: 0..<50 as Range<UInt64>)
  func noThreshold(seed: UInt64) throws {
    let forest = RandomForest(seed: seed, prompts: 60, longest: 1 + Int(seed % 7)).forest
    let capacity = 2 + Int(seed % 12)
    let tail = try run("tail-lru:threshold=8:next=8", forest, capacity: capacity)
    #expect(tail == (try PrefixCacheTests.run("lru", forest, capacity: capacity)))
  }

  @Test("Tail-Optimized LRU evicts the tails that fit the threshold")
  func tails() throws {
    // Blocks of 4 tokens: a b c d, then e f, then g h, then a b c d, in room for 4. With 9 tokens to miss and one to come,
    // c and d are safe, as 8 tokens before c are 16 + 1 - 9, and so are e and f, which leave though a and b are older.
    let keys: [UInt64] = [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3]
    let trace = Trace.of(
      keys, groupStarts: [0, 4, 6, 8],
      prompts: PromptColumns(
        blockTokens: 4, lengths: [16, 8, 8, 16].map { PromptLengths(input: $0) }))
    let forest = try #require(PromptForest(trace))
    let counts = try run("tail-lru:threshold=9:next=1", forest, capacity: 4)
    let lru = try PrefixCacheTests.run("lru", forest, capacity: 4)
    #expect(lru.missedTokens == [16, 8, 8, 16])
    #expect(counts.missedTokens == [16, 8, 8, 8])
  }

  @Test("Tail-Optimized LRU hits as a naive model does", arguments: 0..<100 as Range<UInt64>)
  func naiveTail(seed: UInt64) throws {
    let prompts = RandomForest(
      seed: seed, prompts: 120, longest: 1 + Int(seed % 9), hasEqualBlocks: seed % 2 == 0)
    let capacity = 2 + Int(seed % 12)
    for (threshold, next) in [(6, 2), (12, 0), (60, 5), (200, 20), (1000, 0)] {
      let tail = try run(
        "tail-lru:threshold=\(threshold):next=\(next)", prompts.forest, capacity: capacity)
      let naive = NaiveTail(threshold: threshold, next: next)
      #expect(
        tail.hitTokens == naiveHits(naive, prompts, capacity: capacity), "\(threshold), \(next)")
    }
  }

  @Test("Pins hit as a naive model's do, and change the hits")
  func naivePins() throws {
    var changes = 0
    for seed in 0..<100 as Range<UInt64> {
      let prompts = RandomForest(
        seed: seed, prompts: 120, longest: 1 + Int(seed % 7), hasEqualBlocks: seed % 2 == 0)
      let timed = TimedForest(prompts, seed: seed)
      let forest = timed.forest
      let capacity = 2 + Int(seed % 12)
      let lru = try PrefixCacheTests.run("lru", forest, capacity: capacity)
      for (queue, least, window, fixed) in [
        (0, 100, 1000, 0), (0, 5, 1000, 0), (3, 5, 8, 0), (8, 0, 1, 0), (0, 5, 1000, 2),
        (0, 5, 1000, 30),
      ] {
        let text =
          "cache-ttl:speed=4:queue=\(queue):least=\(least):window=\(window):fixed=\(fixed)"
        let pinned = try run(text, forest, capacity: capacity)
        let naive = NaivePins(
          timed, speed: 4, queue: Double(queue), least: least, window: window,
          fixed: Int64(fixed) * 1_000_000_000)
        #expect(
          pinned.hitTokens == naiveHits(naive, prompts, capacity: capacity), "\(text), seed \(seed)"
        )
        if pinned != lru { changes += 1 }
      }
    }
    #expect(changes > 100)
  }

  @Test("Without times nothing is pinned", arguments: 0..<20 as Range<UInt64>)
  func noTimes(seed: UInt64) throws {
    let forest = RandomForest(seed: seed, prompts: 60, longest: 1 + Int(seed % 7)).forest
    let capacity = 2 + Int(seed % 12)
    let pinned = try run("cache-ttl:fixed=100", forest, capacity: capacity)
    #expect(pinned == (try PrefixCacheTests.run("lru", forest, capacity: capacity)))
  }

  @Test("The optimum's bound of tokens holds for every cache, and is met by some")
  func tokenBound() throws {
    var met = 0
    for seed in 0..<200 as Range<UInt64> {
      let prompts = RandomForest(
        seed: seed, prompts: 7, longest: 2 + Int(seed % 3), fresh: 5, hasEqualBlocks: seed % 4 == 0)
      guard prompts.chains.joined().max()! < 16 else { continue }
      for capacity in 1...4 {
        let best = try #require(PrefixOptimum.run(prompts.forest, capacity: capacity))
        let most = exhaustiveTokens(prompts, capacity: capacity)
        #expect(best.hitTokens <= most && most <= best.mostTokens, "seed \(seed), \(capacity)")
        if most == best.mostTokens { met += 1 }
      }
    }
    #expect(met > 50)
  }

  @Test("Each counted prompt has its missed tokens")
  func missedTokens() throws {
    for seed in 0..<30 as Range<UInt64> {
      let forest = RandomForest(
        seed: seed, prompts: 60, longest: 1 + Int(seed % 7), hasEqualBlocks: seed % 2 == 0
      ).forest
      for counts in [
        try PrefixCacheTests.run("lru", forest, capacity: 5, warmup: 10),
        try PrefixCacheTests.run("arc", forest, capacity: 5, warmup: 10),
        try PrefixCacheTests.run("fifo", forest, capacity: 5, keepsChains: false, warmup: 10),
        try #require(PrefixOptimum.run(forest, capacity: 5, warmup: 10)),
      ] {
        #expect(counts.missedTokens.count == counts.prompts)
        #expect(counts.missedTokens.reduce(0, +) == counts.tokens - counts.hitTokens)
      }
    }
  }
}

/// The most tokens that any cache can hit: every set that it may hold is tried, parents or not. At most 16 blocks.
private func exhaustiveTokens(_ prompts: RandomForest, capacity: Int) -> Int {
  var best: [UInt16: Int] = [0: 0]
  for (prompt, chain) in prompts.chains.enumerated() {
    let own = chain.reduce(UInt16(0)) { $0 | 1 << UInt16($1) }
    var next: [UInt16: Int] = [:]
    for (held, hits) in best {
      let found = chain.prefix { held >> UInt16($0) & 1 == 1 }
      let tokens = min(
        prompts.tokens[prompt], found.reduce(0) { $0 + prompts.tokens(of: $1) })
      let all = held | own
      var part = all
      while true {
        if part.nonzeroBitCount <= capacity {
          next[part] = max(next[part] ?? 0, hits + tokens)
        }
        if part == 0 { break }
        part = (part - 1) & all
      }
    }
    best = next
  }
  return best.values.max() ?? 0
}

/// Random prompts with times; those with the same first block are a session.
struct TimedForest {
  let prompts: RandomForest
  let sessions: [UInt32]
  /// In nanoseconds.
  let times: [Int64]

  init(_ prompts: RandomForest, seed: UInt64) {
    self.prompts = prompts
    sessions = prompts.chains.map { UInt32($0[0]) }
    var generator = SplitMix64(seed: seed)
    var time: Int64 = 0
    times = prompts.chains.map { _ in
      // Equal times and equal pauses are among them.
      time += Int64(generator.index(below: 5)) * 500_000_000
      return time
    }
  }

  /// The forest as it is read from a trace.
  var forest: PromptForest {
    var starts: [Int] = []
    var keys: [UInt64] = []
    var keyTimes: [Int64] = []
    for (chain, time) in zip(prompts.chains, times) {
      starts.append(keys.count)
      keys += chain
      keyTimes += chain.map { _ in time }
    }
    let lengths = zip(prompts.tokens, prompts.outputs).map {
      PromptLengths(input: $0, output: $1)
    }
    let columns =
      prompts.hasEqualBlocks
      ? PromptColumns(blockTokens: RandomForest.blockTokens, lengths: lengths, sessions: sessions)
      : PromptColumns(
        tokens: keys.map { UInt32(prompts.tokens(of: $0)) }, lengths: lengths, sessions: sessions)
    let trace = Trace.of(keys, times: keyTimes, groupStarts: starts, prompts: columns)
    guard let forest = PromptForest(trace) else { preconditionFailure("there are prompts") }
    return forest
  }
}

/// Tail-Optimized LRU from its definition: a block is safe if every conversation that had it can miss it.
final class NaiveTail: NaiveLeafOrder {
  private let threshold: Int
  private let next: Int
  private var starts: [UInt64: Int] = [:]
  private var lengths: [UInt64: [Int]] = [:]

  init(threshold: Int, next: Int) {
    self.threshold = threshold
    self.next = next
  }

  func request(_ prompt: NaivePrompt) {
    for (place, block) in prompt.chain.enumerated() {
      starts[block] = prompt.wholeTokens.prefix(place).reduce(0, +)
      lengths[block, default: []].append(prompt.tokens + prompt.output)
    }
  }

  func value(of block: UInt64, at prompt: Int) -> Double {
    lengths[block]!.allSatisfy { starts[block]! >= max($0 + next - threshold, 0) } ? 0 : 1
  }
}

/// Pins for a time to live from their definition: a block is pinned if the last prompt of a session has it, and its time
/// is not over.
final class NaivePins: NaiveLeafOrder {
  private let timed: TimedForest
  private let speed: Double
  private let queue: Double
  private let least: Int
  private let window: Int
  private let fixed: Int64
  /// By prompt: the last nanosecond of its pin; nil for none.
  private var ends: [Int64?] = []
  private var pauses: [Int64] = []

  init(
    _ timed: TimedForest, speed: Double, queue: Double, least: Int, window: Int, fixed: Int64
  ) {
    self.timed = timed
    self.speed = speed
    self.queue = queue
    self.least = least
    self.window = window
    self.fixed = fixed
  }

  func request(_ prompt: NaivePrompt) {
    let time = timed.times[prompt.number]
    let session = timed.sessions[prompt.number]
    if let last = (0..<prompt.number).last(where: { timed.sessions[$0] == session }) {
      pauses.append(time - timed.times[last])
    }
    let life = timeToLive(of: prompt.tokens)
    ends.append(life > 0 ? time + life : nil)
  }

  private func timeToLive(of tokens: Int) -> Int64 {
    if fixed > 0 {
      let mean = pauses.isEmpty ? 0 : Double(pauses.reduce(0, +)) / Double(pauses.count)
      return mean <= Double(fixed) ? fixed : 0
    }
    let benefit = queue + Double(tokens) / speed
    if pauses.count <= least {
      return benefit > 1 ? Int64(PortableMath.log(benefit) * 1e9) : 0
    }
    let known = pauses.suffix(window)
    func gain(_ wait: Int64) -> Double {
      Double(known.count { $0 <= wait }) / Double(known.count) * benefit - Double(wait) / 1e9
    }
    let gains = ([0] + known.sorted()).map { (wait: $0, gain: gain($0)) }
    let best = gains.map(\.gain).max()!
    return gains.first { $0.gain == best }!.wait
  }

  func value(of block: UInt64, at prompt: Int) -> Double {
    let now = timed.times[prompt]
    for (number, end) in ends.enumerated() {
      guard let end, end >= now, timed.prompts.chains[number].contains(block) else { continue }
      let session = timed.sessions[number]
      if !timed.sessions[(number + 1)..<ends.count].contains(session) { return 1 }
    }
    return 0
  }
}
