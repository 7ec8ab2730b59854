// Entries that are removed together.
extension MemoryCache {
  /// Stores `value` under `key` with tags, by which ``removeAll(tagged:)`` finds it.
  ///
  ///     pages.set(page, forKey: path, tags: ["user:7", "news"])
  ///     pages.removeAll(tagged: "user:7")
  ///
  /// An entry has its tags as long as its value: another value of the key has those that it is set with, or none, and an
  /// update keeps them. The other parameters are those of the form without tags.
  ///
  /// - Returns: True if the value is in the cache.
  /// - Complexity: That of a set, and O(1) expected for each tag.
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, tags: Set<String>, cost: Int? = nil, missCost: Double = 1,
    expiration: Expiration? = nil
  ) -> Bool {
    let cost = checked(cost, of: value, forKey: key)
    let hash = hashing(key)
    var isStored = false
    changing(key) { core in
      isStored = core.set(
        value, forKey: key, hash: hash, cost: cost, missCost: missCost, expiration: expiration,
        tags: tags, observer: observer)
    }
    if holdsDiscardables && isStored { attach(value, key: key, hash: hash) }
    return isStored
  }

  /// Removes the entries that have `tag`, and what the policy remembers about their keys; see ``Cache/removeAll(tagged:)``.
  ///
  /// - Returns: The number of entries that were removed.
  /// - Complexity: O(k log k) for k entries, with the lock held.
  @discardableResult
  public func removeAll(tagged tag: String) -> Int {
    var removed = 0
    whenCurrent { core in
      loads.flights.forget(tag: tag)
      for slot in core.store.lifetimes.tags.slots(of: tag) {
        let key = core.store.entries[Int(slot)].key
        if loads.isInUse { loads.forget(key) }
        let isThere =
          core.removeValue(forKey: key, hash: hashing(key), observer: observer) != nil
        removed += isThere ? 1 : 0
      }
    }
    return removed
  }

  /// Returns the keys of the entries that have `tag`, in no promised order.
  package func keys(tagged tag: String) -> [Key] {
    read { core in
      core.store.lifetimes.tags.slots(of: tag).map { core.store.entries[Int($0)].key }
    }
  }

  /// Returns the tags of the entry of `key`; none if there is none. The policy does not learn of the question.
  public func tags(forKey key: Key) -> Set<String> {
    let hash = hashing(key)
    return read { core in
      core.findResident(key, hash: hash).map { core.store.lifetimes.tags.tags(of: $0) } ?? []
    }
  }
}

extension ShardedCache {
  /// Stores `value` under `key` with tags; see ``MemoryCache/set(_:forKey:tags:cost:missCost:expiration:)``.
  ///
  /// - Returns: True if the value is in the cache.
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, tags: Set<String>, cost: Int? = nil, missCost: Double = 1,
    expiration: Expiration? = nil
  ) -> Bool {
    shard(of: key).set(
      value, forKey: key, tags: tags, cost: cost, missCost: missCost, expiration: expiration)
  }

  /// Removes the entries that have `tag`, one shard after the other; see ``MemoryCache/removeAll(tagged:)``.
  ///
  /// - Returns: The number of entries that were removed.
  @discardableResult
  public func removeAll(tagged tag: String) -> Int { sum { $0.removeAll(tagged: tag) } }

  /// Returns the tags of the entry of `key`; none if there is none.
  public func tags(forKey key: Key) -> Set<String> { shard(of: key).tags(forKey: key) }
}
