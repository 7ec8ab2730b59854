import EvictionCore
import Synchronization

/// A cache in memory over a cache on disk, each with a policy of its own.
///
///     let disk = try await DiskCache<String, Page>.open(
///       path: "/var/cache/pages", costLimit: 512 << 20, coder: .json)
///     let pages = try TieredCache.open(disk: disk, countLimit: 1_000)
///     let page = try await pages.value(forKey: "/") { try await download("/") }
///
/// A get asks the memory first, and then the disk, whose value is promoted to memory. What is set goes to
/// both: at once (write-through), or to the disk a little later (write-back), where it is found meanwhile.
/// Of several gets of a key that is not in memory one asks the disk, and loads what is not there either; the
/// others wait for its answer. A value that is set or removed meanwhile wins over what a get brings.
///
/// Limits, counts and trims are those of the memory; ``disk`` has its own. The cost of an entry is what it
/// takes on the disk, and in memory what `memoryCost` says.
///
/// When a set throws, the key has no value in either tier. A value's coder and `memoryCost` may be called with
/// the key locked: they must not use the cache. Values are released without a lock, and may use it.
///
/// Other processes that share the disk's path do not reach this one's memory: what they set or remove, it
/// learns when its entry expires. So memory over a shared path must have a time to live.
///
/// - Complexity: A hit in memory is one of `MemoryCache`.
public final class TieredCache<Key: DiskKey, Value: Sendable>: Sendable {
  /// Called with the key of an entry that has left both tiers, and the cause.
  public typealias RemovalCallback = @Sendable (Key, RemovalCause) -> Void

  /// The value that memory holds for a key, or that a look at the disk brings.
  enum Held: Sendable {
    case value(Value)
    /// A load has just brought it.
    case loaded(Value)
    /// A load found nothing.
    case absent
    /// It isn't on the disk, and no load has brought it.
    case unknown
  }

  struct Counters {
    var promotions = 0
    var negativeHits = 0
    /// Gets that found a value below the memory.
    var lowerHits = 0
    var loads = 0
    var failedLoads = 0
  }

  /// The lower tier.
  public let disk: DiskCache<Key, Value>
  /// The options with which it was created.
  public let options: TieredCacheOptions
  let memory: MemoryCache<TextKey, Held>
  let memoryCost: (@Sendable (Value) -> Int)?
  let flights: SingleFlight<TextKey, Held>
  /// The updates under way.
  let turns = KeyTurns<TextKey>()
  /// Held for a key while both tiers change.
  let locks: KeyedLocks
  let writeBack: WriteBack<Key, Value>
  let counters = Mutex(Counters())
  /// The listeners to removals and loads.
  let listeners: DiskCacheListeners<Key, Value>
  /// The entries that have left both tiers; nil if nothing asks for them.
  let removals: TierRemovals?

  /// Opens a cache whose memory is empty over one on disk.
  ///
  /// - Parameters:
  ///   - disk: The lower tier.
  ///   - countLimit: The most entries in memory; nil for no limit.
  ///   - costLimit: The largest sum of costs in memory; nil for no limit. One needs `memoryCost`.
  ///   - policy: The policy of the memory, with its parameters.
  ///   - admission: The filter that newcomers to the memory must pass; by default there is none.
  ///   - seed: The start of the memory policy's random draws and of the hashes of keys; nil for a random one.
  ///   - observer: Learns of every operation of the memory; by default there is none.
  ///   - options: The options of the memory, and of writes to the disk.
  ///   - memoryCost: The bytes, or another cost, that a value takes of the memory's cost limit, 0 or more; nil, where
  ///     memory has no cost limit, for 1.
  ///   - events: Tells a task of every entry that leaves, without its value, and of every load; by default there is none.
  ///   - onRemoval: Called with the key of every entry that leaves, and the cause; by default with none. An entry leaves
  ///     when it is in neither tier, or another one takes its place: one that leaves the memory and is on the disk, or
  ///     waits to be written, does not, nor does one that leaves the disk and is in memory. Otherwise it is as the callback of
  ///     a ``DiskCache``.
  /// - Throws: ``DiskCacheError/policy(_:)`` when the policy in memory cannot run with its limits or
  ///   parameters, or one of these or of the options is out of its range; ``DiskCacheError/shared(path:problem:)`` when several processes share the disk's path, and
  ///   the memory has no time to live (`MemoryCacheOptions.expiration`), or values are written back.
  public static func open(
    disk: DiskCache<Key, Value>, countLimit: Int? = nil, costLimit: Int? = nil,
    policy: CachePolicy = .standard, admission: CacheAdmission? = nil, seed: UInt64? = nil,
    observer: (any CacheObserver)? = nil, options: TieredCacheOptions = TieredCacheOptions(),
    memoryCost: (@Sendable (Value) -> Int)? = nil, events: CacheEvents<Key, Value>? = nil,
    onRemoval: RemovalCallback? = nil
  ) throws(DiskCacheError) -> TieredCache {
    let limits = DiskCacheLimits(
      count: countLimit, cost: costLimit, policy: policy, admission: admission, seed: seed,
      observer: observer)
    return try TieredCache(
      disk: disk, limits: limits, options: options, memoryCost: memoryCost,
      listeners: DiskCacheListeners(onRemoval: onRemoval, events: events))
  }

