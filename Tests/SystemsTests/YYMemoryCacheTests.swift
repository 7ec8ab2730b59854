import Dispatch
import EvictionCore
import Foundation
import Synchronization
import Systems
import Testing

/// YYCache's memory tier; the names begin with the behaviours' ids.
@Suite struct YYMemoryCacheTests {
  typealias Memory = YYMemoryCache<String, Int>

  private func filled(_ cache: Memory, _ keys: [String], cost: Int = 1) -> Memory {
    for (index, key) in keys.enumerated() { cache.set(index, forKey: key, cost: cost) }
    return cache
  }

  @Test func m1HasANameAndTotals() {
    let cache = filled(Memory(name: "pictures"), ["a", "b"], cost: 3)
    #expect(cache.name == "pictures" && cache.totalCount == 2 && cache.totalCost == 6)
  }

  @Test func m2HasNoLimitsAtFirst() {
    let cache = Memory()
    #expect(cache.countLimit == .max && cache.costLimit == .max && cache.ageLimit == nil)
    let full = filled(cache, (0..<5_000).map { "\($0)" }, cost: 1_000_000)
    #expect(full.totalCount == 5_000)
  }

  @Test func m3TrimsEveryFiveSecondsAndIsHeldWeakly() {
    let clock = SystemClock()
    weak var released: Memory?
    do {
      let cache = filled(Memory(clock: clock, trimsLater: false), ["a", "b", "c"])
      released = cache
      cache.countLimit = 1
      clock.advance(to: 4_999_999_999)
      #expect(cache.totalCount == 3)
      clock.advance(to: 5_000_000_000)
      #expect(cache.totalCount == 1)
      cache.countLimit = 0
      clock.advance(to: 9_999_999_999)
      #expect(cache.totalCount == 1)
      clock.advance(to: 10_000_000_000)
      #expect(cache.totalCount == 0)
    }
    #expect(released == nil)
    clock.advance(to: 20_000_000_000)
  }

  @Test func m3TrimsOnAQueueOfItsOwn() {
    let clock = SystemClock()
    let trimmer = Mutex<pthread_t?>(nil)
    let cache = YYMemoryCache<String, Tracked>(clock: clock, release: .caller)
    cache.set(Tracked { trimmer.withLock { $0 = pthread_self() } }, forKey: "a")
    cache.countLimit = 0
    clock.advance(to: 5_000_000_000)
    cache.finish()
    let thread = trimmer.withLock { $0 }
    #expect(cache.totalCount == 0 && thread != nil && thread != pthread_self())
  }

  /// Each limit alone leaves less than those before.
  @Test func m4TrimsByCostThenCountThenAge() {
    let clock = SystemClock()
    let cache = Memory(clock: clock, trimsLater: false)
    for key in ["a", "b", "c", "d"] {
      clock.advance(to: clock.now + 1_000_000_000)
      cache.set(1, forKey: key, cost: 10)
    }
    cache.costLimit = 30
    cache.trim()
    #expect(cache.totalCount == 3 && !cache.contains("a"))
    cache.countLimit = 2
    cache.trim()
    #expect(cache.totalCount == 2 && !cache.contains("b"))
    cache.ageLimit = .milliseconds(500)
    cache.trim()
    #expect(cache.totalCount == 1 && cache.contains("d"))
    #expect(cache.evicted == 3)
  }

  /// A limit of zero removes all at once, which evicts none: none is left to those that follow.
  @Test func m4OrderIsCostCountAge() {
    func evicted(_ limit: (Memory) -> Void) -> Int {
      let clock = SystemClock()
      let cache = filled(Memory(clock: clock, trimsLater: false), ["a", "b", "c"], cost: 10)
      clock.advance(to: 1_000_000_000)
      limit(cache)
      cache.trim()
      return cache.evicted
    }
    let age = Duration.milliseconds(1)
    #expect(evicted { $0.countLimit = 1 } == 2)
    #expect(evicted { $0.ageLimit = age } == 3)
    #expect(evicted { ($0.costLimit, $0.countLimit) = (0, 1) } == 0)
    #expect(evicted { ($0.countLimit, $0.ageLimit) = (0, age) } == 0)
    #expect(evicted { ($0.costLimit, $0.countLimit) = (10, 0) } == 2)
    #expect(evicted { ($0.countLimit, $0.ageLimit) = (1, .zero) } == 2)
  }

  @Test(arguments: [true, false])
  func m5EmptiesItselfOnPressureAndInTheBackground(isOn: Bool) {
    for event in [SystemEvent.memoryPressure(.warning), .background] {
      let events = SystemEvents()
      let cache = filled(
        Memory(events: events, removesAllOnMemoryPressure: isOn, removesAllInBackground: isOn),
        ["a", "b"])
      events.post(event)
      #expect(cache.totalCount == (isOn ? 0 : 2))
    }
  }

