import EvictionCore

// Values that are loaded though the cache has one.
extension DiskCache {
  /// Loads `key` anew though it may have a value, which the result replaces.
  ///
  /// Gets find the old value meanwhile. A load of the key that is under way counts as this one. If the key is set or
  /// removed meanwhile, or an update of it runs at the end, that stays, and the result is returned only. If the load
  /// fails, the old value stays. The result is written as by ``value(forKey:cost:expiration:orLoad:)``.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - cost: The part of the cost limit that the new value takes, not negative; nil for its bytes.
  ///   - expiration: The time for which it can be found, without a time to idle; nil for the cache's own.
  ///   - load: Makes the value.
  /// - Returns: The new value.
  /// - Throws: The error of `load`, here or for another caller; `LoadError`; ``DiskCacheError``; or `CancellationError`.
  @discardableResult
  public func refreshValue(
    forKey key: Key, cost: Int? = nil, expiration: Expiration? = nil,
    byLoading load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try check(cost: cost, expiration: expiration, key: TextKey(key))
    return try await refreshValue(forKey: key) {
      LoadedEntry(try await load(), cost: cost, expiration: expiration)
    }
  }

  /// Loads `key` anew, and stores the entry that `load` returns as it says; otherwise as the form with `byLoading`.
  @discardableResult
  public func refreshValue(
    forKey key: Key, byLoadingEntry load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) async throws -> Value {
    let name = TextKey(key)
    return try await flights.value(forKey: name, isNew: true) { flight in
      try await self.load(name, of: flight, load)
    }
  }
}

// MARK: - Values that are to be refreshed

// A row keeps the time at which its value was put, and not the one of its refresh: what a load gives as its expiration, or
// else the cache's own, decides.
extension DiskCache {
  /// The time from which a value is to be loaded anew, in nanoseconds since 1970; nil for never.
  func refreshTime(_ metadata: StoredMetadata, _ expiration: Expiration?) -> Int64? {
    let expiration = expiration ?? options.expiration
    guard let wait = expiration.refreshAfter else { return nil }
    // The same each time that a load looks at it.
    let bits = SplitMix64.mix(UInt64(bitPattern: metadata.created))
    let left = Expiration.shortened(
      wait.nanoseconds, jitter: expiration.jitterInRange, bits: bits)
    return WallClock.time(.nanoseconds(Int64(clamping: left)), after: metadata.created)
  }

  /// The time left until a value is to be loaded anew; nil for ever.
  func timeToRefresh(_ metadata: StoredMetadata, _ expiration: Expiration?) -> Duration? {
    refreshTime(metadata, expiration).map { max(.zero, clock.time(until: $0)) }
  }

  /// Has `load` renew a value that was found, in the background, if it is time.
  func refreshIfDue(
    _ key: TextKey, _ metadata: StoredMetadata, expiration: Expiration?,
    _ load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) {
    guard let due = refreshTime(metadata, expiration), due <= clock.now,
      refreshTries.begins(key, due: due, now: clock.now)
    else { return }
    flights.begin(key) { flight in
      do {
        let value = try await self.load(key, of: flight, load)
        self.refreshTries.remove(key)
        return value
      } catch {
        self.refreshTries.failed(key, due: due, now: self.clock.now)
        throw error
      }
    }
  }

  /// Returns the values of `keys`, each as a get does, and the times since when some of them are to be renewed by this
  /// caller.
  func find(
    _ keys: Set<Key>, expiration: Expiration?
  ) async throws(DiskCacheError) -> (values: [Key: Value], due: [Key: Int64]) {
    try await perform(on: readQueue) { cache throws(DiskCacheError) in
      var values: [Key: Value] = [:]
      var due: [Key: Int64] = [:]
      for key in keys {
        guard let entry = try cache.entry(forKey: key) else { continue }
        values[key] = entry.value
        let now = cache.clock.now
        if let time = cache.refreshTime(entry.metadata, expiration), time <= now,
          cache.refreshTries.begins(TextKey(key), due: time, now: now)
        {
          due[key] = time
        }
      }
      return (values, due)
    }
  }

  /// Has `load` renew the values of several keys in the background.
  func refresh(
    _ due: [Key: Int64],
    _ load: @escaping @Sendable ([Key]) async throws -> [Key: LoadedEntry<Value>]
  ) {
    let keys = [TextKey: Key](due.keys.map { (TextKey($0), $0) }) { $1 }
    SingleFlight.begin(Array(keys.keys), in: { _ in flights }) { flights in
      do {
        var values: [TextKey: Value] = [:]
        for (name, entry) in try await self.counting(flights.keys, of: keys, load) {
          guard let flight = flights[name] else { continue }
          await self.settle(try self.encoded(entry, name), key: name, of: flight)
          self.refreshTries.remove(name)
          values[name] = entry.value
        }
        return values
      } catch {
        for (name, key) in keys {
          self.refreshTries.failed(name, due: due[key] ?? .max, now: self.clock.now)
        }
        throw error
      }
    }
  }
}
