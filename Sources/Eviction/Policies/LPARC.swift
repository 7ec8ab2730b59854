import Parameters

/// LP-ARC: ARC with a CLOCK of a few bits in place of its second LRU.
public typealias LPARC = ListedPolicy<LazyAdaptiveReplacement, SlotLists<UInt8>>

/// The rules of ``LPARC``.
public struct LazyAdaptiveReplacement: AdaptiveRules, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lp-arc", summary: "ARC by lazy promotion: a CLOCK in place of its second LRU",
    paper: "J. Yang, Z. Qiu, Y. Zhang, Y. Yue and K. V. Rashmi, “FIFO can be better than LRU: the "
      + "power of lazy promotion and quick demotion”, HotOS 2023 (lazy promotion); ARC: N. Megiddo "
      + "and D. S. Modha, FAST 2003.",
    idea: "T1 is a queue in ARC, too, as a hit takes the object out of it. If T2 promotes at "
      + "eviction, and not at each hit, most hits move nothing. CAR goes further: there, hits in "
      + "T1 move nothing either.",
    hit: "In T1 the object moves to T2 as its newest, with counter 0. In T2 its counter goes up by "
      + "1, to 2ⁿ − 1 at most.",
    miss: "As in ARC: a ghost of B1 raises p by max(1, |B2|/|B1|), one of B2 lowers it by max(1, "
      + "|B1|/|B2|), and it enters T2 with counter 0. Anything else enters T1.",
    eviction: "As in ARC, T1 or T2 by p. T1 gives up its oldest. T2's hand looks at its oldest: "
      + "with counter > 0 it becomes the newest with counter − 1; the first with 0 leaves. The "
      + "victim becomes a ghost, except for an object that T1 evicts while it alone fills the cache.",
    ghosts: "|T1| + |B1| ≤ C, and all four lists together at most 2C.",
    complexity: "O(1) per hit; a miss moves at most as many objects as there were hits.",
    differences: "As in ARC's paper, a requested ghost is in its list until REPLACE has looked. "
      + "The authors' form has one bit.",
    parameters: [
      Parameter(
        "bits", .integer(in: 1...6), default: .integer(1),
        help: "bits of T2's counter of hits, which stops at 2ⁿ − 1")
    ] + AdaptiveTarget.parameters,
    bytesPerSlot: 10, miniatureError: 0)

  /// p, and what bounds it and the ghosts.
  public var target: AdaptiveTarget
  /// Indexed by slot: the hits in T2 that the hand has not taken off.
  @usableFromInline var counts: SlotArray<UInt8>
  @usableFromInline let maximumCount: UInt8

  /// Begins with p = 0.
  public init(_ configuration: PolicyConfiguration) {
    target = AdaptiveTarget(configuration)
    counts = SlotArray(repeating: 0, slots: configuration.slots)
    maximumCount = UInt8(1 << configuration.arguments.integer("bits") - 1)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    state.visit(&target)
    counts.visitState(&state)
  }

  /// Prefetches the slot's counter.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { counts.prefetch(slot) }

  /// Moves an object of T1 to T2, and counts a hit of T2.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    let slot = request.slot
    if lists.owner(of: slot) == .t1 {
      lists.move(slot, from: .t1, toFrontOf: .t2, size: host.size(of: slot))
    } else if counts[slot] < maximumCount {
      counts[slot] &+= 1
    }
  }

  /// One of an object of T2 whose counter can go no higher.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { counts[slot] >= maximumCount }

  /// ARC's cases II, III and IV.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    counts[request.slot] = 0
    return admit(request, lists: &lists, host: &host)
  }

  /// REPLACE: T1 gives up its oldest object, or T2's hand finds one.
  @inlinable @inline(__always)
  public mutating func replace<Lists: RecencyLists & ~Copyable>(
    forGhostOfB2 isOfB2: Bool, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    if target.takesFromT1(lists, forGhostOfB2: isOfB2, host: host) {
      lists.evictBack(of: .t1, to: .b1, host: &host)
    } else {
      while let oldest = lists.passPinned(of: .t2, host: host), counts[oldest] > 0 {
        counts[oldest] &-= 1
        lists.moveToFront(oldest, of: .t2)
      }
      lists.evictBack(of: .t2, to: .b2, host: &host)
    }
  }

  /// Grows the counters.
  @inlinable
  public mutating func reserve(slots: Int) { counts.reserve(slots: slots) }
}
