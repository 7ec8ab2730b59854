import EvictionCore

// Entries that are removed together from both tiers.
extension TieredCache {
  /// Stores `value` under `key` with tags, by which `removeAll(tagged:)` finds it, in both tiers.
  ///
  /// An entry has its tags as long as its value: another value of the key has those that it is set with, or none, and an
  /// update keeps them. The other parameters are those of the form without tags.
  ///
  /// - Returns: True if the value is in one tier at least.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, tags: Set<String>, cost: Int? = nil,
    expiration: Expiration? = nil
  ) throws(DiskCacheError) -> Bool {
    try set(value, TextKey(key), tags: tags, cost: cost, expiration: expiration)
  }

  /// Stores `value` under `key` with tags, in both tiers; returns true if the value is in one of them at least.
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, tags: Set<String>, cost: Int? = nil,
    expiration: Expiration? = nil
  ) async throws(DiskCacheError) -> Bool {
    try await disk.perform(on: disk.writeQueue) { _ throws(DiskCacheError) in
      try self.set(value, forKey: key, tags: tags, cost: cost, expiration: expiration)
    }
  }

  /// Removes the entries that have `tag` from both tiers, each in a step of its own. What a load under way brings with the tag
  /// is returned to those who wait by then, and not stored.
  ///
  /// - Returns: The number of entries that were removed.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func removeAll(tagged tag: String) throws(DiskCacheError) -> Int {
    // What looked before, and found no tag removed, has stored its entry by then.
    locks.withAllLocks { _ in flights.forget(tag: tag) }
    disk.flights.forget(tag: tag)
    // In the order in which values go on from one to the next: none is missed.
    var keys = Set(writeBack.keys(tagged: tag))
    keys.formUnion(try disk.keys(tagged: tag))
    keys.formUnion(memory.keys(tagged: tag))
    var count = 0
    for key in keys {
      let isRemoved = try changing(key, .removed) { removed throws(DiskCacheError) -> Bool in
        // It may have another value by now.
        let isTagged = try tags(key).contains(tag)
        return isTagged ? try remove(key, removed) : false
      }
      if isRemoved { count += 1 }
    }
    return count
  }

  /// Removes the entries that have `tag` from both tiers; returns the number of them.
  @discardableResult
  public func removeAll(tagged tag: String) async throws(DiskCacheError) -> Int {
    try await disk.perform(on: disk.writeQueue) { _ throws(DiskCacheError) in
      try self.removeAll(tagged: tag)
    }
  }

  /// Returns the tags of the entry of `key`, none if there is none. The policies do not learn of the question.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func tags(forKey key: Key) throws(DiskCacheError) -> Set<String> {
    try tags(TextKey(key))
  }

  func tags(_ name: TextKey) throws(DiskCacheError) -> Set<String> {
    guard try holds(name) else { return [] }
    if let waiting = writeBack[name] { return waiting.tags }
    let below = try disk.tags(name)
    return below.isEmpty ? memory.tags(forKey: name) : below
  }

  /// Returns the tags of the entry of `key`; none if there is none.
  public func tags(forKey key: Key) async throws(DiskCacheError) -> Set<String> {
    try await disk.perform(on: disk.readQueue) { _ throws(DiskCacheError) in
      try self.tags(forKey: key)
    }
  }
}
