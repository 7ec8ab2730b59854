import CInline

extension SlotQueues {
  /// The place of a slot in its queue: a hand keeps it, so that it walks the ring in order and need not look up
  /// its slot's position, which may be anywhere in memory.
  ///
  /// It stays good while the slot stays in the queue, whatever else moves.
  public struct Place: BitwiseCopyable, Equatable {
    /// The slot that stands there.
    public let slot: Slot
    /// The number of its entry, when it was last seen.
    @usableFromInline let number: Int

    @inlinable @inline(__always)
    init(slot: Slot, number: Int) {
      self.slot = slot
      self.number = number
    }

    /// Returns true if both are places of the same slot.
    @inlinable @inline(__always)
    public static func == (left: Place, right: Place) -> Bool { left.slot == right.slot }
  }

  /// Returns the place of `slot`, which is in a queue.
  @inlinable @inline(__always)
  public func place(of slot: Slot) -> Place {
    Place(slot: slot, number: number(of: slot, in: rings + Int(owner(of: slot).rawValue)))
  }

  /// The place of the oldest slot of `queue`, or nil if it is empty.
  @inlinable @inline(__always)
  public func oldestPlace(of queue: ID) -> Place? {
    let ring = rings + Int(queue.rawValue)
    return front(of: queue).map { Place(slot: $0, number: ring.pointee.oldest) }
  }

  /// The next newer place in the same queue, or nil if that was the newest.
  @inlinable @inline(__always)
  public func newer(than place: Place) -> Place? {
    let ring = rings + Int(owner(of: place.slot).rawValue)
    let next = nextEntry(after: number(of: place, in: ring), in: ring)
    if next == ring.pointee.end { return nil }
    return Place(slot: ring.pointee.entries[next & ring.pointee.mask], number: next)
  }

  /// The first place, from `place` on towards the newest, whose slot's frequency shares a bit with `bits`;
  /// nil if there is none.
  ///
  /// - Complexity: O(entries walked), which are read in order.
  @inlinable @inline(__always)
  public func first(from place: Place, having bits: UInt8) -> Place? {
    if frequency(of: place.slot) & bits != 0 { return place }
    let ring = rings + Int(owner(of: place.slot).rawValue)
    let entries = ring.pointee.entries
    let mask = ring.pointee.mask
    var next = number(of: place, in: ring) &+ 1
    while next < ring.pointee.end {
      let slot = entries[next & mask]
      prefetchMark(entries[(next &+ SlotQueues.prefetchDistance) & mask])
      if slot != SlotQueues.hole && frequency(of: slot) & bits != 0 {
        return Place(slot: slot, number: next)
      }
      next &+= 1
    }
    return nil
  }

  /// Takes the slot at `place` out of `queue`, which holds it; `size` is what it entered with.
  @inlinable @inline(__always)
  public mutating func remove(at place: Place, of queue: ID, size: Int) {
    let ring = rings + Int(queue.rawValue)
    let isOldest = place.number == ring.pointee.oldest
    vacate(isOldest ? place.number : number(of: place, in: ring), in: ring, size: size)
  }

  /// Moves the slot at `place` of `queue` to the newest end of `other`; `size` is what it entered with.
  @inlinable @inline(__always)
  public mutating func move(
    _ place: Place, of queue: ID, to other: ID, size: Int, frequency: UInt8 = 0
  ) {
    remove(at: place, of: queue, size: size)
    append(place.slot, to: other, size: size, frequency: frequency)
  }

  /// The number of the entry at `place`: as it was, unless the ring was rebuilt since.
  @inlinable @inline(__always)
  func number(of place: Place, in ring: UnsafeMutablePointer<Ring>) -> Int {
    let mask = ring.pointee.mask
    let oldest = ring.pointee.oldest
    let number = oldest &+ (place.number &- oldest) & mask
    // Beyond the end may be what was there before the ring was rebuilt.
    let isThere =
      ring.pointee.entries[number & mask] == place.slot && number < ring.pointee.end
    return isThere ? number : self.number(of: place.slot, in: ring)
  }
}
