extension LastingFrequencies {
  /// Checks what one change can break: the links around `slot`, and, while there are few slots,
  /// everything. Called from assertions, so that release builds pay nothing.
  @usableFromInline
  func invariantsHold(around slot: Slot) -> Bool {
    if isRanked(slot) {
      let record = records[Int(slot)]
      precondition(
        record.newer == LastingFrequencies.none || records[Int(record.newer)].older == slot,
        "the newer neighbour of \(slot)")
      precondition(
        record.older == LastingFrequencies.none || records[Int(record.older)].newer == slot,
        "the older neighbour of \(slot)")
    }
    return slots > 64 || invariantsHold()
  }

  /// Walks the chain and every list, and compares what it meets with the counts. O(slots).
  @usableFromInline
  func invariantsHold() -> Bool {
    var known = 0
    var below = 0
    var level = Int(levels[0].higher)
    while level != 0 {
      let current = levels[level]
      precondition(current.frequency > levels[below].frequency, "the chain ascends")
      precondition(Int(current.lower) == below, "the chain leads back")
      precondition(current.ranked + current.retired > 0, "a level is in use")
      precondition(members(of: level) == Int(current.ranked), "a level's list has its count")
      if lowest != 0 && current.ranked != 0 {
        precondition(
          current.frequency >= levels[Int(lowest)].frequency, "nothing ranked is below the lowest")
      }
      known += Int(current.ranked + current.retired)
      below = level
      level = Int(current.higher)
    }
    var recorded = 0
    var slot = 0
    while slot < slots {
      if records[slot].level != 0 { recorded += 1 }
      slot += 1
    }
    precondition(known == recorded, "\(recorded) slots have a level, \(known) are counted")
    return true
  }

  /// How many slots the list of `level` leads through.
  private func members(of level: Int) -> Int {
    var count = 0
    var slot = levels[level].newest
    while slot != LastingFrequencies.none {
      precondition(Int(records[Int(slot)].level) == level, "slot \(slot) is in its level's list")
      count += 1
      precondition(count <= slots, "a list runs in a circle")
      slot = records[Int(slot)].older
    }
    return count
  }
}
