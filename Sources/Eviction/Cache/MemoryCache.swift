import Parameters

/// A thread-safe cache in memory that evicts by any policy of the family.
///
///     let cache = try MemoryCache<Int, String, ARC>(countLimit: 1_000)
///     cache.set("a value", forKey: 7)
///     cache.value(forKey: 7)  // "a value"
///
/// Limits are strict: when a call returns, the cache is within them. The policy's capacity is the cost
/// limit if there is one, else the count limit; the other limit trims. Without a limit nothing is
/// evicted, and the policy's quotas follow the current size.
///
/// An admission filter, composable with any policy, may refuse newcomers:
///
///     let images = try MemoryCache<Int, [UInt8], LRU>(
///       costLimit: 64 << 20, admission: "size:limit=1MiB")
///
/// A get that misses does not reach the policy: the set that follows is the reference, as in a replay.
/// Values that leave are released, and the eviction callback is called, after the lock is given back,
/// so that a callback may use the cache.
///
/// - Complexity: get and set are O(1) expected plus the policy's cost, and allocate nothing once the
///   cache is full. Memory per entry: key, value, cost, about 14 bytes of index, and what
///   the policy needs per slot; ghosts cost the same without their values.
public final class MemoryCache<
  Key: CacheKey, Value: Sendable, Policy: ReplacementPolicy & ~Copyable
>: @unchecked Sendable {
  /// Called with each evicted entry, on the thread whose operation evicted it, without the lock.
  public typealias EvictionCallback = @Sendable (Key, Value) -> Void

  @usableFromInline let lock: any CacheLock
  @usableFromInline let core: UnsafeMutablePointer<CacheCore<Key, Value, Policy>>
  @usableFromInline let seed: UInt64
  @usableFromInline let observer: CacheObservation?
  @usableFromInline let onEviction: EvictionCallback?

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - countLimit: The most entries the cache may hold; nil for no limit. At 0 it holds none.
  ///   - costLimit: The largest sum of costs; nil for no limit.
  ///   - parameters: The policy's parameters, as in `protected=0.8`; see ``PolicyInformation``.
  ///   - admission: The filter that newcomers must pass, with its parameters: `tinylfu`,
  ///     `size:limit=64KiB`; see ``AdmissionCatalog``. By default the policy decides alone.
  ///   - lock: What keeps threads apart.
  ///   - seed: Where the policy's random draws and the hashes of keys start from.
  ///   - exactHistory: Whether ghosts that the policy leaves unbounded stay so; otherwise they are
  ///     bounded at twice the capacity.
  ///   - observer: What learns of every operation, such as a recorder; by default nothing.
  ///   - onEviction: Called with every evicted entry.
  /// - Throws: ``PolicyError`` when the policy cannot run with these limits or parameters.
  public init(
    countLimit: Int? = nil, costLimit: Int? = nil, parameters: Specification? = nil,
    admission: Specification? = nil, lock: any CacheLock = MutexLock(), seed: UInt64 = 42,
    exactHistory: Bool = false, observer: (any CacheObserver)? = nil,
    onEviction: EvictionCallback? = nil
  ) throws(PolicyError) {
    let information = Policy.information
    if information.isBound {
      throw .conflict(
        policy: information.name, explanation: "is a bound, which exists in simulation only")
    }
    if !Policy.needs.isSubset(of: [.keyHash, .time, .keyLength]) {
      throw .conflict(
        policy: information.name,
        explanation: "it needs to know more of a request than a memory cache does; simulate it")
    }
    precondition((countLimit ?? 0) >= 0 && (costLimit ?? 0) >= 0, "limits are not negative")
    let arguments: Arguments
    do throws(SpecificationError) {
      arguments = try (parameters ?? Specification(name: information.name))
        .arguments(for: information.parameters)
    } catch { throw .specification(error) }
    if costLimit == nil, let countLimit, countLimit < information.minimumCapacity, countLimit > 0 {
      throw .capacityTooSmall(
        policy: information.name, capacity: countLimit, minimum: information.minimumCapacity)
    }
    let start = try CacheCore<Key, Value, Policy>(
      countLimit: countLimit, costLimit: costLimit, arguments: arguments, seed: seed,
      historyBound: exactHistory ? nil : Fraction(2), admission: admission)
    core = .allocate(capacity: 1)
    core.initialize(to: start)
    self.lock = lock
    self.seed = seed
    self.observer = observer.map(CacheObservation.init)
    self.onEviction = onEviction
  }

  deinit {
    core.deinitialize(count: 1)
    core.deallocate()
  }
}

// MARK: - Entries

extension MemoryCache where Policy: ~Copyable {
  /// The value of `key`, or nil. A hit tells the policy, a miss does not.
  @inlinable
  public func value(forKey key: Key) -> Value? {
    let hash = key.stableHash(seed: seed)
    var value: Value?
    lock.withLock { value = core.pointee.value(forKey: key, hash: hash, observer: observer) }
    return value
  }

