import EvictionCore

// Operations that change a key's value according to what it is, or return it, in both tiers.
extension TieredCache {
  /// Stores `value` under `key` in one step, in both tiers, unless the key has a value in one of them: then nothing changes,
  /// and the policies do not learn of it.
  ///
  /// On a path that several processes share it is one step among all of them, except for values that are in the memory of
  /// others alone.
  ///
  /// - Parameters:
  ///   - value: The value that both tiers keep.
  ///   - key: The key to find it by.
  ///   - cost: The part of the disk's cost limit that it takes; nil for the bytes of the encoded value.
  ///   - expiration: The time for which it can be found, without a time to idle; nil for the disk's own.
  /// - Returns: True if the value was stored, and the value that the key has now; nil if both tiers refused it.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func insert(
    _ value: Value, forKey key: Key, cost: Int? = nil, expiration: Expiration? = nil
  ) throws(DiskCacheError) -> (isInserted: Bool, value: Value?) {
    let name = TextKey(key)
    try disk.check(cost: cost, expiration: expiration, key: name)
    let life = try life(expiration, ofKey: name)
    try makeRoomToWait()
    return try locks.withLock(for: name) {
      removed throws(DiskCacheError) -> (isInserted: Bool, value: Value?) in
      var present = try peekEntry(name)
      if present != nil { return (false, present) }
      defer {
        flights.forget(name)
        turns.forget(name)
      }
      let isStored = try reporting(name, .size, stores: true) { () throws(DiskCacheError) in
        let isWritten: Bool
        if disk.options.store.sharing == .shared {
          let outcome = try disk.insert(
            value, name, cost: cost, expiration: Expiration(timeToLive: life))
          isWritten = outcome.isInserted
          if !isWritten { present = outcome.value }
          // Another process was first.
          if present != nil { return false }
        } else {
          isWritten = try write(
            value, key: name, tags: [], cost: cost, life: life, removed)
        }
        let isKept = keep(
          .value(value), key: name, life: life, refreshAfter: refreshTime(expiration), removed)
        return isWritten || isKept
      }
      return (isStored, isStored ? value : present)
    }
  }

  /// Stores `value` under `key`, in both tiers, unless the key has a value in one of them; as the form that blocks.
  @discardableResult
  public func insert(
    _ value: Value, forKey key: Key, cost: Int? = nil, expiration: Expiration? = nil
  ) async throws(DiskCacheError) -> (isInserted: Bool, value: Value?) {
    try await disk.perform(on: disk.writeQueue) { _ throws(DiskCacheError) in
      try self.insert(value, forKey: key, cost: cost, expiration: expiration)
    }
  }

  /// Removes `key` from both tiers.
  ///
  /// - Returns: The value that it had, or nil. It is the caller's from then on.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func removeValue(forKey key: Key) throws(DiskCacheError) -> Value? {
    let name = TextKey(key)
    var value: Value?
    _ = try changing(name, .removed) { removed throws(DiskCacheError) -> Bool in
      value = try peekEntry(name)
      return try remove(name, removed)
    }
    return value
  }

  /// Removes `key` from both tiers; returns the value that it had, or nil.
  @discardableResult
  public func removeValue(forKey key: Key) async throws(DiskCacheError) -> Value? {
    try await disk.perform(on: disk.writeQueue) { _ throws(DiskCacheError) in
      try self.removeValue(forKey: key)
    }
  }
}
