import CInline

/// Slots at the leaves of a binary tree whose inner nodes each point to the half that was used less
/// recently.
///
/// The k-th slot to get a leaf of its own stands where the bits of k, reversed, lead from the root; so
/// any number of leaves is spread evenly, and when they are full, each becomes the left one of a pair and
/// the nodes above keep what they say. A leaf that was left is the next one to be taken, the most
/// recently left first; an empty tree starts again with the first one.
///
/// Six levels of the tree are one 64-bit word of directions, so that a use is one masked write per six
/// levels; what else the way down needs to know changes only when a leaf is taken or left for good.
///
/// - Complexity: O(log leaves) per operation, in steps of six levels; growth is O(leaves), and doubles
///   them. Memory: 4 bytes per slot, and 8½ per leaf.
@usableFromInline package struct PseudoLRUTree: ~Copyable {
  /// The subtrees of a word, of 64, that hold something, and the states of its inner nodes that follow. The
  /// root is node 1, the children of node i are 2i and 2i + 1.
  @usableFromInline
  struct Shape {
    @usableFromInline var occupied: UInt64 = 0
    /// Nodes whose right half is empty.
    @usableFromInline var onlyLeft: UInt64 = .max
    /// Nodes whose left half is empty, and the right one is not.
    @usableFromInline var onlyRight: UInt64 = 0

    @inlinable
    init() {}
  }

  @inlinable static var absent: UInt32 { .max }

  /// A bit per inner node, set if it points right. The words above the leaves come first, and so on; the
  /// last one is the root's.
  @usableFromInline var directions: UnsafeMutablePointer<UInt64>
  /// The same for the shapes.
  @usableFromInline var shapes: UnsafeMutablePointer<Shape>
  @usableFromInline var wordCount = 0
  /// The number of words above leaves.
  @usableFromInline var leafWords = 0
  /// Indexed by leaf.
  @usableFromInline var members: UnsafeMutablePointer<Slot>
  /// Leaves that were left, the first `vacantCount` of it.
  @usableFromInline var vacant: UnsafeMutablePointer<UInt32>
  @usableFromInline var vacantCount = 0
  /// The leaf that was left last, if the shapes still hold it: most often it is taken at once.
  @usableFromInline var hole: UInt32
  /// Indexed by slot: its leaf, or `absent`.
  @usableFromInline var positions: UnsafeMutablePointer<UInt32>
  @usableFromInline var slots = 0
  /// The number of leaves is 2^depth; `taken` of them have been used.
  @usableFromInline var depth = 0
  @usableFromInline var taken = 0

  /// For child i of a word: the nodes above it, and those of them that point away from it.
  @usableFromInline let paths: UnsafeMutablePointer<(above: UInt64, away: UInt64)>

  /// An empty tree with room for `slots` slots, and at first for `leaves` at a time.
  @usableFromInline package init(slots: Int = 0, leaves: Int = 1) {
    while 1 << depth < leaves { depth += 1 }
    (directions, shapes, wordCount, leafWords) = PseudoLRUTree.words(depth: depth)
    members = .allocate(capacity: 1 << depth)
    vacant = .allocate(capacity: 1 << depth)
    hole = PseudoLRUTree.absent
    positions = .allocate(capacity: 0)
    paths = .allocate(capacity: 64)
    for child in 0..<64 {
      var path = (above: UInt64(0), away: UInt64(0))
      for level in 0..<6 {
        let node = UInt64(1 << level | child >> (6 - level))
        path.above |= 1 << node
        if child >> (5 - level) & 1 == 0 { path.away |= 1 << node }
      }
      (paths + child).initialize(to: path)
    }
    reserve(slots: slots)
  }

  deinit {
    directions.deallocate()
    shapes.deallocate()
    members.deallocate()
    vacant.deallocate()
    positions.deallocate()
    paths.deallocate()
  }

  /// The words of an empty tree of 2^depth leaves, how many they are, and how many of them are above leaves.
  @usableFromInline
  static func words(
    depth: Int
  ) -> (UnsafeMutablePointer<UInt64>, UnsafeMutablePointer<Shape>, count: Int, aboveLeaves: Int) {
    let leafWords = max(1, (1 << depth) >> 6)
    var width = leafWords
    var count = width
    while width > 1 {
      width = max(1, width >> 6)
      count += width
    }
    let directions = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    directions.initialize(repeating: 0, count: count)
    let shapes = UnsafeMutablePointer<Shape>.allocate(capacity: count)
    shapes.initialize(repeating: Shape(), count: count)
    return (directions, shapes, count, leafWords)
  }

  /// Makes room for slots below `slots`; never shrinks.
  @usableFromInline package mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    precondition(newSlots < Int(Int32.max), "at most 2^31 − 2 slots")
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: newSlots)
    larger.moveInitialize(from: positions, count: slots)
    (larger + slots).initialize(repeating: PseudoLRUTree.absent, count: newSlots - slots)
    positions.deallocate()
    positions = larger
    slots = newSlots
  }

  /// Empties the tree.
  @usableFromInline package mutating func removeAll() {
    positions.update(repeating: PseudoLRUTree.absent, count: slots)
    shapes.update(repeating: Shape(), count: wordCount)
    hole = PseudoLRUTree.absent
    vacantCount = 0
    taken = 0
  }
}

