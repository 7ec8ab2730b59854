// Values that are changed in one step.
//
// A closure runs without the cache's lock, so that it may take long and use the cache; others of its key wait, those of
// other keys do not. What it has read is compared with what there is when it returns, and it runs again if that
// has changed.
extension MemoryCache {
  /// Changes the value of `key` in one step, from what it is, if there is one, to what `body` leaves; nil for none.
  ///
  ///     cache.update(forKey: word) { $0 = ($0 ?? 0) + 1 }             // counts
  ///     cache.update(forKey: word) { $0 = $0 ?? compute(word) }       // computes if absent
  ///     cache.update(forKey: word) { if $0 == 0 { $0 = nil } }        // removes if 0
  ///     let last = cache.update(forKey: word) { $0?.popLast() ?? nil }  // changes if present
  ///
  /// Of several updates of a key one runs at a time, in the order in which they came; those of other keys run beside
  /// it. `body` runs without the cache's lock. If another thread sets or removes the value meanwhile, or it expires or
  /// is evicted, `body` runs again with what there is now: let it have no effect but on the value. If it throws,
  /// nothing changes.
  ///
  /// `body` may use the cache. What it sets or removes of the same key counts as coming after the update, whose outcome is
  /// not stored then. An update of the same key within it, or of a key whose update waits for this one, would never end,
  /// and traps. A load of the key that ends meanwhile is not stored.
  ///
  /// To the policy, the statistics and observers this is a get, one more each time that `body` runs again, and then
  /// a set, a removal, or nothing if there is no value before and after. A value that is too large or refused is not
  /// stored, and what the key had before is gone.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - cost: The part of the cost limit that the new value takes, not negative; nil for what the cache weighs
  ///     it to be (``EntryCosts``), or else that of the value before, or 1.
  ///   - missCost: The cost of making the value again, if there is none before.
  ///   - expiration: The time for which it can be found, from now on. Nil leaves a value that is there the time that it
  ///     has left, and its age; a new one gets the cache's own.
  ///   - body: Changes the value. It is called on this thread.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  /// - Complexity: That of a get and a set. The value is in the cache meanwhile, so that one that is copied when
  ///   it is written to, as an array is, is copied.
  @inlinable @discardableResult
  public func update<Result, Problem: Error>(
    forKey key: Key, cost: Int? = nil, missCost: Double = 1, expiration: Expiration? = nil,
    _ body: (inout Value?) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    CostBounds.demand(cost, forKey: key)
    let hash = hashing(key)
    var left: Departures<Key, Value>?
    var stored: Value?
    let turn = loads.beginUpdate(of: key)
    // A callback may update the same key.
    defer {
      loads.end(turn, of: key)
      if left != nil { attend(to: &left) }
      if holdsDiscardables, let stored { attach(stored, key: key, hash: hash) }
    }
    while true {
      var value = read(key, hash: hash, for: turn, &left)
      let wasThere = value != nil
      let result = try turn.run(&value, body)
      let cost = cost ?? value.flatMap { unnamedCost(of: $0, forKey: key, wasThere: wasThere) }
      var isOver = false
      var isStored = false
      lock.withLock {
        if let touches { drain(touches) }
        isOver = turn.isDecided
        if isOver || !turn.isCurrent { return }
        let slot = core.pointee.findResident(key, hash: hash)
        if wasThere != (slot != nil) { return }
        isOver = true
        if loads.isInUse { loads.forget(key) }
        if let value {
          isStored = core.pointee.update(
            value, forKey: key, hash: hash, cost: cost, missCost: missCost, expiration: expiration,
            observer: observer)
        } else if wasThere {
          _ = core.pointee.removeValue(forKey: key, hash: hash, observer: observer)
        }
        take(&left)
      }
      if isStored { stored = value }
      if isOver { return result }
    }
  }

  /// A get, for an update.
  @inlinable
  func read(
    _ key: Key, hash: UInt64, for turn: KeyTurn, _ left: inout Departures<Key, Value>?
  ) -> Value? {
    var value: Value?
    lock.withLock {
      if let touches { drain(touches) }
      turn.beginReading()
      value = core.pointee.value(forKey: key, hash: hash, observer: observer)
      take(&left)
    }
    return value
  }

  /// Returns the cost of what an update has left; nil for that of the value before.
  @usableFromInline
  func unnamedCost(of value: Value, forKey key: Key, wasThere: Bool) -> Int? {
    wasThere ? costs?.weight(of: value, forKey: key) : weighedCost(of: value, forKey: key)
  }

  /// Takes what has left the cache to what left before. Called with the lock held.
  @inlinable
  func take(_ left: inout Departures<Key, Value>?) {
    if core.pointee.store.departures.isEmpty { return }
    if left == nil { left = Departures() }
    core.pointee.store.departures.takeAll().forEach { left?.append($0) }
  }
}

extension CacheCore {
  /// Gives `key` the value that an update has left.
  ///
  /// - Parameters:
  ///   - cost: Nil for that of the value before, or 1.
  ///   - expiration: Nil for the time that the value before has left, or the cache's own.
  @inlinable
  mutating func update(
    _ value: Value, forKey key: Key, hash: UInt64, cost: Int?, missCost: Double,
    expiration: Expiration?, observer: CacheObservation?
  ) -> Bool {
    if expiration == nil, let slot = findResident(key, hash: hash) {
      return modify(slot, to: value, forKey: key, hash: hash, cost: cost, observer: observer)
    }
    let slot = findResident(key, hash: hash)
    let oldCost = slot.map { store.entries[Int($0)].cost }
    return set(
      value, forKey: key, hash: hash, cost: cost ?? oldCost ?? 1, missCost: missCost,
      expiration: expiration, tags: slot.map { tags(of: $0) } ?? [], observer: observer)
  }

  /// As a set of the resident key of `slot`, whose time runs on.
  @inlinable
  mutating func modify(
    _ slot: Slot, to value: Value, forKey key: Key, hash: UInt64, cost: Int?,
    observer: CacheObservation?
  ) -> Bool {
    let oldCost = store.entries[Int(slot)].cost
    let cost = cost ?? oldCost
    // What is over makes room for what grows.
    if store.lifetimes.isInUse && cost > oldCost {
      removeExpired(forKey: key, hash: hash, cost: cost, observer: observer)
      if findResident(key, hash: hash) != slot { return false }
    }
    observer?.cacheDid(.update, keyHash: hash, cost: cost)
    if store.ledger.gate.hasFilter { record(slot, hash: hash, cost: oldCost) }
    if cost > oldCost && !fits(cost, insteadOf: oldCost) {
      statistics.rejections &+= 1
      outgrow(slot)
      return false
    }
    policy.hit(request(slot, hash: hash, cost: oldCost, life: .used), host: &store.ledger)
    store.settle()
    if let old = store.entries[Int(slot)].value.take() {
      store.depart(old, of: slot, cause: .replaced)
    }
    store.entries[Int(slot)].value = value
    statistics.replacements &+= 1
    if cost == oldCost { return true }
    changeCost(of: slot, to: cost)
    return findResident(key, hash: hash) != nil
  }
}
