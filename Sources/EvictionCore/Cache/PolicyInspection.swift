/// The members of a policy's type that are called only to look at a cache; see ``ReplacementPolicy``.
///
/// Apart from ``PolicyFunctions``, so that a cache whose policy is at work has no word of them.
@usableFromInline
struct PolicyInspection: Sendable {
  @usableFromInline typealias State = UnsafeMutableRawPointer

  @usableFromInline let contains: @Sendable (State, Slot) -> Bool
  @usableFromInline let visitState: @Sendable (State, inout PolicyState) -> Void
  @usableFromInline let showInternals:
    @Sendable (State, (_ name: String, _ value: Double) -> Void) -> Void
  @usableFromInline let learningCosts: @Sendable (State) -> LearningCosts?

  @inlinable
  init<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    contains = { $0.assumingMemoryBound(to: Policy.self).pointee.contains($1) }
    visitState = { $0.assumingMemoryBound(to: Policy.self).pointee.visitState(&$1) }
    showInternals = { $0.assumingMemoryBound(to: Policy.self).pointee.showInternals($1) }
    learningCosts = { $0.assumingMemoryBound(to: Policy.self).pointee.learningCosts }
  }
}

extension CacheCore {
  /// The slots that trims would evict, in their order, at most `limit` of them, as `copy` of the policy has it evict.
  func victims(atMost limit: Int, of copy: consuming ErasedPolicy) -> [Slot] {
    var copy = copy
    var host = SlotLedger(
      countsCosts: store.ledger.countsCosts, limit: store.ledger.limit, filter: nil,
      costs: store.ledger.costs, stride: store.ledger.stride)
    host.count = store.ledger.count
    host.totalCost = store.ledger.totalCost
    var victims: [Slot] = []
    while victims.count < limit && host.count > 0 {
      copy.evict(host: &host)
      for place in 0..<host.decisionCount {
        let decision = host.decisions[place]
        if decision & SlotLedger.forgotten != 0 { continue }
        victims.append(decision & ~SlotLedger.evictedAndForgotten)
      }
      host.decisionCount = 0
    }
    return victims
  }

  /// The entries of the residents in at most `count` slots from `slot` on, which moves behind them.
  func entries(
    from slot: inout Int, slots count: Int, _ inspection: PolicyInspection
  ) -> [CacheEntry<Key, Value>] where Value: Sendable {
    var entries: [CacheEntry<Key, Value>] = []
    let end = min(slot + count, store.touched)
    while slot < end {
      let resident = Slot(slot)
      slot += 1
      // A slot that is free holds no entry to look at, which the policy knows.
      guard inspection.contains(policy.state, resident),
        !store.lifetimes.isInUse || !isOver(resident)
      else { continue }
      let entry = store.entries[Int(resident)]
      if let value = entry.value {
        entries.append(CacheEntry(key: entry.key, value: value, cost: entry.cost))
      }
    }
    return entries
  }
}

extension MemoryCache {
  /// The policy of an empty cache of that capacity that is otherwise like `core`.
  func makePolicy(
    _ core: borrowing CacheCore<Key, Value>, capacity: Int?
  ) throws(PolicyError) -> ErasedPolicy {
    try policy.makePolicy(
      capacity: capacity, isSized: core.store.ledger.countsCosts, seed: hashing.seed,
      options: options)
  }

  /// A copy of the policy at work; nil if it can't be copied.
  func copyPolicy(_ core: borrowing CacheCore<Key, Value>) -> ErasedPolicy? {
    guard let written = core.policy.written(policy.inspection) else { return nil }
    do {
      let copy = try makePolicy(core, capacity: core.capacity)
      if copy.read(written, policy.inspection) { return copy }
      return nil
    } catch { return nil }
  }
}

extension ErasedPolicy {
  /// Everything that changes; nil if the policy refuses.
  func written(_ inspection: PolicyInspection) -> [UInt8]? {
    var written = PolicyState()
    inspection.visitState(state, &written)
    return written.written()
  }

  /// Takes over what another policy kept, which had the same parameters.
  ///
  /// - Returns: False if the bytes are none of such a policy; then this one must not be used.
  func read(_ bytes: [UInt8], _ inspection: PolicyInspection) -> Bool {
    var read = PolicyState(reading: bytes)
    inspection.visitState(state, &read)
    return read.endsHere()
  }
}
