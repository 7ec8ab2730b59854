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

  private enum Report: String {
    case remembered = "remembers", forgotten = "forgets"
  }

  /// The first breach; nil while the policy keeps the contract.
  @exclusivity(unchecked) public private(set) var breach: String?
  /// The number of resident objects.
  @exclusivity(unchecked) public private(set) var residents = 0
  /// The number of the request that is run, from 0; up to the breach.
  @exclusivity(unchecked) package private(set) var request = 0

  /// Indexed by slot.
  @exclusivity(unchecked) private var states: UnsafeMutableBufferPointer<State>
  @exclusivity(unchecked) private var newcomer: Slot?
  /// The policy's report of the newcomer.
  @exclusivity(unchecked) private var report: Report?
  @exclusivity(unchecked) private var questions = 0
  @exclusivity(unchecked) private var ghosts = 0
  /// The most slots that were residents or ghosts at once, after an insertion or a refusal.
  @exclusivity(unchecked) package private(set) var peakSlots = 0
  /// The most ghosts at once, after an insertion or a refusal.
  @exclusivity(unchecked) package private(set) var peakGhosts = 0

  /// An account of slots that are all unknown; it grows.
  package init(slots: Int = 0) {
    states = .allocate(capacity: slots)
    states.initialize(repeating: .unknown)
  }

  deinit { states.deallocate() }

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
  /// - Returns: True, with a note, for a policy that asks for ever without evicting, and after any breach:
  ///   the policy is let go.
  @usableFromInline
  package func asksForever() -> Bool {
    questions += 1
    if breach == nil && questions <= residents + 1_000 { return false }
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
    report = nil
    questions = 0
    return breach == nil
  }

  /// The resident becomes a ghost.
  ///
  /// - Returns: False, with a note, for a slot that is not resident.
  @discardableResult @usableFromInline
  package func didEvict(_ slot: Slot) -> Bool {
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
  package func didForget(_ slot: Slot) -> Bool {
    if slot == newcomer {
      if report == .forgotten { return false }
      report = .forgotten
    } else if state(of: slot) != .ghost {
      note("forgets slot \(slot), which is \(state(of: slot))")
      return false
    }
    if state(of: slot) == .ghost { ghosts -= 1 }
    if Int(slot) < states.count { states[Int(slot)] = .unknown }
    return true
  }

  /// The policy will refuse the newcomer, and remembers it.
  @usableFromInline
  package func didRemember(_ slot: Slot) {
    if slot != newcomer {
      note("remembers slot \(slot), which is no newcomer")
    } else if report != nil || state(of: slot) != .unknown {
      note("remembers slot \(slot), which \(report == nil ? "is a ghost" : "it has reported")")
    } else {
      report = .remembered
      reserve(slot)
      states[Int(slot)] = .ghost
      ghosts += 1
    }
  }

  /// The policy admitted the newcomer or refused it; the host now holds `used` of `capacity`.
  @usableFromInline
  package func inserted(_ slot: Slot, isAdmitted: Bool, used: Int, capacity: Int) {
    newcomer = nil
    if isAdmitted {
      admitted(slot)
      if used > capacity { note("admits slot \(slot) and holds \(used) of \(capacity)") }
    } else if report != .forgotten && state(of: slot) != .ghost {
      // What the policy knows nothing of, it must have forgotten.
      note(
        "refuses slot \(slot), which is \(state(of: slot)), and neither forgets nor remembers it")
    }
    peakSlots = max(peakSlots, residents + ghosts)
    peakGhosts = max(peakGhosts, ghosts)
  }

  private func admitted(_ slot: Slot) {
    if let report { note("\(report.rawValue) slot \(slot) and admits it") }
    reserve(slot)
    if states[Int(slot)] == .ghost { ghosts -= 1 }
    states[Int(slot)] = .resident
    residents += 1
  }

  private func reserve(_ slot: Slot) {
    if Int(slot) < states.count { return }
    let slots = 2 * (Int(slot) + 1)
    let larger = UnsafeMutableBufferPointer<State>.allocate(capacity: slots)
    let end = larger.initialize(fromContentsOf: states)
    larger[end...].initialize(repeating: .unknown)
    states.deallocate()
    states = larger
  }

  /// The resident leaves: it is a ghost until the policy forgets it.
  @usableFromInline
  package func takeOut(_ slot: Slot) {
    guard state(of: slot) == .resident else {
      note("contains slot \(slot), which is \(state(of: slot))")
      return
    }
    states[Int(slot)] = .ghost
    ghosts += 1
    residents -= 1
    questions = 0
  }

  /// Everything was removed.
  @usableFromInline
  package func removeAll() {
    states.update(repeating: .unknown)
    residents = 0
    ghosts = 0
  }
}
