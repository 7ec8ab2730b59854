/// Slots in an order of their own, each found by its place and each place by its slot.
///
/// The slots stand in blocks of up to 64, and a directory lists the blocks, the last one first, with the number of slots
/// of each and of every 64 blocks together. A place is a sum of such numbers and of what stands before the slot in its
/// block, and a slot that moves shifts no more than a block. A block that is full is split, or continued at the ends;
/// when the directory is full, neighbours that fit into one block are merged.
///
///     var order = SlotOrder(slots: 1_000)
///     order.insert(7, at: 0)
///     order.insert(9, at: 0)
///     order.place(of: order.position(of: 7))   // 1
///     order.last                               // 7
///
/// - Complexity: `contains` and what happens at the ends O(1), the others O(count / 4096) where sums are needed;
///   splitting is O(count / 64), once for 32 slots that enter a block. Growth and ``removeAll()`` are O(slots). Memory:
///   4 bytes per slot, and up to about 12 for each that has a place.
@usableFromInline
package struct SlotOrder: ~Copyable {
  /// A place by its block and the slots before it there, until something moves.
  @usableFromInline
  package struct Position: BitwiseCopyable {
    /// The block's index in the directory.
    @usableFromInline let index: Int
    @usableFromInline let offset: Int

    @inlinable @inline(__always)
    init(index: Int, offset: Int) {
      self.index = index
      self.offset = offset
    }
  }

  /// Indexed by slot: its block, or `none`.
  @usableFromInline var blocks: SlotArray<UInt32>
  /// The slots of each block, in their order; what a block does not use is `none`.
  @usableFromInline var entries: UnsafeMutablePointer<Slot>
  /// Indexed by block: its index in the directory; of a free one, the next free one.
  @usableFromInline var indices: SlotArray<UInt32>
  @usableFromInline var firstFree = SlotOrder.none
  /// The blocks, from that of the last slot to that of the first.
  @usableFromInline var directory: SlotArray<UInt32>
  /// Indexed as the directory: the number of slots, 0 where there is no block.
  @usableFromInline var counts: SlotArray<UInt32>
  /// Indexed by ⌊index / 64⌋: the sum of these numbers.
  @usableFromInline var sums: SlotArray<UInt32>
  /// There are blocks at the first and the last index of begin ..< end.
  @usableFromInline var begin = 0
  @usableFromInline var end = 0
  /// The number of slots.
  @usableFromInline package var count = 0

  @inlinable static var none: UInt32 { .max }
  @inlinable static var blockSize: Int { 64 }

  @usableFromInline
  package init(slots: Int) {
    blocks = SlotArray(repeating: SlotOrder.none, slots: slots)
    entries = .allocate(capacity: 0)
    indices = SlotArray(repeating: 0)
    directory = SlotArray(repeating: SlotOrder.none, slots: 64)
    counts = SlotArray(repeating: 0, slots: 64)
    sums = SlotArray(repeating: 0, slots: 1)
  }

  @inlinable
  deinit { entries.deallocate() }

  /// Takes every slot out.
  @usableFromInline
  package mutating func removeAll() {
    blocks.removeAll()
    counts.removeAll()
    sums.removeAll()
    firstFree = SlotOrder.none
    for block in 0..<indices.slots { free(UInt32(block)) }
    entries.update(repeating: SlotOrder.none, count: indices.slots * SlotOrder.blockSize)
    (begin, end, count) = (0, 0, 0)
  }

  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  package mutating func reserve(slots: Int) { blocks.reserve(slots: slots) }
}

// MARK: - Asking

extension SlotOrder {
  /// Returns true if `slot` has a place.
  @inlinable @inline(__always)
  package func contains(_ slot: Slot) -> Bool { blocks[slot] != SlotOrder.none }

  /// Asks the processor to bring near what a request for `slot` will read first.
  @inlinable @inline(__always)
  func prefetch(_ slot: Slot) { blocks.prefetch(slot) }

  /// The slot at the last place, or nil if there is none.
  @inlinable @inline(__always)
  package var last: Slot? { count == 0 ? nil : self[lastPosition] }

  @inlinable @inline(__always)
  var lastPosition: Position { Position(index: begin, offset: counted(begin) &- 1) }

  /// The slot at the last place whose slot is not pinned, or nil if there is none.
  ///
  /// - Complexity: O(1), and O(pinned slots passed) where the host pins slots.
  @inlinable @inline(__always)
  func lastUnpinned(host: borrowing some SlotHost & ~Copyable) -> Slot? {
    for index in begin..<end {
      var offset = counted(index)
      while offset > 0 {
        offset &-= 1
        let slot = self[Position(index: index, offset: offset)]
        if !host.isPinned(slot) { return slot }
      }
    }
    return nil
  }

  @inlinable @inline(__always)
  subscript(position: Position) -> Slot { block(at: position.index)[position.offset] }

