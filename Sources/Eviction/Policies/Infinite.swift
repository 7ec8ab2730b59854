/// A cache without limit: only the first request of an object misses.
public struct Infinite: ListPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "infinite", summary: "a cache without limit: compulsory misses only",
    paper: "M. D. Hill, A. J. Smith, “Evaluating associativity in CPU caches”, IEEE "
      + "Transactions on Computers 38(12), 1989: compulsory, capacity and conflict misses.",
    idea: "Whatever misses here misses in every cache: the first request of each object, and "
      + "the first after a removal. The rest is what a larger cache could gain.",
    hit: "Nothing.",
    miss: "The object enters.",
    eviction: "Never: a simulation gives it an unlimited capacity, and the requested capacity "
      + "only labels the result. A host that makes it evict nevertheless gets the oldest "
      + "insertion.",
    complexity: "O(1) per request.",
    differences: "None.",
    bytesPerSlot: 9, isBound: true, ignoresCapacity: true, hitsReorder: false,
    baselines: [.infinite: "infinite"])

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

  /// Enters the object.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  /// Evicts from the oldest end, if a host insists.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    lists.evictBack(of: .first, host: &host)
  }
}
