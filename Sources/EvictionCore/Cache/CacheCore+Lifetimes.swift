import CInline

// Expiry: what a cache does only if some entry can be over.
extension CacheCore {
  /// Returns true if the value in `slot` may not be found any more: its time is over, or it was discarded.
  @inlinable @inline(never)
  func isOver(_ slot: Slot) -> Bool {
    store.lifetimes.isOver(slot) || store.lifetimes.holdsDiscardables && isDiscarded(slot)
  }

  /// Returns true if the value in `slot` has discarded its content.
  @usableFromInline
  func isDiscarded(_ slot: Slot) -> Bool {
    let content = store.entries[Int(slot)].value as? any DiscardableContent
    return content?.isContentDiscarded ?? false
  }

  /// Returns true if a get that finds `slot` is more than news for the policy.
  @inlinable
  func changesWhenUsed(_ slot: Slot) -> Bool { isOver(slot) || store.lifetimes.extends(slot) }

  /// A get found `slot`: extends what its use extends.
  ///
  /// - Returns: False if the value may not be found; it is removed then.
  @inlinable @inline(never)
  mutating func use(_ slot: Slot, observer: CacheObservation?) -> Bool {
    let isLeft = store.lifetimes.use(slot)
    if isLeft && !(store.lifetimes.holdsDiscardables && isDiscarded(slot)) { return true }
    expire(slot, observer: observer)
    return false
  }

  /// As the plain `set`, with tags, and an expiration of its own; nil for the cache's.
  @inlinable
  mutating func set(
    _ value: Value, forKey key: Key, hash: UInt64, cost: Int, missCost: Double,
    expiration: Expiration?, tags: Set<String>, observer: CacheObservation?
  ) -> Bool {
    if !tags.isEmpty { beginTagging(tags) }
    let isStored = set(
      value, forKey: key, hash: hash, cost: cost, missCost: missCost, expiration: expiration,
      observer: observer)
    if !tags.isEmpty { endTagging() }
    return isStored
  }

  /// As the plain `set`, with an expiration of its own; nil for the cache's.
  @inlinable
  mutating func set(
    _ value: Value, forKey key: Key, hash: UInt64, cost: Int, missCost: Double,
    expiration: Expiration?, observer: CacheObservation?
  ) -> Bool {
    if let expiration { beginArrival(expiration) }
    let isStored = set(
      value, forKey: key, hash: hash, cost: cost, missCost: missCost, observer: observer)
    if expiration != nil { endArrival() }
    return isStored
  }

  /// Before a set of `key`, or of its cost: removes what is over, up to a bound, and beyond it only as long as
  /// otherwise something else would have to leave.
  ///
  /// A million entries may expire at once. The rest is never found or counted, and leaves in the next operations.
  @inlinable @inline(never)
  mutating func removeExpired(
    forKey key: Key, hash: UInt64, cost: Int, observer: CacheObservation?
  ) {
    store.lifetimes.readClock()
    let bound = EntryLifetimes.mostRemovedAtOnce
    var steps = bound
    while let slot = store.lifetimes.due(within: &steps) {
      expire(slot, observer: observer)
      if steps == 0 && lacksRoom(forKey: key, hash: hash, cost: cost) { steps = bound }
    }
  }

  /// Returns true if the limits leave no room for a set of `key` at `cost`, which may have any.
  @usableFromInline
  func lacksRoom(forKey key: Key, hash: UInt64, cost: Int) -> Bool {
    let slot = findResident(key, hash: hash)
    let oldCost = slot.map { store.entries[Int($0)].cost } ?? 0
    if !fits(cost, insteadOf: oldCost) { return false }
    return slot == nil && store.ledger.count >= bounds.count
      || bounds.limitsCosts && store.ledger.totalCost + cost - oldCost > bounds.cost
  }

  /// Removes what is over, after looking at `steps` entries at most.
  ///
  /// - Returns: True if nothing that is over is left.
  mutating func removeExpired(atMost steps: Int, observer: CacheObservation?) -> Bool {
    store.lifetimes.readClock()
    var steps = steps
    while let slot = store.lifetimes.due(within: &steps) { expire(slot, observer: observer) }
    return steps > 0
  }

  /// Removes the resident `slot`, whose time is over or which was discarded.
  @inlinable @inline(never)
  mutating func expire(_ slot: Slot, observer: CacheObservation?) {
    let wasDiscarded = store.lifetimes.holdsDiscardables && isDiscarded(slot)
    if wasDiscarded {
      statistics.discards &+= 1
    } else {
      statistics.expirations &+= 1
    }
    if let observer {
      let hash = store.hashing(store.entries[Int(slot)].key)
      observer.cacheDid(.removal, keyHash: hash, cost: store.entries[Int(slot)].cost)
    }
    _ = remove(slot, cause: wasDiscarded ? .discarded : .expired)
  }

