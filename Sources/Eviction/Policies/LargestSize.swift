import Parameters

/// SIZE: evicts the largest object.
public struct LargestSize: GhostlessPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "largest-size", summary: "evicts the largest object",
    paper: "S. Williams, M. Abrams, C. R. Standridge, G. Abdulla and E. A. Fox, “Removal policies "
      + "in network caches for World-Wide Web documents”, SIGCOMM 1996 (SIZE).",
    idea: "One large object takes the room of many small ones, each of which may be hit.",
    hit: "Nothing, but that the object becomes the most recent of its size.",
    miss: "Room is made, and the object enters.",
    eviction: "The largest, by the size it entered with; among equals the least recently used.",
    complexity: "O(log n) per request: a heap.",
    differences: "libCacheSim (commit 2800fe4, and the wheel 0.3.5) breaks ties by the place in "
      + "its heap. Without sizes this is LRU.",
    bytesPerSlot: 28, miniatureError: 0)

  /// The order of eviction: the largest first, then the least recent.
  @usableFromInline
  struct Priority: Comparable, BitwiseCopyable {
    @usableFromInline let size: Int
    @usableFromInline let lastUse: Int

    @inlinable @inline(__always)
    init(size: Int, lastUse: Int) {
      self.size = size
      self.lastUse = lastUse
    }

    @inlinable @inline(__always)
    static func < (left: Priority, right: Priority) -> Bool {
      left.size == right.size ? left.lastUse < right.lastUse : left.size > right.size
    }
  }

  @usableFromInline var heap: SlotHeap<Priority>
  @usableFromInline var requests = 0

  /// None: pinned slots are passed over.
  public static var pinRefusal: String? { nil }

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) { heap = SlotHeap(slots: configuration.slots) }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { heap.contains(slot) }

  /// Prefetches the slot's place in the heap.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { heap.prefetch(slot) }

  /// The object becomes the most recent of its size.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    requests &+= 1
    heap.update(
      request.slot,
      priority: Priority(size: heap.priority(of: request.slot).size, lastUse: requests))
  }

  /// Makes room, and enters the object.
  @inlinable
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    requests &+= 1
    heap.insert(request.slot, priority: Priority(size: request.size, lastUse: requests))
    return true
  }

  /// Chooses the largest object.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    guard let victim = heap.firstUnpinned(host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    return victim
  }

  /// Takes the slot out of the heap.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) { heap.remove(slot) }

  /// Empties the heap.
  @inlinable
  public mutating func removeAll() { heap.removeAll() }

  /// Orders the object by its new size.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    let old = heap.priority(of: slot)
    heap.update(slot, priority: Priority(size: old.size + difference, lastUse: old.lastUse))
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { heap.reserve(slots: slots) }
}

extension CachePolicy {
  /// `LargestSize`: evicts the largest object.
  public static var size: CachePolicy { CachePolicy(LargestSize.self) }
}
