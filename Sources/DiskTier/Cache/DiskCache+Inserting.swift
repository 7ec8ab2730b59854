import EvictionCore

// Operations that change a key's value according to what it is, or return it.
extension DiskCache {
  /// Stores `value` under `key` unless the key has a value, in one step.
  ///
  ///     try cache.insert(try download(path), forKey: path).value
  ///
  /// If it has one, nothing changes and the policy does not learn of it. A value that cannot be decoded counts as none.
  /// On a path that several processes share it is one step among all of them.
  ///
  /// - Parameters:
  ///   - value: The value, of which the coder makes bytes if the key has none.
  ///   - key: The key to find it by.
  ///   - cost: The part of the cost limit that it takes, as of a set.
  ///   - expiration: The time for which it can be found, as of a set.
  /// - Returns: True if the value was stored, and the value that the key has now; nil if it was refused.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func insert(
    _ value: Value, forKey key: Key, cost: Int? = nil, expiration: Expiration? = nil
  ) throws(DiskCacheError) -> (isInserted: Bool, value: Value?) {
    defer { removals.report() }
    return try insert(value, TextKey(key), cost: cost, expiration: expiration)
  }

  /// The same, without a report of what has left.
  func insert(
    _ value: Value, _ name: TextKey, cost: Int?, expiration: Expiration?
  ) throws(DiskCacheError) -> (isInserted: Bool, value: Value?) {
    try check(cost: cost, expiration: expiration, key: name)
    var entry: StoredValue?
    while true {
      let found: StoredValue?
      do { found = try peekStored(name) } catch { throw .store(error) }
      if let found, let present = decoded(found, name) { return (false, present.value) }
      if entry == nil { entry = try encoded(value, name, cost: cost, expiration: expiration) }
      if let isStored = try insert(entry!, name, insteadOf: found?.metadata.created) {
        return (isStored, isStored ? value : nil)
      }
    }
  }

  /// Stores `value` under `key` unless the key has a value, in one step; as the form that blocks.
  @discardableResult
  public func insert(
    _ value: Value, forKey key: Key, cost: Int? = nil, expiration: Expiration? = nil
  ) async throws(DiskCacheError) -> (isInserted: Bool, value: Value?) {
    try await perform(on: writeQueue) { cache throws(DiskCacheError) in
      try cache.insert(value, forKey: key, cost: cost, expiration: expiration)
    }
  }

  /// Puts an entry; returns nil if its key has a value now, unless that is the useless one which was put at `created`.
  private func insert(
    _ entry: StoredValue, _ key: TextKey, insteadOf created: Int64?
  ) throws(DiskCacheError) -> Bool? {
    do {
      return try writing.withLock { known throws(StoreError) in
        // Another process may put one until the row is written.
        let row = options.store.sharing == .shared ? try store.metadata(key.text) : nil
        if let present = try peekMetadata(key), present.created != created { return nil }
        let expected = options.store.sharing == .shared ? ExpectedRow(created: row?.created) : nil
        var isThere = false
        defer { if !isThere { outdate(key) } }
        let isStored = try put(entry, key, &known, expecting: expected)
        isThere = isStored == nil
        return isStored
      }
    } catch { throw .store(error) }
  }

  /// Removes `key`, and what the policy remembers about it; see `remove(_:)`, which does not read the value.
  ///
  /// - Returns: The value that it had, or nil; nil as well for one that cannot be decoded, which is removed. Where several
  ///   processes share the path, another one that sets the key at the same moment may lose its value.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func removeValue(forKey key: Key) throws(DiskCacheError) -> Value? {
    defer { removals.report() }
    let name = TextKey(key)
    let removed = try changing(name) { _ throws(StoreError) in
      let stored = try peekStored(name)
      _ = try remove(name, .removed)
      return stored
    }
    guard let removed else { return nil }
    let value = try? coder.decode(removed.bytes)
    counters.withLock {
      $0.cache.removals += 1
      if value == nil { $0.undecodable += 1 }
    }
    return value
  }

  /// Removes `key`; returns the value that it had, or nil.
  @discardableResult
  public func removeValue(forKey key: Key) async throws(DiskCacheError) -> Value? {
    try await perform(on: writeQueue) { cache throws(DiskCacheError) in
      try cache.removeValue(forKey: key)
    }
  }
}
