import Parameters

/// Most recently used: evicts the object that was touched last.
public struct MRU: ListPolicy, ~Copyable {
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

  /// One list, ordered by recency.
  public var lists: SlotLists<UInt8>

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 1, slots: configuration.slots)
  }

  /// Moves the object to the most recent end.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    lists.moveToFront(request.slot, of: .first)
  }

  /// Makes room, and enters the object at the most recent end.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  /// Evicts from the most recent end.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    lists.evictFront(of: .first, host: &host)
  }
}

extension CachePolicy {
  /// `MRU`, most recently used: keeps the oldest, for loops and scans.
  public static var mru: CachePolicy { CachePolicy(MRU.self) }
}
