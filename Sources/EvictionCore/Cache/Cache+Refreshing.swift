// The short forms of a refresh.
extension Cache {
  /// Loads `key` anew though it may have a value, which the result replaces.
  ///
  /// - Returns: The new value.
  @inlinable @discardableResult
  public func refreshValue(
    forKey key: Key, byLoading load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await refreshValue(forKey: key, cost: nil, expiration: nil, byLoading: load)
  }

  /// Loads `key` anew though it may have a value, which the result replaces for a time.
  ///
  /// - Returns: The new value.
  @inlinable @discardableResult
  public func refreshValue(
    forKey key: Key, expiration: Expiration,
    byLoading load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await refreshValue(forKey: key, cost: nil, expiration: expiration, byLoading: load)
  }
}

extension InMemoryCache {
  /// Loads `key` anew though it may have a value, which the result replaces.
  ///
  /// - Returns: The new value.
  @inlinable @discardableResult
  public func refreshValue(
    forKey key: Key, cost: Int?, expiration: Expiration?,
    byLoading load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await refreshValue(
      forKey: key, cost: cost, missCost: 1, expiration: expiration, byLoading: load)
  }
}
