import Parameters

/// Low inter-reference recency set: protects what came back soon, not what came last.
public struct LIRS: PinnablePolicy, ~Copyable {
  /// Stack S with the LIR blocks, whose sizes are at most Llirs, and queue Q with the resident HIR blocks.
  @usableFromInline var blocks: ReuseStack
  @usableFromInline let isSized: Bool
  @usableFromInline let minimumHIR: Int
  @usableFromInline let countsRepeats: Bool
  /// The block of the latest request, which its immediate repeat does not count.
  @usableFromInline var last: Slot = .max

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    blocks = ReuseStack(configuration)
    isSized = configuration.isSized
    minimumHIR = configuration.arguments.integer("hirs")
    countsRepeats = configuration.arguments.text("repeats") == "count"
    setLimits(for: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    blocks.visitState(&state)
    state.visit(&last)
  }

  /// Returns true if the object in `slot` is resident: LIR or HIR.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { blocks.contains(slot) }

  /// Prefetches the slot's state and links.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { blocks.prefetch(slot) }

  /// The block goes to the top of S; a HIR block becomes LIR if it was in S, else the end of Q.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let slot = request.slot
    if !countsRepeats && slot == last { return }
    last = slot
    switch blocks.states[slot] {
    case .main:
      blocks.links.moveToFront(slot, of: .stack)
    case .queuedInStack:
      blocks.links.remove(slot, from: .queue)
      blocks.links.moveToFront(slot, of: .stack)
      becomeLIR(slot, size: host.size(of: slot), host: &host)
    default:
      blocks.links.prepend(slot, to: .stack)
      blocks.links.moveToFront(slot, of: .queue)
      blocks.states[slot] = .queuedInStack
    }
    blocks.prune(host: &host)
  }

  /// Enters a block as LIR while the LIR blocks have room, or if S knows it; else as HIR.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    let fillsLIR = blocks.mainSize + request.size <= blocks.mainLimit
    guard makeRoom(for: request, host: &host) else {
      last = .max
      return blocks.refuse(request, host: &host)
    }
    let isKnown = blocks.states[slot] == .ghost
    if isKnown { blocks.unlinkGhost(slot, host: host) }
    blocks.links.prepend(slot, to: .stack)
    if fillsLIR || isKnown {
      becomeLIR(slot, size: request.size, host: &host)
    } else {
      blocks.links.prepend(slot, to: .queue)
      blocks.states[slot] = .queuedInStack
    }
    blocks.prune(host: &host)
    blocks.boundGhosts(host: &host)
    last = slot
    return true
  }

  /// Evicts the front of Q, which stays in S if it is there; the bottom LIR block if Q is empty.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    if let victim = blocks.links.unpinnedBack(of: .queue, host: host) {
      blocks.evictQueued(victim, host: &host)
    } else {
      evictBottom(for: request, host: &host)
    }
    if request == nil { blocks.boundGhosts(host: &host) }
  }

  /// Unlinks the slot, and prunes S.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if slot == last { last = .max }
    blocks.remove(slot, host: &host)
  }

  /// Empties S and Q.
  @inlinable
  public mutating func removeAll() {
    blocks.removeAll()
    last = .max
  }

  /// Demotes the LIR blocks that no longer fit.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    setLimits(for: capacity)
    blocks.boundMain(host: &host)
    blocks.boundGhosts(host: &host)
  }

  /// Counts a LIR block with its new size.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    blocks.changeSize(of: slot, by: difference)
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { blocks.reserve(slots: slots) }

  @usableFromInline
  mutating func setLimits(for capacity: Int) {
    let hirs = isSized ? capacity / 100 : min(max(minimumHIR, capacity / 100), capacity)
    blocks.setLimits(main: capacity - hirs, capacity: capacity)
  }

  /// Q is empty: the bottom LIR block leaves.
  @inlinable
  mutating func evictBottom(for request: Request?, host: inout some SlotHost & ~Copyable) {
    guard let victim = blocks.unpinnedMain(host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    blocks.evictMain(victim, for: request, host: &host)
  }

  /// The block on top of S becomes LIR, and the bottom LIR blocks become HIR until the others fit.
  @inlinable @inline(__always)
  mutating func becomeLIR(_ slot: Slot, size: Int, host: inout some SlotHost & ~Copyable) {
    blocks.states[slot] = .main
    blocks.mainSize &+= size
    while blocks.mainSize > blocks.mainLimit, let bottom = blocks.links.back(of: .stack) {
      blocks.demote(bottom, size: bottom == slot ? size : host.size(of: bottom), host: &host)
    }
  }
}
