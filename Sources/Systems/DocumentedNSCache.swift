import EvictionCore
import Synchronization

/// `NSCache` as Apple documents it, over this project's cache.
///
/// Limits are hints: what is beyond them may leave at once, later or never. Here it leaves at the next insertion, least
/// recently used first, and the delegate hears of it before it is released. Keys are kept, not copied.
package final class DocumentedNSCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Hears of values that are evicted.
  package typealias Delegate = @Sendable (Value) -> Void

  /// A value whose conformances the cache below does not see.
  private struct Held: Sendable {
    let value: Value

    var isDiscarded: Bool { (value as? any DiscardableContent)?.isContentDiscarded ?? false }
  }

  private struct State {
    var countLimit: Int
    var totalCostLimit: Int
    var evictsDiscarded = true
    var evictions = 0
  }

  private let cache: MemoryCache<Key, Held>
  private let state: Mutex<State>

  /// - Parameters:
  ///   - countLimit: The most entries; 0 for no limit.
  ///   - totalCostLimit: The most that entries cost together; 0 for no limit.
  ///   - lock: The lock.
  ///   - delegate: Called with each value that is evicted, before it is released.
  package init(
    countLimit: Int = 0, totalCostLimit: Int = 0,
    lock: @autoclosure () -> any CacheLock = MutexLock(),
    delegate: Delegate? = nil
  ) {
    state = Mutex(State(countLimit: countLimit, totalCostLimit: totalCostLimit))
    cache = MemoryCache(
      policy: .lru, lock: lock(),
      onRemoval: { _, held, cause in if cause == .size { delegate?(held.value) } })
  }

  package var countLimit: Int {
    get { state.withLock { $0.countLimit } }
    set { state.withLock { $0.countLimit = newValue } }
  }

  package var totalCostLimit: Int {
    get { state.withLock { $0.totalCostLimit } }
    set { state.withLock { $0.totalCostLimit = newValue } }
  }

  /// True if a value whose content was discarded is no longer found.
  package var evictsObjectsWithDiscardedContent: Bool {
    get { state.withLock { $0.evictsDiscarded } }
    set { state.withLock { $0.evictsDiscarded = newValue } }
  }

  package func object(forKey key: Key) -> Value? {
    guard let held = cache.value(forKey: key) else { return nil }
    if held.isDiscarded && evictsObjectsWithDiscardedContent {
      cache.remove(key)
      return nil
    }
    return held.value
  }

  package func setObject(_ value: Value, forKey key: Key, cost: Int = 0) {
    evictBeyondLimits()
    cache.set(Held(value: value), forKey: key, cost: cost)
  }

  package func removeObject(forKey key: Key) { cache.remove(key) }

  package func removeAllObjects() { cache.removeAll() }

  /// Evicts what is beyond the limits now.
  package func evictBeyondLimits() {
    let (count, cost) = state.withLock { ($0.countLimit, $0.totalCostLimit) }
    var evicted = 0
    if count > 0 && cache.count > count { evicted += cache.trim(toCount: count) }
    if cost > 0 && cache.totalCost > cost { evicted += cache.trim(toCost: cost) }
    if evicted > 0 { state.withLock { $0.evictions += evicted } }
  }

  package var statistics: CacheStatistics {
    var statistics = cache.statistics
    statistics.evictions = state.withLock { $0.evictions }
    return statistics
  }
}

/// ``DocumentedNSCache`` as a system.
package final class DocumentedNSCacheSystem: CacheSystem {
  package static let information = SystemInformation(
    name: "nscache-documented",
    summary: "NSCache as Apple documents it: limits are hints, kept at the next insertion",
    policy: "lru")

  private let cache: DocumentedNSCache<UInt32, SystemValue>

  package init(_ setup: SystemSetup) throws(SystemError) {
    cache = DocumentedNSCache(
      countLimit: setup.countLimit ?? 0, totalCostLimit: setup.costLimit ?? 0,
      lock: setup.lock(nil))
  }

  package func value(forKey key: UInt32) -> SystemValue? { cache.object(forKey: key) }

  package func set(_ value: SystemValue, forKey key: UInt32, cost: Int) {
    cache.setObject(value, forKey: key, cost: cost)
  }

  package func remove(_ key: UInt32) { cache.removeObject(forKey: key) }

  package func removeAll() { cache.removeAllObjects() }

  package var statistics: CacheStatistics { cache.statistics }
}
