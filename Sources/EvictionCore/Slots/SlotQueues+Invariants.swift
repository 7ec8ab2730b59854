extension SlotQueues {
  /// Checks what one mutation can break: the entry of `slot`, and, while there are few slots,
  /// everything. Called from assertions, so that release builds pay nothing.
  @usableFromInline
  func invariantsHold(around slot: Slot) -> Bool {
    let queue = owner(of: slot)
    if queue != .none && keepsPositions {
      let ring = rings[Int(queue.rawValue)]
      precondition(
        ring.entries[Int(positions[Int(slot)]) & ring.mask] == slot, "the entry of \(slot)")
    }
    return slots > 64 || invariantsHold()
  }

  /// Walks every ring and compares entries, positions, marks and counts. O(slots).
  ///
  /// Plain loops: this runs in builds without optimisation, after every mutation.
  @usableFromInline
  package func invariantsHold() -> Bool {
    var queued = 0
    var queue = 0
    while queue < queueCount {
      queue += 1
      queued += checkedCount(of: rings[queue], queue: ID(UInt8(queue)))
    }
    var owned = 0
    var slot = 0
    while slot < slots {
      if marks[slot] & 3 != 0 { owned += 1 }
      slot += 1
    }
    precondition(owned == queued, "\(owned) slots have an owner, \(queued) are queued")
    return true
  }

  private func checkedCount(of ring: Ring, queue: ID) -> Int {
    precondition(ring.end - ring.oldest <= ring.mask + 1, "a ring holds more than it has room for")
    var walked = 0
    var handIsOnASlot = ring.hand <= ring.oldest
    var number = ring.oldest
    while number < ring.end {
      let slot = ring.entries[number & ring.mask]
      if slot != SlotQueues.hole {
        precondition(owner(of: slot) == queue, "slot \(slot) is queued with another owner")
        precondition(
          !keepsPositions || positions[Int(slot)] == UInt32(truncatingIfNeeded: number),
          "the position of \(slot)")
        if number == ring.hand { handIsOnASlot = true }
        walked += 1
      } else {
        precondition(number != ring.oldest, "the oldest entry is a hole")
      }
      number += 1
    }
    precondition(handIsOnASlot, "the hand points at a hole")
    precondition(walked == ring.count, "a queue has \(walked) slots, not its count")
    precondition(ring.size >= 0, "a queue has a negative size")
    return walked
  }

  /// Returns the number of entries that the ring of a queue has room for.
  package func room(of queue: ID) -> Int { rings[Int(queue.rawValue)].mask + 1 }
}
