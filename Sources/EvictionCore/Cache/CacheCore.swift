import CInline
import Parameters

/// The cache without its lock: store, policy, limits and statistics, for one thread at a time.
@usableFromInline
struct CacheCore<Key: CacheKey, Value, Policy: ReplacementPolicy & ~Copyable>: ~Copyable {
  @usableFromInline var policy: Policy
  /// Ends with what every operation writes.
  @usableFromInline var store: CacheStore<Key, Value>
  @usableFromInline var statistics = CacheStatistics()
  @usableFromInline var countLimit: Int?
  @usableFromInline var costLimit: Int?
  /// What the limits come to; see ``applyLimits()``.
  @usableFromInline var bounds: CacheBounds
  /// The smallest capacity that the policy is given, whatever the limit.
  @usableFromInline let leastCapacity: Int
  /// The shares of limits that bounds depend on.
  @usableFromInline let entryShare: Double
  let lowWaterMark: Double

  init(
    countLimit: Int?, costLimit: Int?, arguments: Arguments, seed: UInt64, historyBound: Fraction?,
    admission: Specification?, options: MemoryCacheOptions, reportsDepartures: Bool
  ) throws(PolicyError) {
    let capacity = costLimit ?? countLimit
    leastCapacity = costLimit == nil ? Policy.information.minimumCapacity : 1
    let filter = try AdmissionCatalog.makeFilter(
      admission, policy: Policy.information.name,
      capacity: capacity.map { min($0, CacheBounds.unlimited) }, isSized: costLimit != nil,
      seed: seed)
    policy = try Policy(
      PolicyConfiguration(
        capacity: min(max(capacity ?? 0, leastCapacity), CacheBounds.unlimited),
        isSized: costLimit != nil, seed: seed, historyBound: historyBound, arguments: arguments))
    store = CacheStore(
      countsCosts: costLimit != nil, limit: min(capacity ?? .max, CacheBounds.unlimited),
      seed: seed,
      filter: filter, reportsDepartures: reportsDepartures,
      lifetimes: EntryLifetimes(
        clock: options.clock, expiration: options.expiration, ageLimit: options.ageLimit,
        ageReference: options.ageReference, tracksAges: options.tracksAges,
        holdsDiscardables: Value.self is any DiscardableContent.Type))
    self.countLimit = countLimit
    self.costLimit = costLimit
    entryShare = options.entryShare
    lowWaterMark = options.lowWaterMark
    bounds = CacheBounds(
      countLimit: countLimit, costLimit: costLimit, countsCosts: costLimit != nil,
      entryShare: entryShare, lowWaterMark: lowWaterMark)
  }

  /// The slot of `key` if it has a value that may be found. Changes nothing.
  @inlinable @inline(__always)
  func findResident(_ key: Key, hash: UInt64) -> Slot? {
    guard let slot = store.find(key, hash: hash), store.entries[Int(slot)].value != nil,
      !store.lifetimes.isInUse || !isOver(slot)
    else { return nil }
    return slot
  }

  /// Whether a set of `key` at `cost` would give it another value and do nothing else but tell the policy
  /// of a hit.
  @inlinable @inline(__always)
  func onlyReplaces(_ key: Key, hash: UInt64, cost: Int) -> Bool {
    guard !store.lifetimes.isInUse, let slot = findResident(key, hash: hash) else { return false }
    return store.entries[Int(slot)].cost == cost
  }

  @inlinable @inline(__always)
  mutating func value(
    forKey key: Key, hash: UInt64, observer: CacheObservation?
  ) -> Value? {
    guard let slot = store.find(key, hash: hash),
      let value = store.entries[Int(slot)].value,
      !store.lifetimes.isInUse || use(slot, observer: observer)
    else {
      statistics.misses &+= 1
      observer?.cacheDid(.miss, keyHash: hash, cost: 0)
      return nil
    }
    statistics.hits &+= 1
    observer?.cacheDid(.hit, keyHash: hash, cost: store.entries[Int(slot)].cost)
    hit(slot, hash: hash)
    return value
  }

  /// Tells the policy of a get that found `slot`.
  @inlinable @inline(__always)
  mutating func hit(_ slot: Slot, hash: UInt64) {
    let cost = store.entries[Int(slot)].cost
    if store.gate.hasFilter { record(slot, hash: hash, cost: cost) }
    let count = store.count
    policy.hit(
      request(slot, hash: hash, cost: cost, expiry: expiryAfterUse(slot)), host: &store)
    assert(store.count == count, "the policy evicted on a hit")
  }

