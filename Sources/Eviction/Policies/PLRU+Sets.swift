import CInline

/// Slots in sets of a few ways, each set with a tree of bits over its ways that point to the half which was
/// used less recently, as a processor's cache has them.
///
/// A word per set holds the tree: node 1 is the root, the children of node i are 2i and 2i + 1, and the leaves
/// are the ways from the left.
///
/// - Complexity: O(log ways) per operation. Memory: 4 bytes per slot, and per set 8 bytes and 4 for each way.
@usableFromInline
struct PseudoLRUSets: ~Copyable {
  @inlinable static var absent: UInt32 { .max }

  /// The number of ways of a set, a power of two up to 32; 0 for none at all.
  @usableFromInline let ways: Int
  /// The number of sets.
  @usableFromInline let count: Int
  /// Indexed by set: a bit per inner node, set if it points right.
  @usableFromInline var directions: UnsafeMutablePointer<UInt32>
  /// Indexed by set: a bit per way that is taken.
  @usableFromInline var taken: UnsafeMutablePointer<UInt32>
  /// Indexed by set and way.
  @usableFromInline var members: UnsafeMutablePointer<Slot>
  /// Indexed by slot: its set times the ways, and its way; or `absent`.
  @usableFromInline var places: UnsafeMutablePointer<UInt32>
  @usableFromInline var slots = 0
  /// The set at which an eviction looks first where no newcomer names one.
  @usableFromInline var hand = 0

  /// As many sets of `ways` as `capacity` fills, one at least; nothing for 0 ways.
  init(ways: Int, capacity: Int, slots: Int) {
    precondition(ways >= 0 && ways <= 32 && ways & (ways - 1) == 0, "ways are a power of two")
    self.ways = ways
    count = ways == 0 ? 0 : max(1, capacity / ways)
    precondition(count <= Int(Int32.max) / max(1, ways), "at most 2^31 ways")
    directions = .allocate(capacity: count)
    directions.initialize(repeating: 0, count: count)
    taken = .allocate(capacity: count)
    taken.initialize(repeating: 0, count: count)
    members = .allocate(capacity: count * ways)
    members.initialize(repeating: 0, count: count * ways)
    places = .allocate(capacity: 0)
    reserve(slots: slots)
  }

  @inlinable
  deinit {
    directions.deallocate()
    taken.deallocate()
    members.deallocate()
    places.deallocate()
  }

  /// Makes room for slots below `slots`; never shrinks.
  @usableFromInline
  mutating func reserve(slots newSlots: Int) {
    guard ways > 0, newSlots > slots else { return }
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: newSlots)
    larger.moveInitialize(from: places, count: slots)
    (larger + slots).initialize(repeating: PseudoLRUSets.absent, count: newSlots - slots)
    places.deallocate()
    places = larger
    slots = newSlots
  }

  /// Empties the sets; the bits stay.
  @usableFromInline
  mutating func removeAll() {
    places.update(repeating: PseudoLRUSets.absent, count: slots)
    taken.update(repeating: 0, count: count)
  }
}

extension PseudoLRUSets {
  /// Returns true if `slot` is in a set.
  @inlinable @inline(__always)
  func contains(_ slot: Slot) -> Bool {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    return places[Int(slot)] != PseudoLRUSets.absent
  }

  /// Asks the processor to bring near what a request for `slot` will read first.
  @inlinable @inline(__always)
  func prefetch(_ slot: Slot) { evl_prefetch(places + Int(slot)) }

  /// The set of the keys with this hash: equally many hashes have each.
  @inlinable @inline(__always)
  func set(of keyHash: UInt64) -> Int {
    Int(truncatingIfNeeded: keyHash.multipliedFullWidth(by: UInt64(count)).high)
  }

  /// Returns true if every way of the set is taken.
  @inlinable @inline(__always)
  func isFull(_ set: Int) -> Bool {
    taken[set] == UInt32(truncatingIfNeeded: UInt64(1) << UInt64(ways) - 1)
  }

  /// Makes every node above `slot`, which is in a set, point away from it.
  @inlinable @inline(__always)
  mutating func touch(_ slot: Slot) {
    let place = Int(places[Int(slot)])
    touch(way: place & (ways &- 1), of: place >> ways.trailingZeroBitCount)
  }

  /// Puts `slot` into the first way of the set that is free, and touches it.
  @inlinable @inline(__always)
  mutating func insert(_ slot: Slot, into set: Int) {
    let way = (~taken[set]).trailingZeroBitCount
    assert(way < ways, "set \(set) is full")
    taken[set] |= 1 << UInt32(way)
    members[set &* ways &+ way] = slot
    places[Int(slot)] = UInt32(truncatingIfNeeded: set &* ways &+ way)
    touch(way: way, of: set)
  }

  /// Takes `slot` out of its set; the nodes above it stay as they are.
  @inlinable @inline(__always)
  mutating func remove(_ slot: Slot) {
    let place = Int(places[Int(slot)])
    places[Int(slot)] = PseudoLRUSets.absent
    taken[place >> ways.trailingZeroBitCount] &= ~(1 << UInt32(place & (ways &- 1)))
  }

  /// The slot to which the nodes of a set lead, halves that hold nothing left out; nil if it is empty.
  @inlinable @inline(__always)
  func leastRecent(of set: Int) -> Slot? {
    let taken = taken[set]
    if taken == 0 { return nil }
    var (first, half, node) = (0, ways >> 1, 1)
    while half > 0 {
      let mask: UInt32 = 1 << UInt32(half) &- 1
      let hasLeft = taken >> UInt32(first) & mask != 0
      let hasRight = taken >> UInt32(first &+ half) & mask != 0
      let goesRight = hasRight && (!hasLeft || directions[set] >> UInt32(node) & 1 == 1)
      if goesRight { first &+= half }
      node = node &<< 1 | (goesRight ? 1 : 0)
      half >>= 1
    }
    return members[set &* ways &+ first]
  }

  /// The least recent of the next set that holds something, sets taken in turn; nil if none does.
  @inlinable
  mutating func leastRecentInTurn() -> Slot? {
    for _ in 0..<count {
      let found = leastRecent(of: hand)
      hand = hand &+ 1 == count ? 0 : hand &+ 1
      if let found { return found }
    }
    return nil
  }

  @inlinable @inline(__always)
  mutating func touch(way: Int, of set: Int) {
    var bits = directions[set]
    var node = ways | way
    while node > 1 {
      let isRight = UInt32(truncatingIfNeeded: node & 1)
      node >>= 1
      bits = bits & ~(1 << UInt32(node)) | (1 &- isRight) << UInt32(node)
    }
    directions[set] = bits
  }
}
