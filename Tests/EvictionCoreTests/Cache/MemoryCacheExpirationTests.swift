import AllocationCounter
import Eviction
import Synchronization
import TestConditions
import Testing

@Suite("Entries that expire")
struct MemoryCacheExpirationTests {
  let time = ManualClock()

  func makeCache(
    of policy: CachePolicy = .lru, countLimit: Int? = nil,
    _ change: (inout MemoryCacheOptions) -> Void = { _ in }
  ) -> MemoryCache<Int, Int> {
    MemoryCache(countLimit: countLimit, policy: policy, options: time.options(change))
  }

  @Test("are found until their time to live is over, however often they are used")
  func timeToLive() throws {
    let cache = makeCache()
    cache.set(1, forKey: 1, expiration: .after(.seconds(10)))
    time.advance(bySeconds: 9)
    #expect(cache.value(forKey: 1) == 1)
    time.advance(bySeconds: 1)
    #expect(cache.value(forKey: 1) == nil)
    #expect(cache.statistics.expirations == 1 && cache.statistics.misses == 1)
  }

  @Test("are found until nobody used them for their time to idle")
  func timeToIdle() throws {
    let cache = makeCache()
    cache.set(1, forKey: 1, expiration: .afterIdle(.seconds(10)))
    cache.set(2, forKey: 2, expiration: .after(.seconds(15), orIdle: .seconds(10)))
    time.advance(bySeconds: 9)
    #expect(cache.value(forKey: 1) == 1 && cache.value(forKey: 2) == 2)
    time.advance(bySeconds: 9)
    #expect(cache.value(forKey: 1) == 1 && cache.value(forKey: 2) == nil)
    #expect(cache.contains(1), "asking is no use")
    time.advance(bySeconds: 10)
    #expect(!cache.contains(1))
  }

  @Test("are nowhere to be seen: not found, contained, counted, listed or removed")
  func invisible() throws {
    let cache = makeCache()
    cache.set(1, forKey: 1, cost: 5, expiration: .after(.seconds(1)))
    cache.set(2, forKey: 2, cost: 7)
    time.advance(bySeconds: 1)
    #expect(!cache.contains(1) && cache.cost(forKey: 1) == nil)
    #expect(cache.timeRemaining(forKey: 1) == nil)
    #expect(cache.snapshot().map(\.key) == [2])
    #expect(cache.removeValue(forKey: 1) == nil)
    #expect(cache.count == 1 && cache.totalCost == 7)
    #expect(cache.statistics.expirations == 1 && cache.statistics.removals == 0)
  }

  @Test("take the cache's own expiration, unless they are set with another")
  func standardExpiration() throws {
    let cache = makeCache { $0.expiration = .after(.seconds(10)) }
    cache.set(1, forKey: 1)
    cache.set(2, forKey: 2, expiration: .never)
    cache.set(3, forKey: 3, expiration: .after(.seconds(20)))
    cache.set(4, forKey: 4)
    time.advance(bySeconds: 10)
    #expect((1...4).filter(cache.contains) == [2, 3])
    cache.set(1, forKey: 1)
    #expect(cache.timeRemaining(forKey: 1) == .seconds(10))
    #expect(cache.timeRemaining(forKey: 2) == nil)
  }

  @Test("have room for it though the first one is set without")
  func standardExpirationComesLater() throws {
    let cache = makeCache { $0.expiration = .after(.seconds(10)) }
    for _ in 1...2 {
      cache.set(1, forKey: 1, expiration: .never)
      cache.set(2, forKey: 2)
      time.advance(bySeconds: 10)
      #expect(cache.contains(1) && !cache.contains(2))
      cache.removeAll()
    }
  }

  @Test("start anew when they are set again")
  func setAgain() throws {
    let cache = makeCache()
    cache.set(1, forKey: 1, expiration: .after(.seconds(10)))
    time.advance(bySeconds: 9)
    cache.set(2, forKey: 1, expiration: .after(.seconds(2)))
    time.advance(bySeconds: 1.5)
    #expect(cache.contains(1))
    cache.set(3, forKey: 1)
    time.advance(bySeconds: 1_000)
    #expect(cache.value(forKey: 1) == 3, "set without an expiration, in a cache without one")
  }

