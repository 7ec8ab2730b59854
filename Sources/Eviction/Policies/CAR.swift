import Parameters

/// Clock with adaptive replacement: ARC whose lists are clocks, so that a hit only sets a bit.
public typealias CAR = ListedPolicy<AdaptiveClockRules, SlotLists<UInt8>>

/// The rules of ``CAR``: T1, T2, B1, B2; the hand of a clock is at the back of its list.
public struct AdaptiveClockRules: AdaptiveRules, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "car", summary: "clock with adaptive replacement: ARC whose hits only set a bit",
    paper:
      "S. Bansal and D. S. Modha, “CAR: clock with adaptive replacement”, FAST 2004, Figure 2.",
    idea: "ARC reorders its lists at every hit. CAR keeps the four lists and the target p, but T1 "
      + "and T2 are clocks: what was hit is seen only when the hand comes by.",
    hit: "The object's reference bit is set.",
    miss: "Room is made. Then a ghost of B1 raises p by max(1, |B2|/|B1|), one of B2 lowers it by "
      + "max(1, |B1|/|B2|), before the ghost leaves its list; it enters T2. Anything else enters "
      + "T1. Reference bits begin unset.",
    eviction: "While |T1| ≥ max(1, p) the oldest of T1 is looked at, else that of T2; the other "
      + "one if the chosen one is empty. With its bit set, it becomes the newest of T2 and the "
      + "bit is cleared; with its bit unset, it leaves for B1 or B2.",
    ghosts: "|T1| + |B1| ≤ C, and all four lists together at most 2C, by forgetting the oldest of "
      + "B1 and B2; restored for an unknown object before it enters.",
    complexity: "O(1) per request, the hands amortised; a hit reads and writes two bytes.",
    differences:
      "p is an IEEE double, as for ARC (arithmetic=integer divides whole numbers). Where "
      + "objects have sizes, a step of p is the paper's ratio times the size of the requested "
      + "object. The paper bounds the ghosts only when the cache is full; here also after "
      + "removals and trims, which the paper does not know.",
    parameters: AdaptiveTarget.parameters,
    bytesPerSlot: 10, hitsReorder: false, miniatureError: 0)

  /// 1 where the object was hit since the hand came by.
  @usableFromInline var references: SlotArray<UInt8>
  /// p, and what bounds it and the ghosts.
  public var target: AdaptiveTarget

  /// Begins with p = 0.
  public init(_ configuration: PolicyConfiguration) {
    references = SlotArray(repeating: 0, slots: configuration.slots)
    target = AdaptiveTarget(configuration)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    references.visitState(&state)
    state.visit(&target)
  }

  /// Prefetches the slot's bit.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { references.prefetch(slot) }

  /// Sets the reference bit.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    references[request.slot] = 1
  }

  /// One of a page whose reference bit is set.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { references[slot] != 0 }

  /// Makes room, moves p for a ghost, and enters the object.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, lists: &lists, host: &host) else {
      return refuse(request, lists: lists, host: &host)
    }
    let ghost = lists.owner(of: request.slot)
    if ghost == .none {
      target.boundGhosts(forNewcomerOf: request.size, &lists, host: &host)
      lists.prepend(request.slot, to: .t1, size: request.size)
    } else {
      target.adapt(for: request, ghost: ghost, lists)
      lists.remove(request.slot, from: ghost, size: host.size(of: request.slot))
      lists.prepend(request.slot, to: .t2, size: request.size)
      target.boundGhosts(&lists, host: &host)
    }
    references[request.slot] = 0
    return true
  }

  /// replace(): the hands move until one finds an object whose bit is unset.
  @inlinable @inline(__always)
  public mutating func replace<Lists: RecencyLists & ~Copyable>(
    forGhostOfB2 isOfB2: Bool, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    while true {
      let fromT1 = target.handIsInT1(lists, host: host)
      let list: ListID = fromT1 ? .t1 : .t2
      guard let oldest = lists.passPinned(of: list, host: host) else {
        preconditionFailure("there is nothing to evict")
      }
      if references[oldest] == 0 {
        return lists.evictBack(of: list, to: fromT1 ? .b1 : .b2, host: &host)
      }
      references[oldest] = 0
      lists.moveBack(of: list, toFrontOf: .t2, host: host)
    }
  }

  /// Grows the bits.
  @inlinable
  public mutating func reserve(slots: Int) { references.reserve(slots: slots) }
}

extension AdaptiveTarget {
  /// Returns true if the hand of T1 moves, and not that of T2.
  @inlinable @inline(__always)
  func handIsInT1<Lists: RecencyLists & ~Copyable>(
    _ lists: borrowing Lists, host: borrowing some SlotHost & ~Copyable
  ) -> Bool {
    if lists.lacksVictim(.t2, host: host) { return true }
    return Double(lists.size(of: .t1)) >= max(1, p) && !lists.lacksVictim(.t1, host: host)
  }
}
