import Eviction
import Foundation
import Testing

@Suite struct ShardedCacheTests {
  /// A key whose hash is itself, so that a test chooses its shard.
  private struct Key: StablyHashable {
    let hash: UInt64
    func stableHash(seed: UInt64) -> UInt64 { hash }
  }

  @Test func oneShardDoesWhatACacheDoes() throws {
    let plain = MemoryCache<Int, Int>(countLimit: 50, policy: .arc())
    let sharded = ShardedCache<Int, Int>(shards: 1, countLimit: 50, policy: .arc())
    var generator = SplitMix64(seed: 1)
    for step in 0..<5_000 {
      let key = generator.index(below: 1 + generator.index(below: 200))
      switch generator.index(below: 10) {
      case 0: #expect(plain.removeValue(forKey: key) == sharded.removeValue(forKey: key))
      case 1, 2: #expect(plain.set(step, forKey: key) == sharded.set(step, forKey: key))
      default: #expect(plain.value(forKey: key) == sharded.value(forKey: key))
      }
    }
    #expect(plain.statistics == sharded.statistics)
    #expect(sharded.shardStatistics == [plain.statistics])
  }

  @Test(arguments: [1, 2, 3, 7, 16])
  func limitsAreSplitExactly(shards: Int) throws {
    for limit in [16, 17, 100, 101] {
      let byCount = ShardedCache<Int, Int>(shards: shards, countLimit: limit, policy: .lru)
      let byCost = ShardedCache<Int, Int>(
        shards: shards, costLimit: 2 * limit, costs: .weighed { _ in 1 }, policy: .lru)
      for key in 0..<5_000 {
        byCount.set(key, forKey: key)
        byCost.set(key, forKey: key, cost: 2)
      }
      #expect(byCount.countLimit == limit && byCount.count == limit)
      #expect(byCost.costLimit == 2 * limit && byCost.countLimit == nil)
      // A shard with an odd part has room for one unit in which nothing fits.
      #expect(byCost.totalCost > 2 * limit - 2 * shards && byCost.totalCost <= 2 * limit)
    }
  }

