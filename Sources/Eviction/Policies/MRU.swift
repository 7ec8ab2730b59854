/// Most recently used: evicts the object that was touched last.
///
/// The right choice for loops longer than the cache, where it keeps what LRU is about to need.
///
/// - Paper: H.-T. Chou and D. J. DeWitt, “An evaluation of buffer management strategies for relational
///   database systems”, VLDB 1985.
/// - On a hit: the object moves to the most recent end.
/// - On a miss: room is made, and the object enters at the most recent end.
/// - Eviction: the most recent end, before the newcomer enters.
/// - Ghosts: none.
/// - Cost: 9 bytes per slot; O(1) per request.
/// - Other implementations that evict after the newcomer entered drop the newcomer itself: here it is
///   never its own victim.
public struct MRU: ListPolicy, ~Copyable {
  /// What the catalog says.
  public static let information = PolicyInformation(
    name: "mru", summary: "most recently used: keeps the oldest, for loops and scans",
    paper: "Chou and DeWitt, VLDB 1985",
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
    makeRoom(for: request, host: &host)
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  /// Evicts from the most recent end.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    lists.evictFront(of: .first, host: &host)
  }
}
