import EvictionCore

/// The time that a value has left; nil for ever.
struct TimeLeft {
  var life: Duration?
}

// Entries that expire.
extension DiskCache {
  /// Gives the entry of `key` another expiration, which counts from now; an absent key changes nothing.
  ///
  /// This is no request, and the age limit stays. One that is over at once removes the entry. When it throws, the entry
  /// expires when it would have. Rows keep no time of a refresh: a `refreshAfter` has no effect.
  ///
  /// - Throws: ``DiskCacheError/timeToIdle(key:)`` for a time to idle, which rows do not keep.
  /// - Complexity: It writes the row's columns, though not the value.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func setExpiration(_ expiration: Expiration, forKey key: Key) throws(DiskCacheError) {
    defer { removals.report() }
    let name = TextKey(key)
    try setLife(try timeToLive(expiration, ofKey: name), of: name)
  }

  /// Gives the entry of `key` another expiration, which counts from now; an absent key changes nothing.
  public func setExpiration(
    _ expiration: Expiration, forKey key: Key
  ) async throws(DiskCacheError) {
    try await perform(on: writeQueue) { cache throws(DiskCacheError) in
      try cache.setExpiration(expiration, forKey: key)
    }
  }

  /// Returns the time for which the entry of `key` stays, limits aside; nil if it does not expire, or if there is none. The
  /// policy does not learn of the question.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func timeRemaining(forKey key: Key) throws(DiskCacheError) -> Duration? {
    try timeLeft(of: TextKey(key))?.life
  }

  /// Returns the time for which the entry of `key` stays, limits aside; nil if it does not expire, or if there is none.
  public func timeRemaining(forKey key: Key) async throws(DiskCacheError) -> Duration? {
    try await perform(on: readQueue) { cache throws(DiskCacheError) in
      try cache.timeRemaining(forKey: key)
    }
  }

  /// Returns the time for which the value of `key` can be found; nil if there is none.
  func timeLeft(of key: TextKey) throws(DiskCacheError) -> TimeLeft? {
    do {
      return try peekMetadata(key).map { TimeLeft(life: timeLeft($0, of: key)) }
    } catch { throw .store(error) }
  }

  /// Gives the entry of `key` the lifetime `life`, from now on; nil for ever. Returns false if there is none.
  @discardableResult
  func setLife(_ life: Duration?, of key: TextKey) throws(DiskCacheError) -> Bool {
    do {
      return try writing.withLock { _ throws(StoreError) in
        guard var metadata = try peekMetadata(key) else { return false }
        metadata.expires = life.map { WallClock.time($0, after: clock.now) }
        if loaded.setExpires(metadata.expires, forKey: key) { return true }
        if life?.nanoseconds == 0 {
          directory.setLife(.zero, of: key)
          try removeLeaving()
          return true
        }
        guard
          try store.setExpires(metadata.expires, forKey: key.text, created: metadata.created)
        else { return false }
        let left = options.deadline(of: metadata).map { clock.time(until: $0) }
        directory.setLife(left, of: key)
        return true
      }
    } catch { throw .store(error) }
  }
}
