import CInline
import Parameters

/// The cache without its lock: store, policy, limits and statistics, for one thread at a time.
@usableFromInline
struct CacheCore<Key: Hashable & Sendable, Value>: ~Copyable {
  @usableFromInline var policy: ErasedPolicy
  /// The fields of a request that the policy reads.
  @usableFromInline let needs: RequestNeeds
  /// True if it reads some that most policies do not: clocks and lengths.
  @usableFromInline let needsMore: Bool
  /// Ends with what every operation writes.
  @usableFromInline var store: CacheStore<Key, Value>
  @usableFromInline var statistics = CacheStatistics()
  @usableFromInline var countLimit: Int?
  @usableFromInline var costLimit: Int?
  /// The limits as plain numbers; see ``applyLimits()``.
  @usableFromInline var bounds: CacheBounds
  /// The smallest capacity that the policy is given, whatever the limit.
  @usableFromInline let leastCapacity: Int
  /// The ratios of limits that bounds depend on.
  @usableFromInline let entryRatio: Double
  let lowWaterMark: Double
  /// The nanoseconds that the policy's times are ahead of the clock, in a cache that goes on from another one's.
  @usableFromInline var timeShift: Int64 = 0

  /// The cache that `policy` works for, made from `choice` for these limits.
  init(
    countLimit: Int?, costLimit: Int?, policy: consuming ErasedPolicy, choice: CachePolicy,
    filter: AdmissionFilter?, hashing: KeyHashing<Key>, options: MemoryCacheOptions,
    reportsDepartures: Bool
  ) {
    let capacity = costLimit ?? countLimit
    let isSized = costLimit != nil
    self.policy = policy
    needs = choice.needs
    needsMore = !needs.isDisjoint(with: [.time, .expiry, .keyLength])
    leastCapacity = choice.leastCapacity(isSized: isSized)
    store = CacheStore(
      countsCosts: isSized, limit: min(capacity ?? .max, CacheBounds.unlimited), hashing: hashing,
      filter: filter, reportsDepartures: reportsDepartures,
      lifetimes: EntryLifetimes(
        clock: options.clock, expiration: options.expiration, ageLimit: options.ageLimit,
        ageReference: options.ageReference, tracksAges: options.tracksAges,
        holdsDiscardables: Value.self is any DiscardableContent.Type, seed: hashing.seed))
    self.countLimit = countLimit
    self.costLimit = costLimit
    entryRatio = options.entryRatio
    lowWaterMark = options.lowWaterMark
    bounds = CacheBounds(
      countLimit: countLimit, costLimit: costLimit, countsCosts: costLimit != nil,
      entryRatio: entryRatio, lowWaterMark: lowWaterMark)
  }

  /// The slot of `key` if it has a value that may be found. Changes nothing.
  @inlinable @inline(__always)
  func findResident(_ key: Key, hash: UInt64) -> Slot? {
    guard let slot = store.find(key, hash: hash), store.entries[Int(slot)].value != nil,
      !store.lifetimes.isInUse || !isOver(slot)
    else { return nil }
    return slot
  }

