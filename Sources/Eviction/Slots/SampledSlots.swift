import CInline

/// The record that a sampling policy keeps of a resident, with its slot.
@usableFromInline package protocol SampledRecord: BitwiseCopyable {
  /// The resident's slot.
  var slot: Slot { get }
}

/// A set of slots with a record for each, packed for drawing: the records stand side by side, so that
/// looking at a resident drawn at random touches one cache line.
///
///     let position = generator.index(below: residents.count)
///     residents[position].slot
///
/// - Complexity: every operation is O(1), but growth and ``removeAll()``, which are O(slots).
///   Memory: 4 bytes and one `Record` per slot.
@usableFromInline package struct SampledSlots<Record: SampledRecord>: ~Copyable {
  /// In no meaningful order.
  @usableFromInline var records: UnsafeMutablePointer<Record>
  /// Indexed by slot: where its record stands, or `absent`.
  @usableFromInline var positions: UnsafeMutablePointer<UInt32>
  @usableFromInline var slots: Int
  @usableFromInline var recordCount: Int
  /// The positions of the last sample.
  @usableFromInline let drawn: UnsafeMutablePointer<UInt32>

  @inlinable static var absent: UInt32 { .max }

  /// Creates an empty set with room for `slots` slots, and for samples of `sample` positions.
  @inlinable
  package init(slots: Int = 0, sample: Int = 0) {
    self.slots = 0
    recordCount = 0
    records = .allocate(capacity: 0)
    positions = .allocate(capacity: 0)
    drawn = .allocate(capacity: sample)
    reserve(slots: slots)
  }

  @inlinable
  deinit {
    records.deallocate()
    positions.deallocate()
    drawn.deallocate()
  }

  /// The number of slots in the set.
  @inlinable @inline(__always)
  package var count: Int { recordCount }

  /// Returns true if `slot` is a member.
  @inlinable @inline(__always)
  package func contains(_ slot: Slot) -> Bool {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    return positions[Int(slot)] != SampledSlots.absent
  }

  /// Returns the position of the record of `slot`, which is a member: in 0 ..< ``count``, until a removal.
  @inlinable @inline(__always)
  package func position(of slot: Slot) -> Int {
    assert(contains(slot), "slot \(slot) is no member")
    return Int(positions[Int(slot)])
  }

  /// The record at `position`, in 0 ..< ``count``; a new one must be of the same slot.
  @inlinable @inline(__always)
  package subscript(position: Int) -> Record {
    get {
      assert(position >= 0 && position < count, "position \(position) is not below \(count)")
      return records[position]
    }
    set {
      assert(newValue.slot == records[position].slot, "a record stays with its slot")
      records[position] = newValue
    }
  }

  /// Draws the position of a resident that is not pinned; there is one.
  @inlinable @inline(__always)
  package func draw<Host: SlotHost & ~Copyable>(
    _ generator: inout SplitMix64, host: borrowing Host
  ) -> Int {
    if Host.pinsSlots, let unpinned = host.unpinned {
      while true {
        let slot = host.unpinned(at: generator.index(below: unpinned))
        let position = positions[Int(slot)]
        if position != SampledSlots.absent { return Int(position) }
      }
    }
    while true {
      let position = generator.index(below: count)
      if !host.isPinned(records[position].slot) { return position }
    }
  }

  /// Draws `count` positions, with repetition, and asks the processor to bring their records near: all are on their way
  /// before the first is looked at. There are no more than the set was created for.
  @inlinable @inline(__always)
  package func drawSample(
    _ count: Int, _ generator: inout SplitMix64, host: borrowing some SlotHost & ~Copyable
  ) {
    for draw in 0..<count {
      let position = self.draw(&generator, host: host)
      drawn[draw] = UInt32(truncatingIfNeeded: position)
      evl_prefetch(records + position)
    }
  }

  /// Position number `draw` of the last sample.
  @inlinable @inline(__always)
  package func sampledPosition(_ draw: Int) -> Int { Int(drawn[draw]) }

  /// The record at position number `draw` of the last sample.
  @inlinable @inline(__always)
  package func sampled(_ draw: Int) -> Record { records[Int(drawn[draw])] }

  /// Adds a slot, which is not a member, at the last position.
  @inlinable @inline(__always)
  package mutating func insert(_ record: Record) {
    assert(!contains(record.slot), "slot \(record.slot) is a member already")
    (records + recordCount).initialize(to: record)
    positions[Int(record.slot)] = UInt32(truncatingIfNeeded: recordCount)
    recordCount &+= 1
    assert(invariantsHold(around: record.slot))
  }

  /// Removes `slot`, which is a member; the last record takes its position.
  @inlinable @inline(__always)
  package mutating func remove(_ slot: Slot) {
    let position = position(of: slot)
    recordCount &-= 1
    let last = records[recordCount]
    records[position] = last
    positions[Int(last.slot)] = UInt32(truncatingIfNeeded: position)
    positions[Int(slot)] = SampledSlots.absent
    assert(invariantsHold(around: last.slot))
  }

  /// Puts a record in place of the one at `position`, as ``remove(_:)`` and ``insert(_:)`` would, if `missed` is true;
  /// else its slot is a member, whose record it replaces. Without a branch: hits come in no order that a processor could
  /// foresee.
  @inlinable @inline(__always)
  package mutating func replaceMember(at position: Int, by record: Record, missed: Bool) {
    let end = recordCount &- 1
    let own = Int(positions[Int(record.slot)])
    let chosen = missed ? position : end
    let (victim, last) = (records[chosen].slot, records[end])
    records[chosen] = last
    positions[Int(missed ? last.slot : record.slot)] = UInt32(truncatingIfNeeded: chosen)
    positions[Int(missed ? victim : record.slot)] = SampledSlots.absent
    let place = missed ? end : own
    records[place] = record
    positions[Int(record.slot)] = UInt32(truncatingIfNeeded: place)
    assert(invariantsHold(around: last.slot) && invariantsHold(around: record.slot))
  }

  /// Empties the set.
  @inlinable
  package mutating func removeAll() {
    positions.update(repeating: SampledSlots.absent, count: slots)
    recordCount = 0
  }

  /// Makes room for slots below `newSlots`; never shrinks.
  @inlinable
  package mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    precondition(newSlots < Int(UInt32.max), "at most 2^32 − 2 slots")
    let newRecords = UnsafeMutablePointer<Record>.allocateRecords(capacity: newSlots)
    newRecords.moveInitialize(from: records, count: recordCount)
    records.deallocate()
    records = newRecords
    let newPositions = UnsafeMutablePointer<UInt32>.allocateRecords(capacity: newSlots)
    newPositions.moveInitialize(from: positions, count: slots)
    (newPositions + slots).initialize(repeating: SampledSlots.absent, count: newSlots - slots)
    positions.deallocate()
    positions = newPositions
    slots = newSlots
  }

  /// Asks the processor to bring near what a request for `slot` will read first.
  @inlinable @inline(__always)
  package func prefetch(_ slot: Slot) { evl_prefetch(positions + Int(slot)) }

  /// Checks that positions and records name each other: around `slot`, and everywhere while small.
  @usableFromInline
  func invariantsHold(around slot: Slot) -> Bool {
    func consistent(_ slot: Slot) -> Bool {
      let position = positions[Int(slot)]
      return position == SampledSlots.absent
        || (Int(position) < count && records[Int(position)].slot == slot)
    }
    guard slots <= 64 else { return consistent(slot) }
    return (0..<UInt32(slots)).allSatisfy(consistent)
      && (0..<UInt32(slots)).count { contains($0) } == count
  }
}
