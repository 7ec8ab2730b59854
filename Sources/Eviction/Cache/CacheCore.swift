import CInline
import Parameters

/// The cache without its lock: store, policy, limits and statistics, for one thread at a time.
@usableFromInline
struct CacheCore<Key: CacheKey, Value, Policy: ReplacementPolicy & ~Copyable>: ~Copyable {
  @usableFromInline var store: CacheStore<Key, Value>
  @usableFromInline var policy: Policy
  @usableFromInline var statistics = CacheStatistics()
  @usableFromInline var countLimit: Int?
  @usableFromInline var costLimit: Int?

  /// Sums of sizes up to twice the capacity must not overflow in a policy.
  @inlinable static var unlimited: Int { Int.max >> 8 }

  init(
    countLimit: Int?, costLimit: Int?, arguments: Arguments, seed: UInt64, historyBound: Fraction?,
    admission: Specification?
  ) throws(PolicyError) {
    let capacity = costLimit ?? countLimit
    let filter = try AdmissionCatalog.makeFilter(
      admission, policy: Policy.information.name,
      capacity: capacity.map { min($0, CacheCore.unlimited) }, isSized: costLimit != nil,
      seed: seed)
    policy = try Policy(
      PolicyConfiguration(
        capacity: min(capacity ?? Policy.information.minimumCapacity, CacheCore.unlimited),
        isSized: costLimit != nil, seed: seed, historyBound: historyBound, arguments: arguments))
    store = CacheStore(
      countsCosts: costLimit != nil, limit: min(capacity ?? .max, CacheCore.unlimited), seed: seed,
      filter: filter)
    self.countLimit = countLimit
    self.costLimit = costLimit
  }

  /// Whether the policy's quotas follow the current size, for want of a limit.
  @inlinable @inline(__always)
  var isUnlimited: Bool { (store.countsCosts ? costLimit : countLimit) == nil }

  @inlinable @inline(__always)
  func contains(_ key: Key, hash: UInt64) -> Bool {
    store.find(key, hash: hash).map { store.entries[Int($0)].value != nil } ?? false
  }

  @inlinable
  func cost(forKey key: Key, hash: UInt64) -> Int? {
    guard let slot = store.find(key, hash: hash) else { return nil }
    return store.entries[Int(slot)].value == nil ? nil : store.entries[Int(slot)].cost
  }

  @inlinable @inline(__always)
  mutating func value(
    forKey key: Key, hash: UInt64, observer: CacheObservation?
  ) -> Value? {
    guard let slot = store.find(key, hash: hash),
      let value = store.entries[Int(slot)].value
    else {
      statistics.misses &+= 1
      observer?.cacheDid(.miss, keyHash: hash, cost: 0)
      return nil
    }
    statistics.hits &+= 1
    let request = request(slot, hash: hash, cost: store.entries[Int(slot)].cost)
    observer?.cacheDid(.hit, keyHash: hash, cost: store.entries[Int(slot)].cost)
    store.gate.record(request)
    policy.hit(request, host: &store)
    return value
  }

  @inlinable
  mutating func set(
    _ value: Value, forKey key: Key, hash: UInt64, cost: Int, missCost: Double,
    observer: CacheObservation?
  ) -> Bool {
    var known = store.find(key, hash: hash)
    if let slot = known, store.entries[Int(slot)].value != nil {
      observer?.cacheDid(.update, keyHash: hash, cost: cost)
      return replace(slot, with: value, hash: hash, cost: cost)
    }
    observer?.cacheDid(.insertion, keyHash: hash, cost: cost)
    let newcomer = newcomer(hash: hash, cost: cost)
    store.gate.record(newcomer)
    if !fits(cost) || !store.gate.admits(newcomer) {
      statistics.rejections &+= 1
      return false
    }
    if isAtFurtherLimit(adding: cost) {
      repeat { trim() } while isAtFurtherLimit(adding: cost)
      // Trimming may have made the policy forget the ghost that was found.
      known = store.find(key, hash: hash)
    }
    let slot = known ?? newSlot(key, hash: hash, cost: cost)
    let request = request(slot, hash: hash, cost: cost, missCost: missCost)
    if isUnlimited { policy.resize(to: store.used + request.size, host: &store) }
    store.requested = slot
    store.requestedWasForgotten = false
    store.gate.open(for: request)
    let isAdmitted = policy.insert(request, host: &store)
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
    observer?.cacheDid(.removal, keyHash: hash, cost: store.entries[Int(slot)].cost)
    guard let value = remove(slot) else { return nil }
    statistics.removals &+= 1
    return value
  }

