import Parameters

/// Least recently used: evicts the object whose last request is the oldest.
public struct LRU: ListPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lru", summary: "least recently used",
    paper: "P. J. Denning, “The working set model for program behavior”, CACM 11(5), 1968; "
      + "the stack algorithm of R. L. Mattson et al., “Evaluation techniques for storage "
      + "hierarchies”, IBM Systems Journal 9(2), 1970.",
    idea: "What was used lately will be used again soon. A stack algorithm: a larger cache "
      + "never hits less.",
    hit: "The object moves to the most recent end.",
    miss: "Room is made, and the object enters at the most recent end.",
    eviction: "The least recent end.",
    complexity: "O(1) per request.",
    differences: "Other implementations agree with each other.",
    bytesPerSlot: 9, miniatureError: 0, baselines: [.lru: "lru"])

  /// One list, ordered by recency.
  public var lists: SlotLists<UInt8>

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 1, slots: configuration.slots)
  }

  /// Passes on the list.
  @inlinable
  public mutating func visitState(_ state: inout PolicyState) { lists.visitState(&state) }

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

  /// Evicts from the least recent end.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    lists.evictBack(of: .first, host: &host)
  }
}

extension CachePolicy {
  /// ``LRU``: least recently used.
  public static var lru: CachePolicy { CachePolicy(LRU.self) }
}
