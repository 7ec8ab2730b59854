import CInline

/// Slots ordered by priority: the smallest is always at hand, and any slot's priority can change.
///
/// A binary heap in a flat array, with each slot's position beside it. Priorities that compare equal
/// come out in no promised order, so a priority should carry its own tie-break.
///
/// - Complexity: `first` and `contains` O(1); `insert`, `update` and `remove` O(log count); growth and
///   ``removeAll()`` O(slots). Memory: 8 bytes per slot and one padded `Priority`.
public struct SlotHeap<Priority: Comparable & BitwiseCopyable>: ~Copyable {
  @usableFromInline
  struct Entry {
    @usableFromInline var priority: Priority
    @usableFromInline var slot: Slot

    @inlinable @inline(__always)
    init(priority: Priority, slot: Slot) {
      self.priority = priority
      self.slot = slot
    }
  }

  @usableFromInline var entries: UnsafeMutablePointer<Entry>
  /// Indexed by slot: where it stands among the entries, or `absent`.
  @usableFromInline var positions: UnsafeMutablePointer<UInt32>
  @usableFromInline var slots: Int
  @usableFromInline var entryCount: Int

  @inlinable static var absent: UInt32 { .max }

  /// Creates an empty heap with room for `slots` slots.
  @inlinable
  public init(slots: Int = 0) {
    self.slots = 0
    entryCount = 0
    entries = .allocate(capacity: 0)
    positions = .allocate(capacity: 0)
    reserve(slots: slots)
  }

  deinit {
    entries.deallocate()
    positions.deallocate()
  }

  /// The number of slots in the heap.
  @inlinable @inline(__always)
  public var count: Int { entryCount }

  /// The slot with the smallest priority, or nil if the heap is empty.
  @inlinable @inline(__always)
  public var first: Slot? { entryCount == 0 ? nil : entries[0].slot }

  /// Returns true if `slot` is in the heap.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    return positions[Int(slot)] != SlotHeap.absent
  }

  /// The priority of `slot`, which is in the heap.
  @inlinable @inline(__always)
  public func priority(of slot: Slot) -> Priority {
    assert(contains(slot), "slot \(slot) is not in the heap")
    return entries[Int(positions[Int(slot)])].priority
  }

  /// Asks the processor to bring near where `slot` stands.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { evl_prefetch(positions + Int(slot)) }

  /// Adds `slot`, which is not in the heap.
  @inlinable
  public mutating func insert(_ slot: Slot, priority: Priority) {
    assert(!contains(slot), "slot \(slot) is in the heap already")
    let end = entryCount
    entryCount &+= 1
    (entries + end).initialize(to: Entry(priority: priority, slot: slot))
    siftUp(Entry(priority: priority, slot: slot), from: end)
    assert(invariantsHold(around: slot))
  }

  /// Gives `slot`, which is in the heap, another priority.
  @inlinable
  public mutating func update(_ slot: Slot, priority: Priority) {
    assert(contains(slot), "slot \(slot) is not in the heap")
    place(Entry(priority: priority, slot: slot), at: Int(positions[Int(slot)]))
    assert(invariantsHold(around: slot))
  }

  /// Puts `slot`, which is not in the heap, in the place of ``first``.
  ///
  /// - Complexity: O(1) where no priority is smaller than the new one, else O(log count).
  @inlinable
  public mutating func replaceFirst(with slot: Slot, priority: Priority) {
    assert(!contains(slot), "slot \(slot) is in the heap already")
    positions[Int(entries[0].slot)] = SlotHeap.absent
    siftDown(Entry(priority: priority, slot: slot), from: 0)
    assert(invariantsHold(around: slot))
  }

  /// Removes `slot`, which is in the heap.
  @inlinable
  public mutating func remove(_ slot: Slot) {
    assert(contains(slot), "slot \(slot) is not in the heap")
    let position = Int(positions[Int(slot)])
    positions[Int(slot)] = SlotHeap.absent
    entryCount &-= 1
    if position != entryCount { place(entries[entryCount], at: position) }
    assert(invariantsHold(around: slot))
  }

  /// Empties the heap.
  @inlinable
  public mutating func removeAll() {
    positions.update(repeating: SlotHeap.absent, count: slots)
    entryCount = 0
  }

  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  public mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    precondition(newSlots < Int(UInt32.max), "at most 2^32 − 2 slots")
    let newEntries = UnsafeMutablePointer<Entry>.allocateRecords(capacity: newSlots)
    newEntries.moveInitialize(from: entries, count: count)
    entries.deallocate()
    entries = newEntries
    let newPositions = UnsafeMutablePointer<UInt32>.allocateRecords(capacity: newSlots)
    newPositions.moveInitialize(from: positions, count: slots)
    (newPositions + slots).initialize(repeating: SlotHeap.absent, count: newSlots - slots)
    positions.deallocate()
    positions = newPositions
    slots = newSlots
  }
}

extension SlotHeap {
  @inlinable @inline(__always)
  mutating func set(_ entry: Entry, at position: Int) {
    entries[position] = entry
    positions[Int(entry.slot)] = UInt32(truncatingIfNeeded: position)
  }

  /// Puts `entry` into the hole at `position`, and restores the order around it.
  @inlinable
  mutating func place(_ entry: Entry, at position: Int) {
    if position > 0 && entry.priority < entries[(position &- 1) >> 1].priority {
      siftUp(entry, from: position)
    } else {
      siftDown(entry, from: position)
    }
  }

  @inlinable
  mutating func siftUp(_ entry: Entry, from start: Int) {
    var hole = start
    while hole > 0 {
      let parent = (hole &- 1) >> 1
      if !(entry.priority < entries[parent].priority) { break }
      set(entries[parent], at: hole)
      hole = parent
    }
    set(entry, at: hole)
  }

  @inlinable
  mutating func siftDown(_ entry: Entry, from start: Int) {
    var hole = start
    while true {
      var child = 2 &* hole &+ 1
      if child >= entryCount { break }
      let right = child &+ 1
      if right < entryCount && entries[right].priority < entries[child].priority { child = right }
      if !(entries[child].priority < entry.priority) { break }
      set(entries[child], at: hole)
      hole = child
    }
    set(entry, at: hole)
  }

  /// Checks positions and heap order: around `slot`, and everywhere while small.
  @usableFromInline
  func invariantsHold(around slot: Slot) -> Bool {
    func ordered(_ position: Int) -> Bool {
      Int(positions[Int(entries[position].slot)]) == position
        && (position == 0
          || !(entries[position].priority < entries[(position - 1) / 2].priority))
    }
    guard slots <= 64 else {
      return !contains(slot) || ordered(Int(positions[Int(slot)]))
    }
    return (0..<count).allSatisfy(ordered)
      && (0..<UInt32(slots)).count { contains($0) } == count
  }
}
