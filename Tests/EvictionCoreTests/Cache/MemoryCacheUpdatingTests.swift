import Eviction
import Foundation
import Parameters
import Synchronization
import Testing

private struct Refusal: Error {}

@Suite struct MemoryCacheUpdatingTests {
  // MARK: - One thread

  @Test func updateComputesChangesAndRemoves() {
    let cache = MemoryCache<String, Int>(countLimit: 10)
    #expect(cache.update(forKey: "a") { $0 = ($0 ?? 0) + 1 } == ())
    #expect(cache["a"] == 1)
    cache.update(forKey: "a") { $0 = $0 ?? 9 }
    #expect(cache["a"] == 1)
    let last = cache.update(forKey: "a") { value -> Int? in
      defer { value = nil }
      return value
    }
    #expect(last == 1)
    #expect(!cache.contains("a"))
    cache.update(forKey: "a") { if let value = $0 { $0 = value + 1 } }
    #expect(!cache.contains("a"))
  }

  @Test func updateThatThrowsChangesNothing() throws {
    let cache = MemoryCache<Int, Int>(countLimit: 10)
    cache[1] = 1
    #expect(throws: Refusal.self) {
      try cache.update(forKey: 1) { value throws(Refusal) in
        value = 2
        throw Refusal()
      }
    }
    #expect(cache[1] == 1)
    cache.update(forKey: 1) { $0 = 3 }
    #expect(cache[1] == 3)
  }

  /// An update is a get, and then a set, a removal or nothing.
  @Test(arguments: ["lru", "s3fifo", "arc", "wtinylfu", "gdsf"], [false, true])
  func updateIsAGetAndASet(policy: String, isSized: Bool) throws {
    func cache() throws -> MemoryCache<Int, Int> {
      try MemoryCache.open(
        countLimit: isSized ? nil : 20, costLimit: isSized ? 60 : nil, costs: .given,
        policy: PolicyCatalog.policy(Specification(parsing: policy)), seed: 3)
    }
    let (updated, model) = (try cache(), try cache())
    var generator = SplitMix64(seed: 5)
    for step in 0..<5_000 {
      let key = generator.index(below: 40)
      let cost = generator.index(below: 5)
      switch generator.index(below: 6) {
      case 0:
        updated.update(forKey: key) { $0 = nil }
        if model[key] != nil { model.remove(key) }
      case 1:
        updated.update(forKey: key) { if $0 != nil { $0 = step } }
        if model[key] != nil { model.set(step, forKey: key, cost: model.cost(forKey: key)) }
      case 2:
        let old = model.cost(forKey: key)
        updated.update(forKey: key, cost: old == nil ? 1 : nil) { $0 = step }
        _ = model[key]
        model.set(step, forKey: key, cost: old ?? 1)
      default:
        updated.update(forKey: key, cost: cost) { $0 = ($0 ?? 0) + 1 }
        model.set((model[key] ?? 0) + 1, forKey: key, cost: cost)
      }
      #expect(updated.statistics == model.statistics)
    }
    let entries = { (cache: MemoryCache<Int, Int>) in
      cache.snapshot().map { [$0.key, $0.value, $0.cost] }.sorted { $0[0] < $1[0] }
    }
    #expect(entries(updated) == entries(model))
  }

  @Test func updatedValueKeepsItsCostAndItsTime() {
    let clock = ManualClock()
    let cache = MemoryCache<Int, Int>(
      costLimit: 100, costs: .given, options: clock.options())
    cache.set(1, forKey: 1, cost: 7, expiration: .after(.seconds(10)))
    cache.set(1, forKey: 2, cost: 7, expiration: .after(.seconds(60), orIdle: .seconds(10)))
    clock.advance(bySeconds: 6)
    for key in [1, 2] { cache.update(forKey: key) { $0 = 2 } }
    #expect(cache.cost(forKey: 1) == 7)
    #expect(cache.timeRemaining(forKey: 1) == .seconds(4))
    #expect(cache.timeRemaining(forKey: 2) == .seconds(10))
    cache.update(forKey: 1, cost: 9, expiration: .after(.seconds(5))) { $0 = 3 }
    #expect(cache.cost(forKey: 1) == 9)
    #expect(cache.timeRemaining(forKey: 1) == .seconds(5))
    clock.advance(bySeconds: 5)
    // What has expired is not there.
    #expect(cache.update(forKey: 1) { $0 == nil })
    cache.update(forKey: 1, cost: 2) { $0 = 4 }
    #expect(cache.cost(forKey: 1) == 2)
    #expect(cache.timeRemaining(forKey: 1) == nil)
  }

  @Test func updatedValueKeepsItsAge() {
    let clock = ManualClock()
    let cache = MemoryCache<Int, Int>(
      countLimit: 10,
      options: clock.options {
        $0.ageLimit = .seconds(10)
        $0.ageReference = .lastSet
      })
    cache[1] = 1
    clock.advance(bySeconds: 6)
    cache.update(forKey: 1) { $0 = $0 ?? 2 }
    #expect(cache.timeRemaining(forKey: 1) == .seconds(4))
  }

  @Test func valueThatExpiresMeanwhileIsComputedAgain() {
    let clock = ManualClock()
    let cache = MemoryCache<Int, Int>(countLimit: 10, options: clock.options())
    cache.set(5, forKey: 1, expiration: .after(.seconds(1)))
    var seen: [Int?] = []
    cache.update(forKey: 1) { value in
      seen.append(value)
      clock.advance(bySeconds: 2)
      value = (value ?? 0) + 1
    }
    #expect(seen == [5, nil])
    #expect(cache[1] == 1)
  }

  @Test func tooLargeOrRefusedValueIsNotStoredAndTheFormerOneIsGone() {
    let cache = MemoryCache<Int, Int>(costLimit: 10, costs: .given)
    cache.set(1, forKey: 1, cost: 4)
    #expect(cache.update(forKey: 1, cost: 11) { $0 = 2 } == ())
    #expect(!cache.contains(1))
    let refusing = MemoryCache<Int, Int>(
      costLimit: 10, costs: .given, admission: .size(limit: 3))
    refusing.update(forKey: 1, cost: 4) { $0 = 1 }
    #expect(!refusing.contains(1))
    let empty = MemoryCache<Int, Int>(countLimit: 0)
    #expect(empty.update(forKey: 1) { $0 = $0 ?? 1 } == ())
    #expect(empty.isEmpty)
  }

  @Test func grownValueEvictsOthers() {
    let cache = MemoryCache<Int, Int>(costLimit: 10, costs: .given, policy: .lru)
    for key in 0..<5 { cache.set(key, forKey: key, cost: 2) }
    cache.update(forKey: 4, cost: 5) { $0 = 44 }
    #expect(cache.totalCost <= 10)
    #expect(cache[4] == 44)
    #expect(!cache.contains(0) && !cache.contains(1))
  }

  @Test func callbackMayUpdateTheSameKey() {
    let removals = Mutex<[String]>([])
    let place = Mutex<MemoryCache<Int, Int>?>(nil)
    let cache = MemoryCache<Int, Int>(countLimit: 10) { key, value, cause in
      let isFirst = removals.withLock { removals in
        removals.append("\(key) \(value) \(cause)")
        return removals.count == 1
      }
      if isFirst { place.withLock { $0 }?.update(forKey: key) { $0 = ($0 ?? 0) + 10 } }
    }
    place.withLock { $0 = cache }
    cache[1] = 1
    cache.update(forKey: 1) { $0 = 2 }
    #expect(removals.withLock { $0 } == ["1 1 replaced", "1 2 replaced"])
    #expect(cache[1] == 12)
    place.withLock { $0 = nil }
  }

  // MARK: - The cache in the closure

  @Test func closureMayUseTheCache() {
    let cache = MemoryCache<Int, Int>(countLimit: 10)
    cache[1] = 1
    cache.update(forKey: 1) { value in
      #expect(cache[1] == 1)
      cache[2] = 2
      cache.update(forKey: 3) { $0 = cache[2] }
      value = cache[3]
    }
    #expect(cache[1] == 2)
  }

  /// It counts as coming after the update.
  @Test func whatTheClosureItselfSetsOrRemovesStays() {
    let cache = MemoryCache<Int, Int>(countLimit: 10)
    var runs = 0
    cache.update(forKey: 1) {
      runs += 1
      cache[1] = 7
      $0 = 8
    }
    #expect(cache[1] == 7)
    cache.update(forKey: 1) { value in
      runs += 1
      cache.removeAll()
      value = 9
    }
    #expect(cache[1] == nil)
    #expect(runs == 2)
  }

  @Test func closureThatEvictsItsOwnEntryEnds() {
    let cache = MemoryCache<Int, Int>(countLimit: 1, policy: .lru)
    cache[1] = 1
    var runs = 0
    cache.update(forKey: 1) {
      runs += 1
      cache[2] = 2
      $0 = ($0 ?? 0) + 1
    }
    #expect(runs == 2)
    #expect(cache[1] == 1)
  }

  #if os(macOS) || os(Linux)
    @Test func updateOfTheSameKeyWithinAnUpdateTraps() async {
      let trap = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let cache = MemoryCache<Int, Int>(countLimit: 10)
        cache.update(forKey: 1) { $0 = cache.update(forKey: 1) { $0 ?? 0 } }
      }
      let message = String(decoding: trap?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("waits for itself"))
    }

    @Test func updatesThatWaitForEachOtherTrap() async {
      let trap = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let cache = MemoryCache<Int, Int>(countLimit: 10)
        let both = Atomic(0)
        @Sendable func update(_ key: Int, then other: Int) {
          cache.update(forKey: key) { _ in
            both.add(1, ordering: .acquiringAndReleasing)
            while both.load(ordering: .acquiring) < 2 { Thread.sleep(forTimeInterval: 0.001) }
            cache.update(forKey: other) { $0 = 1 }
          }
        }
        DispatchQueue.concurrentPerform(iterations: 2) { update($0, then: 1 - $0) }
      }
      let message = String(decoding: trap?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("waits for itself"))
    }
  #endif

  // MARK: - Others meanwhile

  /// Runs `change` in another thread while the closure runs the first time.
  private func update(
    _ cache: MemoryCache<Int, Int>, during change: @escaping @Sendable () -> Void
  ) -> [Int?] {
    var seen: [Int?] = []
    cache.update(forKey: 1) { value in
      if seen.isEmpty {
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
          change()
          done.signal()
        }
        thread.start()
        done.wait()
      }
      seen.append(value)
      value = (value ?? 0) + 1
    }
    return seen
  }

  @Test func closureRunsAgainOnWhatAnotherThreadHasSet() {
    let cache = MemoryCache<Int, Int>(countLimit: 10)
    cache[1] = 1
    #expect(update(cache) { cache[1] = 10 } == [1, 10])
    #expect(cache[1] == 11)
    #expect(update(cache) { cache.removeValue(forKey: 1) } == [11, nil])
    #expect(cache[1] == 1)
    #expect(update(cache) { cache.removeAll() } == [1, nil])
    #expect(update(cache) { cache.insert(5, forKey: 1) }.last == 1)
    cache.removeAll()
    #expect(update(cache) { cache.insert(5, forKey: 1) } == [nil, 5])
    #expect(update(cache) { cache.trim(toCount: 0) } == [6, nil])
    #expect(update(cache) { cache[2] = 7 } == [1])
  }

  @Test func loadThatEndsMeanwhileIsNotStored() {
    let cache = MemoryCache<Int, Int>(countLimit: 10)
    let load = { @Sendable in
      let loaded = try? cache.value(forKey: 1, orLoad: { 100 })
      #expect(loaded == 100)
    }
    #expect(update(cache, during: load) == [nil])
    #expect(cache[1] == 1)
    // And one that has begun before, and ends after it.
    let value = try? cache.value(
      forKey: 2,
      orLoad: { () -> Int in
        cache.update(forKey: 2) { $0 = 3 }
        return 4
      })
    #expect(value == 4)
    #expect(cache[2] == 3)
  }

  @Test func updatesOfOtherKeysDoNotWait() {
    let cache = ShardedCache<Int, Int>(shards: 1, countLimit: 1_000)
    let inside = Atomic(0)
    // All are inside at once, or this never ends.
    let threads = (0..<300).map { key in
      Thread {
        cache.update(forKey: key) {
          inside.add(1, ordering: .acquiringAndReleasing)
          while inside.load(ordering: .acquiring) < 300 { Thread.sleep(forTimeInterval: 0.001) }
          $0 = key
        }
      }
    }
    for thread in threads { thread.start() }
    while cache.count < 300 { Thread.sleep(forTimeInterval: 0.001) }
    #expect((0..<300).allSatisfy { cache[$0] == $0 })
  }

  // MARK: - Many threads

  @Test(.endsWhenItHangs)
  func incrementsOfTwoTasksAllCount() async {
    let cache = MemoryCache<Int, Int>(countLimit: 10)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask { for _ in 0..<200_000 { cache.update(forKey: 1) { $0 = ($0 ?? 0) + 1 } } }
      }
    }
    #expect(cache[1] == 400_000)
  }

  /// Counts are added and taken away in many threads; none is made or lost.
  @Test(.endsWhenItHangs, arguments: CacheReads.allCases)
  func nothingIsLostBetweenUpdatesAndRemovals(reads: CacheReads) {
    var options = MemoryCacheOptions()
    options.reads = reads
    let cache = ShardedCache<Int, Int>(shards: 2, countLimit: 64, policy: .lru, options: options)
    let outcomes = Mutex((added: 0, taken: 0, crowds: 0))
    let occupancies = (0..<8).map { _ in Occupancy() }
    DispatchQueue.concurrentPerform(iterations: 6) { thread in
      var generator = SplitMix64(seed: UInt64(thread))
      var (added, taken, crowds) = (0, 0, 0)
      for _ in 0..<5_000 {
        let key = generator.index(below: 8)
        switch generator.index(below: 8) {
        case 0:
          taken += cache.removeValue(forKey: key) ?? 0
        case 1:
          taken += cache.update(forKey: key) { value in
            defer { value = nil }
            return value ?? 0
          }
        case 2:
          if cache.insert(1, forKey: key).isInserted { added += 1 }
        default:
          cache.update(forKey: key) { value in
            if occupancies[key].enter() > 1 { crowds += 1 }
            value = (value ?? 0) + 1
            occupancies[key].leave()
          }
          added += 1
        }
      }
      outcomes.withLock { [added, taken, crowds] in
        $0.added += added
        $0.taken += taken
        $0.crowds += crowds
      }
    }
    let left = cache.snapshot().reduce(0) { $0 + $1.value }
    let outcome = outcomes.withLock { $0 }
    #expect(outcome.added == outcome.taken + left)
    #expect(outcome.crowds == 0)
  }
}

/// The number of threads that are inside.
private final class Occupancy: Sendable {
  private let number = Atomic(0)

  func enter() -> Int { number.add(1, ordering: .acquiringAndReleasing).newValue }

  func leave() { number.subtract(1, ordering: .acquiringAndReleasing) }
}
