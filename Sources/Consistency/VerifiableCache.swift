import Eviction

/// What a cache must do for its reads to be checked.
package protocol CheckableCache: AnyObject, Sendable {
  func value(forKey key: UInt64) -> StampedValue?
  func set(_ value: StampedValue, forKey key: UInt64, cost: Int, missCost: Double) -> Bool
  /// Stores a value for some time on the precise clock.
  func set(
    _ value: StampedValue, forKey key: UInt64, cost: Int, missCost: Double, expiration: Expiration
  ) -> Bool
  func removeValue(forKey key: UInt64) -> StampedValue?
  func removeAll()
}

extension MemoryCache: CheckableCache
where Key == UInt64, Value == StampedValue, Policy: ~Copyable {}
extension ShardedCache: CheckableCache
where Key == UInt64, Value == StampedValue, Policy: ~Copyable {}

/// A cache whose reads can be checked, whatever its type.
package struct VerifiableCache: Sendable {
  let value: @Sendable (UInt64) -> StampedValue?
  /// Stores a value, for so long, or for good; whether it is kept is the cache's business.
  let store: @Sendable (StampedValue, UInt64, Duration?) -> Void
  let remove: @Sendable (UInt64) -> Void
  let removeAll: @Sendable () -> Void

  /// Any cache that can do this.
  package init(_ cache: some CheckableCache) {
    value = { cache.value(forKey: $0) }
    store = { value, key, lifetime in
      if let lifetime {
        _ = cache.set(value, forKey: key, cost: 1, missCost: 1, expiration: .after(lifetime))
      } else {
        _ = cache.set(value, forKey: key, cost: 1, missCost: 1)
      }
    }
    remove = { _ = cache.removeValue(forKey: $0) }
    removeAll = { cache.removeAll() }
  }
}
