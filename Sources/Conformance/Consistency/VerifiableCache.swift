import EvictionCore

/// What a cache must do for its reads to be checked.
@usableFromInline
package protocol CheckableCache: AnyObject, Sendable {
  func value(forKey key: UInt64) -> StampedValue?
  func set(_ value: StampedValue, forKey key: UInt64, cost: Int, missCost: Double) -> Bool
  /// Stores a value for some time on the precise clock.
  func set(
    _ value: StampedValue, forKey key: UInt64, cost: Int, missCost: Double, expiration: Expiration
  ) -> Bool
  func insert(
    _ value: StampedValue, forKey key: UInt64, cost: Int, missCost: Double, expiration: Expiration?
  ) -> (isInserted: Bool, value: StampedValue?)
  /// The value of `key`, or else what `load` returns; nil if neither was to be had.
  func loadedValue(
    forKey key: UInt64, cost: Int, load: () -> StampedValue
  ) -> StampedValue?
  func removeValue(forKey key: UInt64) -> StampedValue?
  func removeAll()
  func trim(toCount count: Int) -> Int
  var countLimit: Int? { get set }
  /// The smallest limit above 0 that it can have.
  var leastCountLimit: Int { get }
}

extension CheckableCache {
  @inlinable package var leastCountLimit: Int { 1 }
}

extension MemoryCache: CheckableCache
where Key == UInt64, Value == StampedValue, Policy: ~Copyable {
  @inlinable
  package func loadedValue(
    forKey key: UInt64, cost: Int, load: () -> StampedValue
  ) -> StampedValue? {
    try? value(forKey: key, cost: cost, orLoad: load)
  }
}

extension ShardedCache: CheckableCache
where Key == UInt64, Value == StampedValue, Policy: ~Copyable {
  @inlinable package var leastCountLimit: Int { shardCount }

  @inlinable
  package func loadedValue(
    forKey key: UInt64, cost: Int, load: () -> StampedValue
  ) -> StampedValue? {
    try? value(forKey: key, cost: cost, orLoad: load)
  }
}

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
  /// The key's value, or else what is loaded.
  @usableFromInline let load: @Sendable (UInt64, Int, () -> StampedValue) -> StampedValue?
  @usableFromInline let remove: @Sendable (UInt64) -> Void
  @usableFromInline let removeAll: @Sendable () -> Void
  @usableFromInline let trim: @Sendable (Int) -> Void
  /// Changes the limit, to the nearest one that the cache can have.
  @usableFromInline let setCountLimit: @Sendable (Int?) -> Void

  /// Any cache that can do this, compiled for its type.
  @inlinable
  package init(_ cache: some CheckableCache) {
    countLimit = cache.countLimit
    value = { cache.value(forKey: $0) }
    store = { value, key, cost, lifetime in
      if let lifetime {
        cache.set(value, forKey: key, cost: cost, missCost: 1, expiration: .after(lifetime))
      } else {
        cache.set(value, forKey: key, cost: cost, missCost: 1)
      }
    }
    insert = { value, key, cost, lifetime in
      cache.insert(
        value, forKey: key, cost: cost, missCost: 1, expiration: lifetime.map { .after($0) })
    }
    load = { cache.loadedValue(forKey: $0, cost: $1, load: $2) }
    remove = { _ = cache.removeValue(forKey: $0) }
    removeAll = { cache.removeAll() }
    trim = { _ = cache.trim(toCount: $0) }
    setCountLimit = { limit in
      cache.countLimit = limit.map { $0 == 0 ? 0 : max($0, cache.leastCountLimit) }
    }
  }
}
