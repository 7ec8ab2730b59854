import Eviction
import Synchronization
import Testing

/// A lock that counts how often it is taken to write.
private final class CountingLock: CacheLock {
  static var information: LockInformation { MutexLock.information }

  private let lock = MutexLock()
  let acquisitions = Counter()

  func withLock(_ body: () -> Void) {
    acquisitions.add()
    lock.withLock(body)
  }

  func withSharedLock(_ body: () -> Void) { lock.withSharedLock(body) }
}

@Suite("When thousands of entries expire at once")
struct MassExpiryTests {
  /// The ways in which entries expire.
  enum Kind: CaseIterable {
    case live, idle, age

    func set(_ options: inout MemoryCacheOptions) {
      switch self {
      case .live: options.expiration = .after(.seconds(10))
      case .idle: options.expiration = .afterIdle(.seconds(10))
      case .age: options.ageLimit = .seconds(10)
      }
    }
  }

  private let time = ManualClock()
  private let removals = Removals<Int>()
  private let lock = CountingLock()

  /// A cache of 4 000 entries that have expired.
  private func makeCache(
    _ kind: Kind, countLimit: Int? = 4_000, costLimit: Int? = nil,
    _ change: (inout MemoryCacheOptions) -> Void = { _ in }
  ) -> MemoryCache<Int, Int> {
    let cache = MemoryCache<Int, Int>(
      countLimit: countLimit, costLimit: costLimit, costs: .weighed { _ in 1 }, policy: .lru,
      lock: lock,
      seed: 1,
      options: time.options {
        kind.set(&$0)
        change(&$0)
      }, onRemoval: { [removals] in removals.append($0, $1, $2) })
    for key in 0..<4_000 { cache.set(key, forKey: key) }
    time.advance(bySeconds: 10)
    return cache
  }

  @Test("an operation removes a bounded number of them, and none is seen", arguments: Kind.allCases)
  func bounded(kind: Kind) {
    let cache = makeCache(kind)
    var left = 0
    for key in 10_000..<10_010 {
      cache.set(key, forKey: key)
      let removed = removals.take()
      #expect(removed.count == 64 && removed.allSatisfy { $0.cause == .expired })
      left += removed.count
    }
    cache.setCost(2, forKey: 10_000)
    #expect(removals.take().count == 64)
    #expect(!cache.set(1, forKey: 1, expiration: .after(.zero)))
    #expect(removals.take().count <= 65)
    #expect((0..<4_000).allSatisfy { !cache.contains($0) && cache.cost(forKey: $0) == nil })
    #expect(cache.snapshot().map(\.key).sorted() == Array(10_000..<10_010))
    #expect(cache.value(forKey: 3_999) == nil && cache.removeValue(forKey: 3_998) == nil)
    #expect(cache.count == 10)
    #expect(cache.statistics.expirations == 4_000 && cache.statistics.evictions == 0)
  }

  @Test("those that uses have put off are looked at a bounded number at a time, too")
  func putOff() {
    let cache = MemoryCache<Int, Int>(policy: .lru, options: time.options(Kind.idle.set))
    for key in 0..<4_000 { cache.set(key, forKey: key) }
    time.advance(bySeconds: 9)
    for key in 0..<3_999 { _ = cache.value(forKey: key) }
    time.advance(bySeconds: 9)
    cache.set(1, forKey: 10_000)
    #expect(cache.count == 4_000 && !cache.contains(3_999))
    time.advance(bySeconds: 9)
    #expect(cache.count == 1)
  }

  @Test("no live entry leaves before them, however much room a set needs", arguments: Kind.allCases)
  func room(kind: Kind) {
    let full = makeCache(kind)
    for key in 10_000..<14_000 { full.set(key, forKey: key) }
    #expect(full.count == 4_000 && full.statistics.evictions == 0)

    let weighing = makeCache(kind, countLimit: nil, costLimit: 4_000) { $0.lowWaterMark = 0.5 }
    weighing.set(1, forKey: 10_000, cost: 1_000)
    weighing.set(1, forKey: 10_001, cost: 2_900)
    #expect(weighing.statistics.evictions == 0 && weighing.totalCost == 3_900)
    #expect(weighing.statistics.expirations == 4_000)
  }

