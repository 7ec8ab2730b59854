import Parameters

/// A thread-safe cache in memory that evicts by any policy of the family.
///
///     let cache = try MemoryCache<Int, String, ARC>(countLimit: 1_000)
///     cache.set("a value", forKey: 7)
///     cache.value(forKey: 7)  // "a value"
///
/// Limits are strict: when a call returns, the cache is within them. The policy's capacity is the cost
/// limit if there is one, else the count limit; the other limit trims. Without a limit nothing is
/// evicted, and the policy's quotas follow the current size. ``MemoryCacheOptions`` holds what else a
/// cache can do: expire entries, purge, trim itself, give way under memory pressure.
///
/// An admission filter, composable with any policy, may refuse newcomers:
///
///     let images = try MemoryCache<Int, [UInt8], LRU>(
///       costLimit: 64 << 20, admission: "size:limit=1MiB")
///
/// A get that misses does not reach the policy: the set that follows is the reference, as in a replay.
/// Values that leave are released, and the callbacks are called, after the lock is given back, so that a
/// callback may use the cache. What leaves during a callback is reported and released after it, by the
/// operation that called it; a callback that puts back all that is evicted never ends.
///
/// An entry that has expired is a miss and a removal: it is never returned or counted. Expired entries
/// leave before live ones are evicted, at every set, count and trim.
///
/// - Complexity: get and set are O(1) expected plus the policy's cost, and allocate nothing once the
///   cache is full. Memory per entry: key, value, cost, about 14 bytes of index, and what
///   the policy needs per slot; ghosts cost the same without their values.
public final class MemoryCache<
  Key: CacheKey, Value: Sendable, Policy: ReplacementPolicy & ~Copyable
>: @unchecked Sendable {
  /// Called with each evicted entry, on the thread whose operation evicted it, without the lock.
  public typealias EvictionCallback = @Sendable (Key, Value) -> Void
  /// Called with each value that left and why, on the thread whose operation it left in, without the
  /// lock.
  public typealias RemovalCallback = @Sendable (Key, Value, RemovalCause) -> Void

  @usableFromInline let lock: any CacheLock
  @usableFromInline let core: UnsafeMutablePointer<CacheCore<Key, Value, Policy>>
  @usableFromInline let seed: UInt64
  @usableFromInline let observer: CacheObservation?
  /// What makes reads buffered; nil if they are strict.
  @usableFromInline let touches: TouchBuffers?
  let onEviction: EvictionCallback?
  let onRemoval: RemovalCallback?
  let options: MemoryCacheOptions
  /// Whether what leaves needs more than to be released here.
  @usableFromInline let attendsDepartures: Bool
  /// Whether values may discard their own content.
  @usableFromInline let holdsDiscardables: Bool
  @usableFromInline let loads: CacheLoads<Key, Value>
  /// What the cache does by itself; nil if nothing.
  private(set) var upkeep: CacheUpkeep?

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - countLimit: The most entries the cache may hold; nil for no limit. At 0 it holds none. Below the
  ///     policy's smallest capacity, the policy's quotas are those of that capacity.
  ///   - costLimit: The largest sum of costs; nil for no limit.
  ///   - parameters: The policy's parameters, as in `protected=0.8`; see ``PolicyInformation``.
  ///   - admission: The filter that newcomers must pass, with its parameters: `tinylfu`,
  ///     `size:limit=64KiB`; see ``AdmissionCatalog``. By default the policy decides alone.
  ///   - lock: What keeps threads apart.
  ///   - seed: The start of the policy's random draws and of the hashes of keys; nil for a random one, which
  ///     strangers do not know: keys that they choose meet in the index no more often than random ones. Give
  ///     one for a run that repeats to the last hit, and keep it secret where strangers choose keys: who
  ///     knows it can have every operation search through all of theirs.
  ///   - exactHistory: Whether ghosts that the policy leaves unbounded stay so; otherwise they are
  ///     bounded at twice the capacity.
  ///   - observer: What learns of every operation, such as a recorder; by default nothing.
  ///   - options: What the cache does beyond its limits; by default nothing.
  ///   - onEviction: Called with every entry that the limits, a trim or a purge push out.
  ///   - onRemoval: Called with every value that leaves, for whatever cause; not for those that are
  ///     left when the cache is released.
  /// - Throws: ``PolicyError`` when the policy cannot run with these limits or parameters.
  public init(
    countLimit: Int? = nil, costLimit: Int? = nil, parameters: Specification? = nil,
    admission: Specification? = nil, lock: any CacheLock = MutexLock(), seed: UInt64? = nil,
    exactHistory: Bool = false, observer: (any CacheObserver)? = nil,
    options: MemoryCacheOptions = MemoryCacheOptions(), onEviction: EvictionCallback? = nil,
    onRemoval: RemovalCallback? = nil
  ) throws(PolicyError) {
    let information = Policy.information
    if information.isBound {
      throw .conflict(
        policy: information.name, explanation: "is a bound, which exists in simulation only")
    }
    if !Policy.needs.isSubset(of: .knownToCaches) {
      throw .conflict(
        policy: information.name,
        explanation: "it needs to know more of a request than a memory cache does; simulate it")
    }
    precondition((countLimit ?? 0) >= 0 && (costLimit ?? 0) >= 0, "limits are not negative")
    options.check()
    let seed = seed ?? .random(in: .min ... .max)
    let arguments: Arguments
    do throws(SpecificationError) {
      arguments = try (parameters ?? Specification(name: information.name))
        .arguments(for: information.parameters)
    } catch { throw .specification(error) }
    let start = try CacheCore<Key, Value, Policy>(
      countLimit: countLimit, costLimit: costLimit, arguments: arguments, seed: seed,
      historyBound: exactHistory ? nil : Fraction(2), admission: admission, options: options,
      reportsDepartures: onEviction != nil || onRemoval != nil
        || Value.self is any DiscardableContent.Type)
    core = .allocate(capacity: 1)
    core.initialize(to: start)
    self.lock = lock
    self.seed = seed
    self.observer = observer.map(CacheObservation.init)
    touches = options.reads == .buffered && observer == nil ? TouchBuffers() : nil
    self.onEviction = onEviction
    self.onRemoval = onRemoval
    self.options = options
    loads = CacheLoads(clock: options.clock)
    holdsDiscardables = Value.self is any DiscardableContent.Type
    attendsDepartures =
      onEviction != nil || onRemoval != nil || options.release != .caller || holdsDiscardables
    upkeep = makeUpkeep()
  }

  deinit {
    core.deinitialize(count: 1)
    core.deallocate()
    touches?.deallocate()
  }
}

