import Parameters

/// DLIRS: LIRS whose share for HIR blocks follows the requests.
public struct DLIRS: PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "dlirs", summary: "LIRS with a learned limit for the blocks on probation",
    paper: "C. Li, “DLIRS: improving low inter-reference recency set cache replacement policy with "
      + "dynamics”, SYSTOR 2018; the code in sylab/cacheus, commit 7e7053d.",
    idea: "LIRS gives 1 % to blocks on probation (HIR), too little where recency counts. A request "
      + "for a ghost says that they need more; a hit of a block that had been LIR, that the LIR "
      + "blocks do.",
    hit: "LIR: to the top of S; if it was the bottom, S is pruned. HIR in S: it becomes LIR, and "
      + "the bottom LIR blocks become the end of Q, demoted, until it fits. HIR not in S: if it "
      + "was demoted, Llirs grows by max(1, ghosts/demoted), rounded, and it is so no longer; it "
      + "goes to the end of Q and, as HIR, to the top of S.",
    miss: "A ghost raises Lhirs by max(1, demoted/ghosts), rounded, and enters as a HIR block of "
      + "S that is hit. Anything else enters as LIR while these have room and Q is empty; else "
      + "room is made, and it enters the top of S and the end of Q.",
    eviction: "LIR blocks beyond Llirs are demoted; then the front of Q leaves. It stays in S as a "
      + "ghost if it is there.",
    ghosts: "While residents and ghosts together are over 2C, the lowest HIR block in S leaves S.",
    complexity: "O(1) amortised per request.",
    differences: "As the code of Cacheus' authors, with Lhirs = max(1, C/100 rounded) at first, "
      + "at least 1 and at most C − 1 later. A hit in it demotes LIR blocks only when it needs "
      + "their room. With sizes, all of this counts bytes, and a step is multiplied by the "
      + "object's size; where Q is empty, the bottom LIR block is the victim.",
    parameters: [
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(100)), default: .fraction(Fraction(1)),
        help: "ghosts that a full cache remembers, as a multiple of the capacity")
    ],
    minimumCapacity: 2, bytesPerSlot: 26, miniatureError: 0)

  @usableFromInline
  enum State: UInt8, BitwiseCopyable {
    case unknown
    /// In S.
    case lir
    /// Resident, in S and Q.
    case hirInStack
    /// Resident, in Q.
    case hir
    /// Resident, in Q, once LIR.
    case demoted
    /// Not resident, in S.
    case ghost
  }

  /// S and Q, the end of each its front.
  @usableFromInline var links: SlotLinkPairs
  /// The HIR blocks of S, in its order.
  @usableFromInline var hirsInStack: SlotLists<UInt8>
  @usableFromInline var states: SlotArray<State>
  @usableFromInline let ghostShare: Fraction
  @usableFromInline var capacity: Int
  @usableFromInline var directory: Int
  /// Llirs; Lhirs is what it leaves.
  @usableFromInline var lirLimit: Int
  @usableFromInline var lirSize = 0
  @usableFromInline var hirSize = 0
  @usableFromInline var demotedSize = 0
  @usableFromInline var ghostSize = 0
  /// The LIR blocks by their places in S, and the blocks of Q by theirs.
  @usableFromInline var lirOrder = PlacedSlots()
  @usableFromInline var queueOrder = PlacedSlots()

  /// Creates an empty cache's policy.
  ///
  /// - Throws: `PolicyError/capacityTooSmall(policy:capacity:minimum:)` below 2.
  public init(_ configuration: PolicyConfiguration) throws(PolicyError) {
    capacity = configuration.capacity
    if capacity < 2 {
      throw .capacityTooSmall(policy: "dlirs", capacity: capacity, minimum: 2)
    }
    links = SlotLinkPairs(count: 1, slots: configuration.slots)
    hirsInStack = SlotLists(count: 1, slots: configuration.slots)
    states = SlotArray(repeating: .unknown, slots: configuration.slots)
    ghostShare = configuration.arguments.fraction("ghosts")
    directory = capacity + ghostShare.floor(of: capacity)
    lirLimit = capacity - max(1, (capacity + 50) / 100)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    links.visitState(&state)
    hirsInStack.visitState(&state)
    states.visitState(&state)
    state.visit(&capacity)
    state.visit(&directory)
    state.visit(&lirLimit)
    state.visit(&lirSize)
    state.visit(&hirSize)
    state.visit(&demotedSize)
    state.visit(&ghostSize)
    lirOrder.visitState(&state)
    queueOrder.visitState(&state)
  }

  /// Returns true if the object in `slot` is resident: LIR or HIR.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool {
    states[slot].rawValue &- 1 < State.ghost.rawValue &- 1
  }

  /// Prefetches the slot's state and links.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    states.prefetch(slot)
    links.prefetch(slot)
  }

  /// Moves the block to the top of S; a HIR block becomes LIR if it was in S, else the end of Q.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let slot = request.slot
    switch states[slot] {
    case .lir:
      links.moveToFront(slot, of: .stack)
      lirOrder.placed(slot, host: host)
      prune(host: &host)
    case .hirInStack:
      let size = host.size(of: slot)
      hirsInStack.remove(slot, size: size)
      links.remove(slot, from: .stack)
      leaveQueue(slot, host: host)
      hirSize -= size
      demote(for: size, host: &host)
      enterLIR(slot, size: size, host: host)
    default:
      let size = host.size(of: slot)
      if states[slot] == .demoted {
        let step = Cacheus.step(ghostSize, over: demotedSize, size: size)
        lirLimit = min(capacity - 1, lirLimit + step)
        demotedSize -= size
      }
      links.moveToFront(slot, of: .queue)
      queueOrder.placed(slot, host: host)
      enterStack(slot, size: size)
      boundStack(host: &host)
    }
  }

  /// Enters a block as LIR while the LIR blocks have room, or if S knows it; else as HIR.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    let isKnown = states[slot] == .ghost
    if isKnown {
      let step = Cacheus.step(demotedSize, over: ghostSize, size: request.size)
      lirLimit = max(1, lirLimit - step)
      forgetGhost(slot, size: host.size(of: slot))
      demote(for: request.size, host: &host)
    }
    let fillsLIR = !isKnown && hirSize == 0 && lirSize + request.size <= lirLimit
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    if isKnown || fillsLIR {
      enterLIR(slot, size: request.size, host: host)
    } else {
      links.prepend(slot, to: .queue)
      queueOrder.placed(slot, host: host)
      hirSize += request.size
      enterStack(slot, size: request.size)
    }
    boundStack(newcomer: request, host: &host)
    return true
  }

  /// Demotes the LIR blocks beyond their limit, and evicts the front of Q.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    demote(for: 0, host: &host)
    if unpinnedInQueue(host: host) == nil { demoteBottom(host: &host) }
    guard let victim = unpinnedInQueue(host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    if !host.mayEvict(victim) { return }
    let size = host.size(of: victim)
    leaveQueue(victim, host: host)
    hirSize -= size
    if states[victim] == .hirInStack {
      states[victim] = .ghost
      ghostSize += size
      host.didEvict(victim)
    } else {
      if states[victim] == .demoted { demotedSize -= size }
      states[victim] = .unknown
      host.didEvictAndForget(victim)
    }
    if request == nil { boundStack(host: &host) }
  }

  /// Unlinks the slot, and prunes S.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if states[slot] == .unknown { return }
    let size = host.size(of: slot)
    switch states[slot] {
    case .unknown: return
    case .lir:
      links.remove(slot, from: .stack)
      lirOrder.left(slot, host: host)
      lirSize -= size
    case .hirInStack:
      hirsInStack.remove(slot, size: size)
      links.remove(slot, from: .stack)
      leaveQueue(slot, host: host)
      hirSize -= size
    case .hir, .demoted:
      if states[slot] == .demoted { demotedSize -= size }
      leaveQueue(slot, host: host)
      hirSize -= size
    case .ghost: forgetGhost(slot, size: size)
    }
    states[slot] = .unknown
    host.didForget(slot)
    prune(host: &host)
  }

  /// Empties S and Q; the limits stay.
  @inlinable
  public mutating func removeAll() {
    links.removeAll()
    hirsInStack.removeAll()
    states.removeAll()
    lirOrder.removeAll()
    queueOrder.removeAll()
    (lirSize, hirSize, demotedSize, ghostSize) = (0, 0, 0, 0)
  }

  /// Keeps Lhirs where it can, and demotes the LIR blocks that no longer fit.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    lirLimit = max(1, capacity - (self.capacity - lirLimit))
    self.capacity = capacity
    directory = capacity + ghostShare.floor(of: capacity)
    demote(for: 0, host: &host)
    boundStack(host: &host)
  }

  /// Corrects the sums that the slot is part of.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    switch states[slot] {
    case .lir: lirSize += difference
    case .hirInStack:
      hirsInStack.changeSize(of: slot, by: difference)
      hirSize += difference
    case .demoted:
      demotedSize += difference
      hirSize += difference
    default: hirSize += difference
    }
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    links.reserve(slots: slots)
    hirsInStack.reserve(slots: slots)
    states.reserve(slots: slots)
  }

  /// Llirs, the size that the blocks of the LIR set may take together.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("lir_limit", Double(lirLimit))
  }
}

