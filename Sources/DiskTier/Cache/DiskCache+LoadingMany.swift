import EvictionCore

// Several keys at once.
extension DiskCache {
  /// Returns the values of `keys`: those that the cache has, and for the others what `load` returns, which is stored.
  ///
  /// `load` is called once, with all keys that are missing and that no other caller is loading; not at all if there are
  /// none. The loads of other callers are waited for, and others wait for this one. A key that `load` leaves out has no
  /// value, and another caller that waits for it loads it by itself; a value for a key that it did not get is ignored. An error
  /// goes to all who wait for one of the keys. What is brought is written as by
  /// ``value(forKey:cost:expiration:orLoad:)``.
  ///
  /// - Parameters:
  ///   - keys: The keys to find values by.
  ///   - expiration: The time for which loaded values can be found, without a time to idle; nil for the cache's own.
  ///   - load: Makes the values.
  /// - Throws: The error of `load`, of another caller's load of one of the keys, `LoadError`, ``DiskCacheError``, or
  ///   `CancellationError`.
  public func values(
    forKeys keys: some Sequence<Key> & Sendable, expiration: Expiration? = nil,
    orLoad load: @escaping @Sendable (_ missing: [Key]) async throws -> [Key: Value]
  ) async throws -> [Key: Value] {
    let keys = Set(keys)
    for key in keys { try check(cost: nil, expiration: expiration, key: TextKey(key)) }
    return try await values(keys, expiration: expiration) { missing in
      try await load(missing).mapValues { LoadedEntry($0, expiration: expiration) }
    }
  }

  /// Returns the values of `keys`: those that the cache has, and for the others those of the entries that `load` returns,
  /// which are stored as they say; otherwise as the form with `orLoad`. No row keeps an entry's `refreshAfter`: that of
  /// ``DiskCacheOptions/expiration`` counts.
  public func values(
    forKeys keys: some Sequence<Key> & Sendable,
    orLoadEntries load:
      @escaping @Sendable (_ missing: [Key]) async throws -> [Key: LoadedEntry<Value>]
  ) async throws -> [Key: Value] {
    try await values(Set(keys), expiration: nil, load)
  }

  private func values(
    _ keys: Set<Key>, expiration: Expiration?,
    _ load: @escaping @Sendable ([Key]) async throws -> [Key: LoadedEntry<Value>]
  ) async throws -> [Key: Value] {
    var (values, due) = try await find(keys, expiration: expiration)
    if !due.isEmpty { refresh(due, load) }
    let missing = [TextKey: Key](keys.filter { values[$0] == nil }.map { (TextKey($0), $0) }) { $1 }
    if missing.isEmpty { return values }
    let loaded = try await SingleFlight.values(forKeys: Array(missing.keys), in: { _ in flights }) {
      flights in
      // Other loads may have ended since keys were missed.
      let names = Array(flights.keys)
      var values = try await self.perform(on: self.readQueue) { cache throws(DiskCacheError) in
        var values: [TextKey: Value] = [:]
        for name in names { values[name] = try cache.uncountedEntry(name)?.value }
        return values
      }
      for name in values.keys { flights[name]?.endsWithoutLoad() }
      let absent = flights.filter { values[$0.key] == nil }
      if absent.isEmpty { return values }
      for (name, entry) in try await self.counting(absent.keys, of: missing, load) {
        guard let flight = absent[name] else { continue }
        await self.settle(try self.encoded(entry, name), key: name, of: flight)
        values[name] = entry.value
      }
      return values
    }
    for (name, key) in missing { values[key] = loaded[name] }
    return values
  }

  func counting(
    _ names: some Sequence<TextKey>, of keys: [TextKey: Key],
    _ load: ([Key]) async throws -> [Key: LoadedEntry<Value>]
  ) async throws -> [(TextKey, LoadedEntry<Value>)] {
    let wanted = names.compactMap { keys[$0] }
    do {
      let values = try await load(wanted)
      let brought = wanted.compactMap { key in values[key].map { (TextKey(key), $0) } }
      counters.withLock { $0.cache.loads += brought.count }
      for (name, entry) in brought { listeners.loaded(entry.value, name) }
      return brought
    } catch {
      counters.withLock { $0.cache.failedLoads += wanted.count }
      listeners.loadFailed(error, wanted.lazy.map { TextKey($0) })
      throw error
    }
  }

  /// Stores the value of each pair under its key, each in a step of its own; returns the number of them that are in the
  /// cache.
  @discardableResult
  public func set(
    contentsOf pairs: some Sequence<(Key, Value)> & Sendable, expiration: Expiration? = nil
  ) async throws(DiskCacheError) -> Int {
    try await perform(on: writeQueue) { cache throws(DiskCacheError) in
      var count = 0
      for (key, value) in pairs where try cache.set(value, forKey: key, expiration: expiration) {
        count += 1
      }
      return count
    }
  }

  /// Removes the entries that satisfy the predicate, which may use the cache; returns their number. An entry that gets
  /// another value meanwhile may leave with that.
  ///
  /// - Complexity: It reads every value.
  @discardableResult
  public func removeEntries(
    where shouldRemove: @escaping @Sendable (CacheEntry<Key, Value>) -> Bool
  ) async throws(DiskCacheError) -> Int {
    var count = 0
    for try await entry in entries where shouldRemove(entry) {
      if try await remove(entry.key) { count += 1 }
    }
    return count
  }
}
