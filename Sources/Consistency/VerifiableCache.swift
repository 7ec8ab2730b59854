import Eviction

/// A cache whose reads can be checked.
package protocol VerifiableCache: Sendable {
  func value(forKey key: UInt64) -> StampedValue?
  /// Stores a value, for so long on the precise clock, or for good; whether it is kept is the cache's
  /// business.
  func store(_ value: StampedValue, forKey key: UInt64, lifetime: Duration?)
  func remove(_ key: UInt64)
  func removeAll()
}

extension MemoryCache: VerifiableCache
where Key == UInt64, Value == StampedValue, Policy: ~Copyable {
  package func store(_ value: StampedValue, forKey key: UInt64, lifetime: Duration?) {
    if let lifetime {
      set(value, forKey: key, expiration: .after(lifetime))
    } else {
      set(value, forKey: key)
    }
  }

  package func remove(_ key: UInt64) { removeValue(forKey: key) }
}

extension ShardedCache: VerifiableCache
where Key == UInt64, Value == StampedValue, Policy: ~Copyable {
  package func store(_ value: StampedValue, forKey key: UInt64, lifetime: Duration?) {
    if let lifetime {
      set(value, forKey: key, expiration: .after(lifetime))
    } else {
      set(value, forKey: key)
    }
  }

  package func remove(_ key: UInt64) { removeValue(forKey: key) }
}
