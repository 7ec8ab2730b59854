// The forms of loads that leave something to the cache.
extension Cache {
  /// Returns the values of `keys`, and for those that have none what `load` returns, which is stored.
  public func values(
    forKeys keys: some Sequence<Key> & Sendable,
    orLoad load: @escaping @Sendable (_ missing: [Key]) async throws -> [Key: Value]
  ) async throws -> [Key: Value] {
    try await values(forKeys: keys, expiration: nil, orLoad: load)
  }

  /// Returns the value of `key`, or else what `load` returns, which is stored.
  @inlinable
  public func value(
    forKey key: Key, orLoad load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await value(forKey: key, cost: nil, expiration: nil, orLoad: load)
  }

  /// Returns the value of `key`, or else what `load` returns, which is stored at a cost.
  @inlinable
  public func value(
    forKey key: Key, cost: Int, orLoad load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await value(forKey: key, cost: cost, expiration: nil, orLoad: load)
  }

  /// Returns the value of `key`, or else what `load` returns, which is stored for a time.
  @inlinable
  public func value(
    forKey key: Key, expiration: Expiration,
    orLoad load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await value(forKey: key, cost: nil, expiration: expiration, orLoad: load)
  }
}
