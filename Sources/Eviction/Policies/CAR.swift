import Parameters

/// Clock with adaptive replacement: ARC whose lists are clocks, so that a hit only sets a bit.
public struct CAR: ListPolicy, ~Copyable {
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

  /// T1, T2, B1, B2; the hand of a clock is at the back of its list.
  public var lists: SlotLists<UInt8>
  @usableFromInline var passed = PassedSlots(lists: 4)
  /// 1 where the object was hit since the hand came by.
  @usableFromInline var references: SlotArray<UInt8>
  /// p, and what bounds it and the ghosts.
  public var target: AdaptiveTarget

  /// Creates an empty cache's policy, with p = 0.
  public init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 4, slots: configuration.slots)
    references = SlotArray(repeating: 0, slots: configuration.slots)
    target = AdaptiveTarget(configuration)
  }

  /// Prefetches the slot's links, owner and bit.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    lists.prefetch(slot)
    references.prefetch(slot)
  }

  /// Sets the reference bit.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    references[request.slot] = 1
  }

  /// One of a page whose reference bit is set.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { references[slot] != 0 }

  /// Makes room, moves p for a ghost, and enters the object.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    let ghost = lists.owner(of: request.slot)
    if ghost == .none {
      target.boundGhosts(forNewcomerOf: request.size, &lists, host: &host)
      lists.prepend(request.slot, to: .t1, size: request.size)
    } else {
      target.adapt(for: request, ghost: ghost, lists)
      lists.remove(request.slot, size: host.size(of: request.slot))
      lists.prepend(request.slot, to: .t2, size: request.size)
    }
    passed.placed(request.slot, host: host)
    references[request.slot] = 0
    target.boundGhosts(&lists, host: &host)
    return true
  }

  /// replace(): the hands move until one finds an object whose bit is unset.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    while true {
      var fromT1 = passed.lacksVictim(.t2, in: lists, host: host)
      if !fromT1 && Double(lists.size(of: .t1)) >= max(1, target.p) {
        fromT1 = !passed.lacksVictim(.t1, in: lists, host: host)
      }
      let list: SlotLists<UInt8>.ID = fromT1 ? .t1 : .t2
      guard let oldest = passed.passPinned(of: list, in: &lists, host: host) else {
        preconditionFailure("there is nothing to evict")
      }
      if references[oldest] == 0 {
        if !host.mayEvict(oldest) { break }
        lists.move(oldest, toFrontOf: fromT1 ? .b1 : .b2, size: host.size(of: oldest))
        host.evicted(oldest)
        break
      }
      references[oldest] = 0
      lists.move(oldest, toFrontOf: .t2, size: host.size(of: oldest))
      passed.placed(oldest, host: host)
    }
    if request == nil { target.boundGhosts(&lists, host: &host) }
  }

  /// Bounds p and the ghosts by the new capacity.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    target.resize(to: capacity)
    target.boundGhosts(&lists, host: &host)
  }

  /// The target of T1's size.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("p", target.p)
  }

  /// T1 and T2 are resident, B1 and B2 are not.
  @inlinable @inline(__always)
  public static func isResident(in list: ListID) -> Bool { list.isResidentInARC }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    lists.reserve(slots: slots)
    references.reserve(slots: slots)
  }
}

extension CAR {
  /// The values of `arithmetic`.
  public enum Arithmetic: String, CaseIterable, Sendable {
    /// The target p is a real number.
    case real
    /// The target p moves by whole numbers.
    case integer
  }
}

extension CachePolicy {
  /// `CAR`, clock with adaptive replacement: ARC whose hits only set a bit.
  ///
  /// - Parameters:
  ///   - arithmetic: With `.integer`, p moves by whole numbers.
  ///   - ghosts: Ghosts that a full cache remembers, as a multiple of the capacity.
  public static func car(
    arithmetic: CAR.Arithmetic? = nil, ghosts: Fraction? = nil
  ) -> CachePolicy {
    CachePolicy(
      CAR.self,
      parameters: [
        "arithmetic": arithmetic?.rawValue, "ghosts": ghosts,
      ])
  }
}