// MARK: - Entries

extension MemoryCache where Policy: ~Copyable {
  /// The value of `key`, or nil. A hit tells the policy, a miss does not.
  @inlinable
  public func value(forKey key: Key) -> Value? {
    value(forKey: key, hash: key.stableHash(seed: seed))
  }

  @inlinable @inline(__always)
  func value(forKey key: Key, hash: UInt64) -> Value? {
    if let touches { return bufferedValue(forKey: key, hash: hash, touches) }
    return strictValue(forKey: key, hash: hash)
  }

  @inlinable @inline(__always)
  func strictValue(forKey key: Key, hash: UInt64) -> Value? {
    var value: Value?
    var expired: Departures<Key, Value>?
    lock.withLock {
      if let touches { drain(touches) }
      value = core.pointee.value(forKey: key, hash: hash, observer: observer)
      if value == nil && !core.pointee.store.departures.isEmpty {
        expired = core.pointee.store.departures.takeAll()
      }
    }
    if expired != nil && attendsDepartures { attend(to: &expired!) }
    return value
  }

  /// Stores `value` under `key`.
  ///
  /// If the key is resident, this is a hit: the value is replaced and the cost corrected. Otherwise room
  /// is made and the policy decides. A value that is too large or refused is not stored, and what the key
  /// had before is gone.
  ///
  /// - Parameters:
  ///   - value: What is stored.
  ///   - key: What it is found by.
  ///   - cost: What the entry takes of the cost limit, in the limit's unit; not negative.
  ///   - missCost: What it costs to make the value again, in any unit, for policies that weigh it
  ///     (`GDSF`, `GDWheel`, `CAMP`). An entry keeps the one that it entered with.
  /// - Returns: Whether the value is in the cache.
  @inlinable @discardableResult
  public func set(
    _ value: Value, forKey key: Key, cost: Int = 1, missCost: Double = 1
  ) -> Bool {
    precondition(cost >= 0, "a cost is not negative")
    let hash = key.stableHash(seed: seed)
    var isStored = false
    changing(key, keepingSlotsIf: { $0.onlyReplaces(key, hash: hash, cost: cost) }) { core in
      isStored = core.set(
        value, forKey: key, hash: hash, cost: cost, missCost: missCost, observer: observer)
    }
    if holdsDiscardables && isStored { attach(value, key: key, hash: hash) }
    return isStored
  }