  @Test("a cost that grows, and a larger value, push out them alone", arguments: Kind.allCases)
  func growth(kind: Kind) {
    let cache = makeCache(kind, countLimit: nil, costLimit: 4_000)
    cache.set(1, forKey: 10_000)
    cache.setCost(3_000, forKey: 10_000)
    #expect(cache.statistics.evictions == 0 && cache.totalCost == 3_000)
    let other = makeCache(kind, countLimit: nil, costLimit: 4_000)
    other.set(1, forKey: 10_000)
    other.set(2, forKey: 10_000, cost: 4_000)
    #expect(other.statistics.evictions == 0 && other.totalCost == 4_000)
    #expect(other.statistics.replacements == 1)
  }

  @Test("a set of one of them is an insertion, whichever it is", arguments: Kind.allCases)
  func own(kind: Kind) {
    let cache = makeCache(kind)
    for key in [3_999, 2_000, 0] {
      #expect(cache.insert(key + 1, forKey: key) == (true, key + 1))
      time.advance(bySeconds: 10)
      cache.set(key + 2, forKey: key)
      #expect(cache.value(forKey: key) == key + 2)
    }
    #expect(cache.statistics.replacements == 0 && cache.statistics.insertions == 4_006)
    #expect(!removals.take().contains { $0.cause == .replaced })
    #expect(cache.count == 1)
  }

  @Test("a look at the count, a trim and a limit remove all, and let others in between")
  func steps() {
    let operations: [(name: String, run: (MemoryCache<Int, Int>) -> Int?)] = [
      ("count", { $0.count == 0 ? nil : -1 }),
      ("totalCost", { $0.totalCost == 0 ? nil : -1 }),
      ("statistics", { $0.statistics.expirations == 4_000 ? nil : -1 }),
      ("trim", { $0.trim() }),
      ("trim(toCount:)", { $0.trim(toCount: 1) }),
      ("trim(toCost:)", { $0.trim(toCost: 1) }),
      ("trim(toAge:)", { $0.trim(toAge: .seconds(1)) }),
      (
        "limits",
        {
          $0.setLimits(count: 10, cost: 20)
          return nil
        }
      ),
    ]
    for kind in Kind.allCases {
      for (name, run) in operations {
        let cache = makeCache(kind)
        removals.take().forEach { _ in Issue.record("nothing has left yet") }
        let before = lock.acquisitions.value
        #expect(run(cache) ?? 4_000 == 4_000, "\(kind), \(name)")
        #expect(lock.acquisitions.value - before >= 8, "\(kind), \(name)")
        let removed = removals.take()
        #expect(removed.count == 4_000 && removed.allSatisfy { $0.cause == .expired })
      }
    }
  }

  @Test("an age limit that is set, and a trim to an age, do so")
  func ages() {
    let cache = MemoryCache<Int, Int>(
      policy: .lru, lock: lock, options: time.options { $0.tracksAges = true })
    for key in 0..<4_000 { cache.set(key, forKey: key) }
    time.advance(bySeconds: 10)
    cache.set(1, forKey: 10_000)
    var before = lock.acquisitions.value
    #expect(cache.trim(toAge: .seconds(10), atMost: 1_200) == 1_200)
    #expect(lock.acquisitions.value - before >= 3)
    before = lock.acquisitions.value
    cache.ageLimit = .seconds(10)
    #expect(lock.acquisitions.value - before >= 6)
    #expect(cache.count == 1 && cache.statistics.expirations == 4_000)
  }

  @Test("nothing expires early, by any clock", arguments: [CacheClock.coarse, .precise])
  func notEarly(clock: CacheClock) {
    var options = MemoryCacheOptions()
    options.clock = clock
    let cache = MemoryCache<Int, Int>(countLimit: 10, options: options)
    options.ageLimit = .milliseconds(3)
    let aging = MemoryCache<Int, Int>(countLimit: 10, options: options)
    let now = ContinuousClock()
    for _ in 0..<20 {
      var start = now.now
      cache.set(1, forKey: 1, expiration: .after(.milliseconds(3)))
      while cache.contains(1) {}
      #expect(now.now - start >= .milliseconds(3), "a time to live")

      let set = now.now
      cache.set(1, forKey: 2, expiration: .afterIdle(.milliseconds(20)))
      start = now.now
      if cache.value(forKey: 2) == nil { start = set }
      while cache.contains(2) {}
      #expect(now.now - start >= .milliseconds(20), "a time to idle")

      start = now.now
      aging.set(1, forKey: 1)
      while aging.contains(1) {}
      #expect(now.now - start >= .milliseconds(3), "an age")
    }
  }
}