  @Test func m6CallsItsHooks() {
    let events = SystemEvents()
    let cache = Memory(events: events)
    let (pressures, backgrounds) = (Calls(), Calls())
    cache.onMemoryPressure = { pressures.call() }
    cache.onBackground = { backgrounds.call() }
    events.post(.memoryPressure(.critical))
    #expect(pressures.count == 1 && backgrounds.count == 0)
    events.post(.background)
    #expect(pressures.count == 1 && backgrounds.count == 1)
  }

  @Test func m7ReleasesVictimsBesideTheCaller() {
    /// The thread that releases a victim, and true if it serves the main queue.
    func releaser(
      _ cache: YYMemoryCache<String, Tracked>, by evict: (YYMemoryCache<String, Tracked>) -> Void
    ) -> (thread: pthread_t?, isMain: Bool) {
      let released = DispatchSemaphore(value: 0)
      let onMain = DispatchSpecificKey<Bool>()
      DispatchQueue.main.setSpecific(key: onMain, value: true)
      let thread = Mutex<(pthread_t?, Bool)>((nil, false))
      cache.set(
        Tracked {
          thread.withLock { $0 = (pthread_self(), DispatchQueue.getSpecific(key: onMain) == true) }
          released.signal()
        }, forKey: "a")
      evict(cache)
      _ = released.wait(timeout: .now() + 10)
      return thread.withLock { $0 }
    }
    for evict in [
      { (cache: YYMemoryCache<String, Tracked>) in cache.set(Tracked {}, forKey: "b") },
      { $0.remove("a") }, { $0.removeAll() }, { $0.trim(toCount: 0) },
    ] {
      let beside = releaser(YYMemoryCache(countLimit: 1), by: evict)
      #expect(beside.thread != nil && beside.thread != pthread_self())
    }
    #expect(releaser(YYMemoryCache(countLimit: 1, release: .main)) { $0.remove("a") }.isMain)
    // Or where it is evicted.
    let calls = Calls()
    let inline = YYMemoryCache<String, Tracked>(countLimit: 1, release: .caller)
    inline.set(Tracked { calls.call() }, forKey: "a")
    inline.set(Tracked {}, forKey: "b")
    #expect(calls.count == 1)
  }

  @Test func m8EvictsTheTailInConstantTime() {
    let cache = filled(Memory(countLimit: 3), ["a", "b", "c", "d", "e"])
    #expect(["a", "b", "c", "d", "e"].map(cache.contains) == [false, false, true, true, true])
  }

  @Test func m9MostRecentIsTheHead() {
    let cache = filled(Memory(countLimit: 3), ["a", "b", "c"])
    #expect(cache.value(forKey: "a") == 0)
    cache.set(3, forKey: "d")
    #expect(cache.contains("a") && !cache.contains("b"))
  }

  @Test func m10RemovesFromTheMiddle() {
    let cache = filled(Memory(countLimit: 3), ["a", "b", "c"])
    cache.remove("b")
    cache.set(3, forKey: "d")
    #expect(cache.totalCount == 3 && cache.contains("a"))
    cache.set(4, forKey: "e")
    #expect(!cache.contains("a") && cache.contains("c"))
  }

  @Test func m11GetTouchesTimeAndOrder() {
    let clock = SystemClock()
    let cache = filled(Memory(clock: clock, trimsLater: false), ["a", "b"])
    clock.advance(to: 3_000_000_000)
    _ = cache.value(forKey: "a")
    cache.trim(toAge: .seconds(1))
    #expect(cache.contains("a") && !cache.contains("b"))
  }

  @Test func m12SetUpdatesInPlaceAndContainsDoesNotTouch() {
    let cache = filled(Memory(countLimit: 2), ["a", "b"], cost: 5)
    cache.set(7, forKey: "b", cost: 1)
    #expect(cache.totalCount == 2 && cache.totalCost == 6)
    #expect(cache.contains("a"))
    cache.set(8, forKey: "c", cost: 1)
    #expect(!cache.contains("a") && cache.value(forKey: "b") == 7)
    cache.set(nil, forKey: "b")
    #expect(!cache.contains("b") && cache.totalCost == 1)
  }

  @Test func m13CountOverflowEvictsOneInline() {
    let cache = filled(Memory(), (0..<10).map { "\($0)" })
    cache.countLimit = 5
    cache.set(1, forKey: "x")
    #expect(cache.totalCount == 10)
  }