  @Test("Without a number, there are enough shards for the threads, and enough entries in each")
  func shardsAreChosen() throws {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    let large = ShardedCache<Int, Int>(countLimit: 1 << 20)
    #expect(large.shardCount == min(32 * processors, 256) && large.countLimit == 1 << 20)
    #expect(ShardedCache<Int, Int>().shardCount == large.shardCount)
    #expect(ShardedCache<Int, Int>(countLimit: 1_000).shardCount == 3)
    #expect(ShardedCache<Int, Int>(countLimit: 10).shardCount == 1)
    #expect(ShardedCache<Int, Int>(countLimit: 0).shardCount == 1)
    #expect(ShardedCache<Int, Int>(costLimit: 1 << 30, costs: .weighed { _ in 1 }).shardCount == 16)
    #expect(ShardedCache<Int, Int>(costLimit: 5, costs: .weighed { _ in 1 }).shardCount == 5)
    #expect(
      try ShardedCache<Int, Int>.open(
        countLimit: 600, costLimit: 1 << 30, costs: .weighed { _ in 1 }
      ).shardCount
        == 2)
    let small = ShardedCache<Int, Int>(countLimit: 10)
    for key in 0..<20 { small.set(key, forKey: key) }
    #expect(small.count == 10)
  }

  @Test func changedLimitsEvictBeforeTheCallReturns() throws {
    let cache = ShardedCache<Int, Int>(
      shards: 4, countLimit: 400, costs: .weighed { _ in 1 }, policy: .slru())
    for key in 0..<4_000 { cache.set(key, forKey: key) }
    #expect(cache.count == 400)
    cache.countLimit = 42
    #expect(cache.countLimit == 42 && cache.count == 42)
    cache.costLimit = 9
    #expect(cache.costLimit == 9 && cache.totalCost == 9)
    cache.countLimit = nil
    cache.costLimit = nil
    for key in 0..<4_000 { cache.set(key, forKey: key) }
    #expect(cache.count == 4_000)
    cache.countLimit = 0
    #expect(cache.count == 0 && !cache.set(1, forKey: 1))
  }

  #if compiler(>=6.2)
    @Test func limitWithoutAPartForEveryShardTraps() async throws {
      await #expect(processExitsWith: .failure) {
        let cache = ShardedCache<Int, Int>(shards: 16, countLimit: 16, policy: .lru)
        cache.countLimit = 15
      }
      await #expect(processExitsWith: .failure) {
        let cache = ShardedCache<Int, Int>(shards: 16, costs: .weighed { _ in 1 }, policy: .lru)
        cache.costLimit = 2
      }
      let cache = ShardedCache<Int, Int>(
        shards: 16, countLimit: 100, costs: .weighed { _ in 1 }, policy: .lru)
      cache.countLimit = 16
      for key in 0..<1_000 { #expect(cache.set(key, forKey: key)) }
      #expect(cache.count == 16)
      cache.costLimit = 0
      #expect(cache.count == 0)
    }
  #endif

  @Test func everyOperationReachesTheKeysShard() throws {
    let evicted = EvictedEntries<Int>()
    let cache = ShardedCache<Int, Int>(
      shards: 3, countLimit: 300, policy: .lru, onRemoval: evicted.note)
    for key in 0..<100 { cache.set(key, forKey: key, cost: key) }
    #expect((0..<100).allSatisfy { cache.contains($0) && cache.value(forKey: $0) == $0 })
    cache.setCost(7, forKey: 5)
    #expect(cache.cost(forKey: 5) == 7 && cache.totalCost == 99 * 100 / 2 + 2)
    #expect(cache.removeValue(forKey: 5) == 5)
    #expect(!cache.contains(5) && cache.cost(forKey: 5) == nil)
    #expect(cache.count == 99)
    #expect(evicted.keys == [])
    cache.removeAll()
    #expect(cache.count == 0 && cache.statistics.removals == 100)
    for key in 0..<1_000 { cache.set(key, forKey: key) }
    #expect(evicted.keys.count == cache.statistics.evictions && cache.count == 300)
  }

  @Test(arguments: [2, 3, 16])
  func keysAreSpreadEvenly(shards: Int) throws {
    let cache = ShardedCache<Int, Int>(shards: shards, policy: .fifo)
    let keys = 10_000
    for key in 0..<keys { _ = cache.value(forKey: key) }
    let requests = cache.shardStatistics.map(\.requests)
    #expect(requests.reduce(0, +) == keys && cache.statistics.misses == keys)
    // Five standard deviations of a fair draw.
    let mean = Double(keys) / Double(shards)
    #expect(requests.allSatisfy { abs(Double($0) - mean) < 5 * mean.squareRoot() })
  }

  @Test func everyBitOfTheLowHalfMatters() throws {
    for bit in 0..<32 {
      let cache = ShardedCache<Key, Int>(shards: 8, policy: .fifo)
      for high in 0..<256 as Range<UInt64> {
        // Keys that agree in this bit and all higher ones of the half are spread all the same.
        _ = cache.value(forKey: Key(hash: 1 << bit | SplitMix64.mix(high) & (1 << bit - 1)))
      }
      if bit >= 8 {
        #expect(cache.shardStatistics.allSatisfy { $0.requests > 0 }, "bit \(bit)")
      }
    }
  }

  @Test func costsOfManyShardsSumUpWithoutOverflow() throws {
    let cache = ShardedCache<Int, Int>(shards: 600, policy: .lru)
    for key in 0..<20_000 { cache.set(key, forKey: key, cost: 1 << 55 - 1) }
    #expect(cache.shardStatistics.allSatisfy { $0.totalCost == 1 << 55 - 1 })
    #expect(cache.totalCost == .max && cache.statistics.totalCost == .max)
    cache.removeAll()
    #expect(cache.totalCost == 0)
  }

  @Test func tooManyShardsAreRefused() {
    let tooSmall = #expect(throws: PolicyError.self) {
      try ShardedCache<Int, Int>.open(shards: 8, countLimit: 7, policy: .lru)
    }
    #expect(
      tooSmall?.description
        == "lru: a capacity of 7 is too small for 8 shards; "
        + "give at most 7 shards or a capacity of 1 for each")
    let none = #expect(throws: PolicyError.self) {
      try ShardedCache<Int, Int>.open(shards: 0, policy: .lru)
    }
    #expect(none?.description == "shards: must be 1 or more; is 0")
  }
}
