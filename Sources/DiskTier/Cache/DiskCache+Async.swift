import Dispatch
import EvictionCore

/// The same operations for tasks: they wait for the disk on queues of the cache, not on the threads of the
/// caller's executor. Writes run one after the other, in the order of the calls. What removes many entries works in
/// steps, between which writes run.
extension DiskCache {
  /// Returns the value of `key`, or nil. A hit tells the policy, a miss does not.
  public func value(forKey key: Key) async throws(DiskCacheError) -> Value? {
    try await reading { cache throws(DiskCacheError) in try cache.value(forKey: key) }
  }

  /// Returns the value of `key` with all that belongs to it, or nil.
  public func entry(forKey key: Key) async throws(DiskCacheError) -> DiskEntry<Value>? {
    try await reading { cache throws(DiskCacheError) in try cache.entry(forKey: key) }
  }

  /// Returns the values of those of `keys` that have one; each is a get of its own.
  public func values(
    forKeys keys: some Sequence<Key> & Sendable
  ) async throws(DiskCacheError) -> [Key: Value] {
    try await reading { cache throws(DiskCacheError) in try cache.values(forKeys: keys) }
  }

  /// Returns true if `key` has a value. The policy does not learn of the question.
  public func contains(_ key: Key) async throws(DiskCacheError) -> Bool {
    try await reading { cache throws(DiskCacheError) in try cache.contains(key) }
  }

  /// Stores `value` under `key`; returns true if the value is in the cache.
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, cost: Int? = nil, expiration: Expiration? = nil
  ) async throws(DiskCacheError) -> Bool {
    try await set(value, forKey: key, extended: nil, cost: cost, expiration: expiration)
  }

  /// Stores `value` under `key`, and other bytes beside it; returns true if the value is in the cache.
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, extended: [UInt8]?, tags: Set<String> = [], cost: Int? = nil,
    expiration: Expiration? = nil
  ) async throws(DiskCacheError) -> Bool {
    try await writing { cache throws(DiskCacheError) in
      try cache.set(
        value, forKey: key, extended: extended, tags: tags, cost: cost, expiration: expiration)
    }
  }

  /// Removes `key`; returns true if it had a value.
  @discardableResult
  public func remove(_ key: Key) async throws(DiskCacheError) -> Bool {
    try await writing { cache throws(DiskCacheError) in try cache.remove(key) }
  }

  /// Removes `keys`; returns the number of them that had a value.
  @discardableResult
  public func removeAll(
    forKeys keys: some Sequence<Key> & Sendable
  ) async throws(DiskCacheError) -> Int {
    try await writing { cache throws(DiskCacheError) in try cache.removeAll(forKeys: keys) }
  }

  /// Removes the entries whose keys satisfy the predicate; returns their number.
  @discardableResult
  public func removeAll(
    where shouldRemove: @escaping @Sendable (Key) -> Bool
  ) async throws(DiskCacheError) -> Int {
    try await trimming { cache throws(DiskCacheError) in
      try cache.removeAll(where: shouldRemove)
    }
  }

  /// Removes everything; files are deleted in the background.
  public func removeAll() async throws(DiskCacheError) { try await removeAll(progress: nil) }

  /// Removes everything.
  ///
  /// - Parameter progress: Called now and then with the numbers of files that are deleted, and of all. Without
  ///   it files are deleted in the background.
  public func removeAll(
    progress: (@Sendable (_ deleted: Int, _ total: Int) -> Void)?
  ) async throws(DiskCacheError) {
    try await writing { cache throws(DiskCacheError) in try cache.removeAll(progress: progress) }
  }

  /// Changes the limits; nil means no limit. What is over them is evicted before the call returns.
  public func setLimits(count: Int?, cost: Int?) async throws(DiskCacheError) {
    try await trimming { cache throws(DiskCacheError) in
      try cache.setLimits(count: count, cost: cost)
    }
  }

  /// Removes what is too old, and evicts for the free space; returns the number of entries that left.
  @discardableResult
  public func trim() async throws(DiskCacheError) -> Int {
    try await trimming { cache throws(DiskCacheError) in try cache.trim() }
  }

  /// Evicts by the policy until at most `count` entries are left; returns the number of those that left.
  @discardableResult
  public func trim(toCount count: Int) async throws(DiskCacheError) -> Int {
    try await trimming { cache throws(DiskCacheError) in try cache.trim(toCount: count) }
  }

  /// Evicts by the policy until the entries cost at most `cost`; returns the number of those that left.
  @discardableResult
  public func trim(toCost cost: Int) async throws(DiskCacheError) -> Int {
    try await trimming { cache throws(DiskCacheError) in try cache.trim(toCost: cost) }
  }

  /// Evicts by the policy until values of at least `bytes` bytes have left, or all; returns the bytes.
  @discardableResult
  public func trim(freeing bytes: Int) async throws(DiskCacheError) -> Int {
    try await trimming { cache throws(DiskCacheError) in try cache.trim(freeing: bytes) }
  }

  /// Removes entries that were put `age` ago or earlier; returns their number.
  @discardableResult
  public func trim(toAge age: Duration) async throws(DiskCacheError) -> Int {
    try await trimming { cache throws(DiskCacheError) in try cache.trim(toAge: age) }
  }

  /// Writes what is gathered in memory: loaded values and access times.
  public func flush() async throws(DiskCacheError) {
    try await writing { cache throws(DiskCacheError) in try cache.flush() }
  }

  /// Waits until what opening started, writes of loaded values and deletions in the background are done.
  public func waitForBackgroundWork() async {
    await perform(on: writeQueue) { $0.waitForBackgroundWork() }
  }

  /// Looks at every row, every value's bytes and every file, and, if `repair`, removes what is wrong.
  public func check(repair: Bool = false) async throws(DiskCacheError) -> CheckReport {
    try await writing { cache throws(DiskCacheError) in try cache.check(repair: repair) }
  }

  /// Writes what is gathered in memory, loaded values and what a ``TieredCache`` has delayed, and closes the cache.
  public func close() async { await perform(on: writeQueue) { $0.close() } }

  private func reading<Result: Sendable>(
    _ body: @escaping @Sendable (DiskCache) throws(DiskCacheError) -> Result
  ) async throws(DiskCacheError) -> Result {
    try await perform(on: readQueue, body)
  }

  private func writing<Result: Sendable>(
    _ body: @escaping @Sendable (DiskCache) throws(DiskCacheError) -> Result
  ) async throws(DiskCacheError) -> Result {
    try await perform(on: writeQueue, body)
  }

  private func trimming<Result: Sendable>(
    _ body: @escaping @Sendable (DiskCache) throws(DiskCacheError) -> Result
  ) async throws(DiskCacheError) -> Result {
    try await perform(on: trimQueue, body)
  }

  func perform<Result: Sendable, Failure: Error>(
    on queue: DispatchQueue,
    _ body: @escaping @Sendable (DiskCache) throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let outcome: Swift.Result<Result, Failure> = await withCheckedContinuation { waiting in
      queue.async {
        do throws(Failure) {
          waiting.resume(returning: .success(try body(self)))
        } catch { waiting.resume(returning: .failure(error)) }
      }
    }
    return try outcome.get()
  }
}

