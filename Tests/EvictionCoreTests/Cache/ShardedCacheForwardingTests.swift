import Eviction
import Testing

private struct Failure: Error {}

@Suite("A cache in shards does what a cache does", .endsWhenItHangs)
struct ShardedCacheForwardingTests {
  let time = ManualClock()

  func makeCache(
    countLimit: Int? = nil, _ change: (inout MemoryCacheOptions) -> Void = { _ in }
  ) -> ShardedCache<Int, Int> {
    ShardedCache(shards: 3, countLimit: countLimit, policy: .fifo, options: time.options(change))
  }

  @Test("as a dictionary, and as a list")
  func collection() throws {
    let cache = makeCache()
    for key in 0..<20 { cache[key] = 10 * key }
    #expect(cache[7] == 70 && cache[20] == nil)
    cache[7] = nil
    #expect(cache.insert(1, forKey: 7, cost: 4) == (true, 1))
    #expect(cache.insert(2, forKey: 7) == (false, 1))
    let entries = cache.snapshot().sorted { $0.key < $1.key }
    #expect(entries.map(\.key) == Array(0..<20))
    #expect(entries[7].value == 1 && entries[7].cost == 4)
    #expect(cache.shardStatistics.filter { $0.count > 0 }.count == 3, "each has a part")
    cache.removeAll()
    #expect(cache.isEmpty)
  }

  @Test("with entries that expire")
  func expiration() throws {
    let cache = makeCache()
    for key in 0..<20 { cache.set(key, forKey: key, expiration: .after(.seconds(10))) }
    cache.setExpiration(.after(.seconds(30)), forKey: 3)
    #expect(cache.value(forKey: 4, extendingTo: .never) == 4)
    #expect(cache.timeRemaining(forKey: 3) == .seconds(30))
    time.advance(bySeconds: 10)
    #expect(cache.trim() == 18 && cache.contains(3) && cache.contains(4))
    time.advance(bySeconds: 20)
    #expect(cache.count == 1)
  }

  @Test("that grow too old")
  func ages() throws {
    let cache = makeCache { $0.tracksAges = true }
    for key in 0..<20 {
      cache.set(key, forKey: key)
      time.advance(bySeconds: 1)
    }
    #expect(cache.ageLimit == nil && cache.trim(toAge: .seconds(16)) == 5)
    cache.ageLimit = .seconds(6)
    #expect(cache.ageLimit == .seconds(6) && cache.count == 5)
    #expect((15..<20).allSatisfy { cache.contains($0) })
  }

  @Test("trims every shard to its part")
  func trims() throws {
    let cache = makeCache()
    func fill() { for key in 0..<300 { cache.set(key, forKey: key, cost: 2) } }
    fill()
    let trimmed = cache.trim(toCount: 31)
    #expect(trimmed == 269 && cache.count == 31)
    #expect(cache.shardStatistics.map(\.count) == [11, 10, 10])
    fill()
    #expect(cache.trim(toCost: 60) == 270 && cache.shardStatistics.map(\.count) == [10, 10, 10])
    #expect(cache.trim(toCount: -1) == 30 && cache.isEmpty)
  }

  @Test("loads what is missing")
  func loads() throws {
    let cache = makeCache(countLimit: 30)
    for key in 0..<10 {
      #expect(try cache.value(forKey: key, cost: 3, orLoad: { 10 * key }) == 10 * key)
      #expect(try cache.value(forKey: key, orLoad: { -1 }) == 10 * key)
    }
    #expect(cache.statistics.loads == 10 && cache.totalCost == 30)
    #expect(throws: Failure.self) {
      try cache.value(
        forKey: 10, rememberingFailuresFor: .seconds(5), orLoad: { throw Failure() })
    }
    #expect(throws: Failure.self) { try cache.value(forKey: 10, orLoad: { 1 }) }
    let entry = LoadedEntry(1, cost: 2, expiration: .after(.seconds(5)))
    #expect(try cache.value(forKey: 11, orLoadEntry: { entry }) == 1)
    #expect(cache.cost(forKey: 11) == 2 && cache.timeRemaining(forKey: 11) == .seconds(5))
  }

  @Test("loads what is missing in tasks")
  func loadsInTasks() async throws {
    let cache = makeCache(countLimit: 30)
    for key in 0..<10 {
      #expect(try await cache.value(forKey: key, cost: 3) { 10 * key } == 10 * key)
      #expect(try await cache.value(forKey: key) { -1 } == 10 * key)
    }
    #expect(cache.statistics.loads == 10 && cache.totalCost == 30)
    let value = try await cache.value(forKey: 11, orLoadEntry: { LoadedEntry(1, cost: 2) })
    #expect(value == 1 && cache.cost(forKey: 11) == 2)
  }
}
