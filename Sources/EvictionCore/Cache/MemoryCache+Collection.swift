// A cache as a dictionary and as a list of its entries.
extension MemoryCache {
  /// The value of `key`: a get, a set without a cost of its own, and a removal when it is set to nil.
  @inlinable
  public subscript(key: Key) -> Value? {
    get { value(forKey: key) }
    set {
      if let newValue {
        set(newValue, forKey: key)
      } else {
        remove(key)
      }
    }
  }

  /// Stores `value` under `key` unless the key has a value, in one step.
  ///
  /// If it has one, nothing changes and the policy does not learn of it.
  ///
  /// - Returns: True if the value was stored, and the value that the key has now; nil if it was refused.
  @inlinable @discardableResult
  public func insert(
    _ value: Value, forKey key: Key, cost: Int? = nil, missCost: Double = 1,
    expiration: Expiration? = nil
  ) -> (isInserted: Bool, value: Value?) {
    let cost = checked(cost, of: value, forKey: key)
    let hash = hashing(key)
    var present: Value?
    var isStored = false
    changing(key) { core in
      if let slot = core.findResident(key, hash: hash) {
        present = core.store.entries[Int(slot)].value
        return
      }
      isStored = core.set(
        value, forKey: key, hash: hash, cost: cost, missCost: missCost, expiration: expiration,
        observer: observer)
    }
    if holdsDiscardables && isStored { attach(value, key: key, hash: hash) }
    return (isStored, isStored ? value : present)
  }

  /// The entries of this moment, in no promised order, without those that have expired. The policy does
  /// not learn of it.
  ///
  ///     for entry in cache.snapshot() where entry.cost > 1_000 { cache.remove(entry.key) }
  ///
  /// - Complexity: O(n), with the lock held.
  public func snapshot() -> [CacheEntry<Key, Value>] {
    read { core in
      var entries: [CacheEntry<Key, Value>] = []
      entries.reserveCapacity(core.store.ledger.count)
      core.store.forEachKnown { slot in
        let entry = core.store.entries[Int(slot)]
        guard let value = entry.value, !core.store.lifetimes.isInUse || !core.isOver(slot) else {
          return
        }
        entries.append(CacheEntry(key: entry.key, value: value, cost: entry.cost))
      }
      return entries
    }
  }
}

extension MemoryCache {
  /// Runs `body`, whose sets the admission filter hears of and does not refuse: for entries that were
  /// admitted once and come back.
  package func admittingAll<Failure: Error>(
    _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    locked { core in core.store.ledger.gate.isSuspended = true }
    defer { locked { core in core.store.ledger.gate.isSuspended = false } }
    try body()
  }
}