  @inlinable
  mutating func set(
    _ value: Value, forKey key: Key, hash: UInt64, cost: Int, missCost: Double,
    observer: CacheObservation?
  ) -> Bool {
    if store.lifetimes.isInUse && store.lifetimes.isArrivalOver {
      return refuseArrival(key, hash: hash, observer: observer)
    }
    if store.lifetimes.isInUse { removeExpired(observer: observer) }
    let known = store.find(key, hash: hash)
    if let slot = known, store.entries[Int(slot)].value != nil {
      observer?.cacheDid(.update, keyHash: hash, cost: cost)
      return replace(slot, with: value, forKey: key, hash: hash, cost: cost)
    }
    observer?.cacheDid(.insertion, keyHash: hash, cost: cost)
    if store.gate.hasFilter ? !passesFilter(hash: hash, cost: cost) : !fits(cost) {
      statistics.rejections &+= 1
      return false
    }
    let slot = known ?? newSlot(key, hash: hash, cost: cost)
    let request = request(
      slot, hash: hash, cost: cost, missCost: missCost, expiry: expiryOfArrival)
    // From here on the policy may forget a ghost of the key, whose slot must outlive that.
    store.requested = slot
    store.requestedWasForgotten = known == nil
    if bounds.isUnlimited {
      policy.resize(to: max(store.used + request.size, leastCapacity), host: &store)
    }
    store.gate.open(for: request)
    if isAtFurtherLimit(adding: cost) || bounds.isPurged && isOverLimits(adding: cost) {
      makeRoom(adding: cost)
    }
    var isAdmitted = false
    if !store.hasRefused {
      store.requestedWasForgotten = false
      isAdmitted = policy.insert(request, host: &store)
    }
    store.requested = .max
    store.gate.close()
    if isAdmitted {
      store.admit(slot, value: value, cost: cost)
      store.gate.admitted(residents: store.count)
      statistics.insertions &+= 1
    } else {
      if store.requestedWasForgotten { store.release(slot) }
      statistics.rejections &+= 1
    }
    assert(isWithinLimits, "the cache is over its limits")
    return isAdmitted
  }

  @inlinable
  mutating func removeValue(
    forKey key: Key, hash: UInt64, observer: CacheObservation?
  ) -> Value? {
    guard let slot = store.find(key, hash: hash) else { return nil }
    if store.lifetimes.isInUse && isOver(slot) {
      expire(slot, observer: observer)
      return nil
    }
    observer?.cacheDid(.removal, keyHash: hash, cost: store.entries[Int(slot)].cost)
    guard let value = remove(slot, cause: .removed) else { return nil }
    statistics.removals &+= 1
    return value
  }

  @inlinable
  mutating func removeAll(observer: CacheObservation?) {
    if let observer {
      store.forEachKnown { slot in
        let hash = store.entries[Int(slot)].key.stableHash(seed: store.seed)
        observer.cacheDid(.removal, keyHash: hash, cost: store.entries[Int(slot)].cost)
      }
    }
    statistics.removals &+= store.count
    policy.removeAll()
    store.removeAll()
  }
}

extension CacheCore where Policy: ~Copyable {
  @inlinable @inline(__always)
  func request(
    _ slot: Slot, hash: UInt64, cost: Int, missCost: Double = 1, expiry: Int64
  ) -> Request {
    Request(
      slot: slot, size: store.countsCosts ? cost : 1, cost: missCost, keyHash: hash,
      time: Policy.needs.contains(.time) ? timeOfRequest : 0, expiry: expiry,
      keyLength: Policy.needs.contains(.keyLength) ? store.entries[Int(slot)].key.keyLength : 0)
  }

  /// Tells the admission filter of a hit. Apart, as most caches have none.
  @inlinable @inline(never)
  mutating func record(_ slot: Slot, hash: UInt64, cost: Int) {
    store.gate.record(request(slot, hash: hash, cost: cost, expiry: .max))
  }

  /// Tells the admission filter of a newcomer, and asks for it unless it does not fit anyway.
  @inlinable @inline(never)
  mutating func passesFilter(hash: UInt64, cost: Int) -> Bool {
    let newcomer = Request(slot: .max, size: store.countsCosts ? cost : 1, keyHash: hash)
    store.gate.record(newcomer)
    return fits(cost) && store.gate.admits(newcomer)
  }

  @inlinable
  mutating func newSlot(_ key: Key, hash: UInt64, cost: Int) -> Slot {
    if store.isFullOfSlots {
      store.grow()
      policy.reserve(slots: store.capacity)
    }
    return store.allocate(key, hash: hash, cost: cost)
  }

  /// A set of a resident key: a hit, with the value replaced and the cost corrected.
  @inlinable
  mutating func replace(
    _ slot: Slot, with value: Value, forKey key: Key, hash: UInt64, cost: Int
  ) -> Bool {
    let oldCost = store.entries[Int(slot)].cost
    // On a hit, the largest number would leave the old expiry as it is.
    let request = request(
      slot, hash: hash, cost: oldCost, expiry: min(expiryOfArrival, .max - 1))
    if store.gate.hasFilter { record(slot, hash: hash, cost: oldCost) }
    if cost > oldCost && !fits(cost, insteadOf: oldCost) {
      statistics.rejections &+= 1
      outgrow(slot)
      return false
    }
    policy.hit(request, host: &store)
    store.replace(slot, with: value)
    statistics.replacements &+= 1
    if cost == oldCost { return true }
    changeCost(of: slot, to: cost)
    // What left for the new cost may be this value.
    return store.find(key, hash: hash).map { store.entries[Int($0)].value != nil } ?? false
  }

  /// Removes a slot, resident or ghost; returns the value of a resident.
  @inlinable
  mutating func remove(_ slot: Slot, cause: RemovalCause) -> Value? {
    let value = store.entries[Int(slot)].value != nil ? store.takeValue(slot) : nil
    if let value { store.depart(value, of: slot, cause: cause) }
    policy.remove(slot, host: &store)
    return value
  }
}
