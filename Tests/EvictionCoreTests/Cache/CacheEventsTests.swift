import Eviction
import Testing

@Suite("Events of a cache")
struct CacheEventsTests {
  /// The events that wait, as texts; all caches that send are gone.
  private func texts(_ events: CacheEvents<Int, Int>) async -> [String] {
    var texts: [String] = []
    for await event in events {
      switch event {
      case .removed(let key, let value, let cause):
        texts.append("\(key) \(value.map { "\($0)" } ?? "-") \(cause)")
      case .loaded(let key, let value): texts.append("\(key) \(value) loaded")
      case .loadFailed(let key, let error): texts.append("\(key) \(error) failed")
      case .dropped(let count): texts.append("\(count) dropped")
      }
    }
    return texts
  }

  @Test func removalsAndLoadsComeInOrder() async throws {
    let events = CacheEvents<Int, Int>()
    do {
      let clock = ManualClock()
      let cache = MemoryCache<Int, Int>(
        countLimit: 2, policy: .lru, options: clock.options(), events: events)
      cache.set(1, forKey: 1)
      cache.set(2, forKey: 1)
      cache.set(2, forKey: 2)
      cache.set(3, forKey: 3, expiration: .after(.seconds(1)))
      clock.advance(bySeconds: 2)
      #expect(cache.value(forKey: 3) == nil)
      cache.remove(2)
      _ = try await cache.value(forKey: 4) { 44 }
      _ = try? await cache.value(forKey: 5) { () async throws -> Int in throw CancellationError() }
      _ = try await cache.values(forKeys: [6]) { _ in [6: 66] }
      cache.removeValue(forKey: 6)
    }
    #expect(
      await texts(events) == [
        "1 1 replaced", "1 2 size", "3 3 expired", "2 2 removed", "4 44 loaded",
        "5 CancellationError() failed", "6 66 loaded", "6 66 removed",
      ])
  }

  @Test func whatIsDroppedIsToldInItsPlace() async {
    let events = CacheEvents<Int, Int>(limit: 3)
    do {
      let cache = MemoryCache<Int, Int>(countLimit: 1, policy: .lru, events: events)
      for key in 0..<10 { cache.set(key, forKey: key) }
    }
    #expect(await texts(events) == ["6 dropped", "6 6 size", "7 7 size", "8 8 size"])
  }

  /// Every event of many threads is told or counted as dropped, and those of a key are in its order.
  @Test func nothingIsLostAmongThreads() async {
    let events = CacheEvents<Int, Int>(limit: 64)
    let sets = 20_000
    async let read: (removed: Int, dropped: Int, inOrder: Bool) = {
      var (removed, dropped, inOrder) = (0, 0, true)
      var latest = [-1, -1]
      for await event in events {
        switch event {
        case .removed(let key, let value, _):
          removed += 1
          inOrder = inOrder && value ?? -1 > latest[key]
          latest[key] = value ?? -1
        case .dropped(let count): dropped += count
        case .loaded, .loadFailed: inOrder = false
        }
      }
      return (removed, dropped, inOrder)
    }()
    do {
      let cache = ShardedCache<Int, Int>(shards: 2, events: events)
      await withTaskGroup(of: Void.self) { group in
        for key in 0..<2 {
          group.addTask { for value in 0..<sets { cache.set(value, forKey: key) } }
        }
      }
    }
    let (removed, dropped, inOrder) = await read
    #expect(removed + dropped == 2 * (sets - 1) && inOrder)
  }

  @Test func severalCachesSendToOneSequenceWhichEndsWithTheLast() async {
    let events = CacheEvents<Int, Int>()
    var first: MemoryCache? = MemoryCache<Int, Int>(countLimit: 1, events: events)
    let second = ShardedCache<Int, Int>(shards: 1, countLimit: 1, events: events)
    first?.set(1, forKey: 1)
    first?.remove(1)
    first = nil
    second.set(2, forKey: 2)
    second.remove(2)
    var iterator = events.makeAsyncIterator()
    var keys: [Int] = []
    while keys.count < 2, case .removed(let key, _, _) = await iterator.next() { keys.append(key) }
    #expect(keys == [1, 2])
  }
}
