// The orders of S and Q in which pinned blocks are set aside; a host that pins none pays nothing for them.

extension DLIRS {
  /// The oldest block of Q that is not pinned, or nil if there is none.
  @inlinable @inline(__always)
  mutating func unpinnedInQueue<Host: SlotHost & ~Copyable>(host: borrowing Host) -> Slot? {
    Host.pinsSlots ? queueOrder.firstUnpinned(host: host) : links.back(of: .queue)
  }

  /// Notes that a LIR block is on top of S.
  @inlinable @inline(__always)
  mutating func placeLIR<Host: SlotHost & ~Copyable>(_ slot: Slot, host: borrowing Host) {
    if Host.pinsSlots { DLIRS.place(slot, in: &lirOrder, &clock, slots: slots) }
  }

  /// Notes that a block is at the end of Q.
  @inlinable @inline(__always)
  mutating func placeInQueue<Host: SlotHost & ~Copyable>(_ slot: Slot, host: borrowing Host) {
    if Host.pinsSlots { DLIRS.place(slot, in: &queueOrder, &clock, slots: slots) }
  }

  @inlinable
  static func place(
    _ slot: Slot, in order: inout SlotHeap<Int>, _ clock: inout Int, slots: Int
  ) {
    order.reserve(slots: slots)
    clock &+= 1
    if order.contains(slot) {
      order.update(slot, priority: clock)
    } else {
      order.insert(slot, priority: clock)
    }
  }

  /// Notes that a block is LIR no more.
  @inlinable @inline(__always)
  mutating func leaveLIR<Host: SlotHost & ~Copyable>(_ slot: Slot, host: borrowing Host) {
    if Host.pinsSlots { lirOrder.remove(slot) }
  }

  @inlinable @inline(__always)
  mutating func leaveQueue<Host: SlotHost & ~Copyable>(_ slot: Slot, host: borrowing Host) {
    links.remove(slot, from: .queue)
    if Host.pinsSlots { queueOrder.remove(slot) }
  }
}
