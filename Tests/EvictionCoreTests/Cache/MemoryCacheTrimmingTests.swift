import Eviction
import Testing

@Suite("Ages, shares, purges and trims")
struct MemoryCacheTrimmingTests {
  let time = ManualClock()

  @Test("An entry leaves when nobody used it for the age limit")
  func ageSinceUse() throws {
    let cache = MemoryCache<Int, Int>(
      policy: .lru, options: time.options { $0.ageLimit = .seconds(10) })
    cache.set(1, forKey: 1)
    cache.set(2, forKey: 2)
    time.advance(bySeconds: 6)
    #expect(cache.value(forKey: 1) == 1)
    time.advance(bySeconds: 6)
    #expect(cache.count == 1 && cache.contains(1))
    #expect(cache.timeRemaining(forKey: 1) == .seconds(4))
  }

  @Test("An entry leaves at the age limit, used or not, if ages count from the last set")
  func ageSinceSet() throws {
    let cache = MemoryCache<Int, Int>(
      policy: .lru,
      options: time.options {
        $0.ageLimit = .seconds(10)
        $0.ageReference = .lastSet
      })
    cache.set(1, forKey: 1)
    cache.set(2, forKey: 2)
    time.advance(bySeconds: 6)
    #expect(cache.value(forKey: 1) == 1)
    cache.set(3, forKey: 2)
    time.advance(bySeconds: 6)
    #expect(cache.value(forKey: 1) == nil && cache.value(forKey: 2) == 3)
  }

  @Test("An age limit that is lowered removes before the call returns")
  func changedAgeLimit() throws {
    let cache = MemoryCache<Int, Int>(policy: .lru, options: time.options { $0.tracksAges = true })
    cache.set(1, forKey: 1)
    time.advance(bySeconds: 5)
    cache.set(2, forKey: 2)
    cache.ageLimit = .seconds(5)
    #expect(cache.ageLimit == .seconds(5))
    #expect(cache.statistics.expirations == 1 && cache.contains(2))
    cache.ageLimit = nil
    time.advance(bySeconds: 1_000)
    #expect(cache.ageLimit == nil && cache.contains(2))
  }

  @Test("A cache trims to a count, a cost and an age")
  func trims() throws {
    let cache = MemoryCache<Int, Int>(policy: .fifo, options: time.options { $0.tracksAges = true })
    for key in 1...10 {
      cache.set(key, forKey: key, cost: key)
      time.advance(bySeconds: 1)
    }
    #expect(cache.trim(toCount: 8) == 2 && cache.trim(toCount: 8) == 0)
    #expect(cache.trim(toCost: 45) == 2)
    #expect(cache.totalCost == 45)
    #expect(cache.trim(toAge: .seconds(4)) == 3)
    #expect((1...10).filter(cache.contains) == [8, 9, 10])
    #expect(cache.trim(toAge: .zero) == 3 && cache.isEmpty)
  }

  @Test("Trimmed to nothing, a cache keeps nothing, not even what costs nothing")
  func trimsToNothing() throws {
    let cache = MemoryCache<Int, Int>(policy: .arc())
    for trim in [{ cache.trim(toCost: 0) }, { cache.trim(toCount: -1) }] {
      cache.set(1, forKey: 1, cost: 0)
      #expect(trim() == 1)
      #expect(cache.count == 0)
    }
  }

  @Test("Ages that were not kept count from the first question")
  func lateAges() throws {
    let cache = MemoryCache<Int, Int>(policy: .lru, options: time.options())
    cache.set(1, forKey: 1)
    time.advance(bySeconds: 100)
    #expect(cache.trim(toAge: .seconds(1)) == 0)
    time.advance(bySeconds: 2)
    cache.set(2, forKey: 2)
    #expect(cache.trim(toAge: .seconds(1)) == 1 && cache.contains(2))
  }

