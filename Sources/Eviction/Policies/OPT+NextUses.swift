import CInline

/// Residents in the order of their next uses: the one that is used farthest in the future is at hand.
///
/// Every resident has a place of its own on the scale of request numbers: the number of its next
/// request or, if it is never used again, of its last. So what lies behind the latest request is never
/// used again, and is farther than all that lies ahead; among it the least recently used comes first.
///
/// - Complexity: O(log₆₄ requests). Memory: 4 bytes per slot, and 4.1 per request, doubled as it
///   grows.
@usableFromInline package struct NextUseOrder: ~Copyable {
  /// The places that are taken.
  @usableFromInline var taken: BitmapTree
  /// Indexed by slot: its place, or `absent`.
  @usableFromInline var places: UnsafeMutablePointer<UInt32>
  @usableFromInline var slots: Int
  /// Indexed by place: whose it is, where it is taken.
  @usableFromInline var owners: UnsafeMutablePointer<Slot>
  @usableFromInline var ownerCount: Int
  /// The number of the latest request.
  @usableFromInline var now: Int
  /// The number of residents never used again.
  @usableFromInline var unused: Int

  @inlinable static var absent: UInt32 { .max }

  /// Creates an empty order with room for `slots` slots.
  @usableFromInline package init(slots: Int = 0) {
    taken = BitmapTree()
    self.slots = 0
    places = .allocate(capacity: 0)
    owners = .allocate(capacity: 0)
    ownerCount = 0
    now = -1
    unused = 0
    reserve(slots: slots)
  }

  deinit {
    places.deallocate()
    owners.deallocate()
  }

  /// Returns true if `slot` is in the order.
  @inlinable @inline(__always)
  package func contains(_ slot: Slot) -> Bool {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    return places[Int(slot)] != NextUseOrder.absent
  }

  /// Adds the slot of `request`, which is not in the order.
  @inlinable @inline(__always)
  package mutating func insert(_ request: Request) {
    assert(!contains(request.slot), "slot \(request.slot) is in the order already")
    now = request.index
    let isUnused = request.nextUse == .max
    let place = isUnused ? now : request.nextUse
    precondition(place < Int(NextUseOrder.absent), "at most 2^32 − 1 requests")
    assert(isUnused || place > now, "the next use of slot \(request.slot) is not ahead")
    assert(!taken.contains(place), "two slots are next used by request \(place)")
    if isUnused { unused &+= 1 }
    if place >= ownerCount { grow(toHold: place) }
    taken.insert(place)
    owners[place] = request.slot
    places[Int(request.slot)] = UInt32(truncatingIfNeeded: place)
  }

  /// Takes `slot` out of the order, which it is in.
  @inlinable @inline(__always)
  package mutating func remove(_ slot: Slot) {
    assert(contains(slot), "slot \(slot) is not in the order")
    let place = Int(places[Int(slot)])
    places[Int(slot)] = NextUseOrder.absent
    if place <= now { unused &-= 1 }
    taken.remove(place)
  }

  /// The slot whose next use is farthest; nil if the order is empty.
  @inlinable @inline(__always)
  package var farthest: Slot? {
    (unused > 0 ? taken.first : taken.last).map { owners[$0] }
  }

  /// The next use of `slot`, which is in the order; `Int.max` if it is never used again.
  @inlinable @inline(__always)
  package func nextUse(of slot: Slot) -> Int {
    assert(contains(slot), "slot \(slot) is not in the order")
    let place = Int(places[Int(slot)])
    return place <= now ? .max : place
  }

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  package func prefetch(_ slot: Slot) { evl_prefetch(places + Int(slot)) }

  /// Empties the order.
  @usableFromInline package mutating func removeAll() {
    places.update(repeating: NextUseOrder.absent, count: slots)
    taken.removeAll()
    unused = 0
  }

  /// Makes room for slots below `slots`; never shrinks.
  @usableFromInline package mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    let newPlaces = UnsafeMutablePointer<UInt32>.allocateRecords(capacity: newSlots)
    newPlaces.moveInitialize(from: places, count: slots)
    (newPlaces + slots).initialize(repeating: NextUseOrder.absent, count: newSlots - slots)
    places.deallocate()
    places = newPlaces
    slots = newSlots
  }

  @usableFromInline
  mutating func grow(toHold place: Int) {
    let newCount = max(2 * ownerCount, place + 1)
    let newOwners = UnsafeMutablePointer<Slot>.allocateRecords(capacity: newCount)
    newOwners.moveInitialize(from: owners, count: ownerCount)
    (newOwners + ownerCount).initialize(repeating: 0, count: newCount - ownerCount)
    owners.deallocate()
    owners = newOwners
    ownerCount = newCount
  }
}
