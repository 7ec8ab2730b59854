import Parameters

/// Most recently used: evicts the object that was touched last.
public typealias MRU = ListedPolicy<MostRecentRules, SlotLists<UInt8>>

/// The rules of ``MRU``: one list, ordered by recency.
public struct MostRecentRules: BitwiseCopyable, ListRules {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "mru", summary: "most recently used: keeps the oldest, for loops and scans",
    paper: "H.-T. Chou and D. J. DeWitt, “An evaluation of buffer management strategies for "
      + "relational database systems”, VLDB 1985.",
    idea: "In a loop longer than the cache, what was just used is needed last: keep the "
      + "oldest.",
    hit: "The object moves to the most recent end.",
    miss: "Room is made, and the object enters at the most recent end.",
    eviction: "The most recent end, before the newcomer enters.",
    complexity: "O(1) per request.",
    differences: "Other implementations that evict after the newcomer entered drop the "
      + "newcomer itself: here it is never its own victim.",
    bytesPerSlot: 9)

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {}

  /// Moves the object to the most recent end.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    lists.moveToFront(request.slot, of: .first)
  }

  /// Evicts from the most recent end.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    lists.evictFront(of: .first, host: &host)
  }

  /// Always: a newcomer takes the place of the most recent.
  @inlinable @inline(__always)
  public func steady<Lists: RecencyLists & ~Copyable>(_ lists: borrowing Lists) -> SteadyLists? {
    SteadyLists(hits: .first, misses: .first)
  }

  /// Moves the object to the most recent end, or replaces the one there.
  @inlinable @inline(__always)
  public mutating func steadyRequest<Lists: RecencyLists & ~Copyable>(
    of slot: Slot, in steady: SteadyLists, lists: inout Lists
  ) -> Int? {
    let missed = lists.owner(of: slot) == .none ? 1 : 0
    lists.moveToFront(slot, of: .first, moved: 1 &- missed, orReplaceFrontIf: missed)
    return missed
  }
}
