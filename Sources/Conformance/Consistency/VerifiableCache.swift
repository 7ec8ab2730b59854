import EvictionCore

/// A cache whose reads can be checked, whatever its type.
@usableFromInline
package struct VerifiableCache: Sendable {
  /// The limit that it was made with; nil for none.
  @usableFromInline let countLimit: Int?
  @usableFromInline let value: @Sendable (UInt64) -> StampedValue?
  /// Stores a value at a cost, for so long, or for good. Whether it is kept is the cache's business.
  @usableFromInline let store: @Sendable (StampedValue, UInt64, Int, Duration?) -> Bool
  /// The same, unless the key has a value.
  @usableFromInline let insert:
    @Sendable (StampedValue, UInt64, Int, Duration?) -> (isInserted: Bool, value: StampedValue?)
  /// Gives the key a value, or none, in one step; returns what it had before.
  @usableFromInline let update: @Sendable (StampedValue?, UInt64, Int, Duration?) -> StampedValue?
  /// The key's value, or else what is loaded.
  @usableFromInline let load: @Sendable (UInt64, Int, () -> StampedValue) -> StampedValue?
  @usableFromInline let remove: @Sendable (UInt64) -> Void
  @usableFromInline let removeAll: @Sendable () -> Void
  @usableFromInline let trim: @Sendable (Int) -> Void
  /// Changes the limit, to the nearest one that the cache can have.
  @usableFromInline let setCountLimit: @Sendable (Int?) -> Void

  /// Erases the type of `cache`, for which the operations are compiled.
  @inlinable
  package init(_ cache: some InMemoryCache<UInt64, StampedValue>) {
    countLimit = cache.countLimit
    value = { cache.value(forKey: $0) }
    store = { value, key, cost, lifetime in
      cache.set(value, forKey: key, cost: cost, expiration: lifetime.map { .after($0) })
    }
    insert = { value, key, cost, lifetime in
      cache.insert(
        value, forKey: key, cost: cost, missCost: 1, expiration: lifetime.map { .after($0) })
    }
    update = { value, key, cost, lifetime in
      cache.update(
        forKey: key, cost: cost, missCost: 1, expiration: lifetime.map { .after($0) }
      ) { present in
        defer { present = value }
        return present
      }
    }
    load = { key, cost, load in
      try? cache.value(
        forKey: key, cost: cost, missCost: 1, expiration: nil, rememberingFailuresFor: nil,
        orLoad: load)
    }
    remove = { cache.remove($0) }
    removeAll = { cache.removeAll() }
    trim = { cache.trim(toCount: $0) }
    setCountLimit = { limit in
      cache.countLimit = limit.map { $0 == 0 ? 0 : max($0, cache.minimumCountLimit) }
    }
  }
}
