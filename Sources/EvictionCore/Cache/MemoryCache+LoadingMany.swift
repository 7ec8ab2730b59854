// Values of several keys at once, of which those that are missing are loaded together.
extension MemoryCache {
  /// Returns the values of `keys`: those that the cache has, and for the others what `load` returns, which is stored.
  ///
  ///     let pages = try await cache.values(forKeys: paths) { missing in
  ///       try await download(missing)  // [path: page]
  ///     }
  ///
  /// `load` is called once, with all keys that are missing and that no other caller is loading; not at all if there are
  /// none. The loads of other callers are waited for, and others wait for this one. A key that `load` leaves out has no
  /// value, and another caller that waits for it loads it by itself; a value for a key that it did not get is ignored. An error
  /// goes to all who wait for one of the keys.
  ///
  /// - Parameters:
  ///   - keys: The keys to find values by.
  ///   - expiration: The lifetime of loaded values; nil for that of the cache's entries.
  ///   - load: Makes the values.
  /// - Throws: The error of `load`, of another caller's load of one of the keys, ``LoadError``, or `CancellationError`.
  public func values(
    forKeys keys: some Sequence<Key>, expiration: Expiration? = nil,
    orLoad load: @escaping @Sendable (_ missing: [Key]) async throws -> [Key: Value]
  ) async throws -> [Key: Value] {
    try await values(forKeys: keys) { missing in
      try await load(missing).mapValues { LoadedEntry($0, expiration: expiration) }
    }
  }

  /// Returns the values of `keys`: those that the cache has, and for the others those of the entries that `load` returns,
  /// which are stored as they say; otherwise as the form with `orLoad`.
  public func values(
    forKeys keys: some Sequence<Key>,
    orLoadEntries load:
      @escaping @Sendable (_ missing: [Key]) async throws -> [Key: LoadedEntry<Value>]
  ) async throws -> [Key: Value] {
    try await MemoryCache.values(forKeys: keys, in: { _ in self }, orLoadEntries: load)
  }

  /// Returns the values of `keys`, each of which belongs to one of several caches.
  static func values(
    forKeys keys: some Sequence<Key>, in cache: @escaping @Sendable (Key) -> MemoryCache,
    orLoadEntries load: @escaping @Sendable ([Key]) async throws -> [Key: LoadedEntry<Value>]
  ) async throws -> [Key: Value] {
    var values: [Key: Value] = [:]
    var missing: [Key] = []
    var due: [Key] = []
    for key in Set(keys) {
      if let value = cache(key).value(forKey: key) {
        values[key] = value
        if cache(key).claimsRefresh(of: key) { due.append(key) }
      } else {
        try cache(key).loads.throwFailure(of: key)
        missing.append(key)
      }
    }
    if !due.isEmpty { refresh(due, in: cache, load) }
    if missing.isEmpty { return values }
    let loaded = try await SingleFlight.values(
      forKeys: missing, in: { cache($0).loads.flights }
    ) { flights in
      // Other loads may have ended since keys were missed.
      var values: [Key: Value] = [:]
      for (key, flight) in flights {
        values[key] = cache(key).peek(key)
        if values[key] != nil { flight.endsWithoutLoad() }
      }
      let missing = flights.filter { values[$0.key] == nil }
      if missing.isEmpty { return values }
      do {
        let entries = try await load(Array(missing.keys))
        for (key, flight) in missing {
          guard let entry = entries[key] else { continue }
          values[key] = cache(key).insert(entry, forKey: key, of: flight)
        }
        return values
      } catch {
        for (key, flight) in missing {
          cache(key).loadFailed(error, key: key, of: flight, rememberFor: nil)
        }
        throw error
      }
    }
    return values.merging(loaded) { $1 }
  }
}

extension ShardedCache {
  /// Returns the values of `keys`: those that the cache has, and for the others what `load` returns, which is stored.
  ///
  /// `load` is called once for the missing keys of all shards; see
  /// ``MemoryCache/values(forKeys:expiration:orLoad:)``.
  public func values(
    forKeys keys: some Sequence<Key>, expiration: Expiration? = nil,
    orLoad load: @escaping @Sendable (_ missing: [Key]) async throws -> [Key: Value]
  ) async throws -> [Key: Value] {
    try await values(forKeys: keys) { missing in
      try await load(missing).mapValues { LoadedEntry($0, expiration: expiration) }
    }
  }

  /// Returns the values of `keys`, loading those that are missing as entries; see
  /// ``MemoryCache/values(forKeys:orLoadEntries:)``.
  public func values(
    forKeys keys: some Sequence<Key>,
    orLoadEntries load:
      @escaping @Sendable (_ missing: [Key]) async throws -> [Key: LoadedEntry<Value>]
  ) async throws -> [Key: Value] {
    try await Shard.values(forKeys: keys, in: { self.shard(of: $0) }, orLoadEntries: load)
  }
}