  @Test("can be extended by a get, or given another time")
  func extended() throws {
    let cache = makeCache()
    cache.set(1, forKey: 1, expiration: .after(.seconds(10)))
    time.advance(bySeconds: 9)
    #expect(cache.value(forKey: 1, extendingTo: .after(.seconds(10))) == 1)
    #expect(cache.value(forKey: 2, extendingTo: .never) == nil)
    time.advance(bySeconds: 9)
    #expect(cache.timeRemaining(forKey: 1) == .seconds(1))
    cache.setExpiration(.after(.seconds(3)), forKey: 1)
    time.advance(bySeconds: 2)
    #expect(cache.contains(1))
    cache.setExpiration(.never, forKey: 1)
    time.advance(bySeconds: 1_000)
    #expect(cache.value(forKey: 1) == 1)
    cache.setExpiration(.after(.zero), forKey: 1)
    #expect(cache.count == 0)
  }

  @Test("are refused if their time is over at once, and so is what the key had")
  func overAtOnce() throws {
    let cache = makeCache()
    cache.set(1, forKey: 1)
    #expect(!cache.set(2, forKey: 1, expiration: .after(.zero)))
    #expect(!cache.set(3, forKey: 3, expiration: .afterIdle(.seconds(-1))))
    #expect(
      !cache.set(
        4, forKey: 4, expiration: .after(Duration(secondsComponent: 0, attosecondsComponent: 1))))
    #expect(cache.count == 0 && cache.statistics.rejections == 3)
  }

  @Test("are refused likewise if that is the cache's own expiration")
  func standardOverAtOnce() throws {
    for expiration in [Expiration.after(.zero), .afterIdle(.seconds(-1))] {
      let cache = makeCache { $0.expiration = expiration }
      #expect(!cache.set(1, forKey: 1))
      #expect(cache.insert(1, forKey: 1) == (false, nil))
      #expect(
        cache.set(2, forKey: 2, expiration: .never)
          && cache.set(3, forKey: 3, expiration: .after(.seconds(1))))
      time.advance(bySeconds: 1)
      #expect(!cache.set(4, forKey: 2) && cache.isEmpty)
      let statistics = cache.statistics
      #expect(statistics.rejections == 3 && statistics.insertions == 2)
      #expect(statistics.expirations == 2)
    }
  }

  @Test("survive absurd durations")
  func absurdDurations() throws {
    let cache = makeCache()
    let eternity = Duration(secondsComponent: .max, attosecondsComponent: 0)
    cache.set(1, forKey: 1, expiration: .after(eternity, orIdle: eternity))
    time.advance(bySeconds: 1e9)
    #expect(cache.value(forKey: 1) == 1)
    cache.ageLimit = eternity
    #expect(cache.value(forKey: 1) == 1)
    #expect(cache.trim(toAge: Duration(secondsComponent: .min, attosecondsComponent: 0)) == 1)
  }

  @Test("leave before those that live, and in the order of their time")
  func expiredLeaveFirst() throws {
    let removals = Removals<Int>()
    let cache = MemoryCache<Int, Int>(
      countLimit: 3, policy: .fifo, options: time.options(),
      onRemoval: { removals.append($0, $1, $2) })
    cache.set(1, forKey: 1)
    cache.set(2, forKey: 2, expiration: .after(.seconds(2)))
    cache.set(3, forKey: 3, expiration: .after(.seconds(1)))
    time.advance(bySeconds: 2)
    cache.set(4, forKey: 4)
    #expect(removals.takeTexts() == ["3 expired", "2 expired"])
    cache.set(5, forKey: 5)
    cache.set(6, forKey: 6)
    #expect(removals.takeTexts() == ["1 size"])
  }

  @Test("are shown to a policy that looks at when objects expire")
  func policySeesExpiry() throws {
    let cache = makeCache(of: CachePolicy(ExpireSoonest.self), countLimit: 2)
    cache.set(1, forKey: 1, expiration: .after(.seconds(20)))
    cache.set(2, forKey: 2, expiration: .after(.seconds(10)))
    cache.set(3, forKey: 3, expiration: .after(.seconds(30)))
    #expect((1...3).filter(cache.contains) == [1, 3])
    cache.set(1, forKey: 1)
    cache.set(4, forKey: 4)
    #expect((1...4).filter(cache.contains) == [1, 4], "1 does not expire any more")
    let recent = makeCache(of: CachePolicy(TLRU.self), countLimit: 2)
    for key in 1...3 { recent.set(key, forKey: key, expiration: .after(.seconds(10))) }
    #expect((1...3).filter(recent.contains) == [2, 3])
  }

  @Test("tell such a policy when they are given another time, which is no request")
  func policySeesAnotherExpiry() throws {
    let soonest = makeCache(of: CachePolicy(ExpireSoonest.self), countLimit: 2)
    soonest.set(1, forKey: 1, expiration: .after(.seconds(10)))
    soonest.set(2, forKey: 2, expiration: .after(.seconds(20)))
    soonest.setExpiration(.after(.seconds(3_600)), forKey: 1)
    soonest.set(3, forKey: 3)
    #expect((1...3).filter(soonest.contains) == [1, 3])
    #expect(soonest.value(forKey: 1, extendingTo: .never) == 1)
    soonest.setExpiration(.after(.seconds(30)), forKey: 3)
    soonest.set(4, forKey: 4, expiration: .after(.seconds(40)))
    #expect((1...4).filter(soonest.contains) == [1, 4])

    for expiration in [Expiration.after(.seconds(100)), .never] {
      let recent = makeCache(of: CachePolicy(TLRU.self), countLimit: 2)
      recent.set(1, forKey: 1)
      recent.set(2, forKey: 2, expiration: .after(.seconds(10)))
      recent.setExpiration(expiration, forKey: 2)
      time.advance(bySeconds: 15)
      recent.set(3, forKey: 3)
      #expect((1...3).filter(recent.contains) == [2, 3], "the least recent; nothing has expired")
    }
  }

  @Test("need no clock in a cache where nothing can expire")
  func noClockIsRead() throws {
    let readings = Atomic(0)
    var options = MemoryCacheOptions()
    options.clock = CacheClock {
      readings.add(1, ordering: .relaxed)
      return 0
    }
    let cache = MemoryCache<Int, Int>(countLimit: 10, policy: .lru, options: options)
    for key in 0..<100 {
      cache.set(key, forKey: key)
      _ = cache.value(forKey: key)
    }
    _ = (cache.contains(1), cache.count, cache.snapshot())
    #expect(readings.load(ordering: .relaxed) == 0)
    cache.set(1, forKey: 1, expiration: .after(.seconds(1)))
    #expect(readings.load(ordering: .relaxed) > 0)
    cache.removeValue(forKey: 1)
    let before = readings.load(ordering: .relaxed)
    for key in 0..<100 { cache.set(key, forKey: key) }
    #expect(readings.load(ordering: .relaxed) == before, "the last one that expires is gone")
  }

  @Test(
    "can be removed by a timer, which does not keep the cache alive", .endsWhenItHangs)
  func timer() async throws {
    let removals = Removals<Int>()
    var cache: MemoryCache<Int, Int>? = MemoryCache(
      policy: .lru, options: time.options { $0.trimInterval = .milliseconds(5) },
      onRemoval: { removals.append($0, $1, $2) })
    weak let witness = cache
    cache?.set(1, forKey: 1, expiration: .after(.seconds(1)))
    time.advance(bySeconds: 1)
    var texts: [String] = []
    try await waitUntil {
      texts = removals.takeTexts()
      return !texts.isEmpty
    }
    #expect(texts == ["1 expired"])
    cache = nil
    // A trim under way may still hold it.
    try await waitUntil { witness == nil }
  }

  @Test(
    "cost no allocation once the cache is full",
    .enabled(
      if: allocations_are_counted() && isOptimized,
      "allocations are not counted here, or accessors that are not optimised allocate"))
  func allocatesNothing() throws {
    let cache = makeCache(countLimit: 1_000) {
      $0.expiration = .after(.seconds(1_000), orIdle: .seconds(1))
      $0.ageLimit = .seconds(500)
    }
    func use(_ rounds: Int) {
      for round in 0..<rounds {
        let key = round &* 7_919 % 3_000
        if cache.value(forKey: key) == nil { cache.set(key, forKey: key) }
      }
    }
    use(20_000)
    let before = allocations_of_this_thread()
    use(20_000)
    #expect(allocations_of_this_thread() == before)
  }
}
