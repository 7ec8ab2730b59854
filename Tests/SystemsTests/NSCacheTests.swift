import EvictionCore
import Foundation
import Systems
import Testing

/// `NSCache`, as it is and as it is documented, and discardable content; the names begin with the behaviours' ids.
@Suite struct NSCacheTests {
  private func value() -> [UInt8] { [1, 2, 3, 4] }

  @Test func nscacheOnLinuxAdmitsNothingWhenFullOfEqualCosts() throws {
    let cache = try FoundationCache(SystemSetup(FoundationCache.self, capacity: 3))
    for key in 0..<6 as Range<UInt32> { cache.set(value(), forKey: key, cost: 1) }
    let held = (0..<6 as Range<UInt32>).filter { cache.value(forKey: $0) != nil }
    #expect(held.count == 3)
    #if os(Linux)
      #expect(held == [0, 1, 2])
    #endif
  }

  @Test func n2LimitsAreAdvisory() {
    let cache = DocumentedNSCache<Int, Int>(countLimit: 3)
    for key in 0..<4 { cache.setObject(key, forKey: key) }
    // Later: at the next insertion.
    #expect(cache.statistics.count == 4)
    cache.setObject(4, forKey: 4)
    #expect(cache.statistics.count == 4 && cache.object(forKey: 0) == nil)
    let costly = DocumentedNSCache<Int, Int>(totalCostLimit: 10)
    for key in 0..<4 { costly.setObject(key, forKey: key, cost: 4) }
    costly.evictBeyondLimits()
    #expect(costly.statistics.totalCost == 8)
    let unlimited = DocumentedNSCache<Int, Int>()
    for key in 0..<1_000 { unlimited.setObject(key, forKey: key, cost: 1_000) }
    unlimited.evictBeyondLimits()
    #expect(unlimited.statistics.count == 1_000)
  }

  @Test func n2DelegateHearsOfEvictionsOnly() {
    let calls = Calls()
    let cache = DocumentedNSCache<Int, Int>(countLimit: 2, delegate: { _ in calls.call() })
    for key in 0..<3 { cache.setObject(key, forKey: key) }
    cache.removeObject(forKey: 2)
    #expect(calls.count == 0)
    cache.countLimit = 1
    cache.evictBeyondLimits()
    #expect(calls.count == 1)
  }

  /// A lock that counts its takers.
  private final class CountingLock: CacheLock {
    static let information = LockInformation(name: "counting", summary: "counts its takers")
    private let base = MutexLock()
    let takers = Calls()

    func withLock(_ body: () -> Void) {
      takers.call()
      base.withLock(body)
    }

    func withSharedLock(_ body: () -> Void) { withLock(body) }
  }

  @Test func n3EveryOperationTakesTheLock() {
    let lock = CountingLock()
    let cache = DocumentedNSCache<Int, Int>(countLimit: 5, lock: lock)
    let operations: [() -> Void] = [
      { cache.setObject(1, forKey: 1) }, { _ = cache.object(forKey: 1) },
      { cache.removeObject(forKey: 1) }, { cache.removeAllObjects() },
    ]
    for operation in operations {
      let before = lock.takers.count
      operation()
      #expect(lock.takers.count > before)
    }
  }

  @Test func n3IsThreadSafeAndKeepsKeysUncopied() {
    final class Key: Hashable, Sendable {
      static func == (left: Key, right: Key) -> Bool { left === right }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    let key = Key()
    let cache = DocumentedNSCache<Key, Int>(countLimit: 100)
    cache.setObject(1, forKey: key)
    #expect(cache.object(forKey: key) == 1)
    let shared = DocumentedNSCache<Int, Int>(countLimit: 50)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for step in 0..<2_000 { shared.setObject(step, forKey: thread * 100 + step % 100) }
    }
    shared.evictBeyondLimits()
    #expect(shared.statistics.count == 50)
  }

  typealias Content = DiscardableValue<[UInt8]>

  @Test func p1CounterBeginsAtOne() throws {
    let content = Content([1])
    content.discardContentIfPossible()
    #expect(!content.isContentDiscarded)
    try content.endContentAccess()
    content.discardContentIfPossible()
    #expect(content.isContentDiscarded && !content.beginContentAccess())
  }

  @Test func p2AccessesNest() throws {
    let content = Content([1])
    #expect(content.beginContentAccess())
    try content.endContentAccess()
    content.discardContentIfPossible()
    #expect(!content.isContentDiscarded)
    try content.endContentAccess()
    content.discardContentIfPossible()
    #expect(content.isContentDiscarded)
  }

  @Test func p3AccessWithoutABeginIsAnError() throws {
    let content = Content([1])
    try content.endContentAccess()
    #expect(throws: DiscardableContentError.notAccessed) { try content.content() }
    #expect(throws: DiscardableContentError.notAccessed) { try content.endContentAccess() }
  }

  @Test func p4DiscardedValueLeavesByItself() throws {
    for evicts in [true, false] {
      let cache = DocumentedNSCache<Int, Content>()
      cache.evictsObjectsWithDiscardedContent = evicts
      let content = Content([1])
      cache.setObject(content, forKey: 1)
      try content.endContentAccess()
      content.discardContentIfPossible()
      #expect((cache.object(forKey: 1) == nil) == evicts)
    }
    // Before anybody asks the cache.
    let removals = Calls()
    let own = MemoryCache<Int, Content>(countLimit: 5, onRemoval: { _, _, _ in removals.call() })
    let content = Content([1])
    own.set(content, forKey: 1)
    try content.endContentAccess()
    content.discardContentIfPossible()
    #expect(removals.count == 1 && own.isEmpty)
  }
}
