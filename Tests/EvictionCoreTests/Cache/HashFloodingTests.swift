import Eviction
import Foundation
import Synchronization
import TestConditions
import Testing

@Suite("Keys that an adversary chooses")
struct HashFloodingTests {
  /// The seconds of this thread that a cache takes for sets and gets of all keys.
  private func work(_ keys: [UInt64], in cache: MemoryCache<UInt64, Int>) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
    }
    let start = now()
    for key in keys { cache.set(0, forKey: key) }
    for key in keys { _ = cache.value(forKey: key) }
    return now() - start
  }

  /// Keys whose probes begin in the same 64th of an index, under a seed.
  private func colliding(_ count: Int, underSeed seed: UInt64) -> [UInt64] {
    var keys: [UInt64] = []
    var next: UInt64 = 0
    while keys.count < count {
      if next.stableHash(seed: seed) >> 58 == 0 { keys.append(next) }
      next += 1
    }
    return keys
  }

  @Test("cost what random ones do, unless the seed is known", arguments: [20_000, 100_000])
  func work(count: Int) throws {
    let count = isOptimized ? count : count / 2
    let chosen = colliding(count, underSeed: 42)
    var random = SplitMix64(seed: 1)
    let others = (0..<count).map { _ in random.next() }
    let usual = work(others, in: MemoryCache(countLimit: count, policy: .lru))
    #expect(work(chosen, in: MemoryCache(countLimit: count, policy: .lru)) < 5 * usual)
    if count > 20_000 { return }
    // The keys are bad ones: who knows the seed has every operation pass by thousands of others.
    #expect(work(chosen, in: MemoryCache(countLimit: count, policy: .lru, seed: 42)) > 5 * usual)
  }

  @Test("do not gather in one shard, unless the seed is known")
  func shards() throws {
    let known = ShardedCache<Int, Int>(shards: 16, policy: .lru, seed: 42)
    var chosen: [Int] = []
    for key in 0..<2_000 {
      let before = known.shardStatistics[0].misses
      _ = known.value(forKey: key)
      if known.shardStatistics[0].misses > before { chosen.append(key) }
    }
    #expect((80...170).contains(chosen.count))
    let cache = ShardedCache<Int, Int>(shards: 16, policy: .lru)
    for key in chosen { _ = cache.value(forKey: key) }
    #expect(cache.shardStatistics.allSatisfy { $0.misses < chosen.count / 2 })
  }

  @Test("meet seeds that nobody knows, in the failures of loads too")
  func seeds() throws {
    final class Seeds: Sendable { let seen = Mutex<Set<UInt64>>([]) }
    struct Key: StablyHashable {
      let number: Int
      let seeds: Seeds
      static func == (left: Key, right: Key) -> Bool { left.number == right.number }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
      func stableHash(seed: UInt64) -> UInt64 {
        seeds.seen.withLock { _ = $0.insert(seed) }
        return number.stableHash(seed: seed)
      }
    }
    struct Failure: Error {}
    func seeds(_ seed: UInt64?) throws -> Set<UInt64> {
      let seeds = Seeds()
      let cache = MemoryCache<Key, Int>(countLimit: 10, policy: .lru, seed: seed)
      for _ in 0..<2 {
        #expect(throws: Failure.self) {
          try cache.value(
            forKey: Key(number: 1, seeds: seeds), rememberingFailuresFor: .seconds(600),
            orLoad: { throw Failure() })
        }
      }
      #expect(cache.statistics.failedLoads == 1)
      return seeds.seen.withLock { $0 }
    }
    let (one, other, given) = (try seeds(nil), try seeds(nil), try seeds(7))
    #expect(one.count == 2 && other.count == 2 && one.isDisjoint(with: other))
    #expect(given.count == 2 && given.contains(7) && !one.contains(7) && !one.contains(42))
  }

  /// Pairs whose difference is meant to survive a hash, or to cancel in it.
  private static let pairs: [(UInt64, UInt64)] = {
    let words: [UInt64] = [0, 1, 0x0123_4567_89AB_CDEF, .max, 1 << 63]
    let differences: [UInt64] =
      (0..<64).map { 1 << $0 } + [3, 1 << 63 | 1 << 33, 0xFFFF_FFFF, 0xFFFF_FFFF_0000_0000, .max]
    return words.flatMap { word in differences.map { (word, word ^ $0) } }
  }()

  private static let texts: [(String, String)] = {
    let long = String(repeating: "abcdefg", count: 12)
    // A byte, or bytes of two words that may cancel, whatever a word's length.
    let changed = (0..<long.utf8.count).flatMap { place in
      [0, 7, 8, 14, 16].map { distance in
        var bytes = Array(long.utf8)
        bytes[place] ^= 0x40
        bytes[(place + distance) % bytes.count] ^= distance == 0 ? 0x03 : 0x40
        return (long, String(decoding: bytes, as: UTF8.self))
      }
    }
    let swapped = ("abcdefgABCDEFG0123", "ABCDEFGabcdefg0123")
    let padded = (1...30).map { (String(repeating: "\0", count: $0), "\0") }
    return changed + padded.dropFirst() + [swapped, ("", "\0"), ("\u{E9}", "\u{E8}")]
  }()

  @Test("have hashes that agree as seldom as random ones do, over the seeds")
  func pairsMeetByChance() {
    let seeds = 256 as UInt64
    /// Returns the number of the pairs' hashes that have the same highest and lowest 8 bits.
    func meetings<Key: StablyHashable>(_ pairs: [(Key, Key)]) -> (all: [Int], most: Int) {
      var all = [0, 0]
      var most = 0
      for (one, other) in pairs {
        var own = [0, 0]
        for seed in 0..<seeds {
          let seed = SplitMix64.mix(seed)
          let both = one.stableHash(seed: seed) ^ other.stableHash(seed: seed)
          own[0] += both >> 56 == 0 ? 1 : 0
          own[1] += both & 0xFF == 0 ? 1 : 0
        }
        all = [all[0] + own[0], all[1] + own[1]]
        most = max(most, own.max()!)
      }
      return (all, most)
    }
    // One in 256 of all, and for no pair many more.
    let words = meetings(Self.pairs)
    #expect(words.all.allSatisfy { Double($0) < 1.3 * Double(Self.pairs.count) })
    #expect(words.most < 12)
    let texts = meetings(Self.texts)
    #expect(texts.all.allSatisfy { Double($0) < 1.3 * Double(Self.texts.count) })
    #expect(texts.most < 12)
  }

  /// The words that a table of 2¹⁵ looks at, as the index does, to hold the keys.
  private func probes<Key: StablyHashable>(_ keys: [Key], seed: UInt64) -> Int {
    var isTaken = [Bool](repeating: false, count: 1 << 15)
    var probes = 0
    for key in keys {
      var place = Int(key.stableHash(seed: seed) >> 49)
      while isTaken[place] {
        probes += 1
        place = (place + 1) & (1 << 15 - 1)
      }
      isTaken[place] = true
    }
    return probes
  }

  @Test("fill a table as random ones do, whatever line they stand in")
  func lines() {
    let count = 16_000 as UInt64
    let strides: [UInt64] = [1, 0x92, 1 << 20, 1 << 32, 1 << 49, 1 << 32 | 1, .max / 3]
    for seed in 0..<(isOptimized ? 100 : 4) as Range<UInt64> {
      let seed = SplitMix64.mix(seed)
      let random = probes((0..<count).map { SplitMix64.mix(~$0) }, seed: seed)
      for stride in strides {
        let line = probes((0..<count).map { $0 &* stride }, seed: seed)
        #expect(Double(line) < 1.5 * Double(random), "\(stride), seed \(seed)")
      }
      for prefix in ["", "user:", "https://example.org/a/long/path/of/pictures?page="] {
        let texts = probes((0..<count).map { "\(prefix)\($0)" }, seed: seed)
        #expect(Double(texts) < 1.5 * Double(random), "\(prefix), seed \(seed)")
      }
    }
  }
}
