import Parameters

/// AdaptiveClimb: a hit moves its object up by a distance that hits shorten and misses lengthen.
public struct AdaptiveClimb: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "adaptive-climb", summary: "LRU to CLIMB: objects climb a distance that hits shorten",
    paper: "D. Berend, S. Dolev and M. Kogan-Sadetsky, “AdaptiveClimb: adaptive policy for cache "
      + "replacement”, SYSTOR 2019; with S. Kumari, D. Mishra and A. Somani, "
      + "“DynamicAdaptiveClimb”, arXiv 2511.21235, 2025.",
    idea: "CLIMB moves a hit object up by one place: near the optimum for fixed probabilities, "
      + "and slow to get there. LRU moves it to the front, and adapts at once. One number, jump, "
      + "leads from one to the other: while hits prevail objects climb slowly, while misses do "
      + "they jump.",
    hit: "jump − 1, but at least 1; then the object moves up by jump places, to the front at most.",
    miss: "Room is made; jump + 1, but at most K, the number of objects with the newcomer; it "
      + "enters at place K − jump, counted from 0 at the front.",
    eviction: "The last place.",
    complexity: "A request shifts at most a block of 64 places. Where a place is counted out, "
      + "O(n / 4096); O(n / 64) once for 32 objects that enter a full block.",
    differences: "Written from the papers' descriptions of jump; where they leave it open, jump "
      + "changes before the move. The authors' code (Dhruv27Mishra/Adaptive-Climb, commit "
      + "426ccf3) is another: its AdaptiveClimb.c moves a hit object to the front, as LRU does, "
      + "whatever jump is. The form that also changes the cache's size is "
      + "`dynamic-adaptive-climb`.",
    bytesPerSlot: 14)

  /// The residents, the front at place 0.
  @usableFromInline var order: SlotOrder
  @usableFromInline var jump = 1

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    order = SlotOrder(slots: configuration.slots)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    order.visitState(&state)
    state.visit(&jump)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { order.contains(slot) }

  /// Prefetches the slot's block.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { order.prefetch(slot) }

  /// Shortens the jump, and moves the object up by it.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    jump = max(1, jump - 1)
    order.moveUp(order.position(of: request.slot), by: jump)
  }

  /// Makes room, lengthens the jump, and enters the object that far from the end.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    jump = min(jump + 1, order.count + 1)
    order.insert(request.slot, at: order.count + 1 - jump)
    return true
  }

  /// Chooses the last place.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    guard let victim = order.lastUnpinned(host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    return victim
  }

  /// Takes the slot out of the order.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) { order.remove(slot) }

  /// Empties the order; the jump stays.
  @inlinable
  public mutating func removeAll() { order.removeAll() }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { order.reserve(slots: slots) }

  /// The jump.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("jump", Double(jump))
  }
}
