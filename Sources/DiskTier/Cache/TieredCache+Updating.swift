import EvictionCore

// Values that are changed in one step, in both tiers. Updates of a key take turns.
extension TieredCache {
  /// Changes the value of `key` in one step, as `DiskCache.update` does, in both tiers. When a write throws, the key has no
  /// value in either.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - cost: The part of the disk's cost limit that the new value takes; nil for its bytes.
  ///   - expiration: The time for which it can be found, from now on, without a time to idle. Nil leaves a value that is
  ///     there the time that it has left; a new one gets the disk's own.
  ///   - body: Changes the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or ``DiskCacheError``.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func update<Result>(
    forKey key: Key, cost: Int? = nil, expiration: Expiration? = nil,
    _ body: (inout Value?) throws -> Result
  ) throws -> Result {
    let name = TextKey(key)
    let turn = turns.begin(name)
    defer { turns.end(turn, of: name) }
    return try update(name, turn, cost: cost, expiration: expiration, body)
  }

  /// Changes the value of `key` in one step; as the form that blocks. `body` runs on a thread of the cache.
  @discardableResult
  public func update<Result: Sendable>(
    forKey key: Key, cost: Int? = nil, expiration: Expiration? = nil,
    _ body: @escaping @Sendable (inout Value?) throws -> Result
  ) async throws -> Result {
    let name = TextKey(key)
    let turn = await turns.begin(name)
    defer { turns.end(turn, of: name) }
    return try await disk.perform(on: disk.readQueue) { _ in
      try self.update(name, turn, cost: cost, expiration: expiration, body)
    }
  }

  private func update<Result>(
    _ key: TextKey, _ turn: KeyTurn, cost: Int?, expiration: Expiration?,
    _ body: (inout Value?) throws -> Result
  ) throws -> Result {
    try disk.check(cost: cost, expiration: expiration, key: key)
    while true {
      let before = try read(key, for: turn)
      var value = before.value
      let wasThere = value != nil
      let result = try turn.run(&value, body)
      if value == nil && !wasThere { return result }
      try makeRoomToWait()
      let isDone = try locks.withLock(for: key) { removed throws(DiskCacheError) -> Bool in
        if turn.isDecided { return true }
        let left = wasThere ? try timeLeft(key) : nil
        if !turn.isCurrent || wasThere && left == nil { return false }
        defer { flights.forget(key) }
        guard let value else {
          _ = try reporting(key, .removed) { () throws(DiskCacheError) in
            try remove(key, removed)
          }
          return true
        }
        let life: Duration? =
          if expiration == nil, let left { left.life } else { try life(expiration, ofKey: key) }
        let cause = life?.nanoseconds == 0 ? RemovalCause.expired : .size
        _ = try reporting(key, cause, stores: true) { () throws(DiskCacheError) in
          let isWritten = try write(
            value, key: key, tags: before.tags, cost: cost, life: life, removed)
          let isKept = keep(
            .value(value), key: key, tags: before.tags, life: life,
            refreshAfter: refreshTime(expiration), removed)
          return isWritten || isKept
        }
        return true
      }
      if isDone { return result }
    }
  }

  /// A get, for an update. It waits for no load, which may want to update the key itself.
  private func read(
    _ key: TextKey, for turn: KeyTurn
  ) throws(DiskCacheError) -> (value: Value?, tags: Set<String>) {
    while true {
      turn.beginReading()
      var found: (value: Value?, tags: Set<String>)
      if let held = heldInMemory(key) {
        found = (held.value, memory.tags(forKey: key))
      } else {
        let below = try lookBelow(for: key)
        found = (counted(below.held), below.tags)
      }
      // A change that was under way may have been read or not.
      if locks.withLock(for: key, { _ in turn.isCurrent }) { return found }
    }
  }
}