  /// Returns true if a set of `key` at `cost` would give it another value and do nothing else but tell the
  /// policy of a hit.
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
    if store.ledger.gate.hasFilter { record(slot, hash: hash, cost: cost) }
    let count = store.ledger.count
    policy.hit(
      request(slot, hash: hash, cost: cost, life: .used), host: &store.ledger)
    store.settle()
    assert(store.ledger.count == count, "the policy evicted on a hit")
  }

  @inlinable
  mutating func set(
    _ value: Value, forKey key: Key, hash: UInt64, cost: Int, missCost: Double,
    observer: CacheObservation?
  ) -> Bool {
    if store.lifetimes.isInUse && store.lifetimes.isArrivalOver {
      return refuseArrival(key, hash: hash, observer: observer)
    }
    if store.lifetimes.isInUse {
      removeExpired(forKey: key, hash: hash, cost: cost, observer: observer)
    }
    var known = store.find(key, hash: hash)
    if let slot = known, store.lifetimes.isInUse, store.lifetimes.wasOver(slot) {
      expire(slot, observer: observer)
      known = store.find(key, hash: hash)
    }
    if let slot = known, store.entries[Int(slot)].value != nil {
      observer?.cacheDid(.update, keyHash: hash, cost: cost)
      return replace(slot, with: value, forKey: key, hash: hash, cost: cost)
    }
    observer?.cacheDid(.insertion, keyHash: hash, cost: cost)
    if store.ledger.gate.hasFilter ? !passesFilter(hash: hash, cost: cost) : !fits(cost) {
      statistics.rejections &+= 1
      return false
    }
    let slot = known ?? newSlot(key, hash: hash, cost: cost)
    let request = request(
      slot, hash: hash, cost: cost, missCost: missCost, life: .arriving)
    // From here on the policy may forget a ghost of the key, whose slot must outlive that.
    store.ledger.requested = slot
    store.ledger.requestedWasForgotten = known == nil
    if bounds.isUnlimited {
      policy.resize(
        to: max(store.ledger.used + request.size, leastCapacity), host: &store.ledger)
      store.settle()
    }
    store.ledger.gate.open(for: request)
    if isAtFurtherLimit(adding: cost) || bounds.isPurged && isOverLimits(adding: cost) {
      makeRoom(adding: cost)
    }
    var isAdmitted = false
    if !store.ledger.hasRefused {
      store.ledger.requestedWasForgotten = false
      isAdmitted = policy.insert(request, host: &store.ledger)
      store.settle()
    }
    store.ledger.requested = .max
    store.ledger.gate.close()
    if isAdmitted {
      store.admit(slot, value: value, cost: cost)
      store.ledger.gate.admitted(residents: store.ledger.count)
      statistics.insertions &+= 1
    } else {
      if store.ledger.requestedWasForgotten { store.release(slot) }
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
        let hash = store.hashing(store.entries[Int(slot)].key)
        observer.cacheDid(.removal, keyHash: hash, cost: store.entries[Int(slot)].cost)
      }
    }
    statistics.removals &+= store.ledger.count
    policy.removeAll()
    store.removeAll()
  }
}

extension CacheCore {
  /// - Parameter life: The effect of a request on its entry's lifetime.
  @inlinable @inline(__always)
  func request(
    _ slot: Slot, hash: UInt64, cost: Int, missCost: Double = 1, life: RequestLife
  ) -> Request {
    if needsMore {
      return fullRequest(slot, hash: hash, cost: cost, missCost: missCost, life: life)
    }
    return Request(
      slot: slot, size: store.ledger.countsCosts ? cost : 1, cost: missCost, keyHash: hash)
  }

  @inlinable @inline(never)
  func fullRequest(
    _ slot: Slot, hash: UInt64, cost: Int, missCost: Double, life: RequestLife
  ) -> Request {
    let expiry =
      switch life {
      case .unchanged: Int64.max
      case .used: expiryAfterUse(slot)
      case .arriving: expiryOfArrival
      // On a hit, the largest number would leave the old expiry as it is.
      case .renewed: min(expiryOfArrival, .max - 1)
      }
    return Request(
      slot: slot, size: store.ledger.countsCosts ? cost : 1, cost: missCost, keyHash: hash,
      time: needs.contains(.time) ? timeOfRequest : 0, expiry: expiry,
      keyLength: needs.contains(.keyLength)
        ? store.hashing.length(of: store.entries[Int(slot)].key) : 0)
  }

  /// Tells the admission filter of a hit. Apart, as most caches have none.
  @inlinable @inline(never)
  mutating func record(_ slot: Slot, hash: UInt64, cost: Int) {
    store.ledger.gate.record(request(slot, hash: hash, cost: cost, life: .unchanged))
  }

  /// Tells the admission filter of a newcomer, and asks for it unless it does not fit anyway.
  @inlinable @inline(never)
  mutating func passesFilter(hash: UInt64, cost: Int) -> Bool {
    let newcomer = Request(slot: .max, size: store.ledger.countsCosts ? cost : 1, keyHash: hash)
    store.ledger.gate.record(newcomer)
    return fits(cost) && store.ledger.gate.admits(newcomer)
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
    let request = request(slot, hash: hash, cost: oldCost, life: .renewed)
    if store.ledger.gate.hasFilter { record(slot, hash: hash, cost: oldCost) }
    if cost > oldCost && !fits(cost, insteadOf: oldCost) {
      statistics.rejections &+= 1
      outgrow(slot)
      return false
    }
    policy.hit(request, host: &store.ledger)
    store.settle()
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
    let value = store.takeValue(slot)
    if let value {
      store.ledger.count &-= 1
      store.ledger.totalCost &-= store.entries[Int(slot)].cost
      store.depart(value, of: slot, cause: cause)
    }
    policy.remove(slot, host: &store.ledger)
    store.settle()
    return value
  }
}

/// The effect of a request on the lifetime of its entry.
@usableFromInline
enum RequestLife {
  /// Nothing.
  case unchanged
  /// A get found it.
  case used
  /// It comes in.
  case arriving
  /// A set gave it another value.
  case renewed
}
