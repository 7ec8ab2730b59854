import Parameters

/// First in, first out: evicts the object that was inserted first.
public struct FIFO: QueuePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "fifo", summary: "first in, first out",
    paper: "L. A. Belady, “A study of replacement algorithms for a virtual-storage "
      + "computer”, IBM Systems Journal 5(2), 1966.",
    idea: "The simplest queue: a hit writes nothing. The baseline that every other policy "
      + "should beat.",
    hit: "Nothing.",
    miss: "Room is made, and the object is appended.",
    eviction: "The oldest insertion.",
    complexity: "O(1) per request, and a hit only reads one byte.",
    differences: "Other implementations agree with each other.",
    bytesPerSlot: 9, hitsReorder: false, miniatureError: 0,
    baselines: [.fifo: "fifo"])

  /// One queue: links would lead an eviction to two places far from each other.
  public var queues: SlotQueues

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    queues = SlotQueues(count: 1, slots: configuration.slots, keepsPositions: false)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    queues.visitState(&state)
  }

  /// Prefetches what tells if the slot is resident.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { queues.prefetchMark(slot) }

  /// Changes nothing.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {}

  /// True for every hit: nothing depends on them.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { true }

  /// Makes room, and enters the object as the newest.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    queues.append(request.slot, to: .first, size: request.size)
    return true
  }

  /// Evicts the oldest that is not pinned, if the host lets it go.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    queues.evictOldest(of: .first, host: &host)
  }
}

extension CachePolicy {
  /// `FIFO`: first in, first out.
  public static var fifo: CachePolicy { CachePolicy(FIFO.self) }
}
