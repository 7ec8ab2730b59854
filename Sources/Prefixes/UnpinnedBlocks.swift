import EvictionCore

/// The resident blocks of a cache of prefixes that are not pinned, side by side, for policies that draw victims.
///
/// - Complexity: every operation is O(1). Memory: 8 bytes for each block ever seen.
@usableFromInline
struct UnpinnedBlocks {
  /// In no meaningful order.
  @usableFromInline let slots: UnsafeMutablePointer<Slot>
  @usableFromInline let count: UnsafeMutablePointer<Int>
  /// By block: its position in `slots`, or `pinned`, or `absent` if it is not resident.
  @usableFromInline let positions: UnsafeMutablePointer<UInt32>

  @inlinable static var absent: UInt32 { .max }
  @inlinable static var pinned: UInt32 { .max - 1 }

  /// No resident yet.
  @inlinable
  init(slots number: Int) {
    slots = .allocate(capacity: number)
    count = .allocate(capacity: 1)
    count.initialize(to: 0)
    positions = .allocate(capacity: number)
    positions.initialize(repeating: Self.absent, count: number)
  }

  @inlinable
  func deallocate() {
    slots.deallocate()
    count.deallocate()
    positions.deallocate()
  }

  @inlinable @inline(__always)
  func entered(_ slot: Slot, isPinned: Bool) {
    positions[Int(slot)] = Self.pinned
    if !isPinned { released(slot) }
  }

  @inlinable @inline(__always)
  func left(_ slot: Slot) {
    pinned(slot)
    positions[Int(slot)] = Self.absent
  }

  /// Notes the first pin of a block, which need not be resident.
  @inlinable @inline(__always)
  func pinned(_ slot: Slot) {
    let position = positions[Int(slot)]
    if position >= Self.pinned { return }
    count.pointee &-= 1
    let last = slots[count.pointee]
    slots[Int(position)] = last
    positions[Int(last)] = position
    positions[Int(slot)] = Self.pinned
  }

  /// Notes the end of the last pin of a block, which need not be resident.
  @inlinable @inline(__always)
  func released(_ slot: Slot) {
    if positions[Int(slot)] != Self.pinned { return }
    positions[Int(slot)] = UInt32(truncatingIfNeeded: count.pointee)
    (slots + count.pointee).initialize(to: slot)
    count.pointee &+= 1
  }
}