  private init(
    disk: DiskCache<Key, Value>, limits: DiskCacheLimits, options: TieredCacheOptions,
    memoryCost: (@Sendable (Value) -> Int)?, listeners: DiskCacheListeners<Key, Value>
  ) throws(DiskCacheError) {
    do { try options.check() } catch { throw .policy(error) }
    if limits.cost != nil && memoryCost == nil {
      throw .policy(
        .option(
          name: "costLimit", problem: "needs memoryCost:, which says what a value costs in memory"))
    }
    if disk.options.store.sharing == .shared {
      if options.memory.expiration.timeToLive == nil {
        throw .shared(path: disk.path, problem: "memory over it needs a time to live")
      }
      if options.writing != .through {
        throw .shared(path: disk.path, problem: "nothing can be written back")
      }
    }
    self.disk = disk
    self.options = options
    self.memoryCost = memoryCost
    flights = SingleFlight(waitLimit: options.memory.loadWaitLimit)
    self.listeners = listeners
    let removals = listeners.removal.map { TierRemovals($0) }
    self.removals = removals
    // It reports to those who listen, too.
    locks = KeyedLocks { [removals = disk.removals] in removals.report() }
    writeBack = WriteBack(disk: disk, locks: locks, removals: removals)
    // Other threads release values without a lock anyway.
    let isReleasedHere = options.memory.release == .caller
    var left: MemoryCache<TextKey, Held>.RemovalCallback? =
      isReleasedHere ? TieredCache.keepRemoved : nil
    if let removals {
      left = { [left] key, held, cause in
        left?(key, held, cause)
        if held.isValue { removals.leftMemory(key, cause) }
      }
    }
    do {
      memory = try MemoryCache.open(
        countLimit: limits.count, costLimit: limits.cost,
        costs: memoryCost == nil ? nil : .given, policy: limits.policy,
        admission: limits.admission, seed: limits.seed, observer: limits.observer,
        options: options.memory, onRemoval: left)
    } catch { throw .policy(error) }
    if let removals { listen(removals) }
    listeners.events?.begin()
  }

  deinit {
    disk.removals.setListener(nil, of: self)
    listeners.events?.end()
  }
}

// MARK: - Entries

