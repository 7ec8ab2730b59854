import Parameters

/// A thread-safe cache in memory that evicts by any policy of the family.
///
///     let pages = MemoryCache<String, Page>(countLimit: 1_000)
///     pages.set(page, forKey: "/")
///     pages.value(forKey: "/")
///
/// Any `Hashable & Sendable` type is a key; one that is ``StablyHashable``, as integers and strings are, makes
/// runs with a fixed seed repeatable.
///
/// Limits are strict: when a call returns, the cache is within them. The policy's capacity is the cost
/// limit if there is one, else the count limit; the other limit trims. Without a limit nothing is
/// evicted, and the policy's quotas follow the current size. ``MemoryCacheOptions`` holds what else a
/// cache can do: expire entries, purge, trim itself, give way under memory pressure.
///
/// The policy is a value, and so is an admission filter, which may refuse newcomers before it:
///
///     let images = MemoryCache<Int, [UInt8]>(
///       costLimit: 64 << 20, costs: .bytes, policy: .slru(protected: 0.8),
///       admission: .size(limit: 1 << 20))
///
/// A get that misses does not reach the policy: the set that follows is the reference, as in a replay.
/// Values that leave are released, and the callback is called, after the lock is given back, so that it may
/// use the cache. What leaves during a callback, or while a value is released, is reported and released after
/// it, by the operation that called it: chains of removals need no stack, through up to 32 caches within each
/// other at once. A callback that puts back all that is evicted never ends. Keys are compared, and the cache's
/// copies of them released, with the lock held: `==` and the `deinit` of an object that a key refers to must
/// not use the cache, which would wait for itself.
///
/// An entry that has expired is a miss and a removal: it is never returned or counted. Expired entries
/// leave before live ones are evicted. A set removes at most 64 of them, unless it needs the room of more; a trim
/// and a look at the count remove all, step by step, and give others their turn in between.
///
/// - Complexity: get and set are O(1) expected plus the policy's cost, and allocate nothing once the
///   cache is full. Memory per entry: key, value, cost, about 14 bytes of index, and what
///   the policy needs per slot; ghosts cost the same without their values.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  /// Called with each value that left and why, on the thread whose operation it left in, without the
  /// lock.
  public typealias RemovalCallback = @Sendable (Key, Value, RemovalCause) -> Void

  @usableFromInline let lock: any CacheLock
  @usableFromInline let core: UnsafeMutablePointer<CacheCore<Key, Value>>
  @usableFromInline let hashing: KeyHashing<Key>
  @usableFromInline let observer: CacheObservation?
  /// The buffers of reads; nil if reads are strict.
  @usableFromInline let touches: TouchBuffers?
  @usableFromInline let events: CacheEvents<Key, Value>?
  @usableFromInline let onRemoval: RemovalCallback?
  @usableFromInline let options: MemoryCacheOptions
  /// True if what leaves is but released, by the caller.
  @usableFromInline let onlyReleases: Bool
  /// True if values may discard their own content.
  @usableFromInline let holdsDiscardables: Bool
  @usableFromInline let loads: CacheLoads<Key, Value>
  /// The costs of entries that are set without one; nil for 1.
  @usableFromInline let costs: EntryCosts<Value>?
  /// The work that the cache does by itself; nil if there is none.
  private(set) var upkeep: CacheUpkeep?
  /// The policy that decides who leaves, with its parameters.
  public let policy: CachePolicy
  /// The admission filter, with its parameters; nil if there is none.
  let admission: Specification?

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - countLimit: The most entries the cache may hold; nil for no limit. At 0 it holds none. Below the
  ///     policy's smallest capacity, the policy's quotas are those of that capacity.
  ///   - costLimit: The largest sum of costs; nil for no limit. One needs `costs`.
  ///   - costs: The costs of entries that are set without one; nil, where there is no cost limit, for 1.
  ///   - policy: The policy that decides who leaves, with its parameters.
  ///   - admission: The filter that newcomers must pass; nil, the default, lets the policy decide alone.
  ///   - lock: The lock that keeps threads apart.
  ///   - seed: The start of the policy's random draws and of the hashes of keys; nil for a random one, which
  ///     strangers do not know: keys that they choose meet in the index no more often than random ones. Give
  ///     one for a run that repeats to the last hit, and keep it secret where strangers choose keys: who
  ///     knows it can have every operation search through all of theirs.
  ///   - observer: Learns of every operation, as a recorder does; by default there is none.
  ///   - options: The options beyond its limits; by default none.
  ///   - events: Tells a task of every value that leaves, and of every load; by default there is none.
  ///   - onRemoval: Called with every value that leaves, for whatever cause; not for those that are
  ///     left when the cache is released.
  /// - Precondition: No limit is negative, the options are in their ranges, and the policy and the filter can
  ///   run with these limits and parameters. Where they are not known before the program runs,
  ///   ``open(countLimit:costLimit:costs:policy:admission:lock:seed:observer:options:events:onRemoval:)`` throws instead.
  @inlinable
  public convenience init(
    countLimit: Int? = nil, costLimit: Int? = nil, costs: EntryCosts<Value>? = nil,
    policy: CachePolicy = .standard, admission: CacheAdmission? = nil,
    lock: @autoclosure () -> any CacheLock = AdaptiveLock(),
    seed: UInt64? = nil, observer: (any CacheObserver)? = nil,
    options: MemoryCacheOptions = MemoryCacheOptions(), events: CacheEvents<Key, Value>? = nil,
    onRemoval: RemovalCallback? = nil
  ) {
    do throws(PolicyError) {
      try self.init(
        countLimit: countLimit, costLimit: costLimit, costs: costs, policy: policy,
        admission: admission,
        lock: lock(), hashing: KeyHashing(seed: seed), observer: observer, options: options,
        events: events, onRemoval: onRemoval)
    } catch { fatalError("\(error)") }
  }

  /// Creates an empty cache whose policy or limits are known only when the program runs.
  ///
  /// The parameters are those of
  /// ``init(countLimit:costLimit:costs:policy:admission:lock:seed:observer:options:events:onRemoval:)``.
  ///
  /// - Throws: ``PolicyError`` when a limit is negative, an option out of its range, or the policy or the filter
  ///   cannot run with these limits or parameters.
  @inlinable
  public static func open(
    countLimit: Int? = nil, costLimit: Int? = nil, costs: EntryCosts<Value>? = nil,
    policy: CachePolicy = .standard, admission: CacheAdmission? = nil,
    lock: @autoclosure () -> any CacheLock = AdaptiveLock(),
    seed: UInt64? = nil, observer: (any CacheObserver)? = nil,
    options: MemoryCacheOptions = MemoryCacheOptions(), events: CacheEvents<Key, Value>? = nil,
    onRemoval: RemovalCallback? = nil
  ) throws(PolicyError) -> MemoryCache {
    try MemoryCache(
      countLimit: countLimit, costLimit: costLimit, costs: costs, policy: policy,
      admission: admission,
      lock: lock(), hashing: KeyHashing(seed: seed), observer: observer, options: options,
      events: events, onRemoval: onRemoval)
  }

  @usableFromInline
  init(
    countLimit: Int?, costLimit: Int?, costs: EntryCosts<Value>?, policy: CachePolicy,
    admission: CacheAdmission?,
    lock: any CacheLock, hashing: KeyHashing<Key>, observer: (any CacheObserver)?,
    options: MemoryCacheOptions, events: CacheEvents<Key, Value>?, onRemoval: RemovalCallback?
  ) throws(PolicyError) {
    try PolicyError.checkLimits(count: countLimit, cost: costLimit)
    if costLimit != nil && costs == nil { throw .costsAreUnknown }
    try options.check()
    let capacity = costLimit ?? countLimit
    let made = try policy.makePolicy(
      capacity: capacity, isSized: costLimit != nil, seed: hashing.seed, options: options)
    let filter = try AdmissionCatalog.makeFilter(
      admission?.specification, policy: policy.information.name,
      capacity: capacity.map { min($0, CacheBounds.unlimited) }, isSized: costLimit != nil,
      seed: hashing.seed)
    let start = CacheCore<Key, Value>(
      countLimit: countLimit, costLimit: costLimit, policy: made, choice: policy, filter: filter,
      hashing: hashing, options: options,
      reportsDepartures: onRemoval != nil || events != nil
        || Value.self is any DiscardableContent.Type)
    let refreshUse = start.store.lifetimes.refreshes.use
    core = .allocate(capacity: 1)
    core.initialize(to: start)
    self.lock = lock
    self.costs = costs
    self.policy = policy
    self.admission = admission?.specification
    self.hashing = hashing
    self.observer = observer.map(CacheObservation.init)
    touches = options.reads == .buffered && observer == nil ? TouchBuffers() : nil
    self.events = events
    self.onRemoval = onRemoval
    self.options = options
    loads = CacheLoads(
      clock: options.clock, waitLimit: options.loadWaitLimit, refreshUse: refreshUse)
    holdsDiscardables = Value.self is any DiscardableContent.Type
    onlyReleases =
      onRemoval == nil && events == nil && options.release == .caller && !holdsDiscardables
    events?.begin()
    upkeep = makeUpkeep()
  }

  deinit {
    // Not `deinitialize(count:)`: optimised, Swift 6.3 destroys the members of a generic struct one by one then, and
    // never runs the `deinit` of one whose layout depends on the parameters: the store would keep all that it holds.
    _ = core.move()
    core.deallocate()
    touches?.deallocate()
    events?.end()
  }
}

