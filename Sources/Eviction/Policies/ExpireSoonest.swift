import Parameters

/// Evicts the object that expires first: what is not long for this cache anyway.
public struct ExpireSoonest: ExpiryPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "expire-soonest", summary: "the object that expires first",
    paper: "None of its own.",
    idea: "An object that is about to expire can save only the requests that come before that. "
      + "Blind to popularity.",
    hit: "The use is noted; a request that gives the object a new expiry, as a write does, moves "
      + "it.",
    miss: "Room is made, and the object enters.",
    eviction: "The earliest expiry, be it past or not; what never expires comes last; among equals "
      + "the least recently used.",
    complexity: "O(log C) per request.",
    differences:
      "All residents are looked at, not a sample, and what never expires may leave, too. "
      + "A read names no expiry, and leaves the "
      + "object's as it is. It only chooses by expiry: what is over is a hit, until a run with --expire or a cache "
      + "removes it.",
    bytesPerSlot: 24)

  /// The residents, the earliest expiry first.
  public var residents: PriorityRun<SlotRank>
  /// The number of uses.
  public var uses = 0

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    residents = PriorityRun(slots: configuration.slots)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    residents.visitState(&state)
    state.visit(&uses)
  }

  /// Chooses the first resident.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    guard let victim = residents.firstUnpinned(host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    return victim
  }

  /// The earlier, the lower.
  @inlinable @inline(__always)
  public static func rank(of expiry: Int64) -> Int64 { expiry }
}