  @Test("An entry that costs more than its share is refused, or leaves when it grows")
  func entryRatio() throws {
    var options = MemoryCacheOptions()
    options.entryRatio = 0.1
    let cache = MemoryCache<Int, Int>(
      costLimit: 1_000, costs: .weighed { _ in 1 }, policy: .lru, options: options)
    #expect(!cache.set(1, forKey: 1, cost: 101))
    #expect(cache.set(1, forKey: 1, cost: 100) && cache.set(2, forKey: 2, cost: 100))
    cache.setCost(101, forKey: 1)
    #expect(!cache.contains(1) && cache.contains(2))
    #expect(!cache.set(2, forKey: 2, cost: 101) && cache.count == 0)
    let statistics = cache.statistics
    #expect(statistics.outgrown == 2 && statistics.removals(for: .size) == 2)
    #expect(statistics.rejections == 2)
    cache.costLimit = 2_000
    #expect(cache.set(1, forKey: 1, cost: 200))
    cache.costLimit = nil
    #expect(cache.set(1, forKey: 1, cost: 1 << 40), "no share of no limit")
  }

  @Test("A cache with a low-water mark is purged down to it when it would overflow")
  func lowWaterMark() throws {
    var options = MemoryCacheOptions()
    options.lowWaterMark = 0.6
    let cache = MemoryCache<Int, Int>(
      costLimit: 100, costs: .weighed { _ in 1 }, policy: .lru, options: options)
    for key in 1...10 { cache.set(key, forKey: key, cost: 10) }
    #expect(cache.totalCost == 100)
    _ = cache.value(forKey: 1)
    cache.set(11, forKey: 11, cost: 10)
    #expect(cache.totalCost == 60)
    #expect((1...11).filter(cache.contains) == [1, 7, 8, 9, 10, 11])
    // A newcomer that is larger than the mark leaves no other.
    cache.set(12, forKey: 12, cost: 90)
    #expect(cache.snapshot().map(\.key) == [12])
    let counted = MemoryCache<Int, Int>(countLimit: 10, policy: .sieve, options: options)
    for key in 1...11 { counted.set(key, forKey: key) }
    #expect(counted.count == 6 && counted.contains(11))
    cache.costLimit = 50
    #expect(cache.count == 0)
  }

  @Test("Shares are the decimal numbers that they are written as")
  func sharesAreExact() throws {
    // As binary numbers they are a little less: their products are, rounded down, one too small.
    for (share, limit, part) in [(0.29, 100, 29), (0.57, 100, 57), (0.58, 50, 29)] {
      var options = MemoryCacheOptions()
      options.events = SystemEvents()
      options.memoryPressure = .trim(to: share)
      options.lowWaterMark = share
      let cache = MemoryCache<Int, Int>(countLimit: limit, policy: .fifo, options: options)
      for key in 0...limit { cache.set(key, forKey: key) }
      #expect(cache.count == part)
      options.lowWaterMark = 1
      options.entryRatio = share
      let costed = MemoryCache<Int, Int>(
        costLimit: limit, costs: .weighed { _ in 1 }, policy: .fifo, options: options)
      #expect(costed.set(1, forKey: 1, cost: part) && !costed.set(2, forKey: 2, cost: part + 1))
      costed.removeAll()
      for key in 0..<limit { costed.set(key, forKey: key) }
      options.events.post(.memoryPressure(.warning))
      #expect(costed.count == part)
    }
  }

  @Test("A resident that grows over the limit is a reason to purge")
  func growthPurges() throws {
    var options = MemoryCacheOptions()
    options.lowWaterMark = 0.5
    let cache = MemoryCache<Int, Int>(
      costLimit: 100, costs: .weighed { _ in 1 }, policy: .lru, options: options)
    for key in 1...10 { cache.set(key, forKey: key, cost: 10) }
    cache.set(10, forKey: 10, cost: 20)
    #expect(cache.totalCost <= 50 && cache.contains(10))
  }

  @Test("Sums of costs never overflow, whatever limit was set later")
  func sumsNeverOverflow() throws {
    let cache = MemoryCache<Int, Int>(
      countLimit: 1_000_000, costs: .weighed { _ in 1 }, policy: .lru)
    cache.costLimit = .max
    for key in 0..<600 { cache.set(key, forKey: key, cost: .max >> 8) }
    #expect(cache.count == 1 && cache.totalCost == .max >> 8)
    let sized = MemoryCache<Int, Int>(costLimit: .max, costs: .weighed { _ in 1 }, policy: .lru)
    for key in 0..<600 {
      sized.set(key, forKey: key, cost: 1)
      sized.setCost(.max, forKey: key)
    }
    #expect(sized.totalCost <= .max >> 8)
  }
}
