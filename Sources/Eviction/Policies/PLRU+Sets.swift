import CInline
import EvictionCore

/// Slots in sets of a few ways, each set with a tree of bits over its ways that point to the half which was
/// used less recently, as a processor's cache has them.
///
/// There may be any number of sets: only those that hold something have a *row* in the tables, and an index finds
/// the row of a set. An empty set needs none: each node that the way down to a victim consults, as both its halves
/// hold something, has been touched since.
///
/// A word per row holds the tree: node 1 is the root, the children of node i are 2i and 2i + 1, and the leaves
/// are the ways from the left.
///
/// - Complexity: O(log ways) per operation, expected; ``leastRecentInTurn()`` O(log sets), and O(sets) for the first
///   time. Memory: 4 bytes per slot, and per set that holds something up to 52 bytes and 4 for each way, 24 more after
///   that first time.
@usableFromInline
struct PseudoLRUSets: ~Copyable {
  @inlinable static var absent: UInt32 { .max }

  /// A set that holds something.
  @usableFromInline
  struct Row: BitwiseCopyable {
    /// The set, or the row that is free next.
    @usableFromInline var set = 0
    /// A bit per inner node, set if it points right.
    @usableFromInline var directions: UInt32 = 0
    /// A bit per way that is taken.
    @usableFromInline var taken: UInt32 = 0

    @inlinable
    init() {}
  }

  /// The place of a set in the order in which sets take turns.
  @usableFromInline
  struct Turn: Comparable, BitwiseCopyable {
    @usableFromInline let round: Int
    @usableFromInline let set: Int

    @inlinable
    init(round: Int, set: Int) {
      self.round = round
      self.set = set
    }

    @inlinable
    static func < (left: Turn, right: Turn) -> Bool {
      (left.round, left.set) < (right.round, right.set)
    }
  }

  /// Indexed by row.
  @usableFromInline var rows: SlotArray<Row>
  /// Indexed by row and way.
  @usableFromInline var members: SlotArray<Slot>
  /// The rows by their sets.
  @usableFromInline var index: KeyIndex
  /// Indexed by slot: its row times the ways, and its way; or `absent`.
  @usableFromInline var places: SlotArray<UInt32>
  /// The rows that hold something, if sets have taken turns.
  @usableFromInline var turns: SlotHeap<Turn>
  @usableFromInline var haveTurns = false
  /// The set at which an eviction looks first where no newcomer names one, and how often that came round to 0.
  @usableFromInline var hand = 0
  @usableFromInline var round = 0
  /// The number of ways of a set, a power of two up to 32; 0 for none at all.
  @usableFromInline let ways: Int
  /// The number of sets.
  @usableFromInline let count: Int
  /// Rows below this have been in use; the first of those that are free again, or `absent`.
  @usableFromInline var used: UInt32 = 0
  @usableFromInline var free: UInt32

  /// As many sets of `ways` as `capacity` fills, one at least; nothing for 0 ways.
  init(ways: Int, capacity: Int, slots: Int) {
    precondition(ways >= 0 && ways <= 32 && ways & (ways - 1) == 0, "ways are a power of two")
    self.ways = ways
    count = ways == 0 ? 0 : max(1, capacity / ways)
    rows = SlotArray(repeating: Row())
    members = SlotArray(repeating: 0)
    index = KeyIndex()
    places = SlotArray(repeating: PseudoLRUSets.absent)
    turns = SlotHeap()
    free = PseudoLRUSets.absent
    reserve(slots: slots)
  }

  /// Makes room for slots below `slots`; never shrinks.
  @usableFromInline
  mutating func reserve(slots: Int) { if ways > 0 { places.reserve(slots: slots) } }

  /// Empties the sets.
  @usableFromInline
  mutating func removeAll() {
    places.removeAll()
    let reserved = rows.slots
    index = KeyIndex()
    index.reserve(slots: reserved)
    turns.removeAll()
    used = 0
    free = PseudoLRUSets.absent
  }
}

// MARK: - Rows

extension PseudoLRUSets {
  /// The row of `set`; nil if it is empty.
  @inlinable @inline(__always)
  func row(of set: Int) -> Slot? {
    index.find(PseudoLRUSets.hash(of: set)) { rows[$0].set == set }
  }

  @inlinable @inline(__always)
  static func hash(of set: Int) -> UInt64 { SplitMix64.mix(UInt64(truncatingIfNeeded: set)) }

  /// Gives the set, which is empty, a row.
  @inlinable
  mutating func begin(_ set: Int) -> Slot {
    let row: Slot
    if free != PseudoLRUSets.absent {
      row = free
      free = UInt32(truncatingIfNeeded: rows[row].set)
    } else {
      if Int(used) == rows.slots { grow() }
      row = used
      used += 1
    }
    rows[row] = Row()
    rows[row].set = set
    index.insert(row, hash: PseudoLRUSets.hash(of: set))
    if haveTurns { turns.insert(row, priority: turn(of: set)) }
    return row
  }

  /// Gives up a row whose set is empty.
  @inlinable
  mutating func end(_ row: Slot) {
    index.remove(row)
    if haveTurns { turns.remove(row) }
    rows[row].set = Int(free)
    free = row
  }

