/// The best victims of earlier samples, a short array in ascending order of
/// idleness, of which the last leaves next.
///
/// A candidate's idleness is that of the time when it was sampled.
///
/// - Complexity: O(capacity).
@usableFromInline
struct EvictionPool: ~Copyable {
  /// Each candidate's idleness above its slot: one comparison and one move for both. Those that are not used, and one
  /// word at least, are `none`.
  @usableFromInline let candidates: UnsafeMutablePointer<UInt64>
  @usableFromInline let capacity: Int
  @usableFromInline var count = 0

  /// A word of no slot.
  @inlinable static var none: UInt64 { .max }
  /// Words are compared with a slot by the sixteen.
  @inlinable static var group: Int { 16 }

  @inlinable
  init(capacity: Int) {
    precondition(capacity > 0, "a pool has room for one candidate at least")
    self.capacity = capacity
    let words = capacity + EvictionPool.group
    candidates = .allocate(capacity: words)
    candidates.initialize(repeating: EvictionPool.none, count: words)
  }

  @inlinable
  deinit { candidates.deallocate() }

  /// The slot of a candidate.
  @inlinable @inline(__always)
  func slot(at place: Int) -> Slot { Slot(truncatingIfNeeded: candidates[place]) }

  /// The most idle candidate that is not pinned; of equals the one that was offered first.
  @inlinable @inline(__always)
  func best(host: borrowing some SlotHost & ~Copyable) -> Slot? {
    var place = count
    while place > 0 {
      place &-= 1
      if !host.isPinned(slot(at: place)) { return slot(at: place) }
    }
    return nil
  }

  /// Takes the candidate in, before the first that is as idle; if the pool is full, the least idle one
  /// leaves for it, or it is not taken in if it is itself the least idle.
  @inlinable @inline(__always)
  mutating func offer(_ slot: Slot, idleness: UInt32) {
    let least = UInt64(idleness) &<< 32
    var place = count
    if count == capacity {
      if candidates[0] >= least { return }
      place = 0
      while candidates[place &+ 1] < least {
        candidates[place] = candidates[place &+ 1]
        place &+= 1
      }
    } else {
      while place > 0 && candidates[place &- 1] >= least {
        candidates[place] = candidates[place &- 1]
        place &-= 1
      }
      count &+= 1
    }
    candidates[place] = least | UInt64(slot)
  }

  /// Takes every candidate of `slot` out.
  @inlinable @inline(__always)
  mutating func remove(_ slot: Slot) {
    while count > 0 && self.slot(at: count &- 1) == slot {
      count &-= 1
      candidates[count] = EvictionPool.none
    }
    // Most often that was all: then nothing moves.
    var others: UInt32 = 0
    for first in stride(from: 0, to: count, by: EvictionPool.group) {
      for place in 0..<EvictionPool.group {
        others |= self.slot(at: first &+ place) == slot ? 1 : 0
      }
    }
    if others > 0 { removeOthers(slot) }
  }

  @inlinable @inline(never)
  mutating func removeOthers(_ slot: Slot) {
    var kept = 0
    for place in 0..<count {
      let candidate = candidates[place]
      candidates[place] = EvictionPool.none
      if Slot(truncatingIfNeeded: candidate) == slot { continue }
      candidates[kept] = candidate
      kept &+= 1
    }
    count = kept
  }

  @inlinable
  mutating func removeAll() {
    candidates.update(repeating: EvictionPool.none, count: count)
    count = 0
  }
}