  @Test func m14CostOverflowTrimsLater() {
    // The trim finds the lock taken for a while: the set returns before.
    let lock = BusyLock(failures: 20)
    let cache = filled(Memory(costLimit: 10, lock: lock), ["a", "b"], cost: 5)
    cache.set(1, forKey: "c", cost: 5)
    #expect(cache.totalCost == 15 && cache.contains("a"))
    cache.finish()
    #expect(cache.totalCost == 10 && !cache.contains("a") && cache.evicted == 1)
    let now = filled(Memory(costLimit: 10, trimsLater: false), ["a", "b", "c"], cost: 5)
    #expect(now.totalCost == 10)
  }

  /// A lock whose tries fail as often as planted.
  private final class BusyLock: TryableLock, @unchecked Sendable {
    static let information = LockInformation(name: "busy", summary: "fails its first tries")
    private let base = PThreadLock()
    let failures: Atomic<Int>
    let tries = Atomic(0)
    private let isTaken = Atomic(false)

    init() { failures = Atomic(3) }
    init(failures: Int) { self.failures = Atomic(failures) }

    /// True while somebody is inside.
    var isHeld: Bool { isTaken.load(ordering: .relaxed) }

    func withLock(_ body: () -> Void) { base.withLock { inside(body) } }

    private func inside(_ body: () -> Void) {
      isTaken.store(true, ordering: .relaxed)
      body()
      isTaken.store(false, ordering: .relaxed)
    }

    func withLockIfAvailable(_ body: () -> Void) -> Bool {
      tries.add(1, ordering: .relaxed)
      if failures.subtract(1, ordering: .relaxed).newValue >= 0 { return false }
      return base.withLockIfAvailable { inside(body) }
    }
  }

  @Test func m15TrimTakesOneVictimAnAcquisitionAndBacksOff() {
    let lock = BusyLock()
    let clock = SystemClock()
    let cache = filled(
      Memory(lock: lock, clock: clock, trimsLater: false), (0..<10).map { "\($0)" })
    let start = ContinuousClock.now
    cache.trim(toCount: 4)
    #expect(cache.totalCount == 4)
    // Three that fail, six victims, and one that finds none.
    #expect(lock.tries.load(ordering: .relaxed) == 3 + 6 + 1)
    #expect(ContinuousClock.now - start >= Memory.backOff * 3)
    // By age as well.
    clock.advance(to: 1_000)
    cache.trim(toAge: .nanoseconds(1))
    #expect(cache.totalCount == 0)
    #expect(lock.tries.load(ordering: .relaxed) == 10 + 4 + 1)
  }

  @Test func m15VictimsAreReleasedTogetherOutsideTheLock() {
    let lock = BusyLock(failures: 0)
    let cache = YYMemoryCache<Int, Tracked>(lock: lock, release: .caller, trimsLater: false)
    let tries = Mutex<[Int]>([])
    let inside = Calls()
    for key in 0..<5 {
      cache.set(
        Tracked {
          if lock.isHeld { inside.call() }
          tries.withLock { $0.append(lock.tries.load(ordering: .relaxed)) }
        }, forKey: key)
    }
    cache.trim(toCount: 1)
    // After the try that found none.
    #expect(tries.withLock { $0 } == [5, 5, 5, 5] && inside.count == 0)
  }

  @Test func m16LimitZeroRemovesAll() {
    for trim in [
      { (cache: Memory) in cache.trim(toCount: 0) }, { $0.trim(toCost: 0) },
      { $0.trim(toAge: .zero) },
    ] {
      let cache = filled(Memory(trimsLater: false), ["a", "b"])
      trim(cache)
      // At once, which is no eviction, one after the other.
      #expect(cache.totalCount == 0 && cache.evicted == 0)
    }
  }

  @Test func m17TrimsOnDemand() {
    let clock = SystemClock()
    let cache = filled(Memory(clock: clock, trimsLater: false), ["a", "b", "c", "d"], cost: 2)
    cache.trim(toCount: 3)
    #expect(cache.totalCount == 3)
    cache.trim(toCost: 3)
    #expect(cache.totalCount == 1 && cache.contains("d"))
    clock.advance(to: 2)
    cache.trim(toAge: .nanoseconds(1))
    #expect(cache.totalCount == 0)
  }

  @Test func m18LockIsAPosixMutex() {
    #expect(YYCache.information.lock == PThreadLock.information.name)
    for lock in [PThreadLock(), SpinLock()] as [any TryableLock] {
      let cache = YYMemoryCache<Int, Int>(countLimit: 50, lock: lock)
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for step in 0..<2_000 { cache.set(step, forKey: thread * 1_000 + step % 100) }
      }
      #expect(cache.totalCount == 50)
    }
  }
}
