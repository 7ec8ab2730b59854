import EvictionCore

/// A host that keeps its own account of every slot, and notes where a policy breaks the contract.
///
/// It is the other half of a test: it knows only what the policy tells it, so that the policy's view
/// (``EvictionCore/ReplacementPolicy/contains(_:)``) can be compared with the host's.
public struct CheckingHost: SlotHost, ~Copyable {
  /// The capacity in size units.
  public var capacity: Int
  /// Size units of the residents.
  public private(set) var used = 0
  /// The states of the slots.
  public let account = SlotAccount()
  /// Evicted slots, in their order; the driver empties it.
  public var evictedSlots: [Slot] = []
  /// Forgotten slots, in their order; the driver empties it.
  public var forgottenSlots: [Slot] = []

  /// Answers ``mayEvict(_:)``.
  var gate: AdmissionGate

  private var released: Slot?
  private var sizes: [Int] = []
  private var keyHashes: [UInt64] = []

  /// An empty cache, behind a filter or none.
  public init(capacity: Int, filter: AdmissionFilter? = nil) {
    self.capacity = capacity
    gate = AdmissionGate(filter)
  }

  /// True for a newcomer that was refused.
  public var hasRefused: Bool { gate.hasRefused }

  /// Returns true if `request` fits. A policy that asks for ever without evicting is noted, and let go.
  public func hasRoom(for request: Request) -> Bool {
    request.size <= capacity - used || account.asksForever()
  }

  /// The size of a resident or ghost; asking about any other slot is a breach.
  public func size(of slot: Slot) -> Int {
    if account.state(of: slot) == .unknown {
      account.note("asks for the size of slot \(slot), which it forgot")
    }
    return Int(slot) < sizes.count ? sizes[Int(slot)] : 0
  }

  /// Lets the victim go, unless the filter prefers it to a newcomer.
  public mutating func mayEvict(_ victim: Slot) -> Bool {
    if hasRefused {
      account.note("goes on evicting for a newcomer that was refused")
    } else if account.state(of: victim) != .resident {
      account.note("would evict slot \(victim), which is not resident")
    } else if gate.isAsking, !gate.mayEvict(keyHashes[Int(victim)]) {
      return false
    }
    released = victim
    return true
  }

  /// Every breach is noted.
  public static var notesBreaches: Bool { true }

  /// The resident becomes a ghost.
  public mutating func didEvict(_ slot: Slot) {
    if released != slot && account.state(of: slot) == .resident {
      account.note("evicts slot \(slot) without asking whether it may leave")
    }
    released = nil
    if !account.didEvict(slot) { return }
    used -= sizes[Int(slot)]
    evictedSlots.append(slot)
  }

  /// The newcomer becomes a ghost of the request's size.
  public mutating func didRemember(_ newcomer: Request) {
    account.didRemember(newcomer.slot)
    keep(newcomer)
  }

  /// The ghost becomes unknown.
  public mutating func didForget(_ slot: Slot) {
    if account.didForget(slot) { forgottenSlots.append(slot) }
  }
}

// MARK: - Calls of the driver

extension CheckingHost {
  /// The policy is asked to insert the object of `request`.
  mutating func offered(_ request: Request) {
    account.offered(request.slot)
    gate.open(for: request)
  }

  /// The policy admitted the slot that it was offered.
  mutating func admitted(_ request: Request) {
    if hasRefused { account.note("admits slot \(request.slot), which the host refused") }
    keep(request)
    used += request.size
    account.inserted(request.slot, isAdmitted: true, used: used, capacity: capacity)
    gate.close()
    gate.admitted(residents: account.residents)
  }

  /// Keeps the size of a resident or ghost, and the hash of its key.
  private mutating func keep(_ request: Request) {
    let slot = Int(request.slot)
    if slot >= sizes.count {
      let missing = slot + 1 - sizes.count
      sizes.append(contentsOf: repeatElement(0, count: missing))
      keyHashes.append(contentsOf: repeatElement(0, count: missing))
    }
    sizes[slot] = request.size
    keyHashes[slot] = request.keyHash
  }

  /// The policy refused the slot that it was offered.
  mutating func refused(_ slot: Slot) {
    account.inserted(slot, isAdmitted: false, used: used, capacity: capacity)
    gate.close()
  }

  /// The user removed the resident of `slot`.
  mutating func takeOut(_ slot: Slot) {
    account.takeOut(slot)
    used -= sizes[Int(slot)]
  }

  /// The resident of `slot` has another size.
  mutating func resized(_ slot: Slot, to size: Int) {
    used += size - sizes[Int(slot)]
    sizes[Int(slot)] = size
  }

  /// Everything was removed.
  mutating func clear() {
    account.removeAll()
    used = 0
  }
}