extension TieredCache {
  /// Returns the value of `key` in memory or on disk, or nil.
  ///
  /// It waits for a load of the key that is under way, and looks at the disk itself if that fails, or takes
  /// longer than the memory's `MemoryCacheOptions.loadWaitLimit`.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func value(forKey key: Key) throws(DiskCacheError) -> Value? {
    let name = TextKey(key)
    if let held = heldInMemory(name) { return held.value }
    if flights.isRefreshing(name), let value = counted(try look(for: name, of: nil)) {
      return value
    }
    while true {
      do {
        return counted(
          try flights.value(forKey: name) { flight in try look(for: name, of: flight) })
      } catch let error as DiskCacheError {
        throw error
      } catch is LoadError {
        return counted(try look(for: name, of: nil))
      } catch {
        // The load was another caller's.
      }
    }
  }

  /// Returns the values of those of `keys` that have one; each is a get of its own.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func values(forKeys keys: some Sequence<Key>) throws(DiskCacheError) -> [Key: Value] {
    var values: [Key: Value] = [:]
    for key in keys {
      if let value = try value(forKey: key) { values[key] = value }
    }
    return values
  }

  /// Stores `value` under `key`, in both tiers.
  ///
  /// - Parameters:
  ///   - value: The value that both tiers keep.
  ///   - key: The key to find it by.
  ///   - cost: The part of the disk's cost limit that it takes; nil for the bytes of the encoded value.
  ///   - expiration: The time for which it can be found, without a time to idle; nil for the disk's own.
  /// - Returns: True if the value is in one tier at least.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, cost: Int? = nil, expiration: Expiration? = nil
  ) throws(DiskCacheError) -> Bool {
    try set(value, TextKey(key), tags: [], cost: cost, expiration: expiration)
  }

  func set(
    _ value: Value, _ name: TextKey, tags: Set<String>, cost: Int?, expiration: Expiration?
  ) throws(DiskCacheError) -> Bool {
    CostBounds.demand(cost, forKey: name)
    let life: Duration?
    do throws(DiskCacheError) {
      life = try self.life(expiration, ofKey: name)
      try makeRoomToWait()
    } catch {
      _ = try? removeEntry(name, .discarded)
      throw error
    }
    let cause = life?.nanoseconds == 0 ? RemovalCause.expired : .size
    return try changing(name, cause, stores: true) { removed throws(DiskCacheError) -> Bool in
      let isWritten = try write(value, key: name, tags: tags, cost: cost, life: life, removed)
      let isKept = keep(
        .value(value), key: name, tags: tags, life: life, refreshAfter: refreshTime(expiration),
        removed)
      return isWritten || isKept
    }
  }

  /// Removes `key` from both tiers.
  ///
  /// - Returns: True if it had a value; on a shared path, one that is too old counts as well.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func remove(_ key: Key) throws(DiskCacheError) -> Bool { try removeEntry(TextKey(key)) }

  /// Removes `keys` from both tiers.
  ///
  /// - Returns: The number of them that had a value.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func removeAll(forKeys keys: some Sequence<Key>) throws(DiskCacheError) -> Int {
    var count = 0
    for key in keys where try removeEntry(TextKey(key)) { count += 1 }
    return count
  }

  /// Removes the entries whose keys satisfy the predicate from both tiers. It is called without a lock.
  ///
  /// - Returns: The number of entries that were removed.
  /// - Complexity: It reads every row on the disk, though no value.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func removeAll(where shouldRemove: (Key) -> Bool) throws(DiskCacheError) -> Int {
    // First, as the value of a load is in the cache when that is over.
    var keys = Set(flights.keys + disk.flights.keys)
    keys.formUnion(memory.snapshot().map(\.key))
    keys.formUnion(writeBack.keys)
    keys.formUnion(try disk.storedKeys())
    var count = 0
    for key in keys {
      if key.key(as: Key.self).map(shouldRemove) ?? false, try removeEntry(key) { count += 1 }
    }
    return count
  }

  /// Removes everything from both tiers.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func removeAll() throws(DiskCacheError) {
    try locks.withAllLocks { removed throws(DiskCacheError) in
      defer {
        flights.forgetAll()
        turns.forgetAll()
      }
      try removingAll { () throws(DiskCacheError) in
        removed.collect { memory.removeAll() }
        writeBack.removeAll(removed)
        try disk.removeAllRows()
      }
    }
    disk.store.deleteFiles(progress: nil)
  }

  /// Returns true if `key` has a value in memory or on disk. The policies do not learn of the question.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func contains(_ key: Key) throws(DiskCacheError) -> Bool {
    try holds(TextKey(key))
  }

  /// Empties the memory, as when it is scarce. The disk keeps its values.
  public func removeAllFromMemory() { memory.removeAll() }

  /// Writes what waits for it, loaded values and the access times.
  ///
  /// - Throws: The error of the first write that failed; its value, and those after it, wait on.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func flush() throws(DiskCacheError) {
    try writeBack.writeAll()
    try disk.flush()
  }

  /// Writes the values that wait, and closes the disk.
  ///
  /// - Throws: The error of `flush()`. The disk is closed nevertheless; the values that could not be written,
  ///   ``TierStatistics/waitingWrites``, are in memory alone.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func close() throws(DiskCacheError) {
    defer { disk.close() }
    try flush()
  }
}
