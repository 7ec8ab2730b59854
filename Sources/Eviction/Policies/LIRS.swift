import Parameters

/// Low inter-reference recency set: protects what came back soon, not what came last.
public struct LIRS: PinnablePolicy, ~Copyable {
  @usableFromInline
  enum State: UInt8, BitwiseCopyable {
    case unknown
    /// In S.
    case lir
    /// Resident, in S and Q.
    case hirInStack
    /// Resident, in Q.
    case hir
    /// Not resident, in S and in the list of ghosts.
    case ghost
  }

  /// Stack S, queue Q (whose end is its most recent end), and, if they are bounded, the ghosts in the
  /// order of their evictions. A ghost is not in Q, and so has the links for it.
  @usableFromInline var links: SlotLinkPairs
  @usableFromInline var states: SlotArray<State>
  @usableFromInline let isSized: Bool
  @usableFromInline let minimumHIR: Int
  @usableFromInline let countsRepeats: Bool
  @usableFromInline let ghostShare: Fraction?
  /// True if the order of the ghosts' evictions matters; if not, they are not linked by it.
  @usableFromInline let boundsGhosts: Bool
  /// Llirs.
  @usableFromInline var lirLimit = 0
  @usableFromInline var ghostLimit = 0
  @usableFromInline var lirSize = 0
  @usableFromInline var ghostSize = 0
  /// The block of the latest request, which its immediate repeat does not count.
  @usableFromInline var last: Slot = .max

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    links = SlotLinkPairs(count: 2, slots: configuration.slots)
    states = SlotArray(repeating: .unknown, slots: configuration.slots)
    isSized = configuration.isSized
    minimumHIR = arguments.integer("hirs")
    countsRepeats = arguments.text("repeats") == "count"
    ghostShare = arguments.ghosts ?? configuration.historyBound
    boundsGhosts = ghostShare != nil
    setLimits(for: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    links.visitState(&state)
    states.visitState(&state)
    state.visit(&lirLimit)
    state.visit(&ghostLimit)
    state.visit(&lirSize)
    state.visit(&ghostSize)
    state.visit(&last)
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

  /// The block goes to the top of S; a HIR block becomes LIR if it was in S, else the end of Q.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let slot = request.slot
    if !countsRepeats && slot == last { return }
    last = slot
    switch states[slot] {
    case .lir:
      links.moveToFront(slot, of: .stack)
    case .hirInStack:
      links.remove(slot, from: .queue)
      links.moveToFront(slot, of: .stack)
      becomeLIR(slot, size: host.size(of: slot), host: &host)
    default:
      links.prepend(slot, to: .stack)
      links.moveToFront(slot, of: .queue)
      states[slot] = .hirInStack
    }
    prune(host: &host)
  }

  /// Enters a block as LIR while the LIR blocks have room, or if S knows it; else as HIR.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    let fillsLIR = lirSize + request.size <= lirLimit
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    let isKnown = states[slot] == .ghost
    if isKnown {
      unlinkGhost(slot, host: host)
    }
    links.prepend(slot, to: .stack)
    if fillsLIR || isKnown {
      becomeLIR(slot, size: request.size, host: &host)
    } else {
      links.prepend(slot, to: .queue)
      states[slot] = .hirInStack
    }
    prune(host: &host)
    boundGhosts(host: &host)
    last = slot
    return true
  }

  /// Evicts the front of Q, which stays in S if it is there; the bottom LIR block if Q is empty.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    if let victim = links.unpinnedBack(of: .queue, host: host) {
      if !host.mayEvict(victim) { return }
      links.remove(victim, from: .queue)
      if states[victim] == .hirInStack {
        if boundsGhosts { links.prepend(victim, to: .ghosts) }
        states[victim] = .ghost
        ghostSize &+= host.size(of: victim)
        host.didEvict(victim)
      } else {
        states[victim] = .unknown
        host.didEvictAndForget(victim)
      }
    } else {
      evictBottom(for: request, host: &host)
    }
    if request == nil { boundGhosts(host: &host) }
  }

  /// Unlinks the slot, and prunes S.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    switch states[slot] {
    case .unknown: return
    case .lir:
      links.remove(slot, from: .stack)
      lirSize -= host.size(of: slot)
    case .hirInStack:
      links.remove(slot, from: .stack)
      links.remove(slot, from: .queue)
    case .hir: links.remove(slot, from: .queue)
    case .ghost: unlinkGhost(slot, host: host)
    }
    states[slot] = .unknown
    if slot == last { last = .max }
    host.didForget(slot)
    prune(host: &host)
  }

  /// Empties S and Q.
  @inlinable
  public mutating func removeAll() {
    links.removeAll()
    states.removeAll()
    lirSize = 0
    ghostSize = 0
    last = .max
  }

  /// Demotes the LIR blocks that no longer fit.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    setLimits(for: capacity)
    while lirSize > lirLimit, let bottom = links.back(of: .stack) {
      demote(bottom, size: host.size(of: bottom), host: &host)
    }
    boundGhosts(host: &host)
  }

  /// Counts a LIR block with its new size.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    if states[slot] == .lir { lirSize += difference }
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    links.reserve(slots: slots)
    states.reserve(slots: slots)
  }
}

