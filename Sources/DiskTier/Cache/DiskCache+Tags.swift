import EvictionCore

// Entries that are removed together.
extension DiskCache {
  /// Stores `value` under `key` with tags; returns true if the value is in the cache.
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, tags: Set<String>, cost: Int? = nil,
    expiration: Expiration? = nil
  ) async throws(DiskCacheError) -> Bool {
    try await set(value, forKey: key, extended: nil, tags: tags, cost: cost, expiration: expiration)
  }

  /// Removes the entries that have `tag`, each in a step of its own. What a load under way brings with the tag is returned to
  /// those who wait by then, and not stored.
  ///
  /// - Returns: The number of entries that were removed.
  /// - Complexity: O(k log k) for k entries that have it; where several processes share the path, it reads all rows.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func removeAll(tagged tag: String) throws(DiskCacheError) -> Int {
    defer { removals.report() }
    flights.forget(tag: tag)
    var count = 0
    for key in try keys(tagged: tag) where try removeEntry(key, tagged: tag) { count += 1 }
    return count
  }

  /// Removes the entries that have `tag`; returns the number of them.
  @discardableResult
  public func removeAll(tagged tag: String) async throws(DiskCacheError) -> Int {
    try await perform(on: writeQueue) { cache throws(DiskCacheError) in
      try cache.removeAll(tagged: tag)
    }
  }

  /// Returns the tags of the entry of `key`, none if there is none. The policy does not learn of the question.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func tags(forKey key: Key) throws(DiskCacheError) -> Set<String> { try tags(TextKey(key)) }

  /// Returns the tags of the entry of `key`; none if there is none.
  public func tags(forKey key: Key) async throws(DiskCacheError) -> Set<String> {
    try await perform(on: readQueue) { cache throws(DiskCacheError) in
      try cache.tags(forKey: key)
    }
  }

  func tags(_ key: TextKey) throws(DiskCacheError) -> Set<String> {
    do { return try currentTags(key) } catch { throw .store(error) }
  }

  func currentTags(_ key: TextKey) throws(StoreError) -> Set<String> {
    guard let metadata = try peekMetadata(key) else { return [] }
    if let waiting = loaded[key] { return waiting.tags }
    return metadata.extendedSize == 0 ? [] : try store.tags(key.text)
  }

  /// The keys of the entries that have `tag`, those of loaded values among them.
  func keys(tagged tag: String) throws(DiskCacheError) -> Set<TextKey> {
    do {
      // First those that wait: a value leaves these when it is on the disk.
      var keys = Set(loaded.keys.filter { loaded[$0]?.tags.contains(tag) ?? false })
      let directory = try directoryInUse
      keys.formUnion(
        try writing.withLock { _ throws(StoreError) in try directory.keys(tagged: tag) })
      return keys
    } catch { throw .store(error) }
  }
}
