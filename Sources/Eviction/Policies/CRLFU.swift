import Parameters

/// CR-LFU: least frequently used, the most recent among equals.
public struct CRLFU: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "cr-lfu", summary: "churn-resistant LFU: the most recent of the least frequent leaves",
    paper: "L. V. Rodriguez et al., “Learning cache replacement with CACHEUS”, FAST 2021 (CR-LFU, "
      + "one of its two experts).",
    idea: "Under churn most objects have the same low frequency. LFU evicts the least recent of "
      + "them, and so keeps none until it is requested again; the most recent leaves the others "
      + "there.",
    hit: "Frequency + 1; the object becomes the most recent of its frequency.",
    miss: "Room is made, and the object enters with frequency 1.",
    eviction: "The lowest frequency; among equals the most recently used.",
    complexity: "O(1) per request.",
    differences: "As the expert of the authors' code (sylab/cacheus, commit 08e7d99), without the "
      + "histories that Cacheus keeps: a frequency is forgotten at eviction. CR_LFU of libCacheSim "
      + "(commit 1546306) is only part of its Cacheus.",
    bytesPerSlot: 12)

  @usableFromInline var levels: FrequencyLists

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    levels = FrequencyLists(slots: configuration.slots)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    levels.visitState(&state)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { levels.contains(slot) }

  /// Prefetches the slot's links.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { levels.prefetch(slot) }

  /// Counts the request.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    levels.increment(request.slot)
  }

  /// Makes room, and starts counting.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    levels.insert(request.slot)
    return true
  }

  /// Chooses the most recent of the least frequent.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    guard let victim = levels.leastFrequentNewest(host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    return victim
  }

  /// Forgets the slot and its frequency.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) { levels.remove(slot) }

  /// Forgets every slot and frequency.
  @inlinable
  public mutating func removeAll() { levels.removeAll() }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { levels.reserve(slots: slots) }
}