extension SlotLinkPairs.List {
  /// S.
  @inlinable @inline(__always)
  static var stack: SlotLinkPairs.List { .stack(1) }
  /// Q, whose end is its front here.
  @inlinable @inline(__always)
  static var queue: SlotLinkPairs.List { .queue(1) }
  /// The blocks of S that are not resident, the newest evicted at the front.
  @inlinable @inline(__always)
  static var ghosts: SlotLinkPairs.List { .queue(2) }
}

// MARK: - Steps

extension LIRS {
  @usableFromInline
  mutating func setLimits(for capacity: Int) {
    let hirs = isSized ? capacity / 100 : min(max(minimumHIR, capacity / 100), capacity)
    lirLimit = capacity - hirs
    ghostLimit = ghostShare?.floor(of: capacity) ?? .max
  }

  /// The block on top of S becomes LIR, and the bottom LIR blocks become HIR until the others fit.
  @inlinable @inline(__always)
  mutating func becomeLIR(_ slot: Slot, size: Int, host: inout some SlotHost & ~Copyable) {
    states[slot] = .lir
    lirSize &+= size
    while lirSize > lirLimit, let bottom = links.back(of: .stack) {
      demote(bottom, size: bottom == slot ? size : host.size(of: bottom), host: &host)
    }
  }

  /// The LIR block at the bottom of S becomes the end of Q.
  @inlinable @inline(__always)
  mutating func demote(_ bottom: Slot, size: Int, host: inout some SlotHost & ~Copyable) {
    assert(states[bottom] == .lir, "the bottom of S is a LIR block")
    links.remove(bottom, from: .stack)
    links.prepend(bottom, to: .queue)
    states[bottom] = .hir
    lirSize &-= size
    prune(host: &host)
  }

  /// Removes HIR blocks from the bottom of S until a LIR block is there. What is no longer in S and
  /// not resident is forgotten; of a newcomer, the host is not told.
  @inlinable @inline(__always)
  mutating func prune(newcomer: Slot = .max, host: inout some SlotHost & ~Copyable) {
    while let bottom = links.back(of: .stack), states[bottom] != .lir {
      if states[bottom] == .ghost {
        unlinkGhost(bottom, host: host)
        states[bottom] = .unknown
        if bottom != newcomer { host.didForget(bottom) }
      } else {
        links.remove(bottom, from: .stack)
        states[bottom] = .hir
      }
    }
  }

  /// Q is empty: the bottom LIR block leaves, and as it is not in S any more, it is forgotten.
  @inlinable
  mutating func evictBottom(for request: Request?, host: inout some SlotHost & ~Copyable) {
    var candidate = links.back(of: .stack)
    while let slot = candidate, states[slot] != .lir || host.isPinned(slot) {
      candidate = links.newer(than: slot, in: .stack)
    }
    guard let victim = candidate else { preconditionFailure("there is nothing to evict") }
    if !host.mayEvict(victim) { return }
    links.remove(victim, from: .stack)
    states[victim] = .unknown
    lirSize -= host.size(of: victim)
    host.didEvictAndForget(victim)
    prune(newcomer: request?.slot ?? .max, host: &host)
  }

  @inlinable @inline(__always)
  mutating func unlinkGhost(_ slot: Slot, host: borrowing some SlotHost & ~Copyable) {
    links.remove(slot, from: .stack)
    if boundsGhosts { links.remove(slot, from: .ghosts) }
    ghostSize &-= host.size(of: slot)
  }

  /// Forgets the oldest-evicted ghosts beyond the limit.
  @inlinable @inline(__always)
  mutating func boundGhosts(host: inout some SlotHost & ~Copyable) {
    while ghostSize > ghostLimit, let oldest = links.back(of: .ghosts) {
      unlinkGhost(oldest, host: host)
      states[oldest] = .unknown
      host.didForget(oldest)
    }
  }

  /// Refuses the newcomer; a ghost stays one as long as the ghosts fit.
  @inlinable
  mutating func refuse(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    last = .max
    if states[request.slot] == .unknown { host.didForget(request.slot) }
    boundGhosts(host: &host)
    return false
  }
}
