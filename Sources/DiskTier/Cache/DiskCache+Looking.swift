import EvictionCore

// Looking at a cache: nothing is counted, and the policy does not learn of it.
extension DiskCache {
  /// Returns the value of `key`, or nil, without a trace: nothing is counted, the time of its last access stays, and the
  /// policy does not learn of it.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func peek(_ key: Key) throws(DiskCacheError) -> Value? {
    try peekEntry(TextKey(key))?.value
  }

  /// Returns the value of `key`, or nil, without a trace.
  public func peek(_ key: Key) async throws(DiskCacheError) -> Value? {
    try await perform(on: readQueue) { cache throws(DiskCacheError) in try cache.peek(key) }
  }

  /// Returns the part of the cost limit that the entry of `key` takes, or nil. The policy does not learn of the question.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func cost(forKey key: Key) throws(DiskCacheError) -> Int? {
    do { return try peekMetadata(TextKey(key))?.cost } catch { throw .store(error) }
  }

  /// Returns the part of the cost limit that the entry of `key` takes, or nil.
  public func cost(forKey key: Key) async throws(DiskCacheError) -> Int? {
    try await perform(on: readQueue) { cache throws(DiskCacheError) in try cache.cost(forKey: key) }
  }

  /// True if there are no entries.
  public var isEmpty: Bool { get throws(DiskCacheError) { try count == 0 } }

  /// Returns the keys that `trim(toCount:)` would evict if `count` entries were to leave, the first to leave first; all if
  /// there are fewer.
  ///
  /// - Returns: Nil if the policy can't tell without evicting; see `MemoryCache.coldest(_:)`.
  /// - Complexity: O(n); on a shared path it reads every row, though no value.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func coldest(_ count: Int) throws(DiskCacheError) -> [Key]? {
    do { return try directoryInUse.coldest(count)?.compactMap { $0.key(as: Key.self) } } catch {
      throw .store(error)
    }
  }

  /// Returns the keys that would leave first if `count` entries were to leave; nil if the policy can't tell.
  public func coldest(_ count: Int) async throws(DiskCacheError) -> [Key]? {
    try await perform(on: readQueue) { cache throws(DiskCacheError) in try cache.coldest(count) }
  }

  /// Returns the keys that would leave last if all were evicted one by one, the last of them first; all if there are fewer
  /// than `count`.
  ///
  /// - Returns: Nil if the policy can't tell without evicting; see `MemoryCache.coldest(_:)`.
  /// - Complexity: O(n); on a shared path it reads every row, though no value.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func hottest(_ count: Int) throws(DiskCacheError) -> [Key]? {
    do { return try directoryInUse.hottest(count)?.compactMap { $0.key(as: Key.self) } } catch {
      throw .store(error)
    }
  }

  /// Returns the keys that would leave last, the last first; nil if the policy can't tell.
  public func hottest(_ count: Int) async throws(DiskCacheError) -> [Key]? {
    try await perform(on: readQueue) { cache throws(DiskCacheError) in try cache.hottest(count) }
  }

  /// The numbers that the policy has learned by now (ARC's p, a learner's weights), by short names; none if it learns
  /// nothing, or several processes share the path.
  public var policyInternals: [String: Double] {
    get throws(DiskCacheError) {
      do { return try directoryInUse.policyInternals } catch { throw .store(error) }
    }
  }

  /// The keys of all entries, in no promised order, read from the rows a few at a time.
  public var keys: DiskEntries<Key> {
    elements { cache, row throws(DiskCacheError) in
      cache.isThere(row) ? TextKey(row.key).key(as: Key.self) : nil
    }
  }

  /// The entries, in no promised order, read a few at a time; those whose values can't be decoded are left out.
  public var entries: DiskEntries<CacheEntry<Key, Value>> {
    elements { cache, row throws(DiskCacheError) in
      let name = TextKey(row.key)
      guard let key = name.key(as: Key.self), let entry = try cache.peekEntry(name) else {
        return nil
      }
      return CacheEntry(key: key, value: entry.value, cost: entry.metadata.cost)
    }
  }

  /// Makes an element of each row.
  private func elements<Element: Sendable>(
    _ make: @escaping @Sendable (DiskCache, StoredRow) throws(DiskCacheError) -> Element?
  ) -> DiskEntries<Element> {
    DiskEntries { () throws(DiskCacheError) in
      try await self.perform(on: self.readQueue) { cache throws(DiskCacheError) in
        DiskEntries<Element>.Places(hashes: try cache.rowHashes()[...])
      }
    } read: { places throws(DiskCacheError) in
      try await self.perform(on: self.readQueue) { cache throws(DiskCacheError) in
        var elements: [Element] = []
        for row in try cache.rows(places.hashes) {
          if let element = try make(cache, row) { elements.append(element) }
        }
        return elements
      }
    }
  }
}

extension DiskCache {
  /// The entry of `key` without a trace.
  func peekEntry(_ name: TextKey) throws(DiskCacheError) -> DiskEntry<Value>? {
    let stored: StoredValue?
    do { stored = try peekStored(name) } catch { throw .store(error) }
    guard let stored, let value = try? coder.decode(stored.bytes) else { return nil }
    return DiskEntry(
      value: value, extended: stored.extended, tags: stored.tags, metadata: stored.metadata)
  }

  /// The value of `key` as its row holds it, without a trace.
  func peekStored(_ name: TextKey) throws(StoreError) -> StoredValue? {
    let directory = try directoryInUse
    // First, as a value leaves these when it is on the disk.
    if let waiting = loaded[name] { return isTooOld(waiting.metadata) ? nil : waiting }
    if directory.holds(name) == false { return nil }
    return try store.get(name.text).flatMap { isThere(name, $0.metadata) ? $0 : nil }
  }

  /// The metadata of the value of `key`, without a trace.
  func peekMetadata(_ name: TextKey) throws(StoreError) -> StoredMetadata? {
    let directory = try directoryInUse
    if let waiting = loaded[name] { return isTooOld(waiting.metadata) ? nil : waiting.metadata }
    if directory.holds(name) == false { return nil }
    return try store.metadata(name.text).flatMap { isThere(name, $0) ? $0 : nil }
  }

  private func isThere(_ name: TextKey, _ row: StoredMetadata) -> Bool {
    if isTooOld(row) { return false }
    // An index may tell of a removal after the key has got another value: then the index knows better.
    return directory.holds(name) == true || !directory.leaving.contains(name, created: row.created)
  }

  /// The cost in the row of `key`, or 0.
  func storedCost(of key: TextKey) throws(DiskCacheError) -> Int {
    do { return try store.metadata(key.text)?.cost ?? 0 } catch { throw .store(error) }
  }

  /// The hashes of all rows, those of loaded values among them.
  func rowHashes() throws(DiskCacheError) -> [Int64] {
    writeLoaded()
    do {
      _ = try directoryInUse
      return try store.accessOrder()
    } catch { throw .store(error) }
  }

  /// The rows with these hashes that are there.
  func rows(_ hashes: some Sequence<Int64>) throws(DiskCacheError) -> [StoredRow] {
    do {
      _ = try directoryInUse
      return try store.rows(hashes)
    } catch { throw .store(error) }
  }

  /// Returns true if a row's entry can be found.
  func isThere(_ row: StoredRow) -> Bool {
    let name = TextKey(row.key)
    return directory.holds(name) != false && isThere(name, row.metadata)
  }
}
