/// The best victims of earlier samples, a short array in ascending order of
/// idleness, of which the last leaves next.
///
/// A candidate's idleness is that of the time when it was sampled.
///
/// - Complexity: O(capacity).
@usableFromInline
struct EvictionPool: ~Copyable {
  @usableFromInline
  struct Candidate: BitwiseCopyable {
    @usableFromInline let slot: Slot
    @usableFromInline let idleness: UInt32

    @inlinable @inline(__always)
    init(slot: Slot, idleness: UInt32) {
      self.slot = slot
      self.idleness = idleness
    }
  }

  @usableFromInline let candidates: UnsafeMutablePointer<Candidate>
  @usableFromInline let capacity: Int
  @usableFromInline var count = 0

  @inlinable
  init(capacity: Int) {
    precondition(capacity > 0, "a pool has room for one candidate at least")
    self.capacity = capacity
    candidates = .allocate(capacity: capacity)
  }

  @inlinable
  deinit { candidates.deallocate() }

  /// The most idle candidate that is not pinned; of equals the one that was offered first.
  @inlinable @inline(__always)
  func best(host: borrowing some SlotHost & ~Copyable) -> Slot? {
    var place = count
    while place > 0 {
      place &-= 1
      if !host.isPinned(candidates[place].slot) { return candidates[place].slot }
    }
    return nil
  }

  /// Takes the candidate in, before the first that is as idle; if the pool is full, the least idle one
  /// leaves for it, or it is not taken in if it is itself the least idle.
  @inlinable
  mutating func offer(_ slot: Slot, idleness: UInt32) {
    var place = 0
    while place < count && candidates[place].idleness < idleness { place &+= 1 }
    if count < capacity {
      (candidates + place + 1).update(from: candidates + place, count: count &- place)
      count &+= 1
    } else {
      if place == 0 { return }
      place &-= 1
      candidates.update(from: candidates + 1, count: place)
    }
    candidates[place] = Candidate(slot: slot, idleness: idleness)
  }

  /// Takes every candidate of `slot` out.
  @inlinable
  mutating func remove(_ slot: Slot) {
    var kept = 0
    for place in 0..<count where candidates[place].slot != slot {
      candidates[kept] = candidates[place]
      kept &+= 1
    }
    count = kept
  }

  @inlinable
  mutating func removeAll() { count = 0 }
}
