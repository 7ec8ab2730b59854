extension MemoryCache {
  /// The cache at this moment.
  ///
  /// - Complexity: O(slots), with the lock held; values are not copied, but kept.
  package func snapshot(isPart: Bool = false) throws(SnapshotProblem)
    -> CacheSnapshot<Key, Value>
  {
    try checkHashes(isPart: isPart)
    var taken: CacheSnapshot<Key, Value>?
    whenCurrent { core in taken = core.snapshot(policy, form(of: core)) }
    guard let taken else { throw .policyRefuses(policy.information.name) }
    return taken
  }

  /// Throws if what would be saved depends on hashes that are others in each process.
  package func checkHashes(isPart: Bool) throws(SnapshotProblem) {
    let needsHashes = policy.needs.contains(.keyHash) || admission != nil || isPart
    if needsHashes && !hashing.isStable { throw .hashesChange }
  }

  /// Goes on from a snapshot of another cache: keeps what this one's limits allow, as if they had been lowered or raised.
  ///
  /// - Parameter elapsed: The nanoseconds since the snapshot was taken, by which times to live have become shorter.
  package func restore(
    _ snapshot: CacheSnapshot<Key, Value>, elapsed: UInt64
  ) throws(SnapshotProblem) {
    try check(snapshot.form)
    var problem: SnapshotProblem?
    locked { core in
      if core.store.ledger.count > 0 { return problem = .isNotEmpty }
      do {
        let capacity = snapshot.form.capacity
        let policy = try makePolicy(core, capacity: capacity)
        let filter = try AdmissionCatalog.makeFilter(
          admission, policy: self.policy.information.name, capacity: capacity,
          isSized: core.store.ledger.countsCosts, seed: hashing.seed)
        guard snapshot.isWhole, policy.read(snapshot.policyState, self.policy.inspection),
          filter?.read(snapshot.filterState) ?? true
        else { return problem = .isDamaged }
        core.policy = policy
        core.store.ledger.gate = AdmissionGate(filter)
        core.store.take(snapshot, elapsed: elapsed)
        core.policy.reserve(slots: core.store.capacity)
        core.continueTimes(at: snapshot.form.time, elapsed: elapsed)
        core.applyLimits()
      } catch { problem = .isDamaged }
    }
    if let problem { throw problem }
  }

  /// Throws if what was saved is of a cache that has not the same policy, filter and hashes.
  package func check(_ saved: SnapshotForm) throws(SnapshotProblem) {
    var here = saved
    read { here = form(of: $0) }
    for (what, old, new) in [
      ("policy", saved.policy, here.policy), ("admission", saved.admission, here.admission),
      ("limit", saved.limit, here.limit), ("seed", "\(saved.seed)", "\(here.seed)"),
    ] where old != new { throw .differs(what: what, saved: old, here: new) }
  }

  private func form(of core: borrowing CacheCore<Key, Value>) -> SnapshotForm {
    SnapshotForm(
      policy: policy.description, admission: admission?.description ?? "",
      countsCosts: core.store.ledger.countsCosts, seed: hashing.seed,
      capacity: core.capacity, time: core.timeOfPolicy)
  }
}

extension SnapshotForm {
  fileprivate var limit: String { countsCosts ? "of cost" : "of entries" }
}

extension CacheCore where Value: Sendable {
  func snapshot(_ choice: CachePolicy, _ form: SnapshotForm) -> CacheSnapshot<Key, Value>? {
    guard let state = policy.written(choice.inspection),
      let filter = store.ledger.gate.filter.map({ $0.written() }) ?? []
    else { return nil }
    var known: [CacheSnapshot<Key, Value>.Known] = []
    store.forEachKnown { slot in
      let entry = store.entries[Int(slot)]
      known.append(
        CacheSnapshot.Known(
          slot: slot, key: entry.key, cost: entry.cost, value: entry.value,
          times: entry.value == nil ? SavedTimes() : store.lifetimes.saved(slot),
          tags: store.lifetimes.tags.tags(of: slot)))
    }
    return CacheSnapshot(
      form: form, policyState: state, filterState: filter, known: known,
      free: (0..<store.freeCount).map { store.free[$0] })
  }
}

extension CacheStore where Value: Sendable {
  /// Takes the slots of a snapshot over, which is whole; the store has no residents.
  mutating func take(_ snapshot: CacheSnapshot<Key, Value>, elapsed: UInt64) {
    removeAll()
    let count = snapshot.known.count + snapshot.free.count
    while capacity < count { grow() }
    for known in snapshot.known {
      let hash = hashing(known.key)
      (entries + Int(known.slot)).initialize(
        to: Entry(cost: known.cost, key: known.key, value: nil))
      if ledger.gate.hasFilter { ledger.keyHashes[known.slot] = hash }
      index.insert(known.slot, hash: hash)
    }
    free.update(from: snapshot.free, count: snapshot.free.count)
    freeCount = snapshot.free.count
    touched = count
    lifetimes.beginRestoring(snapshot.known.lazy.map(\.times), slots: capacity)
    for known in snapshot.known.sorted(by: { $0.times.isOlder(than: $1.times) }) {
      guard let value = known.value else { continue }
      entries[Int(known.slot)].value = value
      ledger.count += 1
      ledger.totalCost += known.cost
      lifetimes.restore(known.slot, known.times, tags: known.tags, elapsed: elapsed)
    }
  }
}

extension CacheSnapshot {
  /// True if its slots are the first ones, each once, its keys differ, and its costs can be summed.
  fileprivate var isWhole: Bool {
    let count = known.count + free.count
    if count > 1 << 30 { return false }
    var isSeen = [Bool](repeating: false, count: count)
    var sum = 0
    for slot in known.map(\.slot) + free {
      guard Int(slot) < count, !isSeen[Int(slot)] else { return false }
      isSeen[Int(slot)] = true
    }
    for entry in known {
      guard entry.cost >= 0, case (let next, false) = sum.addingReportingOverflow(entry.cost) else {
        return false
      }
      sum = next
    }
    return sum <= CacheBounds.unlimited && Set(known.lazy.map(\.key)).count == known.count
  }
}
