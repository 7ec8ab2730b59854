/// The slots of a list by the places that they took, the oldest first, if the host pins slots: a search then sets the
/// pinned ones aside and does not meet them again.
///
/// Its policy tells it of every slot that goes to the front of the list, and of every one that leaves. A host that
/// pins nothing pays nothing.
///
/// - Complexity: O(log slots). Memory: where the host pins slots, 16 bytes per slot.
@usableFromInline
struct PlacedSlots: ~Copyable {
  @usableFromInline var order = PriorityRun<Int>()
  @usableFromInline var slots = 0
  @usableFromInline var clock = 0

  @inlinable
  init() {}

  /// Notes that `slot` is now at the front.
  @inlinable @inline(__always)
  mutating func placed<Host: SlotHost & ~Copyable>(_ slot: Slot, host: borrowing Host) {
    if Host.pinsSlots { place(slot) }
  }

  @inlinable
  mutating func place(_ slot: Slot) {
    if Int(slot) >= slots {
      slots = max(2 * slots, Int(slot) + 1, 1024)
      order.reserve(slots: slots)
    }
    clock &+= 1
    if order.contains(slot) {
      order.update(slot, priority: clock)
    } else {
      order.insert(slot, priority: clock)
    }
  }

  /// Notes that `slot` is in the list no more.
  @inlinable @inline(__always)
  mutating func left<Host: SlotHost & ~Copyable>(_ slot: Slot, host: borrowing Host) {
    if Host.pinsSlots { order.remove(slot) }
  }

  /// The oldest slot that is not pinned, which is the `back` of the list if the host pins nothing.
  @inlinable @inline(__always)
  mutating func unpinnedBack<Host: SlotHost & ~Copyable>(
    _ back: Slot?, host: borrowing Host
  ) -> Slot? {
    Host.pinsSlots ? order.firstUnpinned(host: host) : back
  }

  /// Empties the order.
  @inlinable
  mutating func removeAll() { order.removeAll() }
}