// MARK: - Entries

extension MemoryCache {
  /// The value of `key`, or nil. A hit tells the policy, a miss does not.
  @inlinable @inline(__always)
  public func value(forKey key: Key) -> Value? {
    value(forKey: key, hash: hashing(key))
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
    if expired != nil { attend(to: &expired) }
    return value
  }

  /// Stores `value` under `key`.
  ///
  /// If the key is resident, this is a hit: the value is replaced and the cost corrected. Otherwise room
  /// is made and the policy decides. A value that is too large or refused is not stored, and what the key
  /// had before is gone.
  ///
  /// - Parameters:
  ///   - value: The value to store.
  ///   - key: The key to find it by.
  ///   - cost: The part of the cost limit that it takes, in the limit's unit, not negative; nil for what
  ///     the cache takes it to cost (``EntryCosts``): 1 without a cost limit.
  ///   - missCost: The cost of making the value again, in any unit, for policies that weigh it
  ///     (`GDSF`, `GDWheel`, `CAMP`). An entry keeps the one that it entered with.
  ///   - expiration: The time for which it can be found; nil for the cache's own. One that is over at once
  ///     is refused, as a value that is too large is.
  /// - Returns: True if the value is in the cache.
  @inlinable @discardableResult
  public func set(
    _ value: Value, forKey key: Key, cost: Int? = nil, missCost: Double = 1,
    expiration: Expiration? = nil
  ) -> Bool {
    let cost = checked(cost, of: value, forKey: key)
    let hash = hashing(key)
    var isStored = false
    var left: Departures<Key, Value>?
    // As ``changing(_:_:)``, in one closure: it is the path of every set.
    lock.withLock {
      if let touches {
        if expiration == nil && core.pointee.onlyReplaces(key, hash: hash, cost: cost) {
          drainOwn(touches)
        } else {
          drain(touches)
        }
      }
      if loads.isInUse { loads.forget(key) }
      isStored =
        expiration == nil
        ? core.pointee.set(
          value, forKey: key, hash: hash, cost: cost, missCost: missCost, observer: observer)
        : core.pointee.set(
          value, forKey: key, hash: hash, cost: cost, missCost: missCost,
          expiration: expiration, observer: observer)
      if !core.pointee.store.departures.isEmpty {
        left = core.pointee.store.departures.takeAll()
      }
    }
    if left != nil { attend(to: &left) }
    if holdsDiscardables && isStored { attach(value, key: key, hash: hash) }
    return isStored
  }

