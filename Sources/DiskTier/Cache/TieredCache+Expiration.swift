import EvictionCore

// Entries that expire, in both tiers.
extension TieredCache {
  /// Gives the entry of `key` another expiration, which counts from now; an absent key changes nothing.
  ///
  /// This is no request. One that is over at once removes the entry from both tiers. A longer one does not make the memory
  /// keep the value longer: it comes from the disk afterwards.
  ///
  /// - Throws: ``DiskCacheError/timeToIdle(key:)`` for a time to idle, which the disk does not keep.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func setExpiration(_ expiration: Expiration, forKey key: Key) throws(DiskCacheError) {
    let name = TextKey(key)
    let life = try life(expiration, ofKey: name)
    let refreshAfter = refreshTime(expiration)
    try locks.withLock(for: name) { removed throws(DiskCacheError) in
      let isInMemory = memory.peek(name) { $0.isValue }
      if isInMemory == false { return }
      let change = removals?.beginChange(of: name)
      defer {
        if let change { removals?.end(change, isStored: false, otherwise: .expired) }
      }
      let isWaiting = writeBack.setLife(life, forKey: name)
      let isOver = life?.nanoseconds == 0
      if isOver { _ = writeBack.remove(name, removed) }
      // An older row, too, goes if the value does.
      let isOnDisk = try isWaiting && !isOver ? false : disk.setLife(life, of: name)
      let isBelow = isWaiting || isOnDisk
      if isInMemory == nil && !isBelow { return }
      // A get that found it before must not bring it to memory with the time that it had.
      flights.forget(name)
      var expiration = options.memory.expiration
      let bound = isBelow ? memory.timeRemaining(forKey: name) : expiration.timeToLive
      expiration.timeToLive = [life, bound].compactMap { $0 }.min()
      expiration.refreshAfter = [refreshAfter, expiration.refreshAfter].compactMap { $0 }.min()
      removed.collect { memory.setExpiration(expiration, forKey: name) }
    }
  }

  /// Gives the entry of `key` another expiration, which counts from now; an absent key changes nothing.
  public func setExpiration(
    _ expiration: Expiration, forKey key: Key
  ) async throws(DiskCacheError) {
    try await disk.perform(on: disk.writeQueue) { _ throws(DiskCacheError) in
      try self.setExpiration(expiration, forKey: key)
    }
  }

  /// Returns the time for which the entry of `key` stays in one of the tiers, limits aside; nil if it does not expire, or if
  /// there is none. The policies do not learn of the question.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func timeRemaining(forKey key: Key) throws(DiskCacheError) -> Duration? {
    let name = TextKey(key)
    return try holds(name) ? timeLeft(name)?.life : nil
  }

  /// Returns the time for which the entry of `key` stays in one of the tiers, limits aside; nil if it does not expire, or if
  /// there is none.
  public func timeRemaining(forKey key: Key) async throws(DiskCacheError) -> Duration? {
    try await disk.perform(on: disk.readQueue) { _ throws(DiskCacheError) in
      try self.timeRemaining(forKey: key)
    }
  }

  /// Returns the time that the value of a key has left; nil if it has left both tiers, or has expired.
  func timeLeft(_ key: TextKey) throws(DiskCacheError) -> TimeLeft? {
    var left: Duration?
    if let waiting = writeBack[key] {
      left = waiting.life
    } else if let below = try disk.timeLeft(of: key) {
      left = below.life
    } else if memory.peek(key, { $0.isValue }) ?? false {
      left = memory.timeRemaining(forKey: key)
    } else {
      return nil
    }
    return left.map { $0 <= .zero } ?? false ? nil : TimeLeft(life: left)
  }
}
