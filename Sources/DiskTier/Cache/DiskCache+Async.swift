import Dispatch
import EvictionCore

/// The same operations for asynchronous code: they wait for the disk on queues of the cache, not on the
/// threads of the caller's executor. Writes run one after the other, in the order of the calls.
extension DiskCache where Policy: ~Copyable {
  /// The value of `key`, or nil. A hit tells the policy, a miss does not.
  public func value(forKey key: String) async throws(DiskCacheError) -> Value? {
    try await perform(on: readQueue) { cache throws(DiskCacheError) in
      try cache.value(forKey: key)
    }
  }

  /// The value of `key` with all that belongs to it, or nil.
  public func entry(forKey key: String) async throws(DiskCacheError) -> DiskEntry<Value>? {
    try await perform(on: readQueue) { cache throws(DiskCacheError) in
      try cache.entry(forKey: key)
    }
  }

  /// Whether `key` has a value. The policy does not learn of the question.
  public func contains(_ key: String) async throws(DiskCacheError) -> Bool {
    try await perform(on: readQueue) { cache throws(DiskCacheError) in try cache.contains(key) }
  }

  /// Stores `value` under `key`; returns whether the value is in the cache.
  @discardableResult
  public func set(
    _ value: Value, forKey key: String, cost: Int? = nil, expiration: Expiration? = nil
  ) async throws(DiskCacheError) -> Bool {
    try await set(value, forKey: key, extended: nil, cost: cost, expiration: expiration)
  }

  /// Stores `value` under `key`, and other bytes beside it; returns whether the value is in the cache.
  @discardableResult
  public func set(
    _ value: Value, forKey key: String, extended: [UInt8]?, cost: Int? = nil,
    expiration: Expiration? = nil
  ) async throws(DiskCacheError) -> Bool {
    try await perform(on: writeQueue) { cache throws(DiskCacheError) in
      try cache.set(value, forKey: key, extended: extended, cost: cost, expiration: expiration)
    }
  }

  /// Removes `key`; returns whether it had a value.
  @discardableResult
  public func remove(_ key: String) async throws(DiskCacheError) -> Bool {
    try await perform(on: writeQueue) { cache throws(DiskCacheError) in
      try cache.remove(key)
    }
  }

  /// Removes everything; files are deleted in the background.
  public func removeAll() async throws(DiskCacheError) { try await removeAll(progress: nil) }

  /// Removes everything.
  ///
  /// - Parameter progress: Called now and then with how many files are deleted, out of how many. Without it
  ///   files are deleted in the background.
  public func removeAll(
    progress: (@Sendable (_ deleted: Int, _ total: Int) -> Void)?
  ) async throws(DiskCacheError) {
    try await perform(on: writeQueue) { cache throws(DiskCacheError) in
      try cache.removeAll(progress: progress)
    }
  }

  func perform<Result: Sendable>(
    on queue: DispatchQueue,
    _ body: @escaping @Sendable (DiskCache) throws(DiskCacheError) -> Result
  ) async throws(DiskCacheError) -> Result {
    let outcome: Swift.Result<Result, DiskCacheError> = await withCheckedContinuation { waiting in
      queue.async {
        do throws(DiskCacheError) {
          waiting.resume(returning: .success(try body(self)))
        } catch { waiting.resume(returning: .failure(error)) }
      }
    }
    return try outcome.get()
  }
}