  /// Removes `key`, and what the policy remembers about it.
  ///
  /// - Returns: The value it had, or nil. It is the caller's from then on, who may be the last to release
  ///   it, whatever ``MemoryCacheOptions/release`` says; ``remove(_:)`` does not return it.
  @inlinable @discardableResult
  public func removeValue(forKey key: Key) -> Value? {
    let hash = hashing(key)
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
    let hash = hashing(key)
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

  /// Returns true if `key` has a value. The policy does not learn of the question.
  @inlinable
  public func contains(_ key: Key) -> Bool {
    let hash = hashing(key)
    var answer = false
    lock.withSharedLock { answer = core.pointee.findResident(key, hash: hash) != nil }
    return answer
  }

  /// The cost of a resident key, or nil. The policy does not learn of the question.
  @inlinable
  public func cost(forKey key: Key) -> Int? {
    let hash = hashing(key)
    var cost: Int?
    lock.withSharedLock {
      cost = core.pointee.findResident(key, hash: hash).map {
        core.pointee.store.entries[Int($0)].cost
      }
    }
    return cost
  }

  /// Removes the entries whose keys satisfy the predicate; see ``Cache/removeAll(where:)``.
  ///
  /// - Returns: The number of entries that were removed.
  @discardableResult
  public func removeAll(where shouldRemove: (Key) -> Bool) -> Int {
    // First, as the value of a load is in the cache when that is over.
    let loading = Set(loads.flights.keys)
    let others = snapshot().map(\.key).filter { !loading.contains($0) && shouldRemove($0) }
    return removeAll(forKeys: others) + removeAll(forKeys: loading.filter(shouldRemove))
  }

  /// Corrects the cost of a resident key, as when its value has grown; an absent key changes nothing.
  ///
  /// This is no request. What then exceeds the limits is evicted before the call returns; an entry that
  /// has grown larger than one may be leaves itself, and no other, as when it is set.
  @inlinable
  public func setCost(_ cost: Int, forKey key: Key) {
    CostBounds.demand(cost, forKey: key)
    let hash = hashing(key)
    locked { core in core.setCost(cost, forKey: key, hash: hash, observer: observer) }
  }

  /// Returns the cost of `value`, for which `cost` is named; nil if that is left to the cache.
  @inlinable @inline(__always)
  func checked(_ cost: Int?, of value: Value, forKey key: Key) -> Int {
    if let cost {
      CostBounds.demand(cost, forKey: key)
      return cost
    }
    return costs == nil ? 1 : weighedCost(of: value, forKey: key)
  }

  @usableFromInline
  func weighedCost(of value: Value, forKey key: Key) -> Int {
    costs?.cost(of: value, forKey: key) ?? 1
  }

  /// As ``locked(_:)``, for a `body` that gives `key` another value, or none: what is being
  /// loaded for it is stored before, or not at all.
  @inlinable @inline(__always)
  func changing(_ key: Key, _ body: (inout CacheCore<Key, Value>) -> Void) {
    locked { core in
      if loads.isInUse { loads.forget(key) }
      body(&core)
    }
  }

  /// Runs `body` with the lock held; then, without it, reports and releases what left the cache.
  @inlinable
  func locked(_ body: (inout CacheCore<Key, Value>) -> Void) {
    var left: Departures<Key, Value>?
    lock.withLock {
      if let touches { drain(touches) }
      body(&core.pointee)
      if !core.pointee.store.departures.isEmpty {
        left = core.pointee.store.departures.takeAll()
      }
    }
    if left != nil { attend(to: &left) }
  }
}