  /// Removes `key`, and what the policy remembers about it.
  ///
  /// - Returns: The value it had, or nil. It is the caller's from then on, who may be the last to release
  ///   it, whatever ``MemoryCacheOptions/release`` says; ``remove(_:)`` does not return it.
  @inlinable @discardableResult
  public func removeValue(forKey key: Key) -> Value? {
    let hash = key.stableHash(seed: seed)
    var value: Value?
    changing(key) { core in
      value = core.removeValue(forKey: key, hash: hash, observer: observer)
    }
    return value
  }

  /// Removes `key`, and what the policy remembers about it.
  ///
  /// - Returns: True if it had a value, which is released where ``MemoryCacheOptions/release`` says.
  @inlinable @discardableResult
  public func remove(_ key: Key) -> Bool {
    let hash = key.stableHash(seed: seed)
    var isRemoved = false
    changing(key) { core in
      isRemoved = core.removeValue(forKey: key, hash: hash, observer: observer) != nil
    }
    return isRemoved
  }

  /// Removes every entry. What an adaptive policy has learned stays.
  ///
  /// The memory of the entries and of their index is given back, and taken again as the cache fills; the
  /// policy keeps its arrays.
  @inlinable
  public func removeAll() {
    locked { core in
      if loads.isInUse { loads.forgetAll() }
      core.removeAll(observer: observer)
    }
  }

  /// Whether `key` has a value. The policy does not learn of the question.
  @inlinable
  public func contains(_ key: Key) -> Bool {
    let hash = key.stableHash(seed: seed)
    var answer = false
    lock.withSharedLock { answer = core.pointee.findResident(key, hash: hash) != nil }
    return answer
  }

  /// The cost of a resident key, or nil. The policy does not learn of the question.
  @inlinable
  public func cost(forKey key: Key) -> Int? {
    let hash = key.stableHash(seed: seed)
    var cost: Int?
    lock.withSharedLock {
      cost = core.pointee.findResident(key, hash: hash).map {
        core.pointee.store.entries[Int($0)].cost
      }
    }
    return cost
  }

  /// Corrects the cost of a resident key, as when its value has grown; an absent key changes nothing.
  ///
  /// This is no request. What then exceeds the limits is evicted before the call returns; an entry that
  /// has grown larger than one may be leaves itself, and no other, as when it is set.
  @inlinable
  public func setCost(_ cost: Int, forKey key: Key) {
    precondition(cost >= 0, "a cost is not negative")
    let hash = key.stableHash(seed: seed)
    locked { core in core.setCost(cost, forKey: key, hash: hash, observer: observer) }
  }

  /// As ``locked(keepingSlotsIf:_:)``, for a `body` that gives `key` another value, or none: what is being
  /// loaded for it is stored before, or not at all.
  @inlinable @inline(__always)
  func changing(
    _ key: Key,
    keepingSlotsIf keepsSlots: (borrowing CacheCore<Key, Value, Policy>) -> Bool = { _ in false },
    _ body: (inout CacheCore<Key, Value, Policy>) -> Void
  ) {
    locked(keepingSlotsIf: keepsSlots) { core in
      if loads.isInUse { loads.forget(key) }
      body(&core)
    }
  }

  /// Runs `body` with the lock held; then, without it, reports and releases what left the cache.
  ///
  /// - Parameters:
  ///   - keepsSlots: Whether every slot will still stand for its key afterwards: then the policy need not
  ///     hear at once of what other threads read. False by default.
  ///   - body: What to do.
  @inlinable
  func locked(
    keepingSlotsIf keepsSlots: (borrowing CacheCore<Key, Value, Policy>) -> Bool = { _ in false },
    _ body: (inout CacheCore<Key, Value, Policy>) -> Void
  ) {
    var departures = Departures<Key, Value>()
    lock.withLock {
      if let touches {
        if keepsSlots(core.pointee) { drainOwn(touches) } else { drain(touches) }
      }
      body(&core.pointee)
      departures = core.pointee.store.departures.takeAll()
    }
    if attendsDepartures && !departures.isEmpty { attend(to: &departures) }
  }
}
