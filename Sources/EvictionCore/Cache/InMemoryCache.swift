/// A cache in memory: ``MemoryCache``, and ``ShardedCache``, which consists of several.
///
/// Its operations never fail. Their parameters mean what they mean for a ``MemoryCache``.
public protocol InMemoryCache<Key, Value>: Cache where Failure == Never {
  /// Stores `value` under `key`, for as long as the cache keeps its entries.
  ///
  /// - Returns: True if the value is in the cache.
  @discardableResult
  func set(_ value: Value, forKey key: Key, cost: Int, missCost: Double) -> Bool

  /// Stores `value` under `key`, for some time.
  ///
  /// - Returns: True if the value is in the cache.
  @discardableResult
  func set(
    _ value: Value, forKey key: Key, cost: Int, missCost: Double, expiration: Expiration
  ) -> Bool

  /// Stores `value` under `key` unless the key has a value, in one step.
  ///
  /// - Returns: True if the value was stored, and the value that the key has now; nil if it was refused.
  @discardableResult
  func insert(
    _ value: Value, forKey key: Key, cost: Int, missCost: Double, expiration: Expiration?
  ) -> (isInserted: Bool, value: Value?)

  /// Returns the value of `key`, or else what `load` returns, which is stored.
  ///
  /// - Throws: What `load` throws, here or for another caller.
  @available(*, noasync, message: "it blocks; await the asynchronous form of the cache")
  func value(
    forKey key: Key, cost: Int, missCost: Double, expiration: Expiration?,
    rememberingFailuresFor duration: Duration?, orLoad load: () throws -> Value
  ) throws -> Value

  /// Returns the cost of a resident key, or nil. The policy does not learn of the question.
  func cost(forKey key: Key) -> Int?

  /// Corrects the cost of a resident key; an absent key changes nothing.
  func setCost(_ cost: Int, forKey key: Key)

  /// Evicts until at most `count` entries are left; those that have expired leave first.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  func trim(toCount count: Int) -> Int

  /// The most entries that the cache may hold; nil for no limit.
  ///
  /// - Precondition: 0, or at least ``minimumCountLimit``.
  var countLimit: Int? { get set }

  /// The smallest limit above 0 that the cache can have.
  var minimumCountLimit: Int { get }

  /// The cache's counts since it was created.
  var statistics: CacheStatistics { get }
}

extension InMemoryCache {
  /// Stores `value` under `key`.
  ///
  /// - Parameters:
  ///   - value: The value to store.
  ///   - key: The key to find it by.
  ///   - cost: The part of the cost limit that it takes, not negative; nil for 1.
  ///   - expiration: The time for which it can be found; nil for the cache's own.
  /// - Returns: True if the value is in the cache.
  @inlinable @discardableResult
  public func set(
    _ value: Value, forKey key: Key, cost: Int?, expiration: Expiration?
  ) -> Bool {
    guard let expiration else { return set(value, forKey: key, cost: cost ?? 1, missCost: 1) }
    return set(value, forKey: key, cost: cost ?? 1, missCost: 1, expiration: expiration)
  }

  /// The smallest limit above 0 that the cache can have: 1.
  @inlinable public var minimumCountLimit: Int { 1 }
}

extension MemoryCache: InMemoryCache where Policy: ~Copyable {}

extension ShardedCache: InMemoryCache where Policy: ~Copyable {
  /// The smallest limit above 0 that the cache can have: 1 for each shard.
  @inlinable public var minimumCountLimit: Int { shardCount }
}
