/// The operations that every cache of the package has: in memory, in shards, on disk and in tiers.
///
///     func page<Failure: Error>(
///       _ path: String, in pages: some Cache<String, Page, Failure>
///     ) throws(Failure) -> Page {
///       if let page = try pages.value(forKey: path) { return page }
///       let page = Page(path)
///       try pages.set(page, forKey: path)
///       return page
///     }
///
/// A cache in memory never fails: its `Failure` is `Never`, and its calls need no `try`. ``InMemoryCache``
/// adds what only such caches do. A cache on disk fails with an error of its own.
///
/// - Important: A call may wait for a disk. Tasks use the asynchronous forms that the caches on disk have
///   under the same names.
public protocol Cache<Key, Value, Failure>: AnyObject, Sendable {
  /// The type of the keys.
  associatedtype Key
  /// The type of the values.
  associatedtype Value: Sendable
  /// The error of an operation that fails; `Never` in memory.
  associatedtype Failure: Error

  /// Returns the value of `key`, or nil. A hit tells the policy, a miss does not.
  func value(forKey key: Key) throws(Failure) -> Value?

  /// Stores `value` under `key`. A value that is too large or refused is not stored, and the key's former
  /// value is gone.
  ///
  /// - Parameters:
  ///   - value: The value to store.
  ///   - key: The key to find it by.
  ///   - cost: The part of the cost limit that it takes, not negative; nil for what the cache takes it to
  ///     cost: 1 in memory, its bytes on disk.
  ///   - expiration: The time for which it can be found; nil for the cache's own.
  /// - Returns: True if the value is in the cache.
  @discardableResult
  func set(
    _ value: Value, forKey key: Key, cost: Int?, expiration: Expiration?
  ) throws(Failure) -> Bool

  /// Removes `key`, and what the policy remembers about it.
  ///
  /// - Returns: True if it had a value.
  @discardableResult
  func remove(_ key: Key) throws(Failure) -> Bool

  /// Removes every entry.
  func removeAll() throws(Failure)

  /// Returns true if `key` has a value. The policy does not learn of the question.
  func contains(_ key: Key) throws(Failure) -> Bool
}

extension Cache {
  /// Stores `value` under `key`, for as long as the cache keeps its entries.
  ///
  /// - Returns: True if the value is in the cache.
  @inlinable @discardableResult
  public func set(
    _ value: Value, forKey key: Key, cost: Int? = nil
  ) throws(Failure) -> Bool {
    try set(value, forKey: key, cost: cost, expiration: nil)
  }
}
