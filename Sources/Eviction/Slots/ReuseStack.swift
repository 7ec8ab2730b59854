import Parameters

/// LIRS's stack S and queue Q, which ``FRD`` has, too: its main objects are the LIR blocks, and its filter is Q.
///
/// S holds, in the order of their latest requests, the main objects, those of Q that came back, and ghosts. It is pruned
/// after every step: its bottom is a main object.
///
/// - Complexity: every operation is O(1), amortised. Memory: 17 bytes per slot.
@usableFromInline
struct ReuseStack: ~Copyable {
  @usableFromInline
  enum State: UInt8, BitwiseCopyable {
    case unknown
    /// In S.
    case main
    /// Resident, in S and Q.
    case queuedInStack
    /// Resident, in Q.
    case queued
    /// Not resident, in S and in the list of ghosts.
    case ghost
  }

  /// S, Q (whose end is its most recent end), and, if they are bounded, the ghosts in the order of their evictions. A
  /// ghost is not in Q, and so has the links for it.
  @usableFromInline var links: SlotLinkPairs
  @usableFromInline var states: SlotArray<State>
  let ghostShare: Fraction?
  /// True if the order of the ghosts' evictions matters; if not, they are not linked by it.
  @usableFromInline let boundsGhosts: Bool
  /// The most that main objects take together.
  @usableFromInline var mainLimit = 0
  @usableFromInline var ghostLimit = 0
  @usableFromInline var mainSize = 0
  @usableFromInline var ghostSize = 0

  init(_ configuration: PolicyConfiguration) {
    links = SlotLinkPairs(count: 2, slots: configuration.slots)
    states = SlotArray(repeating: .unknown, slots: configuration.slots)
    let share = configuration.arguments.ghosts ?? configuration.historyBound
    ghostShare = share
    boundsGhosts = share != nil
  }

  mutating func visitState(_ state: inout PolicyState) {
    links.visitState(&state)
    states.visitState(&state)
    state.visit(&mainLimit)
    state.visit(&ghostLimit)
    state.visit(&mainSize)
    state.visit(&ghostSize)
  }

  mutating func setLimits(main: Int, capacity: Int) {
    mainLimit = main
    ghostLimit = ghostShare?.floor(of: capacity) ?? .max
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  func contains(_ slot: Slot) -> Bool {
    states[slot].rawValue &- 1 < State.ghost.rawValue &- 1
  }

  @inlinable @inline(__always)
  func prefetch(_ slot: Slot) {
    states.prefetch(slot)
    links.prefetch(slot)
  }

  /// The least recent main object that is not pinned, or nil if there is none.
  @inlinable @inline(__always)
  func unpinnedMain(host: borrowing some SlotHost & ~Copyable) -> Slot? {
    var candidate = links.back(of: .stack)
    while let slot = candidate, states[slot] != .main || host.isPinned(slot) {
      candidate = links.newer(than: slot, in: .stack)
    }
    return candidate
  }

  /// A main object leaves; as it is not in S any more, it is forgotten.
  @inlinable
  mutating func evictMain(
    _ victim: Slot, for request: Request?, host: inout some SlotHost & ~Copyable
  ) {
    if !host.mayEvict(victim) { return }
    links.remove(victim, from: .stack)
    states[victim] = .unknown
    mainSize -= host.size(of: victim)
    host.didEvictAndForget(victim)
    prune(newcomer: request?.slot ?? .max, host: &host)
  }

  /// An object of Q leaves, and is remembered as long as it is in S.
  @inlinable @inline(__always)
  mutating func evictQueued(_ victim: Slot, host: inout some SlotHost & ~Copyable) {
    if !host.mayEvict(victim) { return }
    links.remove(victim, from: .queue)
    if states[victim] == .queuedInStack {
      if boundsGhosts { links.prepend(victim, to: .ghosts) }
      states[victim] = .ghost
      ghostSize &+= host.size(of: victim)
      host.didEvict(victim)
    } else {
      states[victim] = .unknown
      host.didEvictAndForget(victim)
    }
  }

  /// The main object at the bottom of S becomes the end of Q.
  @inlinable @inline(__always)
  mutating func demote(_ bottom: Slot, size: Int, host: inout some SlotHost & ~Copyable) {
    assert(states[bottom] == .main, "the bottom of S is a main object")
    links.remove(bottom, from: .stack)
    links.prepend(bottom, to: .queue)
    states[bottom] = .queued
    mainSize &-= size
    prune(host: &host)
  }

  /// Demotes from the bottom of S until the other main objects fit.
  @inlinable @inline(__always)
  mutating func boundMain(host: inout some SlotHost & ~Copyable) {
    while mainSize > mainLimit, let bottom = links.back(of: .stack) {
      demote(bottom, size: host.size(of: bottom), host: &host)
    }
  }

  /// Takes from the bottom of S what is no main object. What is no longer in S and not resident is forgotten; of a
  /// newcomer, the host is not told.
  @inlinable @inline(__always)
  mutating func prune(newcomer: Slot = .max, host: inout some SlotHost & ~Copyable) {
    while let bottom = links.back(of: .stack), states[bottom] != .main {
      if states[bottom] == .ghost {
        unlinkGhost(bottom, host: host)
        states[bottom] = .unknown
        if bottom != newcomer { host.didForget(bottom) }
      } else {
        links.remove(bottom, from: .stack)
        states[bottom] = .queued
      }
    }
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

  /// Refuses the newcomer; a ghost stays one as long as it is in S and the ghosts fit.
  @inlinable
  mutating func refuse(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    if states[request.slot] == .unknown { host.didForget(request.slot) }
    boundGhosts(host: &host)
    return false
  }

  /// Unlinks the slot, and prunes S.
  @inlinable
  mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    switch states[slot] {
    case .unknown: return
    case .main:
      links.remove(slot, from: .stack)
      mainSize -= host.size(of: slot)
    case .queuedInStack:
      links.remove(slot, from: .stack)
      links.remove(slot, from: .queue)
    case .queued: links.remove(slot, from: .queue)
    case .ghost: unlinkGhost(slot, host: host)
    }
    states[slot] = .unknown
    host.didForget(slot)
    prune(host: &host)
  }

  /// Empties S and Q.
  @inlinable
  mutating func removeAll() {
    links.removeAll()
    states.removeAll()
    mainSize = 0
    ghostSize = 0
  }

  /// Counts a main object with its new size.
  @inlinable
  mutating func changeSize(of slot: Slot, by difference: Int) {
    if states[slot] == .main { mainSize += difference }
  }

  @inlinable
  mutating func reserve(slots: Int) {
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
  /// The objects of S that are not resident, the newest evicted at the front.
  @inlinable @inline(__always)
  static var ghosts: SlotLinkPairs.List { .queue(2) }
}