extension PseudoLRUTree {
  /// Returns true if `slot` is in the tree.
  @inlinable @inline(__always)
  package func contains(_ slot: Slot) -> Bool {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    return positions[Int(slot)] != PseudoLRUTree.absent
  }

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  package func prefetch(_ slot: Slot) { evl_prefetch(positions + Int(slot)) }

  /// Makes every node above `slot`, which is in the tree, point away from it.
  @inlinable @inline(__always)
  package mutating func touch(_ slot: Slot) { touch(leaf: Int(positions[Int(slot)])) }

  /// Adds `slot`, which is not in the tree, and touches it.
  @inlinable
  package mutating func insert(_ slot: Slot) {
    assert(!contains(slot), "slot \(slot) is in the tree already")
    let leaf: Int
    if hole != PseudoLRUTree.absent {
      leaf = Int(hole)
      hole = PseudoLRUTree.absent
    } else {
      leaf = takeLeaf()
    }
    members[leaf] = slot
    positions[Int(slot)] = UInt32(truncatingIfNeeded: leaf)
    touch(leaf: leaf)
    assert(invariantsHold())
  }

  /// Removes `slot`, which is in the tree; the nodes above it stay as they are.
  @inlinable
  package mutating func remove(_ slot: Slot) {
    assert(contains(slot), "slot \(slot) is not in the tree")
    let leaf = Int(positions[Int(slot)])
    positions[Int(slot)] = PseudoLRUTree.absent
    closeHole()
    hole = UInt32(truncatingIfNeeded: leaf)
    if vacantCount &+ 1 == taken {
      closeHole()
      vacantCount = 0
      taken = 0
    }
    assert(invariantsHold())
  }

  /// The slot to which the nodes lead from the root, halves that hold nothing left out; nil if the tree
  /// is empty.
  @inlinable
  package mutating func leastRecent() -> Slot? {
    closeHole()
    if taken == 0 { return nil }
    var start = wordCount &- 1
    var below = max(0, (depth &- 1) / 6 &* 6)  // levels of the tree below the word
    var index = 0
    while true {
      index = index << 6 | pointed(word: start &+ index)
      if below == 0 { return members[index] }
      start &-= 1 << max(0, depth &- below)
      below &-= 6
    }
  }

  /// True if it holds more than one slot, and none has left its leaf since the last search.
  @inlinable @inline(__always)
  var holdsMany: Bool { hole == PseudoLRUTree.absent && taken &- vacantCount > 1 }

  /// Puts `slot`, which is not in the tree, in place of the least recent slot, as a removal and an insertion would, and
  /// touches it, while the tree ``holdsMany``. The next search need not wait for the end of this one, as the nodes above
  /// are done with first.
  @inlinable @inline(__always)
  mutating func replaceLeastRecent(by slot: Slot) {
    var start = wordCount &- 1
    var below = max(0, (depth &- 1) / 6 &* 6)
    var index = 0
    while true {
      let child = pointed(word: start &+ index)
      directions[start &+ index] =
        directions[start &+ index] & ~paths[child].above | paths[child].away
      index = index << 6 | child
      if below == 0 { break }
      start &-= 1 << max(0, depth &- below)
      below &-= 6
    }
    positions[Int(members[index])] = PseudoLRUTree.absent
    positions[Int(slot)] = UInt32(truncatingIfNeeded: index)
    members[index] = slot
    assert(invariantsHold())
  }

  @inlinable @inline(__always)
  mutating func touch(leaf: Int) {
    var level = 0
    var width = leafWords
    var index = leaf
    while true {
      let path = paths[index & 63]
      index >>= 6
      let word = directions + level + index
      word.pointee = word.pointee & ~path.above | path.away
      level &+= width
      if level == wordCount { return }
      width = max(1, width >> 6)
    }
  }

  /// The vacant leaf that was left last, or else a new one.
  @inlinable
  mutating func takeLeaf() -> Int {
    let leaf: Int
    if vacantCount > 0 {
      vacantCount &-= 1
      leaf = Int(vacant[vacantCount])
    } else {
      if taken == 1 << depth { grow() }
      leaf = reversed(taken)
      taken &+= 1
    }
    mark(leaf, isOccupied: true)
    return leaf
  }

  /// Gives up the leaf that was left last.
  @inlinable @inline(__always)
  mutating func closeHole() {
    if hole == PseudoLRUTree.absent { return }
    vacant[vacantCount] = hole
    vacantCount &+= 1
    mark(Int(hole), isOccupied: false)
    hole = PseudoLRUTree.absent
  }

