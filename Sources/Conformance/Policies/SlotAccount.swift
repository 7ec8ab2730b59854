import EvictionCore

/// The account that a host keeps of its policy's slots, and the first breach of the contract.
///
/// One thread uses it, so that no access need be checked for exclusivity: that takes longer than the rest.
public final class SlotAccount: @unchecked Sendable {
  /// The state of a slot.
  public enum State: UInt8, Sendable {
    /// The policy has forgotten it, or never saw it.
    case unknown
    /// Its object is in the cache.
    case resident
    /// Its object is gone and the policy remembers it.
    case ghost
  }

  /// The first breach; nil while the policy keeps the contract.
  @exclusivity(unchecked) public private(set) var breach: String?
  /// The number of resident objects.
  @exclusivity(unchecked) public private(set) var residents = 0
  /// The number of the request that is run, from 0; up to the breach.
  @exclusivity(unchecked) package private(set) var request = 0

  @exclusivity(unchecked) private var states: [State]
  @exclusivity(unchecked) private var newcomer: Slot?
  @exclusivity(unchecked) private var newcomerIsForgotten = false
  @exclusivity(unchecked) private var questions = 0

  /// An account of slots that are all unknown; it grows.
  package init(slots: Int = 0) { states = Array(repeating: .unknown, count: slots) }

  /// Notes a breach; the first one counts.
  public func note(_ breach: @autoclosure () -> String) {
    if self.breach == nil { self.breach = breach() }
  }

  /// The state of `slot`.
  public func state(of slot: Slot) -> State {
    Int(slot) < states.count ? states[Int(slot)] : .unknown
  }

  /// Notes a policy whose membership differs from the states of all slots that the account has.
  @usableFromInline
  package func compareAll(contains: (Slot) -> Bool) {
    compare(0..<Slot(states.count), contains: contains)
  }

  /// Notes a policy whose membership of `slots` differs from their states.
  package func compare(_ slots: some Sequence<Slot>, contains: (Slot) -> Bool) {
    for slot in slots where contains(slot) != (state(of: slot) == .resident) {
      note("contains(\(slot)) is \(contains(slot)) for a slot that is \(state(of: slot))")
    }
  }
}

// MARK: - Events

extension SlotAccount {
  /// Counts a question for room that is not there.
  ///
  /// - Returns: True, with a note, for a policy that asks for ever without evicting.
  @usableFromInline
  package func asksForever() -> Bool {
    questions += 1
    if questions <= residents + 1_000 { return false }
    note("makes room for ever without evicting")
    return true
  }

  /// The policy is about to be asked to insert the object of `slot`, by request number `index`.
  ///
  /// - Returns: False after a breach: the policy is then left alone.
  @discardableResult @usableFromInline
  package func offered(_ slot: Slot, at index: Int = 0) -> Bool {
    if breach != nil { return false }
    request = index
    if state(of: slot) == .resident { note("loses slot \(slot), which is resident") }
    newcomer = slot
    newcomerIsForgotten = false
    questions = 0
    return breach == nil
  }

  /// The resident becomes a ghost.
  ///
  /// - Returns: False, with a note, for a slot that is not resident.
  @discardableResult @usableFromInline
  package func evicted(_ slot: Slot) -> Bool {
    guard state(of: slot) == .resident else {
      note(
        "evicts slot \(slot), which is \(slot == newcomer ? "the newcomer" : "\(state(of: slot))")")
      return false
    }
    takeOut(slot)
    return true
  }

  /// The ghost, or the newcomer, becomes unknown.
  ///
  /// - Returns: False for a newcomer that was forgotten before, and, with a note, for any other slot
  ///   that is no ghost.
  @discardableResult @usableFromInline
  package func forgot(_ slot: Slot) -> Bool {
    if slot == newcomer {
      if newcomerIsForgotten { return false }
      newcomerIsForgotten = true
    } else if state(of: slot) != .ghost {
      note("forgets slot \(slot), which is \(state(of: slot))")
      return false
    }
    if Int(slot) < states.count { states[Int(slot)] = .unknown }
    return true
  }

  /// The policy admitted the newcomer or refused it; the host now holds `used` of `capacity`.
  @usableFromInline
  package func inserted(_ slot: Slot, isAdmitted: Bool, used: Int, capacity: Int) {
    newcomer = nil
    if isAdmitted {
      admitted(slot)
      if used > capacity { note("admits slot \(slot) and holds \(used) of \(capacity)") }
    } else if !newcomerIsForgotten && state(of: slot) != .ghost {
      // What the policy knows nothing of, it must have forgotten.
      note("refuses slot \(slot), which is \(state(of: slot)), and does not forget it")
    }
  }

  private func admitted(_ slot: Slot) {
    if newcomerIsForgotten { note("forgets slot \(slot) and admits it") }
    if Int(slot) >= states.count {
      let missing = Int(slot) + 1 - states.count
      states.append(contentsOf: repeatElement(.unknown, count: missing))
    }
    states[Int(slot)] = .resident
    residents += 1
  }

  /// The resident leaves: it is a ghost until the policy forgets it.
  @usableFromInline
  package func takeOut(_ slot: Slot) {
    guard state(of: slot) == .resident else {
      note("contains slot \(slot), which is \(state(of: slot))")
      return
    }
    states[Int(slot)] = .ghost
    residents -= 1
    questions = 0
  }

  /// Everything was removed.
  @usableFromInline
  package func removeAll() {
    states = states.map { _ in .unknown }
    residents = 0
  }
}
