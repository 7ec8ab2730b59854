/// A cache without limit: only the first request of an object misses.
public typealias Infinite = ListedPolicy<UnlimitedRules, SlotLists<UInt8>>

/// The rules of ``Infinite``: one list; its front is the newest insertion.
public struct UnlimitedRules: BitwiseCopyable, ListRules {
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
}
