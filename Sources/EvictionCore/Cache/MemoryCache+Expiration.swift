// Entries that expire.
extension MemoryCache {
  /// The value of `key`, whose entry has `expiration` from now on; nil if there is none.
  ///
  /// So a get can extend what it finds, as by its whole time to live once more. To the policy this is a
  /// get like any other.
  public func value(forKey key: Key, extendingTo expiration: Expiration) -> Value? {
    let hash = hashing(key)
    var value: Value?
    locked { core in
      value = core.value(forKey: key, hash: hash, observer: observer)
      if value != nil {
        core.setExpiration(expiration, forKey: key, hash: hash, observer: observer)
      }
    }
    return value
  }

  /// Gives the entry of `key` another expiration, which counts from now; an absent key changes nothing.
  ///
  /// This is no request. One that is over at once removes the entry.
  public func setExpiration(_ expiration: Expiration, forKey key: Key) {
    let hash = hashing(key)
    locked { core in
      core.setExpiration(expiration, forKey: key, hash: hash, observer: observer)
    }
  }

  /// Returns the time for which the entry of `key` stays if it is not used, limits aside; nil if it does not
  /// expire, or if there is none. The policy does not learn of the question.
  public func timeRemaining(forKey key: Key) -> Duration? {
    let hash = hashing(key)
    return read { core in
      guard let slot = core.findResident(key, hash: hash) else { return nil }
      return core.store.lifetimes.remaining(of: slot).map { .nanoseconds(Int64(clamping: $0)) }
    }
  }
}