  /// The position of `slot`, which has one.
  @inlinable @inline(__always)
  package func position(of slot: Slot) -> Position {
    let block = Int(blocks[slot])
    let entries = entries + block &* SlotOrder.blockSize
    // Without a branch: the slot may be anywhere in its block.
    var offset: UInt32 = 0
    for place in 0..<UInt32(SlotOrder.blockSize) {
      offset |= entries[Int(place)] == slot ? place : 0
    }
    return Position(index: Int(indices[Slot(block)]), offset: Int(offset))
  }

  /// The number of slots before a position.
  @inlinable
  package func place(of position: Position) -> Int {
    let group = position.index >> 6
    let (counts, sums) = (counts.records, sums.records)
    var before = UInt32(truncatingIfNeeded: position.offset)
    for index in position.index &+ 1..<(group &+ 1) &<< 6 { before &+= counts[index] }
    for later in group &+ 1..<(end &+ 63) >> 6 { before &+= sums[later] }
    return Int(before)
  }

  /// The position at `place`, which is neither the first nor behind the last: in the block of the slot before.
  @inlinable
  func position(at place: Int) -> Position {
    var rest = place
    var group = (end &- 1) >> 6
    while rest > Int(sums[Slot(group)]) {
      rest &-= Int(sums[Slot(group)])
      group &-= 1
    }
    var index = group &<< 6 | 63
    while rest > counted(index) {
      rest &-= counted(index)
      index &-= 1
    }
    return Position(index: index, offset: rest)
  }

  @inlinable @inline(__always)
  func counted(_ index: Int) -> Int { Int(counts[Slot(truncatingIfNeeded: index)]) }

  /// The slots of the block at that index.
  @inlinable @inline(__always)
  func block(at index: Int) -> UnsafeMutablePointer<Slot> {
    entries + Int(directory[Slot(truncatingIfNeeded: index)]) &* SlotOrder.blockSize
  }
}

// MARK: - Moving slots

extension SlotOrder {
  /// Puts `slot`, which has no place, at `place`; what stood there and behind moves on by one.
  @inlinable
  package mutating func insert(_ slot: Slot, at place: Int) {
    assert(!contains(slot) && (0...count).contains(place), "no such place")
    if place == 0 {
      if count == 0 || counted(end &- 1) == SlotOrder.blockSize { openFront() }
      insert(slot, at: Position(index: end &- 1, offset: 0))
    } else if place == count {
      if counted(begin) == SlotOrder.blockSize { openBack() }
      insert(slot, at: Position(index: begin, offset: counted(begin)))
    } else {
      var position = position(at: place)
      if counted(position.index) == SlotOrder.blockSize {
        split(at: place)
        position = self.position(at: place)
      }
      insert(slot, at: position)
    }
    assert(invariantsHold(around: slot))
  }

  /// Takes `slot` out; what stood behind moves up by one.
  @inlinable
  package mutating func remove(_ slot: Slot) {
    assert(contains(slot), "slot \(slot) has no place")
    remove(at: slot == self[lastPosition] ? lastPosition : position(of: slot))
  }

  /// Moves the slot at `position` up by `distance`, to the front at most.
  @inlinable
  package mutating func moveUp(_ position: Position, by distance: Int) {
    let slots = block(at: position.index)
    let slot = slots[position.offset]
    if distance <= position.offset || position.index == end &- 1 {
      var place = position.offset
      let first = max(0, place &- distance)
      while place > first {
        slots[place] = slots[place &- 1]
        place &-= 1
      }
      slots[first] = slot
      return
    }
    let place = distance >= count ? 0 : max(0, self.place(of: position) &- distance)
    remove(at: position)
    insert(slot, at: place)
  }

  @inlinable @inline(__always)
  mutating func insert(_ slot: Slot, at position: Position) {
    let slots = block(at: position.index) + position.offset
    (slots + 1).update(from: slots, count: counted(position.index) &- position.offset)
    slots.pointee = slot
    blocks[slot] = directory[Slot(truncatingIfNeeded: position.index)]
    counts[Slot(truncatingIfNeeded: position.index)] &+= 1
    sums[Slot(truncatingIfNeeded: position.index >> 6)] &+= 1
    count &+= 1
  }

  @inlinable @inline(__always)
  mutating func remove(at position: Position) {
    let slots = block(at: position.index) + position.offset
    let behind = counted(position.index) &- position.offset &- 1
    blocks[slots.pointee] = SlotOrder.none
    slots.update(from: slots + 1, count: behind)
    slots[behind] = SlotOrder.none
    counts[Slot(truncatingIfNeeded: position.index)] &-= 1
    sums[Slot(truncatingIfNeeded: position.index >> 6)] &-= 1
    count &-= 1
    if counted(position.index) == 0 { close(position.index) }
  }
}

// MARK: - Blocks

extension SlotOrder {
  /// Begins a block before the first.
  @inlinable @inline(never)
  mutating func openFront() {
    if end == counts.slots { rebuild() }
    open(end)
    end += 1
  }

  /// Begins a block behind the last.
  @inlinable @inline(never)
  mutating func openBack() {
    if begin == 0 { rebuild() }
    begin -= 1
    open(begin)
  }

