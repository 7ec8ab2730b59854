import EvictionCore

// Entries that are removed together.
extension DiskCache {
  /// Stores `value` under `key` with tags, by which ``removeAll(tagged:)-(String)`` finds it.
  ///
  /// An entry has its tags as long as its value: another value of the key has those that it is set with, or none, and an
  /// update keeps them. They are kept with the row, and known again when the cache is opened.
  ///
  /// - Parameters:
  ///   - value: The value to store.
  ///   - key: The key to find it by.
  ///   - tags: Any texts; one that is there twice counts once. They count in the cost as extended data does.
  ///   - cost: The part of the cost limit that it takes; nil for its bytes.
  ///   - expiration: The time for which it can be found; nil for the cache's own.
  /// - Returns: True if the value is in the cache.
  @available(*, noasync, message: "it waits for the disk; await the asynchronous form")
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, tags: [String], cost: Int? = nil,
    expiration: Expiration? = nil
  ) throws(DiskCacheError) -> Bool {
    defer { removals.report() }
    return try set(value, TextKey(key), tags: tags, cost: cost, expiration: expiration)
  }

  /// Stores `value` under `key` with tags; returns true if the value is in the cache.
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, tags: [String], cost: Int? = nil,
    expiration: Expiration? = nil
  ) async throws(DiskCacheError) -> Bool {
    try await perform(on: writeQueue) { cache throws(DiskCacheError) in
      try cache.set(value, forKey: key, tags: tags, cost: cost, expiration: expiration)
    }
  }

  /// Removes the entries that have `tag`. One that gets another value meanwhile may leave with that; what a load under way
  /// brings with the tag is returned, and not stored.
  ///
  /// - Returns: The number of entries that were removed.
  /// - Complexity: O(k log k) for k entries that have it; where several processes share the path, it reads all rows.
  @available(*, noasync, message: "it waits for the disk; await the asynchronous form")
  @discardableResult
  public func removeAll(tagged tag: String) throws(DiskCacheError) -> Int {
    defer { removals.report() }
    flights.forget(tag: tag)
    var count = 0
    for key in try keys(tagged: tag) where try removeEntry(key) { count += 1 }
    return count
  }

  /// Removes the entries that have `tag`; returns the number of them.
  @discardableResult
  public func removeAll(tagged tag: String) async throws(DiskCacheError) -> Int {
    try await perform(on: writeQueue) { cache throws(DiskCacheError) in
      try cache.removeAll(tagged: tag)
    }
  }

  /// Returns the tags of the entry of `key`, sorted; none if there is none. The policy does not learn of the question.
  @available(*, noasync, message: "it waits for the disk; await the asynchronous form")
  public func tags(forKey key: Key) throws(DiskCacheError) -> [String] { try tags(TextKey(key)) }

  /// Returns the tags of the entry of `key`, sorted; none if there is none.
  public func tags(forKey key: Key) async throws(DiskCacheError) -> [String] {
    try await perform(on: readQueue) { cache throws(DiskCacheError) in
      try cache.tags(forKey: key)
    }
  }

  func tags(_ key: TextKey) throws(DiskCacheError) -> [String] {
    do {
      guard let metadata = try peekMetadata(key) else { return [] }
      if let waiting = loaded[key] { return waiting.tags }
      return metadata.extendedSize == 0 ? [] : try store.tags(key.text)
    } catch { throw .store(error) }
  }

  /// The keys of the entries that have `tag`, those of loaded values among them.
  func keys(tagged tag: String) throws(DiskCacheError) -> Set<TextKey> {
    do {
      // First those that wait: a value leaves these when it is on the disk.
      var keys = Set(loaded.keys.filter { loaded[$0]?.tags.contains(tag) ?? false })
      keys.formUnion(try directory.keys(tagged: tag))
      return keys
    } catch { throw .store(error) }
  }
}
