import CInline

/// Slots ordered by priority: the smallest is always at hand, and any slot's priority can change.
///
/// A binary heap in a flat array, with each slot's position beside it. Priorities that compare equal
/// come out in no promised order, so a priority should carry its own tie-break.
///
/// Where a host pins slots and keeps an account of their releases, a pinned slot that comes up as the smallest is set
/// aside, behind the heap in the same array, until it is released.
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
  /// The number of entries in the heap's order.
  @usableFromInline var entryCount: Int
  /// The number of entries behind them that are set aside.
  @usableFromInline var asideCount: Int
  /// The host's releases that are accounted for.
  @usableFromInline var releases: Int

  @inlinable static var absent: UInt32 { .max }

  /// Creates an empty heap with room for `slots` slots.
  @inlinable
  public init(slots: Int = 0) {
    self.slots = 0
    entryCount = 0
    asideCount = 0
    releases = 0
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
  public var count: Int { entryCount &+ asideCount }

  /// The slot with the smallest priority, or nil if the heap is empty; it must not be read while slots are set aside.
  @inlinable @inline(__always)
  public var first: Slot? {
    assert(asideCount == 0, "a slot that is set aside may be smaller")
    return entryCount == 0 ? nil : entries[0].slot
  }

  /// The slot with the smallest priority among those that are not pinned, or nil if there is none.
  ///
  /// - Complexity: O(1). Where the host pins slots, O(log count) for each release since the last call and for each
  ///   pinned slot of a smaller priority that is set aside now; without an account of releases, O(those slots).
  @inlinable @inline(__always)
  public mutating func firstUnpinned<Host: SlotHost & ~Copyable>(
    host: borrowing Host
  ) -> Slot? {
    if Host.pinsSlots {
      if let releases = host.releases {
        return firstBesidePinned(releases: releases, host: host)
      }
      return unpinned(below: 0, before: nil, host: host).map { entries[$0].slot }
    }
    return first
  }

  /// The same, of a host that keeps an account of its releases.
  @inlinable
  mutating func firstBesidePinned<Host: SlotHost & ~Copyable>(
    releases now: Int, host: borrowing Host
  ) -> Slot? {
    if now < releases || now &- releases > Host.releasesKept {
      while asideCount > 0 { takeBack(at: entryCount) }
    } else if asideCount > 0 {
      for number in releases..<now {
        let slot = host.released(number)
        if Int(slot) >= slots || host.isPinned(slot) { continue }
        let position = positions[Int(slot)]
        if position != SlotHeap.absent && Int(position) >= entryCount {
          takeBack(at: Int(position))
        }
      }
    }
    releases = now
    while entryCount > 0 {
      if !host.isPinned(entries[0].slot) { return entries[0].slot }
      setFirstAside()
    }
    return nil
  }

  /// Moves the smallest entry of the heap to those set aside.
  @inlinable
  mutating func setFirstAside() {
    let first = entries[0]
    entryCount &-= 1
    asideCount &+= 1
    if entryCount > 0 { siftDown(entries[entryCount], from: 0) }
    set(first, at: entryCount)
  }

  /// Moves the entry at `position`, which is set aside, back into the heap.
  @inlinable
  mutating func takeBack(at position: Int) {
    let entry = entries[position]
    if position != entryCount { set(entries[entryCount], at: position) }
    entryCount &+= 1
    asideCount &-= 1
    siftUp(entry, from: entryCount &- 1)
  }

  /// The position of the smallest entry that is not pinned, at or below `position` and smaller than that at `best`.
  @inlinable
  func unpinned(
    below position: Int, before best: Int?, host: borrowing some SlotHost & ~Copyable
  ) -> Int? {
    if position >= entryCount { return best }
    if let best, !(entries[position].priority < entries[best].priority) { return best }
    if !host.isPinned(entries[position].slot) { return position }
    let left = unpinned(below: 2 &* position &+ 1, before: best, host: host)
    return unpinned(below: 2 &* position &+ 2, before: left, host: host)
  }

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
    if asideCount > 0 { set(entries[end], at: end &+ asideCount) }
    entryCount &+= 1
    (entries + end).initialize(to: Entry(priority: priority, slot: slot))
    siftUp(Entry(priority: priority, slot: slot), from: end)
    assert(invariantsHold(around: slot))
  }

  /// Gives `slot`, which is in the heap, another priority.
  @inlinable
  public mutating func update(_ slot: Slot, priority: Priority) {
    assert(contains(slot), "slot \(slot) is not in the heap")
    let position = Int(positions[Int(slot)])
    if position >= entryCount {
      entries[position].priority = priority
    } else {
      place(Entry(priority: priority, slot: slot), at: position)
    }
    assert(invariantsHold(around: slot))
  }

  /// Puts `slot`, which is not in the heap, in the place of ``first``.
  ///
  /// - Complexity: O(1) where no priority is smaller than the new one, else O(log count).
  @inlinable
  public mutating func replaceFirst(with slot: Slot, priority: Priority) {
    assert(!contains(slot), "slot \(slot) is in the heap already")
    assert(asideCount == 0, "a slot that is set aside may be smaller")
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
    if position >= entryCount {
      asideCount &-= 1
      let last = entryCount &+ asideCount
      if position != last { set(entries[last], at: position) }
      return
    }
    entryCount &-= 1
    if position != entryCount { place(entries[entryCount], at: position) }
    if asideCount > 0 { set(entries[entryCount &+ asideCount], at: entryCount) }
    assert(invariantsHold(around: slot))
  }

  /// Empties the heap.
  @inlinable
  public mutating func removeAll() {
    positions.update(repeating: SlotHeap.absent, count: slots)
    entryCount = 0
    asideCount = 0
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
        && (position == 0 || position >= entryCount
          || !(entries[position].priority < entries[(position - 1) / 2].priority))
    }
    guard slots <= 64 else {
      return !contains(slot) || ordered(Int(positions[Int(slot)]))
    }
    return (0..<count).allSatisfy(ordered)
      && (0..<UInt32(slots)).count { contains($0) } == count
  }
}
