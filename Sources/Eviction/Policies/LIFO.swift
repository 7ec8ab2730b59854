import Parameters

/// Last in, first out: evicts the object that was inserted last.
public typealias LIFO = ListedPolicy<LastInRules, SlotLists<UInt8>>

/// The rules of ``LIFO``: one list; its front is the newest insertion.
public struct LastInRules: BitwiseCopyable, ListRules {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lifo", summary: "last in, first out: what filled the cache first stays",
    paper: "No paper; the counterpart of FIFO. Compared with others by H.-T. Chou and D. J. "
      + "DeWitt, “An evaluation of buffer management strategies for relational database "
      + "systems”, VLDB 1985, in the form of MRU.",
    idea: "Once full, the cache keeps all but one of its first objects for ever. Good for "
      + "a loop longer than the cache, and for nothing that changes.",
    hit: "Nothing.",
    miss: "Room is made, and the object is appended.",
    eviction: "The newest insertion, before the newcomer enters.",
    complexity: "O(1) per request, and a hit only reads one byte.",
    differences: "Other implementations that evict after the newcomer entered drop the "
      + "newcomer itself: here it is never its own victim.",
    bytesPerSlot: 9, hitsReorder: false)

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {}

  /// Changes nothing.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {}

  /// True for every hit: nothing depends on them.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { true }

  /// Evicts from the newest end.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    lists.evictFront(of: .first, host: &host)
  }

  /// Always: a newcomer takes the place of the newest.
  @inlinable @inline(__always)
  public func steady<Lists: RecencyLists & ~Copyable>(_ lists: borrowing Lists) -> SteadyLists? {
    SteadyLists(hits: .none, misses: .first)
  }

  /// Replaces the newest, or changes nothing.
  @inlinable @inline(__always)
  public mutating func steadyRequest<Lists: RecencyLists & ~Copyable>(
    of slot: Slot, in steady: SteadyLists, lists: inout Lists
  ) -> Int? {
    let missed = lists.owner(of: slot) == .none ? 1 : 0
    lists.moveToFront(slot, of: .first, moved: 0, orReplaceFrontIf: missed)
    return missed
  }
}
