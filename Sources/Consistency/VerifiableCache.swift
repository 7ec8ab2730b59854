import Eviction

/// A cache whose reads can be checked, behind closures that are compiled for its policy.
package struct VerifiableCache: Sendable {
  let value: @Sendable (UInt64) -> StampedValue?
  /// Stores a value, for so long on the precise clock, or for good; whether it is kept is the cache's
  /// business.
  let store: @Sendable (StampedValue, UInt64, Duration?) -> Void
  let remove: @Sendable (UInt64) -> Void
  let removeAll: @Sendable () -> Void

  /// Any cache, by what it does.
  @usableFromInline
  package init(
    value: @escaping @Sendable (UInt64) -> StampedValue?,
    store: @escaping @Sendable (StampedValue, UInt64, Duration?) -> Void,
    remove: @escaping @Sendable (UInt64) -> Void, removeAll: @escaping @Sendable () -> Void
  ) {
    self.value = value
    self.store = store
    self.remove = remove
    self.removeAll = removeAll
  }

  /// A cache in one part.
  @inlinable
  package init<Policy: ReplacementPolicy & ~Copyable>(
    _ cache: MemoryCache<UInt64, StampedValue, Policy>
  ) {
    self.init(
      value: { cache.value(forKey: $0) },
      store: {
        if let lifetime = $2 {
          cache.set($0, forKey: $1, expiration: .after(lifetime))
        } else {
          cache.set($0, forKey: $1)
        }
      },
      remove: { cache.removeValue(forKey: $0) }, removeAll: { cache.removeAll() })
  }

  /// A cache in shards.
  @inlinable
  package init<Policy: ReplacementPolicy & ~Copyable>(
    _ cache: ShardedCache<UInt64, StampedValue, Policy>
  ) {
    self.init(
      value: { cache.value(forKey: $0) },
      store: {
        if let lifetime = $2 {
          cache.set($0, forKey: $1, expiration: .after(lifetime))
        } else {
          cache.set($0, forKey: $1)
        }
      },
      remove: { cache.removeValue(forKey: $0) }, removeAll: { cache.removeAll() })
  }
}
