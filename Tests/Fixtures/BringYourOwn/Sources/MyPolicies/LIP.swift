import Eviction

/// LRU insertion policy: a newcomer must earn the most recent end by a second request.
public struct LIP: ListPolicy, ~Copyable {
  /// The entry in the catalog, in `my-lab policies lip` and in reports.
  public static let information = PolicyInformation(
    name: "lip", summary: "LRU, but newcomers enter at the end that leaves next",
    paper: "M. K. Qureshi et al., “Adaptive insertion policies for high performance caching”, "
      + "ISCA 2007.",
    idea: "In a loop longer than the cache, LRU keeps nothing until it is needed again. Inserting "
      + "at the least recent end sacrifices one place and keeps the rest.",
    hit: "The object moves to the most recent end.",
    miss: "Room is made, and the object enters at the least recent end.",
    eviction: "The least recent end.",
    complexity: "O(1) per request.",
    bytesPerSlot: 9)

  /// One list; its back leaves next.
  public var lists: SlotLists<UInt8>

  /// An empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 1, slots: configuration.slots)
  }

  /// Passes on the list, for a copy of the policy, or a cache that is saved.
  public mutating func visitState(_ state: inout PolicyState) { lists.visitState(&state) }

  /// The object moves to the most recent end.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    lists.moveToFront(request.slot, of: .first)
  }

  /// The object enters at the least recent end.
  @inlinable
  public mutating func insert(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    lists.append(request.slot, to: .first, size: request.size)
    return true
  }

  /// The least recent end leaves.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    lists.evictBack(of: .first, host: &host)
  }
}