  /// Marks a leaf, and the subtrees above it that hold nothing else.
  @inlinable
  mutating func mark(_ leaf: Int, isOccupied: Bool) {
    var level = 0
    var width = leafWords
    var index = leaf
    while level < wordCount {
      let child = index & 63
      index >>= 6
      var shape = shapes[level &+ index]
      let wasEmpty = shape.occupied == 0
      let bit: UInt64 = 1 << UInt64(child)
      shape.occupied = isOccupied ? shape.occupied | bit : shape.occupied & ~bit
      reshape(&shape, above: child)
      shapes[level &+ index] = shape
      if (isOccupied ? !wasEmpty : shape.occupied != 0) { return }
      level &+= width
      width = max(1, width >> 6)
    }
  }

  /// Corrects what a shape says of the nodes above one of its subtrees.
  @inlinable
  func reshape(_ shape: inout Shape, above child: Int) {
    var half = 1
    var node = 32 | child >> 1
    while node > 0 {
      let first = child & ~(2 * half - 1)
      let mask: UInt64 = 1 << UInt64(half) - 1
      let hasLeft = shape.occupied >> UInt64(first) & mask != 0
      let hasRight = shape.occupied >> UInt64(first + half) & mask != 0
      let bit: UInt64 = 1 << UInt64(node)
      shape.onlyLeft = hasRight ? shape.onlyLeft & ~bit : shape.onlyLeft | bit
      shape.onlyRight =
        hasRight && !hasLeft ? shape.onlyRight | bit : shape.onlyRight & ~bit
      half *= 2
      node >>= 1
    }
  }

  /// The subtree to which a word's nodes lead, among those that hold something.
  @inlinable @inline(__always)
  func pointed(word: Int) -> Int {
    let shape = shapes[word]
    let pointers = (directions[word] | shape.onlyRight) & ~shape.onlyLeft
    var node: UInt64 = 1
    for _ in 0..<6 { node = node &<< 1 | pointers &>> node & 1 }
    return Int(truncatingIfNeeded: node & 63)
  }

  /// The last `depth` bits of `ordinal`, in the opposite order.
  @inlinable
  func reversed(_ ordinal: Int) -> Int {
    var leaf = 0
    for bit in 0..<depth { leaf = leaf << 1 | ordinal >> bit & 1 }
    return leaf
  }

  /// Makes each leaf the left one of a pair.
  @inlinable @inline(never)
  mutating func grow() {
    precondition(depth < 31, "at most 2^31 leaves")
    let earlier = (directions: directions, shapes: shapes, members: members, vacant: vacant)
    let earlierDepth = depth
    depth += 1
    (directions, shapes, wordCount, leafWords) = PseudoLRUTree.words(depth: depth)
    members = .allocate(capacity: 1 << depth)
    vacant = .allocate(capacity: 1 << depth)
    for level in 0..<earlierDepth {
      for index in 0..<1 << level {
        let (oldWord, oldBit) = place(level: level, index: index, depth: earlierDepth)
        let (word, bit) = place(level: level, index: index, depth: depth)
        directions[word] |= (earlier.directions[oldWord] >> oldBit & 1) << bit
      }
    }
    for leaf in 0..<taken {
      let slot = earlier.members[leaf]
      (members + 2 * leaf).initialize(to: slot)
      positions[Int(slot)] = UInt32(2 * leaf)
      mark(2 * leaf, isOccupied: true)
    }
    earlier.directions.deallocate()
    earlier.shapes.deallocate()
    earlier.members.deallocate()
    earlier.vacant.deallocate()
  }

  /// The word and the bit of the node number `index` from the left, `level` levels below the root of a
  /// tree of that depth.
  @inlinable
  func place(level: Int, index: Int, depth: Int) -> (word: Int, bit: UInt64) {
    let height = depth - level - 1  // levels between the node and the leaves' own parents
    var word = 0
    var width = max(1, (1 << depth) >> 6)
    for _ in 0..<height / 6 {
      word += width
      width = max(1, width >> 6)
    }
    let inWord = 5 - height % 6  // levels between the node and its word's root
    return (word + index >> inWord, UInt64(1 << inWord | index & (1 << inWord - 1)))
  }

  /// Checks, while the tree is small, that slots and leaves name each other.
  @usableFromInline
  func invariantsHold() -> Bool {
    guard slots <= 64 else { return true }
    let members = (0..<UInt32(slots)).filter { contains($0) }
    return members.count == taken - vacantCount - (hole == PseudoLRUTree.absent ? 0 : 1)
      && members.allSatisfy { self.members[Int(positions[Int($0)])] == $0 }
  }
}

extension PseudoLRUTree {
  mutating func visitState(_ state: inout PolicyState) {
    var room = wordCount
    state.visit(&directions, room: &room)
    state.visit(&shapes, room: &wordCount)
    var leaves = 1 << depth
    state.visit(&members, room: &leaves)
    leaves = 1 << depth
    state.visit(&vacant, room: &leaves, count: vacantCount)
    state.visit(&positions, room: &slots)
    state.visit(&leafWords)
    state.visit(&depth)
    state.visit(&vacantCount)
    state.visit(&hole)
    state.visit(&taken)
  }
}
