// Values that the cache has loaded when they are missing.
//
// A key is loaded once, however many callers want it. What a load brings is returned to all of them, and
// stored unless the key was removed or set while it was loading, whatever became of the value that was
// set. Who asks after that has a load of his own; who waits already gets what is on its way. Errors are
// thrown to all who wait, and remembered only if a caller asks for it, until the key is removed or set.
//
// A load that asks for its own key runs a second one within itself; see ``SingleFlight``.
extension MemoryCache {
  /// The value of `key`, or else what `load` returns, which is stored.
  ///
  ///     let page = try cache.value(forKey: 7, orLoad: { try read(7) })
  ///
  /// Blocks while another caller loads the key, at most for ``MemoryCacheOptions/loadWaitLimit``: not for tasks,
  /// which suspend in the asynchronous form, nor for threads of a pool, which the load may need.
  ///
  /// The first caller that finds a value which is to be refreshed (``Expiration/refreshAfter``) runs `load` itself, and
  /// returns its result, or the old value if it throws; others get the old value at once.
  ///
  /// - Parameters:
  ///   - key: The key to find the value by.
  ///   - cost: The part of the cost limit that a loaded value takes, not negative; nil for what
  ///     the cache takes it to cost (``EntryCosts``).
  ///   - missCost: The cost of making it again.
  ///   - expiration: The lifetime of the loaded value; nil for that of the cache's entries.
  ///   - duration: The time for which an error is thrown again without another load; nil for none.
  ///   - load: Makes the value.
  /// - Throws: The error of `load`, here or for another caller; or ``LoadError``.
  @inlinable @_disfavoredOverload  // In a task, the other form is meant.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func value(
    forKey key: Key, cost: Int? = nil, missCost: Double = 1, expiration: Expiration? = nil,
    rememberingFailuresFor duration: Duration? = nil, orLoad load: () throws -> Value
  ) throws -> Value {
    try value(forKey: key, rememberingFailuresFor: duration) {
      LoadedEntry(try load(), cost: cost, missCost: missCost, expiration: expiration)
    }
  }

  /// The value of `key`, or else that of the entry that `load` returns, which is stored as it says.
  ///
  /// For loads that know only then what the value costs and how long it lives. Otherwise as
  /// the form with `orLoad`.
  @inlinable @_disfavoredOverload  // In a task, the other form is meant.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func value(
    forKey key: Key, rememberingFailuresFor duration: Duration? = nil,
    orLoadEntry load: () throws -> LoadedEntry<Value>
  ) throws -> Value {
    if let value = value(forKey: key) {
      if !loads.refreshUse.hasBegun { return value }
      return reloadedIfDue(value, forKey: key, rememberingFailuresFor: duration, load)
    }
    try loads.throwFailure(of: key)
    return try loads.flights.value(forKey: key) { flight in
      // Another load may have ended since the key was missed.
      if let value = peek(key) {
        flight.endsWithoutLoad()
        return value
      }
      do { return insert(try load(), forKey: key, of: flight) } catch {
        loadFailed(error, key: key, of: flight, rememberFor: duration)
        throw error
      }
    }
  }

  /// The value of `key`, or else what `load` returns, which is stored; as the form that blocks.
  ///
  /// A value that is to be refreshed (``Expiration/refreshAfter``) is returned at once, and `load` renews it in the
  /// background.
  ///
  /// The load runs in a task of its own. A caller that is cancelled stops waiting; when all are, the load
  /// is cancelled.
  ///
  /// - Throws: The error of `load`, ``LoadError``, or `CancellationError`.
  @inlinable
  public func value(
    forKey key: Key, cost: Int? = nil, missCost: Double = 1, expiration: Expiration? = nil,
    rememberingFailuresFor duration: Duration? = nil,
    orLoad load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await value(forKey: key, rememberingFailuresFor: duration) {
      LoadedEntry(try await load(), cost: cost, missCost: missCost, expiration: expiration)
    }
  }

  /// The value of `key`, or else that of the entry that `load` returns, which is stored as it says.
  @inlinable
  public func value(
    forKey key: Key, rememberingFailuresFor duration: Duration? = nil,
    orLoadEntry load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) async throws -> Value {
    if let value = value(forKey: key) {
      if loads.refreshUse.hasBegun {
        refreshIfDue(key, rememberingFailuresFor: duration, load)
      }
      return value
    }
    try loads.throwFailure(of: key)
    return try await loads.flights.value(forKey: key) { flight in
      if let value = self.peek(key) {
        flight.endsWithoutLoad()
        return value
      }
      do { return self.insert(try await load(), forKey: key, of: flight) } catch {
        self.loadFailed(error, key: key, of: flight, rememberFor: duration)
        throw error
      }
    }
  }

  /// Stores what was loaded, unless that is out of date; returns it.
  ///
  /// - Parameter replacing: True if the key may have a value, which it replaces then.
  @inlinable
  func insert(
    _ entry: LoadedEntry<Value>, forKey key: Key, of flight: SingleFlight<Key, Value>.Flight,
    replacing: Bool = false
  ) -> Value {
    let cost = checked(entry.cost, of: entry.value, forKey: key)
    let hash = hashing(key)
    var isStored = false
    locked { core in
      core.statistics.loads &+= 1
      if !loads.flights.isCurrent(flight, tagged: entry.tags) { return }
      if !replacing && core.findResident(key, hash: hash) != nil { return }
      // The update counts as coming first.
      if loads.isUpdating(key) { return }
      isStored = core.set(
        entry.value, forKey: key, hash: hash, cost: cost, missCost: entry.missCost,
        expiration: entry.expiration, tags: entry.tags, observer: observer)
      loads.forgetFailure(of: key)
    }
    if holdsDiscardables && isStored { attach(entry.value, key: key, hash: hash) }
    events?.send(.loaded(key: key, value: entry.value))
    return entry.value
  }

  /// Counts a load that failed, and remembers it if asked to.
  @usableFromInline
  func loadFailed(
    _ error: any Error, key: Key, of flight: SingleFlight<Key, Value>.Flight,
    rememberFor duration: Duration?
  ) {
    let hash = hashing(key)
    locked { core in
      core.statistics.failedLoads &+= 1
      if flight.isCurrent && loads.refreshUse.hasBegun { core.postponeRefresh(of: key, hash: hash) }
      guard let duration, !(error is CancellationError), flight.isCurrent else { return }
      loads.remember(error, of: key, for: duration)
    }
    events?.send(.loadFailed(key: key, error: error))
  }

  /// Returns what `body`, called with the lock held, makes of the value of `key`, or nil. Nothing is counted,
  /// and the policy does not learn of it.
  package func peek<Result>(_ key: Key, _ body: (Value) -> Result) -> Result? {
    let hash = hashing(key)
    return read { core in
      core.findResident(key, hash: hash).flatMap { core.store.entries[Int($0)].value.map(body) }
    }
  }
}
