import EvictionCore

// Looking at a cache in tiers: nothing is counted, nothing comes to memory, and the policies do not learn of it.
extension TieredCache {
  /// Returns the value of `key` in memory or on disk, or nil, without a trace: nothing is counted, nothing comes to
  /// memory, and the policies do not learn of it.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func peek(_ key: Key) throws(DiskCacheError) -> Value? { try peekEntry(TextKey(key)) }

  /// Returns the value of `key` in memory or on disk, or nil, without a trace.
  public func peek(_ key: Key) async throws(DiskCacheError) -> Value? {
    let name = TextKey(key)
    if let held = memory.peek(name) { return held.value }
    return try await disk.perform(on: disk.readQueue) { _ throws(DiskCacheError) in
      try self.peekEntry(name)
    }
  }

  /// Returns the part of the disk's cost limit that the entry of `key` takes: 0 while it is not on the disk; nil if `key` has
  /// no value. The policies do not learn of the question.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func cost(forKey key: Key) throws(DiskCacheError) -> Int? {
    let name = TextKey(key)
    return try holds(name) ? disk.storedCost(of: name) : nil
  }

  /// Returns the part of the disk's cost limit that the entry of `key` takes, or nil.
  public func cost(forKey key: Key) async throws(DiskCacheError) -> Int? {
    try await disk.perform(on: disk.readQueue) { _ throws(DiskCacheError) in
      try self.cost(forKey: key)
    }
  }

  /// True if no tier has a value; ``count`` counts the entries in memory only.
  public var isEmpty: Bool {
    get throws(DiskCacheError) {
      if writeBack.count > 0 || memory.entries.contains(where: { $0.value.isValue }) {
        return false
      }
      return try disk.isEmpty
    }
  }

  /// The policy of the memory, with its parameters; ``disk`` has its own.
  public var policy: CachePolicy { memory.policy }

  /// The numbers that the memory's policy has learned by now; see `MemoryCache.policyInternals`.
  public var policyInternals: [String: Double] { memory.policyInternals }

  /// Returns the keys that would leave the memory first if `count` entries were to leave it, remembered absences among them.
  ///
  /// - Returns: Nil if the memory's policy can't tell; see `MemoryCache.coldest(_:)`.
  public func coldest(_ count: Int) -> [Key]? {
    memory.coldest(count)?.compactMap { $0.key(as: Key.self) }
  }

  /// Returns the keys that would leave the memory last, the last first, remembered absences among them.
  ///
  /// - Returns: Nil if the memory's policy can't tell; see `MemoryCache.coldest(_:)`.
  public func hottest(_ count: Int) -> [Key]? {
    memory.hottest(count)?.compactMap { $0.key(as: Key.self) }
  }

  /// The keys that have a value in memory or on disk, each once, in no promised order, read a few at a time.
  public var keys: DiskEntries<Key> {
    elements(
      row: { tiers, row throws(DiskCacheError) in
        tiers.disk.isThere(row) ? TextKey(row.key).key(as: Key.self) : nil
      },
      key: { tiers, name throws(DiskCacheError) in
        try tiers.holds(name) ? name.key(as: Key.self) : nil
      })
  }

  /// The entries in memory or on disk, each once, in no promised order, read a few at a time. The cost of one is that on
  /// the disk; 0 if it is not there.
  public var entries: DiskEntries<CacheEntry<Key, Value>> {
    elements(
      row: { tiers, row throws(DiskCacheError) in
        try tiers.entry(TextKey(row.key), cost: row.metadata.cost)
      },
      key: { tiers, name throws(DiskCacheError) in
        try tiers.entry(name, cost: tiers.disk.storedCost(of: name))
      })
  }

  private func entry(
    _ name: TextKey, cost: Int
  ) throws(DiskCacheError) -> CacheEntry<Key, Value>? {
    guard let key = name.key(as: Key.self), let value = try peekEntry(name) else { return nil }
    return CacheEntry(key: key, value: value, cost: cost)
  }

  func holds(_ name: TextKey) throws(DiskCacheError) -> Bool {
    if let isValue = memory.peek(name, { $0.isValue }) { return isValue }
    if let waiting = writeBack[name] { return !waiting.isOver }
    return try disk.contains(name)
  }

  func peekEntry(_ name: TextKey) throws(DiskCacheError) -> Value? {
    if let held = memory.peek(name) { return held.value }
    if let waiting = writeBack[name] { return waiting.isOver ? nil : waiting.value }
    return try disk.peekEntry(name)?.value
  }

  /// The keys in memory and those that wait to be written.
  private var keysAboveDisk: Set<TextKey> {
    var keys = Set(writeBack.keys)
    for entry in memory.entries where entry.value.isValue { keys.insert(entry.key) }
    return keys
  }

  /// Makes an element of each key above the disk and of each of the other rows.
  private func elements<Element: Sendable>(
    row: @escaping @Sendable (TieredCache, StoredRow) throws(DiskCacheError) -> Element?,
    key: @escaping @Sendable (TieredCache, TextKey) throws(DiskCacheError) -> Element?
  ) -> DiskEntries<Element> {
    DiskEntries { () throws(DiskCacheError) in
      try await self.disk.perform(on: self.disk.readQueue) { disk throws(DiskCacheError) in
        // Before the rows, as what is above them comes to be a row, and seldom the other way round.
        let above = self.keysAboveDisk
        return DiskEntries<Element>.Places(
          keys: Array(above), hashes: try disk.rowHashes()[...], passed: above)
      }
    } read: { places throws(DiskCacheError) in
      try await self.disk.perform(on: self.disk.readQueue) { disk throws(DiskCacheError) in
        var elements: [Element] = []
        for name in places.keys {
          if let element = try key(self, name) { elements.append(element) }
        }
        for found in try disk.rows(places.hashes) where !places.passed.contains(TextKey(found.key))
        {
          if let element = try row(self, found) { elements.append(element) }
        }
        return elements
      }
    }
  }
}
