import Parameters

/// SIZE: evicts the largest object.
public struct LargestSize: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "largest-size", summary: "evicts the largest object",
    paper: "S. Williams, M. Abrams, C. R. Standridge, G. Abdulla and E. A. Fox, “Removal policies "
      + "in network caches for World-Wide Web documents”, SIGCOMM 1996 (SIZE).",
    idea: "One large object takes the room of many small ones, each of which may be hit.",
    hit: "Nothing, but that the object becomes the most recent of its size.",
    miss: "Room is made, and the object enters.",
    eviction: "The largest; among equals the least recently used. An object whose size changes is "
      + "the most recently used of its new size.",
    complexity: "O(1) expected per request: a list for each size. O(log sizes) where an object is "
      + "the first or the last of its size.",
    differences: "libCacheSim (commit 2800fe4, and the wheel 0.3.5) breaks ties by the place in "
      + "its heap. Without sizes this is LRU.",
    bytesPerSlot: 12, miniatureError: 0)

  @usableFromInline var residents: SizeLists

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    residents = SizeLists(slots: configuration.slots)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    residents.visitState(&state)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { residents.contains(slot) }

  /// Prefetches the slot's links.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { residents.prefetch(slot) }

  /// The object becomes the most recent of its size.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    residents.touch(request.slot)
  }

  /// Makes room, and enters the object.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    residents.insert(request.slot, size: request.size)
    return true
  }

  /// Chooses the largest object.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    guard let victim = residents.largest(host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    return victim
  }

  /// Takes the slot out of the list of its size.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) { residents.remove(slot) }

  /// Empties the lists.
  @inlinable
  public mutating func removeAll() { residents.removeAll() }

  /// The object becomes the most recent of its new size.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    residents.changeSize(of: slot, by: difference)
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { residents.reserve(slots: slots) }
}
