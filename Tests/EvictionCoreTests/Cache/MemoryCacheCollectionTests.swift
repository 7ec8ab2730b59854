import Dispatch
import Eviction
import Synchronization
import Testing

@Suite("A cache as a dictionary; who learns of what left it")
struct MemoryCacheCollectionTests {
  @Test("A subscript gets, sets and removes")
  func subscripts() throws {
    let cache = MemoryCache<Int, String>(countLimit: 2, policy: .lru)
    cache[1] = "one"
    #expect(cache[1] == "one" && cache[2] == nil)
    cache[1] = nil
    #expect(cache.isEmpty && cache.statistics.removals == 1)
  }

  @Test("An insertion leaves what is there")
  func insertion() throws {
    let cache = MemoryCache<Int, Int>(countLimit: 2, policy: .lru)
    #expect(cache.insert(1, forKey: 1) == (true, 1))
    #expect(cache.insert(2, forKey: 2) == (true, 2))
    #expect(cache.insert(3, forKey: 1) == (false, 1))
    cache.insert(4, forKey: 3)
    #expect(!cache.contains(1), "the insertion that found it was no use of it")
    let full = MemoryCache<Int, Int>(countLimit: 0, policy: .lru)
    #expect(full.insert(1, forKey: 1) == (false, nil))
  }

  @Test("A snapshot lists the entries of a moment, ghosts left out")
  func snapshot() throws {
    let cache = MemoryCache<Int, String>(countLimit: 3, policy: .arc())
    for key in 1...5 { cache.set("\(key)", forKey: key, cost: key) }
    _ = cache.value(forKey: 5)
    cache.set("6", forKey: 6, cost: 6)
    for entry in cache.snapshot() {
      #expect(entry.value == "\(entry.key)" && entry.cost == entry.key)
      cache.removeValue(forKey: entry.key)
    }
    #expect(cache.isEmpty)
  }

  @Test("Every value that leaves is reported once, with its cause")
  func causes() throws {
    let removals = Removals<Int>()
    let evicted = EvictedEntries<Int>()
    let cache = MemoryCache<Int, Int>(
      countLimit: 2, policy: .fifo,
      onRemoval: {
        removals.append($0, $1, $2)
        evicted.note($0, $1, $2)
      })
    cache.set(1, forKey: 1)
    cache.set(10, forKey: 1)
    cache.set(2, forKey: 2)
    cache.set(3, forKey: 3)
    cache.removeValue(forKey: 2)
    cache.set(4, forKey: 4)
    var taken = removals.take()
    #expect(taken.map { "\($0.key) \($0.cause)" } == ["1 replaced", "1 size", "2 removed"])
    #expect(taken.map(\.value) == [1, 10, 2])
    cache.removeAll()
    taken = removals.take().sorted { $0.key < $1.key }
    #expect(taken.map { "\($0.key) \($0.cause)" } == ["3 removed", "4 removed"])
    #expect(evicted.keys == [1])
    let statistics = cache.statistics
    #expect(RemovalCause.allCases.map(statistics.removals(for:)) == [1, 0, 1, 3, 0])
  }

  @Test("A callback may change the cache")
  func reentrancy() throws {
    final class Holder: Sendable {
      let cache = Mutex<MemoryCache<Int, Int>?>(nil)
    }
    let holder = Holder()
    let time = ManualClock()
    let cache = MemoryCache<Int, Int>(
      countLimit: 4, policy: .lru, options: time.options(),
      onRemoval: { key, _, cause in
        let cache = holder.cache.withLock { $0 }
        if cause == .expired { cache?.set(key, forKey: key + 100) }
        if cause == .removed { cache?.trim(toCount: 1) }
      })
    holder.cache.withLock { $0 = cache }
    defer { holder.cache.withLock { $0 = nil } }
    cache.set(1, forKey: 1, expiration: .after(.seconds(1)))
    time.advance(bySeconds: 1)
    #expect(cache.value(forKey: 1) == nil && cache.value(forKey: 101) == 1)
    cache.set(2, forKey: 2)
    cache.set(3, forKey: 3)
    cache.removeValue(forKey: 2)
    #expect(cache.count == 1)
  }

  /// Says on which thread it was released.
  final class Witness: Sendable {
    let released: @Sendable () -> Void
    init(_ released: @escaping @Sendable () -> Void) { self.released = released }
    deinit { released() }
  }

  /// The way in which the value of key 1 leaves a cache of one entry.
  enum Departure: CaseIterable { case eviction, replacement, subscripting, removalOfAll }

  @Test(
    "Values are released on the caller's thread, or where they are told to be",
    arguments: [ValueRelease.caller, .background, .main], Departure.allCases)
  func release(release: ValueRelease, departure: Departure) throws {
    let mark = DispatchSpecificKey<ValueRelease>()
    let caller = DispatchQueue(label: "caller")
    caller.setSpecific(key: mark, value: .caller)
    DispatchQueue.main.setSpecific(key: mark, value: .main)
    defer { DispatchQueue.main.setSpecific(key: mark, value: nil) }
    let done = DispatchSemaphore(value: 0)
    let elsewhere = Counter()
    var options = MemoryCacheOptions()
    options.release = release
    let cache = MemoryCache<Int, Witness>(countLimit: 1, policy: .lru, options: options)
    let other = Witness {}
    // Many times, as anyone who holds the last reference is decided by a race if it is not by the cache.
    let rounds = 500
    caller.sync {
      for _ in 0..<rounds {
        cache[1] = Witness {
          let place = DispatchQueue.getSpecific(key: mark) ?? .background
          if place != release { elsewhere.add() }
          done.signal()
        }
        switch departure {
        case .eviction: cache[2] = other
        case .replacement: cache[1] = other
        case .subscripting: cache[1] = nil
        case .removalOfAll: cache.removeAll()
        }
      }
    }
    for _ in 0..<rounds {
      try #require(done.wait(timeout: .now() + 60) == .success, "a value was never released")
    }
    #expect(elsewhere.value == 0)
  }
}
