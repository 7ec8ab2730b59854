import Parameters

/// Evicts the object that expires last: what would stay longest leaves, what is fresh stays fresh.
public struct ExpireLatest: ExpiryPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "expire-latest", summary: "the object that expires last",
    paper: "None of its own; the counterpart of expire-soonest, to compare with.",
    idea: "Keeps what makes room by itself: objects with short lives leave without an eviction. "
      + "Good where short lives mark what is hot, and where long ones are the rule for what is "
      + "not.",
    hit: "The use is noted; a request that gives the object a new expiry, as a write does, moves "
      + "it.",
    miss: "Room is made, and the object enters.",
    eviction: "The latest expiry; what never expires comes first; among equals the least recently "
      + "used.",
    complexity: "O(log C) per request.",
    differences:
      "A read names no expiry, and leaves the object's as it is. It only chooses by expiry: what is over is "
      + "a hit, until a run with --expire or a cache removes it.",
    bytesPerSlot: 24)

  /// The residents, the latest expiry first.
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

  /// The later, the lower.
  @inlinable @inline(__always)
  public static func rank(of expiry: Int64) -> Int64 { ~expiry }
}
