import Parameters

/// Last in, first out: evicts the object that was inserted last.
public struct LIFO: ListPolicy, ~Copyable {
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

  /// One list; its front is the newest insertion.
  public var lists: SlotLists<UInt8>

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 1, slots: configuration.slots)
  }

  /// Changes nothing.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {}

  /// True for every hit: nothing depends on them.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { true }

  /// Makes room, and enters the object at the newest end.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  /// Evicts from the newest end.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    lists.evictFront(of: .first, host: &host)
  }
}

extension CachePolicy {
  /// `LIFO`, last in, first out: what filled the cache first stays.
  public static var lifo: CachePolicy { CachePolicy(LIFO.self) }
}
