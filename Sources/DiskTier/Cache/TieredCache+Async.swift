import EvictionCore

/// The same operations for asynchronous code, and loading.
extension TieredCache where MemoryPolicy: ~Copyable, DiskPolicy: ~Copyable {
  /// The value of `key` in memory or on disk, or nil.
  public func value(forKey key: String) async throws -> Value? {
    let name = TextKey(key)
    if let held = heldInMemory(name) { return held.value }
    return try await flights.value(forKey: name) { flight in
      try await self.find(name, of: flight)
    }.value
  }

  /// The value of `key` in memory or on disk, or else what `load` returns, which is stored in both.
  ///
  /// However many ask for a key, one `load` runs. If it returns nil, that is remembered for
  /// ``TieredCacheOptions/negativeTimeToLive``. A value that cannot be written to disk is returned and
  /// kept in memory all the same, and counted in ``TieredCacheStatistics/failedWrites``.
  ///
  /// - Parameters:
  ///   - key: Any text.
  ///   - expiration: The time for which a loaded value may be returned, without a time to idle; by default
  ///     as the disk's options say.
  ///   - load: Makes the value, or nil where there is none.
  /// - Throws: What `load` throws, ``DiskCacheError``, or `CancellationError`.
  public func value(
    forKey key: String, expiration: Expiration? = nil,
    orLoad load: @escaping @Sendable () async throws -> Value?
  ) async throws -> Value? {
    let name = TextKey(key)
    let life = try life(expiration, ofKey: key)
    if let held = heldInMemory(name) { return held.value }
    while true {
      let held = try await flights.value(forKey: name) { flight in
        let found = try await self.find(name, of: flight)
        if case .value = found { return found }
        let loaded = try await load()
        return try await self.disk.perform(on: self.disk.writeQueue) { _ in
          self.settle(loaded, key: name, life: life, of: flight)
        }
      }
      switch held {
      case .value(let value): return value
      case .absent: return nil
      // It joined a get that loads nothing.
      case .unknown: continue
      }
    }
  }

  /// Stores `value` under `key`, in both tiers; returns whether it is in one of them at least.
  @discardableResult
  public func set(
    _ value: Value, forKey key: String, cost: Int? = nil, expiration: Expiration? = nil
  ) async throws(DiskCacheError) -> Bool {
    try await disk.perform(on: disk.writeQueue) { _ throws(DiskCacheError) in
      try self.set(value, forKey: key, cost: cost, expiration: expiration)
    }
  }

  /// Removes `key` from both tiers; returns whether it had a value.
  @discardableResult
  public func remove(_ key: String) async throws(DiskCacheError) -> Bool {
    try await disk.perform(on: disk.writeQueue) { _ throws(DiskCacheError) in
      try self.remove(key)
    }
  }

  /// Removes everything from both tiers.
  public func removeAll() async throws(DiskCacheError) {
    try await disk.perform(on: disk.writeQueue) { _ throws(DiskCacheError) in
      try self.removeAll()
    }
  }

  /// Whether `key` has a value in memory or on disk. The policies do not learn of the question.
  public func contains(_ key: String) async throws(DiskCacheError) -> Bool {
    try await disk.perform(on: disk.readQueue) { _ throws(DiskCacheError) in
      try self.contains(key)
    }
  }

  /// Looks below the memory, on a thread that may wait for the disk and for writers.
  private func find(
    _ key: TextKey, of flight: SingleFlight<TextKey, Held>.Flight
  ) async throws(DiskCacheError) -> Held {
    try await disk.perform(on: disk.readQueue) { _ throws(DiskCacheError) in
      try self.look(for: key, of: flight)
    }
  }
}