// MARK: - Steps

extension DLIRS {
  /// The oldest block of Q that is not pinned, or nil if there is none.
  @inlinable @inline(__always)
  mutating func unpinnedInQueue(host: borrowing some SlotHost & ~Copyable) -> Slot? {
    queueOrder.unpinnedBack(links.back(of: .queue), host: host)
  }

  @inlinable @inline(__always)
  mutating func leaveQueue(_ slot: Slot, host: borrowing some SlotHost & ~Copyable) {
    links.remove(slot, from: .queue)
    queueOrder.left(slot, host: host)
  }

  @inlinable @inline(__always)
  mutating func enterLIR(
    _ slot: Slot, size: Int, host: borrowing some SlotHost & ~Copyable
  ) {
    links.prepend(slot, to: .stack)
    lirOrder.placed(slot, host: host)
    states[slot] = .lir
    lirSize += size
  }

  /// Puts a HIR block on top of S.
  @inlinable @inline(__always)
  mutating func enterStack(_ slot: Slot, size: Int) {
    links.prepend(slot, to: .stack)
    hirsInStack.prepend(slot, to: .first, size: size)
    states[slot] = .hirInStack
  }

  /// Takes a ghost out of S.
  @inlinable @inline(__always)
  mutating func forgetGhost(_ slot: Slot, size: Int) {
    hirsInStack.remove(slot, size: size)
    links.remove(slot, from: .stack)
    ghostSize -= size
    states[slot] = .unknown
  }

