import EvictionCore

// Several keys at once.
extension TieredCache {
  /// Returns the values of `keys` in memory or on disk, and for the others what `load` returns, which is stored in both.
  ///
  /// `load` is called once, with all keys that are missing and that no other caller is loading; see
  /// ``DiskCache/values(forKeys:expiration:orLoad:)``. A key that it leaves out has no value, and is not remembered as
  /// absent.
  ///
  /// - Parameters:
  ///   - keys: The keys to find values by.
  ///   - expiration: The time for which loaded values can be found, without a time to idle; nil for the disk's own.
  ///   - load: Makes the values.
  /// - Throws: The error of `load`, of another caller's load of one of the keys, `LoadError`, ``DiskCacheError``, or
  ///   `CancellationError`.
  public func values(
    forKeys keys: some Sequence<Key> & Sendable, expiration: Expiration? = nil,
    orLoad load: @escaping @Sendable (_ missing: [Key]) async throws -> [Key: Value]
  ) async throws -> [Key: Value] {
    let keys = Set(keys)
    for key in keys { try disk.check(cost: nil, expiration: expiration, key: TextKey(key)) }
    return try await values(keys, expiration: expiration) { missing in
      try await load(missing).mapValues { LoadedEntry($0, expiration: expiration) }
    }
  }

  /// Returns the values of `keys` in memory or on disk, and for the others those of the entries that `load` returns, which
  /// are stored in both as they say; otherwise as the form with `orLoad`.
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
    var values: [Key: Value] = [:]
    var missing: [TextKey: Key] = [:]
    for key in keys {
      let name = TextKey(key)
      if let value = heldInMemory(name)?.value { values[key] = value } else { missing[name] = key }
    }
    // Those among them that are being renewed have a value on the disk.
    for (name, key) in missing where flights.isRefreshing(name) {
      guard let value = counted(try await find(name, of: nil)) else { continue }
      values[key] = value
      missing[name] = nil
    }
    while !missing.isEmpty {
      let found = try await SingleFlight.values(forKeys: Array(missing.keys), in: { _ in flights })
      {
        [missing] flights in
        try await self.find(flights, of: missing, expiration: expiration, load)
      }
      let tried = missing
      missing = [:]
      for (name, key) in tried {
        switch found[name] {
        // It joined a get that loads nothing.
        case .unknown: missing[name] = key
        case .value(let value), .loaded(let value):
          values[key] = value
          if let held = found[name] { _ = counted(held) }
        case .absent, nil: break
        }
      }
    }
    refresh(values.keys, load)
    return values
  }

  /// Looks below the memory, loads what is not there either, and keeps it.
  private func find(
    _ flights: [TextKey: SingleFlight<TextKey, Held>.Flight], of keys: [TextKey: Key],
    expiration: Expiration?, _ load: ([Key]) async throws -> [Key: LoadedEntry<Value>]
  ) async throws -> [TextKey: Held] {
    var found: [TextKey: Held] = [:]
    for (name, flight) in flights {
      let held = try await disk.perform(on: disk.readQueue) { _ throws(DiskCacheError) in
        try self.look(for: name, of: flight, expiration: expiration)
      }
      if held.isValue { found[name] = held }
    }
    let wanted = flights.keys.filter { found[$0] == nil }.compactMap { keys[$0] }
    if wanted.isEmpty { return found }
    let loaded = try await self.load(wanted, in: flights, load)
    return loaded.merging(found) { $1 }
  }

  /// Loads values, and keeps them.
  func load(
    _ wanted: [Key], in flights: [TextKey: SingleFlight<TextKey, Held>.Flight],
    _ load: ([Key]) async throws -> [Key: LoadedEntry<Value>]
  ) async throws -> [TextKey: Held] {
    var found: [TextKey: Held] = [:]
    let loaded: [Key: LoadedEntry<Value>]
    do { loaded = try await load(wanted) } catch {
      counters.withLock { $0.failedLoads += wanted.count }
      listeners.loadFailed(error, wanted.lazy.map { TextKey($0) })
      throw error
    }
    for key in wanted {
      let name = TextKey(key)
      guard let entry = loaded[key], let flight = flights[name] else { continue }
      counters.withLock { $0.loads += 1 }
      listeners.loaded(entry.value, name)
      found[name] = try await settle(entry, key: name, of: flight)
    }
    return found
  }

  /// Stores the value of each pair under its key, each in a step of its own; returns the number of them that are in a
  /// tier.
  @discardableResult
  public func set(
    contentsOf pairs: some Sequence<(Key, Value)> & Sendable, expiration: Expiration? = nil
  ) async throws(DiskCacheError) -> Int {
    try await disk.perform(on: disk.writeQueue) { _ throws(DiskCacheError) in
      var count = 0
      for (key, value) in pairs where try self.set(value, forKey: key, expiration: expiration) {
        count += 1
      }
      return count
    }
  }

  /// Removes the entries that satisfy the predicate from both tiers; returns their number. An entry that gets another
  /// value meanwhile may leave with that.
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