// MARK: - Loading

extension DiskCache {
  /// Returns the value of `key`, or else what `load` returns, which is stored.
  ///
  /// However many ask for a key, one `load` runs; what it brings is returned at once, and written soon after,
  /// unless the key was set or removed meanwhile. It can be found until then; the policy learns of it, and of its
  /// hits, from then on. A write that fails is counted in
  /// `failedWrites` of the ``statistics``, and reported to ``DiskCacheOptions/onFailedWrite``. A value that cannot be
  /// stored at all is an error: one that cannot be encoded, or one with a time to idle.
  ///
  /// A value that is older than the `refreshAfter` of `expiration`, or else of ``DiskCacheOptions/expiration``, is returned
  /// at once, and `load` renews it in the background.
  ///
  /// - Parameters:
  ///   - key: The key to find the value by.
  ///   - cost: The part of the cost limit that a loaded value takes, not negative; nil for its bytes.
  ///   - expiration: The time for which it can be found; nil for the cache's own.
  ///   - load: Makes the value.
  /// - Throws: The error of `load`, `LoadError`, ``DiskCacheError``, or `CancellationError`.
  public func value(
    forKey key: Key, cost: Int? = nil, expiration: Expiration? = nil,
    orLoad load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let name = TextKey(key)
    try check(cost: cost, expiration: expiration, key: name)
    return try await value(name, expiration: expiration) {
      LoadedEntry(try await load(), cost: cost, expiration: expiration)
    }
  }

  /// Returns the value of `key`, or else that of the entry that `load` returns, which is stored as it says.
  ///
  /// For loads that know only then how long the value lives, or which tags it has. Otherwise as the form with `orLoad`; a
  /// disk has no use for the entry's `missCost`, and no row keeps its `refreshAfter`: that of
  /// ``DiskCacheOptions/expiration`` counts.
  public func value(
    forKey key: Key, orLoadEntry load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) async throws -> Value {
    try await value(TextKey(key), expiration: nil, load)
  }

  private func value(
    _ name: TextKey, expiration: Expiration?,
    _ load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) async throws -> Value {
    if let entry = try await reading({ cache throws(DiskCacheError) in try cache.entry(name) }) {
      refreshIfDue(name, entry.metadata, expiration: expiration, load)
      return entry.value
    }
    return try await flights.value(forKey: name) { flight in
      // Another load may have ended since the key was missed.
      if let entry = try await self.reading({ cache throws(DiskCacheError) in
        try cache.uncountedEntry(name)
      }) {
        flight.endsWithoutLoad()
        return entry.value
      }
      return try await self.load(name, of: flight, load)
    }
  }

  /// Loads a value, and keeps it.
  func load(
    _ key: TextKey, of flight: SingleFlight<TextKey, Value>.Flight,
    _ load: () async throws -> LoadedEntry<Value>
  ) async throws -> Value {
    let entry: LoadedEntry<Value>
    do { entry = try await load() } catch {
      counters.withLock { $0.cache.failedLoads += 1 }
      listeners.loadFailed(error, CollectionOfOne(key))
      throw error
    }
    counters.withLock { $0.cache.loads += 1 }
    listeners.loaded(entry.value, key)
    await settle(try encoded(entry, key), key: key, of: flight)
    return entry.value
  }

  /// Keeps what a load brought, unless the key has changed since, and has it written soon after.
  func settle(
    _ entry: StoredValue, key: TextKey, of flight: SingleFlight<TextKey, Value>.Flight
  ) async {
    // An update that runs counts as coming first.
    loaded.add(entry, forKey: key) {
      flights.isCurrent(flight, tagged: entry.tags) && !turns.contains(key)
    }
    await writeLoadedSoon(key)
  }

  /// Has the loaded value that waits for `key` written: in the background, or, if too much waits, before it
  /// returns.
  func writeLoadedSoon(_ key: TextKey) async {
    if loaded.bytes > options.loadBacklog {
      await perform(on: writeQueue) { $0.writeLoaded(key) }
    } else {
      writeQueue.async { self.writeLoaded(key) }
    }
  }
}
