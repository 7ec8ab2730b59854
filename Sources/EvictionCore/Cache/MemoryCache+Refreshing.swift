// Values that are loaded though the cache has one: when a caller wants it, or when a load finds one whose time to be
// refreshed has come.
//
// Gets find the old value until the new one is there. A refresh is a load of the key like any other: only one runs at a
// time, and its result is not stored if the key was set or removed meanwhile.
extension MemoryCache {
  /// Loads `key` anew though it may have a value, which the result replaces.
  ///
  ///     try await pages.refreshValue(forKey: "/") { try await download("/") }
  ///
  /// Gets find the old value meanwhile. A load of the key that is under way counts as this one. If the key is set or
  /// removed meanwhile, or an update of it runs at the end, that stays, and the result is returned only. If the load
  /// fails, the old value stays.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - cost: The part of the cost limit that the new value takes, not negative; nil for what the cache takes it to cost.
  ///   - missCost: The cost of making it again, if there is none before.
  ///   - expiration: The lifetime of the new value; nil for that of the cache's entries.
  ///   - load: Makes the value. It runs in a task of its own, which is cancelled when all who wait for it are.
  /// - Returns: The new value.
  /// - Throws: The error of `load`, here or for another caller; ``LoadError``; or `CancellationError`.
  @discardableResult
  public func refreshValue(
    forKey key: Key, cost: Int? = nil, missCost: Double = 1, expiration: Expiration? = nil,
    byLoading load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await refreshValue(forKey: key) {
      LoadedEntry(try await load(), cost: cost, missCost: missCost, expiration: expiration)
    }
  }

  /// Loads `key` anew, and stores the entry that `load` returns as it says; otherwise as the form with `byLoading`.
  @discardableResult
  public func refreshValue(
    forKey key: Key, byLoadingEntry load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) async throws -> Value {
    try await loads.flights.value(forKey: key, isNew: true) { flight in
      try await self.replaceValue(of: key, in: flight, rememberingFailuresFor: nil, load)
    }
  }

  /// Loads `key` anew though it may have a value, which the result replaces; as the form for tasks.
  ///
  /// Blocks while another caller loads the key, at most for ``MemoryCacheOptions/loadWaitLimit``: not for tasks, nor for
  /// threads of a pool.
  ///
  /// - Returns: The new value.
  /// - Throws: The error of `load`, here or for another caller; or ``LoadError``.
  @discardableResult @_disfavoredOverload  // In a task, the other form is meant.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func refreshValue(
    forKey key: Key, cost: Int? = nil, missCost: Double = 1, expiration: Expiration? = nil,
    byLoading load: () throws -> Value
  ) throws -> Value {
    try refreshValue(forKey: key) {
      LoadedEntry(try load(), cost: cost, missCost: missCost, expiration: expiration)
    }
  }

  /// Loads `key` anew, and stores the entry that `load` returns as it says; otherwise as the form with `byLoading`.
  @discardableResult @_disfavoredOverload  // In a task, the other form is meant.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func refreshValue(
    forKey key: Key, byLoadingEntry load: () throws -> LoadedEntry<Value>
  ) throws -> Value {
    try loads.flights.value(forKey: key, isNew: true) { flight in
      try replaceValue(of: key, in: flight, rememberingFailuresFor: nil, load)
    }
  }
}

// MARK: - Values that are to be refreshed

extension MemoryCache {
  /// Has `load` renew the value of `key` in the background if it is time.
  @usableFromInline
  func refreshIfDue(
    _ key: Key, rememberingFailuresFor duration: Duration?,
    _ load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) {
    if !claimsRefresh(of: key) { return }
    loads.flights.begin(key) { flight in
      try await self.replaceValue(of: key, in: flight, rememberingFailuresFor: duration, load)
    }
  }

  /// Returns what `load` makes if it is time to renew the value of `key`; `old` if not, or if that fails.
  @usableFromInline
  func reloadedIfDue(
    _ old: Value, forKey key: Key, rememberingFailuresFor duration: Duration?,
    _ load: () throws -> LoadedEntry<Value>
  ) -> Value {
    if !claimsRefresh(of: key) { return old }
    let new = try? loads.flights.valueIfFirst(forKey: key) { flight in
      try replaceValue(of: key, in: flight, rememberingFailuresFor: duration, load)
    }
    return new ?? old
  }

  /// Has `load` renew the values of `keys`, each of which belongs to one of several caches.
  static func refresh(
    _ keys: [Key], in cache: @escaping @Sendable (Key) -> MemoryCache,
    _ load: @escaping @Sendable ([Key]) async throws -> [Key: LoadedEntry<Value>]
  ) {
    SingleFlight.begin(keys, in: { cache($0).loads.flights }) { flights in
      do {
        let entries = try await load(Array(flights.keys))
        var values: [Key: Value] = [:]
        for (key, flight) in flights {
          guard let entry = entries[key] else { continue }
          values[key] = cache(key).insert(entry, forKey: key, of: flight, replacing: true)
        }
        return values
      } catch {
        for (key, flight) in flights {
          cache(key).loadFailed(error, key: key, of: flight, rememberFor: nil)
        }
        throw error
      }
    }
  }

  /// Returns true if it is time to renew the value of `key`, and this caller is to do so.
  package func claimsRefresh(of key: Key) -> Bool {
    if !loads.refreshUse.hasBegun { return false }
    let hash = hashing(key)
    // Most gets find that it is not.
    if !read({ $0.isRefreshDue(key, hash: hash) }) { return false }
    var isClaimed = false
    locked { core in
      isClaimed = core.isRefreshDue(key, hash: hash)
      if isClaimed { core.postponeRefresh(of: key, hash: hash) }
    }
    return isClaimed
  }

  /// A try to renew the value of `key` has failed: the next one waits.
  package func postponeRefresh(of key: Key) {
    let hash = hashing(key)
    locked { core in core.postponeRefresh(of: key, hash: hash) }
  }

  private func replaceValue(
    of key: Key, in flight: SingleFlight<Key, Value>.Flight,
    rememberingFailuresFor duration: Duration?, _ load: () throws -> LoadedEntry<Value>
  ) throws -> Value {
    do { return insert(try load(), forKey: key, of: flight, replacing: true) } catch {
      loadFailed(error, key: key, of: flight, rememberFor: duration)
      throw error
    }
  }

  private func replaceValue(
    of key: Key, in flight: SingleFlight<Key, Value>.Flight,
    rememberingFailuresFor duration: Duration?,
    _ load: @Sendable () async throws -> LoadedEntry<Value>
  ) async throws -> Value {
    do { return insert(try await load(), forKey: key, of: flight, replacing: true) } catch {
      loadFailed(error, key: key, of: flight, rememberFor: duration)
      throw error
    }
  }
}

extension CacheCore {
  /// Returns true if a load that finds the value of `key` is to renew it.
  func isRefreshDue(_ key: Key, hash: UInt64) -> Bool {
    findResident(key, hash: hash).map { store.lifetimes.isRefreshDue($0) } ?? false
  }

  /// A load that renews the value of `key` begins, or has failed.
  mutating func postponeRefresh(of key: Key, hash: UInt64) {
    if let slot = findResident(key, hash: hash) { store.lifetimes.postponeRefresh(of: slot) }
  }
}
