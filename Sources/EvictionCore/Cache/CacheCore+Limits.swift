import Parameters

// Limits: what fits, and what leaves for it.
extension CacheCore {
  @inlinable @inline(__always)
  var isWithinLimits: Bool {
    store.ledger.count <= bounds.count && store.ledger.totalCost <= bounds.cost
  }

  /// Returns true if an object of `cost` can be resident at all, in the place of a resident one of `oldCost`,
  /// and sums with it cannot overflow.
  @inlinable @inline(__always)
  func fits(_ cost: Int, insteadOf oldCost: Int = 0) -> Bool {
    cost <= bounds.entryCost && bounds.count != 0
      && (bounds.limitsCosts || store.ledger.totalCost - oldCost <= bounds.cost - cost)
  }

  /// Returns true if the limit that is not the policy's capacity leaves no room for another object of `cost`.
  @inlinable @inline(__always)
  func isAtFurtherLimit(adding cost: Int) -> Bool {
    if store.ledger.count == 0 { return false }
    if store.ledger.countsCosts { return store.ledger.count >= bounds.count }
    return bounds.limitsCosts && store.ledger.totalCost + cost > bounds.cost
  }

  @inlinable @inline(__always)
  func isOverLimits(adding cost: Int) -> Bool {
    store.ledger.count >= bounds.count
      || bounds.limitsCosts && store.ledger.totalCost + cost > bounds.cost
  }

  /// Evicts something for no newcomer.
  @inlinable
  mutating func trim() {
    policy.evict(host: &store.ledger)
    store.settle()
  }

  /// Evicts until at most `count` entries are left, which cost at most `cost`, or the admission filter
  /// refuses the newcomer that room is made for.
  @inlinable
  mutating func trim(toCount count: Int, cost: Int) {
    while store.ledger.count > max(count, 0)
      || store.ledger.count > 0 && store.ledger.totalCost > cost
    {
      trim()
      if store.ledger.hasRefused { return }
    }
  }

  /// Makes room for an object of `cost` beyond what the policy will: the limit that is not its capacity,
  /// and the purge down to the low-water mark. Ends early where the admission filter refuses the object.
  @inlinable @inline(never)
  mutating func makeRoom(adding cost: Int) {
    if bounds.isPurged {
      trim(
        toCount: store.ledger.count >= bounds.count ? bounds.countAfterPurge - 1 : .max,
        cost: store.ledger.totalCost + cost > bounds.cost ? bounds.costAfterPurge - cost : .max)
    }
    while !store.ledger.hasRefused && isAtFurtherLimit(adding: cost) { trim() }
  }

  /// The limit that is the policy's capacity.
  @inlinable @inline(__always)
  var capacity: Int? { store.ledger.countsCosts ? costLimit : countLimit }

  /// Applies changed limits: quotas first, then evictions.
  @inlinable
  mutating func applyLimits() {
    let limit = min(capacity ?? .max, CacheBounds.unlimited)
    if capacity != nil && limit != store.ledger.limit { store.ledger.gate.resize(to: limit) }
    store.ledger.limit = limit
    policy.resize(
      to: min(max(capacity ?? store.ledger.used, leastCapacity), CacheBounds.unlimited),
      host: &store.ledger)
    store.settle()
    if isWithinLimits { return }
    trim(
      toCount: store.ledger.count > bounds.count ? bounds.countAfterPurge : .max,
      cost: store.ledger.totalCost > bounds.cost ? bounds.costAfterPurge : .max)
  }

  /// Sets both limits.
  mutating func setLimits(count: Int?, cost: Int?) {
    countLimit = count
    costLimit = cost
    bounds = CacheBounds(
      countLimit: count, costLimit: cost, countsCosts: store.ledger.countsCosts,
      entryRatio: entryRatio,
      lowWaterMark: lowWaterMark)
    applyLimits()
  }

  @inlinable
  mutating func setCost(
    _ cost: Int, forKey key: Key, hash: UInt64, observer: CacheObservation?
  ) {
    if findResident(key, hash: hash) == nil { return }
    if store.lifetimes.isInUse {
      removeExpired(forKey: key, hash: hash, cost: cost, observer: observer)
    }
    guard let slot = findResident(key, hash: hash) else { return }
    let oldCost = store.entries[Int(slot)].cost
    if cost > oldCost && !fits(cost, insteadOf: oldCost) {
      outgrow(slot)
    } else {
      changeCost(of: slot, to: cost)
    }
  }

  /// Corrects a resident's cost; whatever goes over the limits for it leaves.
  @inlinable
  mutating func changeCost(of slot: Slot, to cost: Int) {
    let difference = cost - store.entries[Int(slot)].cost
    if store.ledger.countsCosts { policy.changeSize(of: slot, by: difference) }
    store.entries[Int(slot)].cost = cost
    store.ledger.totalCost += difference
    if store.ledger.countsCosts || costLimit != nil { applyLimits() }
  }

  /// Removes a resident that has grown too large to stay.
  @inlinable
  mutating func outgrow(_ slot: Slot) {
    statistics.outgrown &+= 1
    _ = remove(slot, cause: .size)
  }
}
