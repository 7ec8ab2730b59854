import EvictionCore

// Values that are changed in one step: read, given to a closure without a lock, and written if they are then what was
// read. Updates of a key take turns.
extension DiskCache {
  /// Changes the value of `key` in one step, from what it is, if there is one, to what `body` leaves; nil for none.
  ///
  ///     try cache.update(forKey: page) { $0 = ($0 ?? 0) + 1 }
  ///
  /// Of several updates of a key one runs at a time, in the order in which they came; those of other keys run beside
  /// it. `body` runs without a lock. If another thread sets or removes the value meanwhile, or it leaves the cache,
  /// `body` runs again with what there is now: let it have no effect but on the value. If it throws, nothing changes.
  ///
  /// `body` may use the cache, by the forms that block. What it sets or removes of the same key counts as coming after the
  /// update, whose outcome is not stored then. An update of the same key within it would never end, and traps. A
  /// load of the key that ends meanwhile is not stored.
  ///
  /// To the policy and the statistics this is a get, and then a set, a removal, or nothing if there is no value before and
  /// after. A value whose bytes are as before is not written, unless a cost or an expiration is given. When the write
  /// fails, the key has no value any more.
  ///
  /// Where several processes share the path, updates take turns in each of them. `body` runs again if another process
  /// has set the value meanwhile, but one that does so while it is written loses to it.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - cost: The part of the cost limit that the new value takes; nil for its bytes.
  ///   - expiration: The time for which it can be found, from now on. Nil leaves a value that is there the time that it
  ///     has left; a new one gets the cache's own.
  ///   - body: Changes the value. The extended data beside it stays.
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
    return try await perform(on: readQueue) { cache in
      try cache.update(name, turn, cost: cost, expiration: expiration, body)
    }
  }

  private func update<Result>(
    _ key: TextKey, _ turn: KeyTurn, cost: Int?, expiration: Expiration?,
    _ body: (inout Value?) throws -> Result
  ) throws -> Result {
    defer { removals.report() }
    try check(cost: cost, expiration: expiration, key: key)
    while true {
      let before = try read(key, for: turn)
      var value = before?.value
      let result = try turn.run(&value, body)
      guard let value else {
        if try before == nil || remove(key, before, turn, .removed) { return result }
        continue
      }
      let entry: StoredValue
      do {
        entry = try encoded(
          value, key, extended: before?.extended, tags: before?.tags ?? [], cost: cost,
          expiration: expiration)
      } catch {
        _ = try? remove(key, before, turn, .discarded)
        throw error
      }
      let isUnchanged = cost == nil && expiration == nil && entry.bytes == before?.bytes
      if isUnchanged { return result }
      let keepsTime = expiration == nil && before != nil
      if try write(entry, key, before, turn, keepsTime: keepsTime) { return result }
    }
  }
}

extension DiskCache {
  /// The entry that an update has read.
  private struct Before {
    let value: Value
    let bytes: [UInt8]
    let extended: [UInt8]?
    let tags: Set<String>
    let metadata: StoredMetadata
  }

  /// A get, for an update.
  private func read(_ key: TextKey, for turn: KeyTurn) throws(DiskCacheError) -> Before? {
    while true {
      turn.beginReading()
      let before: Before?
      do throws(StoreError) {
        before = try findStored(key).flatMap { stored in
          decoded(stored, key).map {
            Before(
              value: $0.value, bytes: stored.bytes, extended: stored.extended,
              tags: stored.tags, metadata: stored.metadata)
          }
        }
      } catch { throw .store(error) }
      counters.withLock {
        if before == nil { $0.cache.misses += 1 } else { $0.cache.hits += 1 }
      }
      // A change that was under way, or a load, may have been read or not.
      let isCurrent = writing.withLock { _ in
        turn.isCurrent && (before != nil || !loaded.contains(key))
      }
      if isCurrent { return before }
    }
  }

  /// Writes the new value.
  ///
  /// - Parameter keepsTime: True if it has the time left that the one before has, who may have got another
  ///   expiration since it was read.
  /// - Returns: False if the value is not what was read any more.
  private func write(
    _ entry: StoredValue, _ key: TextKey, _ before: Before?, _ turn: KeyTurn, keepsTime: Bool
  ) throws(DiskCacheError) -> Bool {
    try finish(key, before, turn) { known throws(StoreError) in
      var entry = entry
      if keepsTime, let metadata = try peekMetadata(key) ?? before?.metadata {
        entry.metadata.expires = timeLeft(metadata, of: key).map {
          WallClock.time($0, after: clock.now)
        }
      }
      _ = try put(entry, key, &known)
    }
  }

  private func remove(
    _ key: TextKey, _ before: Before?, _ turn: KeyTurn, _ cause: RemovalCause
  ) throws(DiskCacheError) -> Bool {
    try finish(key, before, turn) { _ throws(StoreError) in
      _ = try remove(key, cause)
      counters.withLock { $0.cache.removals += 1 }
    }
  }

  /// Runs `body`, which changes the value, unless the closure has changed it itself.
  ///
  /// - Returns: False if the value is not what was read any more.
  private func finish(
    _ key: TextKey, _ before: Before?, _ turn: KeyTurn,
    _ body: (inout Int) throws(StoreError) -> Void
  ) throws(DiskCacheError) -> Bool {
    do {
      return try writing.withLock { known throws(StoreError) in
        if turn.isDecided { return true }
        if !turn.isCurrent { return false }
        if try !isAsRead(key, before) { return false }
        defer {
          flights.forget(key)
          loaded.remove(key)
        }
        try body(&known)
        return true
      }
    } catch { throw .store(error) }
  }

  /// Returns true if the value that was read has not left, nor, on a shared path, become another one.
  private func isAsRead(_ key: TextKey, _ before: Before?) throws(StoreError) -> Bool {
    if try directoryInUse.holds(key) == true || loaded[key] != nil { return true }
    if options.store.sharing != .shared { return before == nil }
    guard let row = try store.metadata(key.text), !isTooOld(row),
      !directory.leaving.contains(key, created: row.created)
    else { return before == nil }
    return row.created == before?.metadata.created
  }
}