  @inlinable @inline(never)
  mutating func grow() {
    let count = max(16, 2 * rows.slots)
    precondition(count * ways < Int(UInt32.max), "at most 2^32 ways of sets that hold something")
    rows.reserve(slots: count)
    members.reserve(slots: count * ways)
    index.reserve(slots: count)
    if haveTurns { turns.reserve(slots: count) }
  }

  /// The coming turn of a set.
  @inlinable
  func turn(of set: Int) -> Turn { Turn(round: set >= hand ? round : round + 1, set: set) }

  /// Orders the sets by their turns.
  @inlinable @inline(never)
  mutating func beginTurns() {
    haveTurns = true
    turns.reserve(slots: rows.slots)
    for row in 0..<used where rows[row].taken != 0 {
      turns.insert(row, priority: turn(of: rows[row].set))
    }
  }
}

// MARK: - Slots

extension PseudoLRUSets {
  /// Returns true if `slot` is in a set.
  @inlinable @inline(__always)
  func contains(_ slot: Slot) -> Bool { places[slot] != PseudoLRUSets.absent }

  /// Asks the processor to bring near what a request for `slot` will read first.
  @inlinable @inline(__always)
  func prefetch(_ slot: Slot) { places.prefetch(slot) }

  /// The set of the keys with this hash: equally many hashes have each.
  @inlinable @inline(__always)
  func set(of keyHash: UInt64) -> Int {
    Int(truncatingIfNeeded: keyHash.multipliedFullWidth(by: UInt64(count)).high)
  }

  /// Returns true if every way of the set is taken.
  @inlinable @inline(__always)
  func isFull(_ set: Int) -> Bool {
    guard let row = row(of: set) else { return false }
    return rows[row].taken == UInt32(truncatingIfNeeded: UInt64(1) << UInt64(ways) - 1)
  }

  /// Makes every node above `slot`, which is in a set, point away from it.
  @inlinable @inline(__always)
  mutating func touch(_ slot: Slot) { touch(place: places[slot]) }

  /// Puts `slot` into the first way of the set that is free, and touches it.
  @inlinable @inline(__always)
  mutating func insert(_ slot: Slot, into set: Int) {
    let row = row(of: set) ?? begin(set)
    let way = UInt32((~rows[row].taken).trailingZeroBitCount)
    assert(way < ways, "set \(set) is full")
    rows[row].taken |= 1 << way
    let place = row &* UInt32(truncatingIfNeeded: ways) &+ way
    members[place] = slot
    places[slot] = place
    touch(place: place)
  }

  /// Takes `slot` out of its set; the nodes above it stay as they are.
  @inlinable @inline(__always)
  mutating func remove(_ slot: Slot) {
    let place = places[slot]
    places[slot] = PseudoLRUSets.absent
    rows[row(at: place)].taken &= ~(1 << way(at: place))
    if rows[row(at: place)].taken == 0 { end(row(at: place)) }
  }

  /// The slot to which the nodes of a set lead, halves that hold nothing left out; nil if it is empty.
  @inlinable @inline(__always)
  func leastRecent(of set: Int) -> Slot? { row(of: set).map { leastRecent(inRow: $0) } }

  /// The least recent of the next set that holds something, sets taken in turn; nil if none does.
  @inlinable
  mutating func leastRecentInTurn() -> Slot? {
    if !haveTurns { beginTurns() }
    guard let row = turns.first else { return nil }
    let turn = turns.priority(of: row)
    let isLast = turn.set + 1 == count
    (round, hand) = isLast ? (turn.round + 1, 0) : (turn.round, turn.set + 1)
    turns.update(row, priority: self.turn(of: turn.set))
    return leastRecent(inRow: row)
  }

  @inlinable
  func leastRecent(inRow row: Slot) -> Slot {
    let (taken, directions) = (rows[row].taken, rows[row].directions)
    var (first, half, node) = (0, ways >> 1, 1)
    while half > 0 {
      let mask: UInt32 = 1 << UInt32(half) &- 1
      let hasLeft = taken >> UInt32(first) & mask != 0
      let hasRight = taken >> UInt32(first &+ half) & mask != 0
      let goesRight = hasRight && (!hasLeft || directions >> UInt32(node) & 1 == 1)
      if goesRight { first &+= half }
      node = node &<< 1 | (goesRight ? 1 : 0)
      half >>= 1
    }
    return members[row &* UInt32(truncatingIfNeeded: ways) &+ UInt32(truncatingIfNeeded: first)]
  }

  @inlinable @inline(__always)
  func row(at place: UInt32) -> Slot { place >> UInt32(ways.trailingZeroBitCount) }

  @inlinable @inline(__always)
  func way(at place: UInt32) -> UInt32 { place & UInt32(truncatingIfNeeded: ways &- 1) }

  @inlinable @inline(__always)
  mutating func touch(place: UInt32) {
    let row = row(at: place)
    var bits = rows[row].directions
    var node = UInt32(truncatingIfNeeded: ways) | way(at: place)
    while node > 1 {
      let isRight = node & 1
      node >>= 1
      bits = bits & ~(1 << node) | (1 &- isRight) << node
    }
    rows[row].directions = bits
  }
}

extension PseudoLRUSets {
  mutating func visitState(_ state: inout PolicyState) {
    rows.visitState(&state)
    members.visitState(&state)
    index.visitState(&state)
    places.visitState(&state)
    turns.visitState(&state)
    state.visit(&haveTurns)
    state.visit(&hand)
    state.visit(&round)
    state.visit(&used)
    state.visit(&free)
  }
}
