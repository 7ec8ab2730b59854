import EvictionCore

/// The same operations for tasks, and loading.
extension TieredCache {
  /// Returns the value of `key` in memory or on disk, or nil.
  ///
  /// - Throws: ``DiskCacheError``. What a load of the key that is under way throws is its callers' alone.
  public func value(forKey key: Key) async throws(DiskCacheError) -> Value? {
    let name = TextKey(key)
    if let held = heldInMemory(name) { return held.value }
    if flights.isRefreshing(name), let value = counted(try await find(name, of: nil)) {
      return value
    }
    while true {
      do {
        return counted(
          try await flights.value(forKey: name) { flight in
            try await self.find(name, of: flight)
          })
      } catch let error as DiskCacheError {
        throw error
      } catch is LoadError {
        return counted(try await find(name, of: nil))
      } catch {
        // The load was another caller's; or this task was cancelled, and asks the disk by itself.
        if Task.isCancelled { return counted(try await find(name, of: nil)) }
      }
    }
  }

  /// Returns the values of those of `keys` that have one; each is a get of its own.
  public func values(
    forKeys keys: some Sequence<Key> & Sendable
  ) async throws(DiskCacheError) -> [Key: Value] {
    var values: [Key: Value] = [:]
    for key in keys {
      if let value = try await value(forKey: key) { values[key] = value }
    }
    return values
  }

  /// Returns the value of `key` in memory or on disk, or else what `load` returns, which is stored in both.
  ///
  /// However many ask for a key, one `load` runs; what it brings is returned at once, and written soon after,
  /// unless the key was set or removed meanwhile. A value that the disk fails to take is still kept in memory,
  /// counted in ``TierStatistics/failedWrites``, and reported to ``DiskCacheOptions/onFailedWrite``. A value
  /// that cannot be stored at all is an error: one that cannot be encoded, unless values are written back, or one
  /// with a time to idle.
  ///
  /// A value whose time has come (`Expiration.refreshAfter`) is returned at once, and `load` renews it in the background. The
  /// memory keeps these times.
  ///
  /// - Parameters:
  ///   - key: The key to find the value by.
  ///   - cost: The part of the disk's cost limit that a loaded value takes; nil for its bytes.
  ///   - expiration: The time for which it can be found, without a time to idle; nil for the disk's own.
  ///   - load: Makes the value.
  /// - Throws: The error of `load`, `LoadError`, ``DiskCacheError``, or `CancellationError`.
  public func value(
    forKey key: Key, cost: Int? = nil, expiration: Expiration? = nil,
    orLoad load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try disk.check(cost: cost, expiration: expiration, key: TextKey(key))
    return try await value(TextKey(key), expiration: expiration) {
      LoadedEntry(try await load(), cost: cost, expiration: expiration)
    }
  }

  /// Returns the value of `key` in memory or on disk, or else that of the entry that `load` returns, which is stored in both
  /// as it says.
  ///
  /// For loads that know only then how long the value lives, or which tags it has. Otherwise as the form with `orLoad`; no
  /// tier has a use for the entry's `missCost`.
  public func value(
    forKey key: Key, orLoadEntry load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) async throws -> Value {
    try await value(TextKey(key), expiration: nil, load)
  }

  private func value(
    _ name: TextKey, expiration: Expiration?,
    _ load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) async throws -> Value {
    while true {
      // Nil is the answer of a load that finds nothing, which this one joined, or of an absence.
      if let value = try await optionalValue(
        name, expiration: expiration, knowsAbsence: false, load)
      {
        return value
      }
    }
  }

  /// Returns the value of `key` in memory or on disk, or else what `load` finds, which is stored in both; nil
  /// if it finds nothing, which is remembered for ``TieredCacheOptions/negativeTimeToLive``.
  ///
  /// Otherwise as the form with `orLoad`.
  public func optionalValue(
    forKey key: Key, cost: Int? = nil, expiration: Expiration? = nil,
    orLoad load: @escaping @Sendable () async throws -> Value?
  ) async throws -> Value? {
    try disk.check(cost: cost, expiration: expiration, key: TextKey(key))
    return try await optionalValue(TextKey(key), expiration: expiration, knowsAbsence: true) {
      try await load().map { LoadedEntry($0, cost: cost, expiration: expiration) }
    }
  }

  /// Returns the value of `key` in memory or on disk, or else that of the entry that `load` finds, which is stored in both as
  /// it says; nil if it finds nothing. Otherwise as the form with `orLoad`.
  public func optionalValue(
    forKey key: Key, orLoadEntry load: @escaping @Sendable () async throws -> LoadedEntry<Value>?
  ) async throws -> Value? {
    try await optionalValue(TextKey(key), expiration: nil, knowsAbsence: true, load)
  }

