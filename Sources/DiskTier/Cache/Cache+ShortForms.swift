import EvictionCore

// Shared by caches on disk and in tiers: the forms of sets and insertions that leave something to the cache.
extension Cache where Failure == DiskCacheError {
  /// Returns the value of `key`, whose entry has `expiration` from now on; nil if there is none.
  ///
  /// These are a get and ``setExpiration(_:forKey:)``, one after the other: a value that is set between them gets the
  /// expiration, too. A time to idle, which no row keeps, is an error after the get.
  public func value(
    forKey key: Key, extendingTo expiration: Expiration
  ) async throws(DiskCacheError) -> Value? {
    guard let value = try await value(forKey: key) else { return nil }
    try await setExpiration(expiration, forKey: key)
    return value
  }

  /// Stores `value` under `key`, for as long as the cache keeps its entries; returns true if it is in the cache.
  @discardableResult
  public func set(_ value: Value, forKey key: Key) async throws(DiskCacheError) -> Bool {
    try await set(value, forKey: key, cost: nil, expiration: nil)
  }

  /// Stores `value` under `key`, at a cost; returns true if it is in the cache.
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, cost: Int
  ) async throws(DiskCacheError) -> Bool {
    try await set(value, forKey: key, cost: cost, expiration: nil)
  }

  /// Stores `value` under `key` for a time; returns true if it is in the cache.
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, expiration: Expiration
  ) async throws(DiskCacheError) -> Bool {
    try await set(value, forKey: key, cost: nil, expiration: expiration)
  }

  /// Stores `value` under `key` with tags; returns true if it is in the cache.
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, tags: Set<String>
  ) async throws(DiskCacheError) -> Bool {
    try await set(value, forKey: key, tags: tags, cost: nil, expiration: nil)
  }

  /// Stores `value` under `key` unless the key has a value; returns true if it was stored, and the value that the key has
  /// now.
  @discardableResult
  public func insert(
    _ value: Value, forKey key: Key
  ) async throws(DiskCacheError) -> (isInserted: Bool, value: Value?) {
    try await insert(value, forKey: key, cost: nil, expiration: nil)
  }

  /// Changes the value of `key` in one step, at its bytes and for the time that it has left; returns the result of `body`.
  @discardableResult
  public func update<Result: Sendable>(
    forKey key: Key, _ body: @escaping @Sendable (inout Value?) throws -> Result
  ) async throws -> Result {
    try await update(forKey: key, cost: nil, expiration: nil, body)
  }
}