  /// Demotes LIR blocks until `size` more fits their limit.
  @inlinable @inline(__always)
  mutating func demote(for size: Int, host: inout some SlotHost & ~Copyable) {
    while lirSize > 0 && lirSize + size > lirLimit {
      if !demoteBottom(host: &host) { return }
    }
  }

  /// Makes the LIR block at the bottom of S the end of Q, or the lowest that is not pinned.
  ///
  /// - Returns: False if there is none.
  @inlinable @discardableResult
  mutating func demoteBottom(host: inout some SlotHost & ~Copyable) -> Bool {
    prune(host: &host)
    guard let bottom = lirOrder.unpinnedBack(links.back(of: .stack), host: host) else {
      return false
    }
    let size = host.size(of: bottom)
    links.remove(bottom, from: .stack)
    lirOrder.left(bottom, host: host)
    links.prepend(bottom, to: .queue)
    queueOrder.placed(bottom, host: host)
    states[bottom] = .demoted
    lirSize -= size
    hirSize += size
    demotedSize += size
    prune(host: &host)
    return true
  }

  /// Takes a HIR block out of S.
  @inlinable @inline(__always)
  mutating func leaveStack(_ slot: Slot, size: Int, host: inout some SlotHost & ~Copyable) {
    if states[slot] == .ghost {
      forgetGhost(slot, size: size)
      host.didForget(slot)
    } else {
      hirsInStack.remove(slot, size: size)
      links.remove(slot, from: .stack)
      states[slot] = .hir
    }
  }

  /// Takes HIR blocks off the bottom of S until a LIR block is there.
  @inlinable @inline(__always)
  mutating func prune(host: inout some SlotHost & ~Copyable) {
    while let bottom = links.back(of: .stack), states[bottom] != .lir {
      leaveStack(bottom, size: host.size(of: bottom), host: &host)
    }
  }

  /// Takes the lowest HIR blocks out of S while residents and ghosts are too many.
  @inlinable @inline(__always)
  mutating func boundStack(newcomer: Request? = nil, host: inout some SlotHost & ~Copyable) {
    while lirSize + hirSize + ghostSize > directory, let lowest = hirsInStack.back(of: .first) {
      let size = newcomer?.slot == lowest ? newcomer?.size ?? 0 : host.size(of: lowest)
      leaveStack(lowest, size: size, host: &host)
    }
  }
}