  private func optionalValue(
    _ name: TextKey, expiration: Expiration?, knowsAbsence: Bool,
    _ load: @escaping @Sendable () async throws -> LoadedEntry<Value>?
  ) async throws -> Value? {
    if let held = heldInMemory(name), held.isValue || knowsAbsence {
      if held.isValue { refreshIfDue(name, load) }
      return held.value
    }
    if flights.isRefreshing(name), let value = counted(try await find(name, of: nil)) {
      return value
    }
    while true {
      let held = try await flights.value(forKey: name) { flight in
        let found = try await self.find(name, of: flight, expiration: expiration)
        if case .value = found { return found }
        return try await self.load(name, of: flight, load)
      }
      switch held {
      case .value:
        refreshIfDue(name, load)
        return counted(held)
      case .loaded: return counted(held)
      case .absent: return nil
      // It joined a get that loads nothing.
      case .unknown: continue
      }
    }
  }

  /// Loads a value, and keeps it.
  func load(
    _ key: TextKey, of flight: SingleFlight<TextKey, Held>.Flight,
    _ load: () async throws -> LoadedEntry<Value>?
  ) async throws -> Held {
    try await settle(try await counting(key, load), key: key, of: flight)
  }

  func counting(
    _ key: TextKey, _ load: () async throws -> LoadedEntry<Value>?
  ) async throws -> LoadedEntry<Value>? {
    do {
      let loaded = try await load()
      counters.withLock { $0.loads += 1 }
      if let loaded { listeners.loaded(loaded.value, key) }
      return loaded
    } catch {
      counters.withLock { $0.failedLoads += 1 }
      listeners.loadFailed(error, CollectionOfOne(key))
      throw error
    }
  }

  /// Stores `value` under `key`, in both tiers; returns true if it is in one of them at least.
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, cost: Int? = nil, expiration: Expiration? = nil
  ) async throws(DiskCacheError) -> Bool {
    try await writing { cache throws(DiskCacheError) in
      try cache.set(value, forKey: key, cost: cost, expiration: expiration)
    }
  }

  /// Removes `key` from both tiers; returns true if it had a value.
  @discardableResult
  public func remove(_ key: Key) async throws(DiskCacheError) -> Bool {
    try await writing { cache throws(DiskCacheError) in try cache.remove(key) }
  }

  /// Removes `keys` from both tiers; returns the number of them that had a value.
  @discardableResult
  public func removeAll(
    forKeys keys: some Sequence<Key> & Sendable
  ) async throws(DiskCacheError) -> Int {
    try await writing { cache throws(DiskCacheError) in try cache.removeAll(forKeys: keys) }
  }

  /// Removes the entries whose keys satisfy the predicate from both tiers; returns their number.
  @discardableResult
  public func removeAll(
    where shouldRemove: @escaping @Sendable (Key) -> Bool
  ) async throws(DiskCacheError) -> Int {
    try await writing { cache throws(DiskCacheError) in
      try cache.removeAll(where: shouldRemove)
    }
  }

  /// Removes everything from both tiers.
  public func removeAll() async throws(DiskCacheError) {
    try await writing { cache throws(DiskCacheError) in try cache.removeAll() }
  }

  /// Returns true if `key` has a value in memory or on disk. The policies do not learn of the question.
  public func contains(_ key: Key) async throws(DiskCacheError) -> Bool {
    try await disk.perform(on: disk.readQueue) { _ throws(DiskCacheError) in
      try self.contains(key)
    }
  }

  /// Writes what waits for it, and the access times.
  public func flush() async throws(DiskCacheError) {
    try await writing { cache throws(DiskCacheError) in try cache.flush() }
  }

  /// Writes the values that wait, and closes the disk.
  public func close() async throws(DiskCacheError) {
    try await writing { cache throws(DiskCacheError) in try cache.close() }
  }

  private func writing<Result: Sendable>(
    _ body: @escaping @Sendable (TieredCache) throws(DiskCacheError) -> Result
  ) async throws(DiskCacheError) -> Result {
    try await disk.perform(on: disk.writeQueue) { _ throws(DiskCacheError) in try body(self) }
  }

  /// Looks below the memory, on a thread that may wait for the disk and for writers.
  func find(
    _ key: TextKey, of flight: SingleFlight<TextKey, Held>.Flight?, expiration: Expiration? = nil
  ) async throws(DiskCacheError) -> Held {
    try await disk.perform(on: disk.readQueue) { _ throws(DiskCacheError) in
      try self.look(for: key, of: flight, expiration: expiration)
    }
  }
}