  /// Stores `value` under `key`.
  ///
  /// If the key is resident, this is a hit: the value is replaced and the cost corrected. Otherwise room
  /// is made and the policy decides. A value that is too large or refused is not stored, and what the key
  /// had before is gone.
  ///
  /// - Parameters:
  ///   - cost: What the entry takes of the cost limit, in the limit's unit; not negative.
  ///   - missCost: What it costs to make the value again, in any unit, for policies that weigh it
  ///     (``GDSF``, ``GDWheel``, ``CAMP``). An entry keeps the one that it entered with.
  /// - Returns: Whether the value is in the cache.
  @inlinable @discardableResult
  public func set(
    _ value: Value, forKey key: Key, cost: Int = 1, missCost: Double = 1
  ) -> Bool {
    precondition(cost >= 0, "a cost is not negative")
    let hash = key.stableHash(seed: seed)
    var isStored = false
    locked { core in
      isStored = core.set(
        value, forKey: key, hash: hash, cost: cost, missCost: missCost, observer: observer)
    }
    return isStored
  }

  /// Removes `key`, and what the policy remembers about it.
  ///
  /// - Returns: The value it had, or nil.
  @inlinable @discardableResult
  public func removeValue(forKey key: Key) -> Value? {
    let hash = key.stableHash(seed: seed)
    var value: Value?
    locked { core in
      value = core.removeValue(forKey: key, hash: hash, observer: observer)
    }
    return value
  }

  /// Removes every entry. What an adaptive policy has learned stays.
  @inlinable
  public func removeAll() {
    locked { core in core.removeAll(observer: observer) }
  }

  /// Whether `key` has a value. The policy does not learn of the question.
  @inlinable
  public func contains(_ key: Key) -> Bool {
    let hash = key.stableHash(seed: seed)
    var answer = false
    lock.withSharedLock { answer = core.pointee.contains(key, hash: hash) }
    return answer
  }

  /// The cost of a resident key, or nil. The policy does not learn of the question.
  @inlinable
  public func cost(forKey key: Key) -> Int? {
    let hash = key.stableHash(seed: seed)
    var cost: Int?
    lock.withSharedLock { cost = core.pointee.cost(forKey: key, hash: hash) }
    return cost
  }

  /// Corrects the cost of a resident key, as when its value has grown; an absent key changes nothing.
  ///
  /// This is no request. What then exceeds the limits is evicted before the call returns; an entry whose
  /// cost would make the sum overflow is removed.
  @inlinable
  public func setCost(_ cost: Int, forKey key: Key) {
    precondition(cost >= 0, "a cost is not negative")
    let hash = key.stableHash(seed: seed)
    locked { core in core.setCost(cost, forKey: key, hash: hash) }
  }

  /// Runs `body` with the lock held; then, without it, reports and releases what left the cache.
  @inlinable
  func locked(_ body: (inout CacheCore<Key, Value, Policy>) -> Void) {
    var departures = Departures<Key, Value>()
    lock.withLock {
      body(&core.pointee)
      departures = core.pointee.store.departures.takeAll()
    }
    if let onEviction { departures.evicted.forEach { onEviction($0.key, $0.value) } }
  }
}

// MARK: - Limits and statistics

extension MemoryCache where Policy: ~Copyable {
  /// How many entries the cache holds.
  public var count: Int { read { $0.store.count } }

  /// The sum of the entries' costs.
  public var totalCost: Int { read { $0.store.totalCost } }

  /// What the cache has counted since it was created.
  public var statistics: CacheStatistics {
    read { core in
      var statistics = core.statistics
      statistics.evictions = core.store.evictions
      return statistics
    }
  }

  /// The most entries the cache may hold; nil for no limit. A lower limit evicts before the call returns.
  public var countLimit: Int? {
    get { read { $0.countLimit } }
    set {
      precondition((newValue ?? 0) >= 0, "a limit is not negative")
      locked { core in
        core.countLimit = newValue
        core.applyLimits()
      }
    }
  }

  /// The largest sum of costs; nil for no limit. A lower limit evicts before the call returns.
  ///
  /// A cache that was created without a cost limit keeps counting objects in its policy; a cost limit set
  /// later trims.
  public var costLimit: Int? {
    get { read { $0.costLimit } }
    set {
      precondition((newValue ?? 0) >= 0, "a limit is not negative")
      locked { core in
        core.costLimit = newValue
        core.applyLimits()
      }
    }
  }

  func read<Result>(_ body: (borrowing CacheCore<Key, Value, Policy>) -> Result) -> Result {
    var result: Result?
    lock.withSharedLock { result = body(core.pointee) }
    guard let result else { preconditionFailure("the lock did not run its body") }
    return result
  }
}