  /// Begins a block at an index that has none.
  @inlinable
  mutating func open(_ index: Int) {
    if firstFree == SlotOrder.none { addBlocks() }
    let block = firstFree
    firstFree = indices[block]
    indices[block] = UInt32(index)
    directory[Slot(index)] = block
  }

  /// Ends the block at that index, which is empty.
  @inlinable @inline(never)
  mutating func close(_ index: Int) {
    free(directory[Slot(index)])
    while end > begin && counted(end - 1) == 0 { end -= 1 }
    while begin < end && counted(begin) == 0 { begin += 1 }
  }

  @inlinable
  mutating func free(_ block: UInt32) {
    indices[block] = firstFree
    firstFree = block
  }

  @inlinable
  mutating func addBlocks() {
    let (old, size) = (indices.slots, SlotOrder.blockSize)
    let new = max(16, old + old / 2)
    indices.reserve(slots: new)
    let larger = UnsafeMutablePointer<Slot>.allocate(capacity: new * size)
    larger.moveInitialize(from: entries, count: old * size)
    (larger + old * size).initialize(repeating: SlotOrder.none, count: (new - old) * size)
    entries.deallocate()
    entries = larger
    for block in (old..<new).reversed() { free(UInt32(block)) }
  }

  /// Halves the full block of a place: its first slots get a block of their own.
  @inlinable @inline(never)
  mutating func split(at place: Int) {
    if end == counts.slots { rebuild() }
    let (index, half) = (position(at: place).index, SlotOrder.blockSize / 2)
    if counted(index) < SlotOrder.blockSize { return }
    for later in stride(from: end - 1, to: index, by: -1) { moveBlock(from: later, to: later + 1) }
    end += 1
    open(index + 1)
    let (slots, others) = (block(at: index), block(at: index + 1))
    for offset in 0..<half {
      blocks[slots[offset]] = directory[Slot(index + 1)]
      others[offset] = slots[offset]
      slots[offset] = slots[half + offset]
      slots[half + offset] = SlotOrder.none
    }
    counts[Slot(index)] = UInt32(half)
    counts[Slot(index + 1)] = UInt32(half)
    sumUp(from: index >> 6)
  }

  @inlinable @inline(__always)
  mutating func moveBlock(from index: Int, to other: Int) {
    if index == other { return }
    directory[Slot(other)] = directory[Slot(index)]
    counts[Slot(other)] = counts[Slot(index)]
    if counts[Slot(index)] > 0 { indices[directory[Slot(index)]] = UInt32(other) }
    counts[Slot(index)] = 0
  }

  @inlinable
  mutating func sumUp(from first: Int) {
    for group in first..<sums.slots {
      var sum: UInt32 = 0
      for index in group << 6..<(group + 1) << 6 { sum += counts[Slot(index)] }
      sums[Slot(group)] = sum
    }
  }

  /// Merges neighbours that fit into three quarters of a block, and puts the blocks into the middle of a directory
  /// that has room for twice as many.
  @inlinable @inline(never)
  mutating func rebuild() {
    var kept = 0
    for index in begin..<end where counted(index) > 0 {
      if kept > 0 && 4 * (counted(kept - 1) + counted(index)) <= 3 * SlotOrder.blockSize {
        merge(index, into: kept - 1)
      } else {
        moveBlock(from: index, to: kept)
        kept += 1
      }
    }
    if 2 * kept > counts.slots {
      let larger = 2 * counts.slots
      directory.reserve(slots: larger)
      counts.reserve(slots: larger)
      sums.reserve(slots: larger >> 6)
    }
    begin = (counts.slots - kept) / 2
    end = begin + kept
    for index in (0..<kept).reversed() { moveBlock(from: index, to: begin + index) }
    sumUp(from: 0)
  }

  /// Puts the slots of a block before those of another, and ends it.
  @inlinable
  mutating func merge(_ index: Int, into other: Int) {
    let (count, slots, others) = (counted(index), block(at: index), block(at: other))
    (others + count).update(from: others, count: counted(other))
    for offset in 0..<count {
      blocks[slots[offset]] = directory[Slot(other)]
      others[offset] = slots[offset]
      slots[offset] = SlotOrder.none
    }
    counts[Slot(other)] += UInt32(count)
    counts[Slot(index)] = 0
    free(directory[Slot(index)])
  }

  /// Checks that the block of `slot` holds it, and, while the order is small, that every number is right.
  @usableFromInline
  func invariantsHold(around slot: Slot) -> Bool {
    if self[position(of: slot)] != slot { return false }
    guard count <= 256 else { return true }
    var found = 0
    for index in 0..<counts.slots {
      let isInside = begin..<end ~= index
      if counted(index) > 0 && !isInside { return false }
      for offset in 0..<counted(index) {
        found += 1
        if blocks[block(at: index)[offset]] != directory[Slot(index)] { return false }
      }
    }
    return found == count && (0..<sums.slots).reduce(0) { $0 + Int(sums[Slot($1)]) } == count
  }
}
