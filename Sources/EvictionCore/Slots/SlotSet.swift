import CInline

/// A set of slots from which any one can be drawn by its index.
///
/// - Complexity: every operation is O(1), but growth and ``removeAll()``, which are O(slots).
///   Memory: 8 bytes per slot.
public struct SlotSet: ~Copyable {
  /// The members, in no meaningful order.
  @usableFromInline var members: UnsafeMutablePointer<Slot>
  /// Indexed by slot: where it stands among the members, or `absent`.
  @usableFromInline var positions: UnsafeMutablePointer<UInt32>
  @usableFromInline var slots: Int

  @usableFromInline var memberCount: Int

  /// The number of slots in the set.
  @inlinable @inline(__always)
  public var count: Int { memberCount }

  @inlinable static var absent: UInt32 { .max }

  /// Creates an empty set with room for `slots` slots.
  public init(slots: Int = 0) {
    self.slots = 0
    memberCount = 0
    members = .allocate(capacity: 0)
    positions = .allocate(capacity: 0)
    reserve(slots: slots)
  }

  deinit {
    members.deallocate()
    positions.deallocate()
  }

  /// Makes room for slots below `slots`; never shrinks.
  public mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    precondition(newSlots < Int(UInt32.max), "at most 2^32 − 2 slots")
    let newMembers = UnsafeMutablePointer<Slot>.allocateRecords(capacity: newSlots)
    newMembers.moveInitialize(from: members, count: slots)
    (newMembers + slots).initialize(repeating: 0, count: newSlots - slots)
    members.deallocate()
    members = newMembers
    let newPositions = UnsafeMutablePointer<UInt32>.allocateRecords(capacity: newSlots)
    newPositions.moveInitialize(from: positions, count: slots)
    (newPositions + slots).initialize(repeating: SlotSet.absent, count: newSlots - slots)
    positions.deallocate()
    positions = newPositions
    slots = newSlots
  }

  /// Empties the set.
  public mutating func removeAll() {
    positions.update(repeating: SlotSet.absent, count: slots)
    memberCount = 0
  }

  /// Returns true if `slot` is a member.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    return positions[Int(slot)] != SlotSet.absent
  }

  /// The member at `index`, in 0 ..< ``count``.
  @inlinable @inline(__always)
  public subscript(index: Int) -> Slot {
    assert(index >= 0 && index < count, "index \(index) is not below the count \(count)")
    return members[index]
  }

  /// Draws a member that is not pinned; there is one.
  @inlinable @inline(__always)
  public func draw<Host: SlotHost & ~Copyable>(
    _ generator: inout SplitMix64, host: borrowing Host
  ) -> Slot {
    if Host.pinsSlots, let unpinned = host.unpinned {
      while true {
        let slot = host.unpinned(at: generator.index(below: unpinned))
        if contains(slot) { return slot }
      }
    }
    while true {
      let slot = self[generator.index(below: count)]
      if !host.isPinned(slot) { return slot }
    }
  }

  /// Adds `slot`, which is not a member.
  @inlinable @inline(__always)
  public mutating func insert(_ slot: Slot) {
    assert(!contains(slot), "slot \(slot) is a member already")
    members[count] = slot
    positions[Int(slot)] = UInt32(truncatingIfNeeded: count)
    memberCount &+= 1
    assert(invariantsHold(around: slot))
  }

  /// Removes `slot`, which is a member; the last member takes its place.
  @inlinable @inline(__always)
  public mutating func remove(_ slot: Slot) {
    assert(contains(slot), "slot \(slot) is no member")
    let position = positions[Int(slot)]
    memberCount &-= 1
    let last = members[count]
    members[Int(position)] = last
    positions[Int(last)] = position
    positions[Int(slot)] = SlotSet.absent
    assert(invariantsHold(around: last))
  }

  /// Puts `slot`, which is no member, in place of the member at `index`, as ``remove(_:)`` and ``insert(_:)`` would, if
  /// `missed` is true; else it is a member, and nothing changes. Without a branch: hits come in no order that a processor
  /// could foresee.
  @inlinable @inline(__always)
  public mutating func replaceMember(at index: Int, by slot: Slot, missed: Bool) {
    let end = memberCount &- 1
    let position = positions[Int(slot)]
    let chosen = missed ? index : end
    let (victim, last) = (members[chosen], members[end])
    members[chosen] = last
    members[end] = missed ? slot : last
    positions[Int(missed ? last : slot)] = UInt32(truncatingIfNeeded: chosen)
    positions[Int(missed ? victim : slot)] = SlotSet.absent
    positions[Int(slot)] = missed ? UInt32(truncatingIfNeeded: end) : position
  }

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { evl_prefetch(positions + Int(slot)) }

  /// Checks that positions and members name each other: around `slot`, and everywhere while small.
  @usableFromInline
  func invariantsHold(around slot: Slot) -> Bool {
    func consistent(_ slot: Slot) -> Bool {
      let position = positions[Int(slot)]
      return position == SlotSet.absent
        || (Int(position) < count && members[Int(position)] == slot)
    }
    guard slots <= 64 else { return consistent(slot) }
    return (0..<UInt32(slots)).allSatisfy(consistent)
      && (0..<UInt32(slots)).count { contains($0) } == count
  }
}
