/// First in, first out: evicts the object that was inserted first.
///
/// - Paper: L. A. Belady, “A study of replacement algorithms for a virtual-storage computer”, IBM
///   Systems Journal 5(2), 1966.
/// - On a hit: nothing.
/// - On a miss: room is made, and the object is appended.
/// - Eviction: the oldest insertion.
/// - Ghosts: none.
/// - Cost: 9 bytes per slot; O(1) per request, and a hit only reads one byte.
/// - Other implementations agree with each other.
public struct FIFO: ListPolicy, ~Copyable {
  /// What the catalog says.
  public static let information = PolicyInformation(
    name: "fifo", summary: "first in, first out",
    paper: "Belady, IBM Systems Journal 5(2), 1966",
    bytesPerSlot: 9)

  /// One list; its front is the newest insertion.
  public var lists: SlotLists<UInt8>

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 1, slots: configuration.slots)
  }

  /// Changes nothing.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {}

  /// Makes room, and enters the object at the most recent end.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    makeRoom(for: request, host: &host)
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  /// Evicts from the oldest end.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    lists.evictBack(of: .first, host: &host)
  }
}