  /// The time of a request, on the clock that expiries are on if the policy looks at those.
  @inlinable @inline(__always)
  var timeOfRequest: Int64 {
    timeOfClock &+ timeShift
  }

  @usableFromInline
  var timeOfClock: Int64 {
    needs.contains(.expiry)
      ? store.lifetimes.policyTime : Int64(evl_monotonic_nanoseconds())
  }

  /// The time of a request now, for a policy that looks at times; else 0.
  var timeOfPolicy: Int64 {
    needs.isDisjoint(with: [.time, .expiry]) ? 0 : timeOfRequest
  }

  /// The policy has noted times of another cache, whose clock said `time` `elapsed` nanoseconds ago: they go on.
  mutating func continueTimes(at time: Int64, elapsed: UInt64) {
    if needs.isDisjoint(with: [.time, .expiry]) { return }
    timeShift = time.saturatingAdd(Int64(clamping: elapsed)) &- timeOfClock
  }

  /// Returns an expiry at `time` by the policy's clock.
  @usableFromInline
  func shifted(_ time: Int64) -> Int64 { time == .max ? time : time &+ timeShift }

  /// The time at which the entry that is being set expires, for a policy that looks at it.
  @inlinable @inline(__always)
  var expiryOfArrival: Int64 {
    needs.contains(.expiry) ? shifted(store.lifetimes.expiryOfArrival) : .max
  }

  /// Returns the time at which the entry in `slot`, which was used, expires, for a policy that looks at it.
  @inlinable @inline(__always)
  func expiryAfterUse(_ slot: Slot) -> Int64 {
    needs.contains(.expiry) ? shifted(store.lifetimes.expiryAfterUse(slot)) : .max
  }
}

// Rare operations, compiled once for all policies.
extension CacheCore {
  /// Entries that are set until ``endArrival()`` have `expiration`.
  @usableFromInline
  mutating func beginArrival(_ expiration: Expiration) {
    store.lifetimes.beginArrival(expiration, slots: store.capacity)
  }

  /// Refuses an entry whose time would be over at once: whatever the key had is removed.
  ///
  /// - Returns: False.
  @usableFromInline
  mutating func refuseArrival(_ key: Key, hash: UInt64, observer: CacheObservation?) -> Bool {
    removeExpired(forKey: key, hash: hash, cost: 0, observer: observer)
    statistics.rejections &+= 1
    if let slot = findResident(key, hash: hash) { expire(slot, observer: observer) }
    return false
  }

  /// Returns the tags of a resident.
  @usableFromInline
  func tags(of slot: Slot) -> Set<String> { store.lifetimes.tags.tags(of: slot) }

  /// Entries that are set until ``endTagging()`` have these tags.
  @usableFromInline
  mutating func beginTagging(_ tags: Set<String>) { store.lifetimes.beginTagging(tags) }

  /// Entries that are set have no tags again.
  @usableFromInline
  mutating func endTagging() { store.lifetimes.endTagging() }

  /// Entries have the cache's own expiration again.
  @usableFromInline
  mutating func endArrival() { store.lifetimes.endArrival() }

  /// Gives a resident another expiration, from now on.
  mutating func setExpiration(
    _ expiration: Expiration, forKey key: Key, hash: UInt64, observer: CacheObservation?
  ) {
    guard let slot = findResident(key, hash: hash) else { return }
    beginArrival(expiration)
    if store.lifetimes.isArrivalOver {
      expire(slot, observer: observer)
    } else {
      store.lifetimes.renew(slot)
      if needs.contains(.expiry) {
        policy.changeExpiry(of: slot, to: shifted(store.lifetimes.expiry(of: slot)))
      }
    }
    endArrival()
  }

  /// Ages count from now on, unless they do already.
  mutating func trackAges() {
    if store.lifetimes.tracksAges { return }
    store.lifetimes.trackAges(slots: store.capacity)
    var residents: [Slot] = []
    store.forEachKnown { if store.entries[Int($0)].value != nil { residents.append($0) } }
    for slot in residents { store.lifetimes.startAge(of: slot) }
  }

  /// Removes what has discarded its content. O(n) if values can do so.
  mutating func removeDiscarded(observer: CacheObservation?) {
    guard store.lifetimes.holdsDiscardables else { return }
    var discarded: [Slot] = []
    store.forEachKnown { if isDiscarded($0) { discarded.append($0) } }
    for slot in discarded { expire(slot, observer: observer) }
  }
}
