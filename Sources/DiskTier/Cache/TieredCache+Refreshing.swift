import EvictionCore

// Values that are loaded though the cache has one.
extension TieredCache {
  /// Loads `key` anew though it may have a value, which the result replaces in both tiers.
  ///
  /// Gets find the old value meanwhile. A load of the key that is under way counts as this one. If the key is set or
  /// removed meanwhile, or an update of it runs at the end, that stays, and the result is returned only. If the load
  /// fails, the old value stays. The result is written as by ``value(forKey:cost:expiration:orLoad:)``.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - cost: The part of the disk's cost limit that the new value takes; nil for its bytes.
  ///   - expiration: The time for which it can be found, without a time to idle; nil for the disk's own.
  ///   - load: Makes the value.
  /// - Returns: The new value.
  /// - Throws: The error of `load`, here or for another caller; `LoadError`; ``DiskCacheError``; or `CancellationError`.
  @discardableResult
  public func refreshValue(
    forKey key: Key, cost: Int? = nil, expiration: Expiration? = nil,
    byLoading load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try disk.check(cost: cost, expiration: expiration, key: TextKey(key))
    return try await refreshValue(forKey: key) {
      LoadedEntry(try await load(), cost: cost, expiration: expiration)
    }
  }

  /// Loads `key` anew, and stores the entry that `load` returns as it says, in both tiers; otherwise as the form with
  /// `byLoading`.
  @discardableResult
  public func refreshValue(
    forKey key: Key, byLoadingEntry load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) async throws -> Value {
    let name = TextKey(key)
    while true {
      let held = try await flights.value(forKey: name, isNew: true) { flight in
        try await self.load(name, of: flight, load)
      }
      // Otherwise it joined a get, or a load that found nothing.
      if case .loaded(let value) = held { return value }
    }
  }
}

// MARK: - Values that are to be refreshed

// The memory knows the times: a value that comes from the disk brings the one that its age leaves.
extension TieredCache {
  /// The time after which a value that is set or loaded now is to be loaded anew; nil for never.
  func refreshTime(_ expiration: Expiration?) -> Duration? {
    let expiration = expiration ?? disk.options.expiration
    return expiration.refreshAfter.map { disk.shortened($0, by: expiration.jitterInRange) }
  }

  /// Has `load` renew the value of `key` in the background if it is time. One that it does not find any more is removed.
  func refreshIfDue(
    _ key: TextKey, _ load: @escaping @Sendable () async throws -> LoadedEntry<Value>?
  ) {
    if !memory.claimsRefresh(of: key) { return }
    flights.begin(key) { flight in
      do {
        guard let loaded = try await self.counting(key, load) else {
          try await self.remove(key, outdatedBy: flight)
          return .absent
        }
        return try await self.settle(loaded, key: key, of: flight)
      } catch {
        self.memory.postponeRefresh(of: key)
        throw error
      }
    }
  }

  /// Has `load` renew those of `keys` whose time it is, in the background.
  func refresh(
    _ keys: some Sequence<Key>,
    _ load: @escaping @Sendable ([Key]) async throws -> [Key: LoadedEntry<Value>]
  ) {
    let due = [TextKey: Key](
      keys.map { (TextKey($0), $0) }.filter { memory.claimsRefresh(of: $0.0) }
    ) { $1 }
    if due.isEmpty { return }
    SingleFlight.begin(Array(due.keys), in: { _ in flights }) { flights in
      do {
        return try await self.load(flights.keys.compactMap { due[$0] }, in: flights, load)
      } catch {
        for name in flights.keys { self.memory.postponeRefresh(of: name) }
        throw error
      }
    }
  }

  /// Removes what a load did not find any more, unless the key has changed since.
  private func remove(
    _ key: TextKey, outdatedBy flight: SingleFlight<TextKey, Held>.Flight
  ) async throws {
    try await disk.perform(on: disk.writeQueue) { _ throws(DiskCacheError) in
      try self.locks.withLock(for: key) { removed throws(DiskCacheError) in
        if !flight.isCurrent || self.turns.contains(key) { return }
        defer { self.turns.forget(key) }
        _ = try self.reporting(key, .removed) { () throws(DiskCacheError) in
          try self.remove(key, removed)
        }
        if let life = self.options.negativeTimeToLive {
          self.keep(.absent, key: key, life: life, removed)
        }
      }
    }
  }
}
