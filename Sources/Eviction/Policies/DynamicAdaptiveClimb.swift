import Parameters

/// DynamicAdaptiveClimb: AdaptiveClimb in a part of the cache, which halves while hits prevail and doubles while
/// misses do.
public struct DynamicAdaptiveClimb: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "dynamic-adaptive-climb",
    summary: "AdaptiveClimb in a part of the cache that halves and doubles",
    paper: "D. Berend, S. Dolev, S. Kumari, D. Mishra, M. Kogan-Sadetsky and A. Somani, "
      + "“DynamicAdaptiveClimb: adaptive cache replacement with dynamic resizing”, arXiv "
      + "2511.21235, 2025.",
    idea: "AdaptiveClimb's jump says more than how far to climb. While misses prevail it stays at "
      + "its largest, and the cache is too small; while hits prevail it stays at its smallest, and "
      + "if few of them lie in the lower half, half the cache would do.",
    hit: "jump − 1; then the object moves up by jump places, at least one, to the front at most. A "
      + "hit in the lower half of the places counts. At jump = −⌊n/2⌋ a round ends: if at most "
      + "⌊ε × ⌊n/2⌋⌋ hits counted in it, the limit is halved, unless the half holds all that is "
      + "cached; jump is 1 again.",
    miss: "The limit is doubled until the object fits it, and room is made within it. jump + 1; at "
      + "2n the limit is doubled, jump is n again, and a round begins; with the limit at C, jump "
      + "stops at n. n counts the newcomer, which enters at place n − jump, but between the front "
      + "and the end.",
    eviction: "The last place; after the limit was halved, at the next miss, as many as are beyond "
      + "it.",
    complexity: "A request shifts at most a block of 64 places. Where a place is counted out, "
      + "O(n / 4096); O(n / 64) once for 32 objects that enter a full block.",
    differences: "A reinterpretation: of the paper, what is public says that jump lies between 1 "
      + "and K, that a threshold ε and two counters govern the size, and that it is doubled and "
      + "halved; the bounds −⌊n/2⌋ and 2n, rounds, and what the second counter counts are decided "
      + "here. The capacity is the largest size, and the limit, C/2ᵏ, only a part of it: at one "
      + "capacity it is compared by the hits with what it leaves empty, which the other policies "
      + "fill. With ε = 0 a single hit in the lower half prevents a halving. The authors' code "
      + "(Dhruv27Mishra/Adaptive-Climb, commit 426ccf3) keeps ε = 0.1 and both counters without "
      + "reading them: it moves a hit object to the front, as LRU does, in a cache that is 20 % "
      + "larger than the requested one and never changes its size.",
    parameters: [
      Parameter(
        "epsilon", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 10)),
        help: "ε: the limit is halved after a round with at most ε × n/2 hits in the lower half")
    ],
    bytesPerSlot: 14, isReinterpretation: true)

  /// The residents, the front at place 0.
  @usableFromInline var order: SlotOrder
  @usableFromInline let epsilon: Fraction
  @usableFromInline var capacity: Int
  /// k: the limit is C/2ᵏ.
  @usableFromInline var halvings = 0
  /// The size of what is resident.
  @usableFromInline var used = 0
  @usableFromInline var jump = 1
  /// Hits in the lower half since the round began.
  @usableFromInline var lowerHits = 0

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    order = SlotOrder(slots: configuration.slots)
    epsilon = configuration.arguments.fraction("epsilon")
    capacity = configuration.capacity
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    order.visitState(&state)
    state.visit(&capacity)
    state.visit(&halvings)
    state.visit(&used)
    state.visit(&jump)
    state.visit(&lowerHits)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { order.contains(slot) }

  /// Prefetches the slot's block.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { order.prefetch(slot) }

  /// The part of the capacity that is used.
  @inlinable @inline(__always)
  var limit: Int { capacity >> halvings }

  /// Shortens the jump, moves the object up by it, and ends a round.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let count = order.count
    let position = order.position(of: request.slot)
    let place = order.place(of: position)
    jump -= 1
    if 2 * place >= count { lowerHits += 1 }
    order.moveUp(position, by: max(1, jump))
    if jump <= -(count / 2) {
      let half = capacity >> (halvings + 1)
      if lowerHits <= epsilon.floor(of: count / 2) && half > 0 && used > half { halvings += 1 }
      beginRound(jump: 1)
    }
  }

  /// Makes room within the limit, lengthens the jump, and enters the object that far from the end.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    while halvings > 0 && request.size > limit { halvings -= 1 }
    while halvings > 0 && used + request.size > limit && order.lastUnpinned(host: host) != nil {
      evict(for: request, host: &host)
      if host.hasRefused { return refuse(request, host: &host) }
    }
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    let count = order.count + 1
    jump += 1
    if halvings == 0 {
      jump = min(jump, count)
    } else if jump >= 2 * count {
      halvings -= 1
      beginRound(jump: count)
    }
    order.insert(request.slot, at: count - min(max(1, jump), count))
    used += request.size
    return true
  }

  @inlinable @inline(__always)
  mutating func beginRound(jump first: Int) {
    jump = first
    lowerHits = 0
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
  public mutating func takeOut(_ slot: Slot, size: Int) {
    order.remove(slot)
    used -= size
  }

  /// Empties the order; the jump and the limit stay.
  @inlinable
  public mutating func removeAll() {
    order.removeAll()
    used = 0
  }

  /// Changes what is used.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) { used += difference }

  /// Takes the same part of the new capacity, or a larger one if that part is nothing.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    self.capacity = capacity
    while halvings > 0 && limit == 0 { halvings -= 1 }
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { order.reserve(slots: slots) }

  /// The jump, and the part of the capacity that is used at most.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("jump", Double(jump))
    show("limit", 1 / Double(1 << halvings))
  }
}
