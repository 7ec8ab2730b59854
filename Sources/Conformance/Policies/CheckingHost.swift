import EvictionCore

/// A host that keeps its own account of every slot, and notes where a policy breaks the contract.
///
/// It is the other half of a test: what a policy tells it is all it knows, so that the policy's view
/// (``EvictionCore/ReplacementPolicy/contains(_:)``) can be compared with the host's.
public struct CheckingHost: SlotHost, ~Copyable {
  /// What a slot is to the host.
  public enum State: Sendable {
    /// The policy has forgotten it, or never saw it.
    case unknown
    /// Its object is in the cache.
    case resident
    /// Its object is gone and the policy remembers it.
    case ghost
  }

  /// The capacity in size units.
  public var capacity: Int
  /// Size units of the residents.
  public private(set) var used = 0
  /// How many objects are resident.
  public private(set) var residents = 0
  /// Evicted slots, in their order; the driver empties it.
  public var evictedSlots: [Slot] = []
  /// Forgotten slots, in their order; the driver empties it.
  public var forgottenSlots: [Slot] = []

  /// Answers ``mayEvict(_:)``.
  var gate: AdmissionGate

  private var released: Slot?
  private var states: [State] = []
  private var sizes: [Int] = []
  private var keyHashes: [UInt64] = []
  private var newcomer: Slot?
  private var newcomerIsForgotten = false
  private let notes = Notes()

  /// Shared with the members that may not mutate the host.
  private final class Notes {
    var violation: String?
    var questions = 0
  }

  /// An empty cache, behind a filter or none.
  public init(capacity: Int, filter: AdmissionFilter? = nil) {
    self.capacity = capacity
    gate = AdmissionGate(filter)
  }

  /// Whether the newcomer was refused.
  public var hasRefused: Bool { gate.hasRefused }

  /// The first breach of the contract.
  public var violation: String? { notes.violation }

  /// Notes a breach; the first one counts.
  public func note(_ violation: @autoclosure () -> String) {
    if notes.violation == nil { notes.violation = violation() }
  }

  /// What `slot` is.
  public func state(of slot: Slot) -> State {
    Int(slot) < states.count ? states[Int(slot)] : .unknown
  }

  /// Whether `request` fits. A policy that asks for ever without evicting is noted, and let go.
  public func hasRoom(for request: Request) -> Bool {
    if request.size <= capacity - used { return true }
    notes.questions += 1
    if notes.questions <= residents + 1_000 { return false }
    note("makes room for ever without evicting")
    return true
  }

  /// The size of a resident or ghost; asking about any other slot is a breach.
  public func size(of slot: Slot) -> Int {
    if state(of: slot) == .unknown { note("asks for the size of slot \(slot), which it forgot") }
    return Int(slot) < sizes.count ? sizes[Int(slot)] : 0
  }

  /// Lets the victim go, unless the filter prefers it to a newcomer.
  public mutating func mayEvict(_ victim: Slot) -> Bool {
    if state(of: victim) != .resident { note("would evict slot \(victim), which is not resident") }
    if hasRefused {
      note("goes on evicting for a newcomer that was refused")
    } else if gate.isAsking, !gate.mayEvict(keyHashes[Int(victim)]) {
      return false
    }
    released = victim
    return true
  }

  /// The resident becomes a ghost.
  public mutating func evicted(_ slot: Slot) {
    if released != slot { note("evicts slot \(slot) without asking whether it may leave") }
    released = nil
    guard state(of: slot) == .resident else {
      note("evicts slot \(slot), which is \(state(of: slot))")
      return
    }
    notes.questions = 0
    takeOut(slot)
    evictedSlots.append(slot)
  }

  /// The ghost becomes unknown.
  public mutating func forgot(_ slot: Slot) {
    if slot == newcomer {
      if newcomerIsForgotten { return }
      newcomerIsForgotten = true
    } else if state(of: slot) != .ghost {
      note("forgets slot \(slot), which is \(state(of: slot))")
      return
    }
    if Int(slot) < states.count { states[Int(slot)] = .unknown }
    forgottenSlots.append(slot)
  }
}

// MARK: - What the driver tells

extension CheckingHost {
  /// The policy is asked to insert the object of `request`.
  mutating func offered(_ request: Request) {
    newcomer = request.slot
    newcomerIsForgotten = false
    notes.questions = 0
    gate.open(for: request)
  }

  /// The policy admitted the slot that it was offered.
  mutating func admitted(_ request: Request) {
    let slot = request.slot
    if newcomerIsForgotten { note("forgets slot \(slot) and admits it") }
    if hasRefused { note("admits slot \(slot), which the host refused") }
    newcomer = nil
    set(.resident, request)
    used += request.size
    residents += 1
    gate.close()
    gate.admitted(residents: residents)
    if used > capacity { note("admits slot \(slot) and holds \(used) of \(capacity)") }
  }

  /// The policy refused the slot that it was offered: it must have forgotten it, unless it was a ghost.
  mutating func refused(_ slot: Slot) {
    newcomer = nil
    gate.close()
    if !newcomerIsForgotten && state(of: slot) != .ghost {
      note("refuses slot \(slot), which is unknown, and does not forget it")
    }
  }

  /// The user removed the resident of `slot`: it is a ghost until the policy forgets it.
  mutating func takeOut(_ slot: Slot) {
    states[Int(slot)] = .ghost
    used -= sizes[Int(slot)]
    residents -= 1
  }

  /// The resident of `slot` has another size.
  mutating func resized(_ slot: Slot, to size: Int) {
    used += size - sizes[Int(slot)]
    sizes[Int(slot)] = size
  }

  /// Everything was removed.
  mutating func clear() {
    states = states.map { _ in .unknown }
    used = 0
    residents = 0
  }

  private mutating func set(_ state: State, _ request: Request) {
    let slot = Int(request.slot)
    if slot >= states.count {
      let missing = slot + 1 - states.count
      states.append(contentsOf: repeatElement(.unknown, count: missing))
      sizes.append(contentsOf: repeatElement(0, count: missing))
      keyHashes.append(contentsOf: repeatElement(0, count: missing))
    }
    states[slot] = state
    sizes[slot] = request.size
    keyHashes[slot] = request.keyHash
  }
}