  @inlinable
  mutating func removeAll(observer: CacheObservation?) {
    if let observer {
      store.forEachKnown { key, cost in
        observer.cacheDid(.removal, keyHash: key.stableHash(seed: store.seed), cost: cost)
      }
    }
    statistics.removals &+= store.count
    policy.removeAll()
    store.removeAll()
  }

  /// Applies changed limits: quotas first, then evictions.
  @inlinable
  mutating func applyLimits() {
    let capacity = store.countsCosts ? costLimit : countLimit
    let limit = min(capacity ?? .max, CacheCore.unlimited)
    if capacity != nil && limit != store.limit { store.gate.resize(to: limit) }
    store.limit = limit
    policy.resize(to: max(min(capacity ?? store.used, CacheCore.unlimited), 1), host: &store)
    while !isWithinLimits { trim() }
  }
}

extension CacheCore where Policy: ~Copyable {
  @inlinable @inline(__always)
  func request(_ slot: Slot, hash: UInt64, cost: Int, missCost: Double = 1) -> Request {
    Request(
      slot: slot, size: store.countsCosts ? cost : 1, cost: missCost, keyHash: hash,
      time: Policy.needs.contains(.time) ? Int64(evl_monotonic_nanoseconds()) : 0,
      keyLength: Policy.needs.contains(.keyLength) ? store.entries[Int(slot)].key.keyLength : 0)
  }

  /// A request for a key that has no slot yet, as an admission filter sees it.
  @inlinable @inline(__always)
  func newcomer(hash: UInt64, cost: Int) -> Request {
    Request(slot: .max, size: store.countsCosts ? cost : 1, keyHash: hash)
  }

  @inlinable @inline(__always)
  var isWithinLimits: Bool {
    store.count <= countLimit ?? .max && store.totalCost <= costLimit ?? .max
  }

  /// Whether an object of `cost` can be resident at all, and sums with it cannot overflow.
  @inlinable @inline(__always)
  func fits(_ cost: Int) -> Bool {
    cost <= min(costLimit ?? .max, CacheCore.unlimited)
      && (costLimit != nil || store.totalCost <= CacheCore.unlimited - cost)
      && countLimit != 0
  }

  /// Evicts something for no newcomer. Apart, so that a policy's eviction is compiled into one place.
  @inlinable @inline(never)
  mutating func trim() { policy.evict(for: nil, host: &store) }

  /// Whether the limit that is not the policy's capacity leaves no room for another object of `cost`.
  @inlinable @inline(__always)
  func isAtFurtherLimit(adding cost: Int) -> Bool {
    if store.count == 0 { return false }
    if store.countsCosts { return store.count >= countLimit ?? .max }
    return store.totalCost + cost > costLimit ?? .max
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
  mutating func replace(_ slot: Slot, with value: Value, hash: UInt64, cost: Int) -> Bool {
    let oldCost = store.entries[Int(slot)].cost
    let request = request(slot, hash: hash, cost: oldCost)
    store.gate.record(request)
    if cost > oldCost && !fits(cost - (costLimit == nil ? oldCost : 0)) {
      statistics.rejections &+= 1
      if let old = remove(slot) { store.departures.discarded.append(old) }
      return false
    }
    policy.hit(request, host: &store)
    if let old = store.exchange(slot, for: value) { store.departures.discarded.append(old) }
    if cost != oldCost { changeCost(of: slot, to: cost) }
    return true
  }

  @inlinable
  mutating func setCost(_ cost: Int, forKey key: Key, hash: UInt64) {
    guard let slot = store.find(key, hash: hash), store.entries[Int(slot)].value != nil else {
      return
    }
    let growth = cost - store.entries[Int(slot)].cost
    if costLimit == nil && growth > 0 && !fits(growth) {
      if let old = remove(slot) { store.departures.discarded.append(old) }
      return
    }
    changeCost(of: slot, to: min(cost, CacheCore.unlimited))
  }

  /// Corrects a resident's cost; whatever goes over the limits for it leaves.
  @inlinable
  mutating func changeCost(of slot: Slot, to cost: Int) {
    let difference = cost - store.entries[Int(slot)].cost
    if store.countsCosts { policy.changeSize(of: slot, by: difference) }
    store.entries[Int(slot)].cost = cost
    store.totalCost += difference
    if store.countsCosts || costLimit != nil { applyLimits() }
  }

  /// Removes a slot, resident or ghost; returns the value of a resident.
  @inlinable
  mutating func remove(_ slot: Slot) -> Value? {
    let value = store.entries[Int(slot)].value != nil ? store.takeValue(slot) : nil
    policy.remove(slot, host: &store)
    return value
  }
}
