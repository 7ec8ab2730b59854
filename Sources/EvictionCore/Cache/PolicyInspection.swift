/// The members of a policy's type that are called only to look at a cache; see ``ReplacementPolicy``.
///
/// Apart from ``PolicyFunctions``, so that a cache whose policy is at work has no word of them.
@usableFromInline
struct PolicyInspection: Sendable {
  @usableFromInline typealias State = UnsafeMutableRawPointer

  @usableFromInline let contains: @Sendable (State, Slot) -> Bool
  @usableFromInline let copy: @Sendable (State) -> ErasedPolicy?
  @usableFromInline let showInternals:
    @Sendable (State, (_ name: String, _ value: Double) -> Void) -> Void

  @inlinable
  init<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    contains = { $0.assumingMemoryBound(to: Policy.self).pointee.contains($1) }
    copy = { state in
      guard let copy = Policy(copying: state.assumingMemoryBound(to: Policy.self).pointee) else {
        return nil
      }
      return ErasedPolicy(copy)
    }
    showInternals = { $0.assumingMemoryBound(to: Policy.self).pointee.showInternals($1) }
  }
}

extension CacheCore {
  /// The slots that trims would evict, in their order, at most `limit` of them; nil if the policy can't be copied.
  func victims(atMost limit: Int, _ inspection: PolicyInspection) -> [Slot]? {
    guard var copy = inspection.copy(policy.state) else { return nil }
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
