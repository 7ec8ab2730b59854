extension RankedLists {
  /// Checks what one change can break: the links around `slot`, and, while there are few slots,
  /// everything. Called from assertions, so that release builds pay nothing.
  @usableFromInline
  func invariantsHold(around slot: Slot) -> Bool {
    let record = records[Int(slot)]
    if record.list != 0 {
      precondition(records[index(record.newer)].older == slot, "the newer neighbour of \(slot)")
      precondition(records[index(record.older)].newer == slot, "the older neighbour of \(slot)")
    }
    if isRanked(slot) {
      precondition(
        records[index(record.newerEqual)].olderEqual == slot, "the newer equal of \(slot)")
      precondition(
        records[index(record.olderEqual)].newerEqual == slot, "the older equal of \(slot)")
    }
    return slots > 64 || invariantsHold()
  }

  /// Walks every list and every level, and compares what it meets with the records. O(slots).
  private func invariantsHold() -> Bool {
    var listed = 0
    for list in 1...RankedLists.maximumLists {
      var next = asSlot(records[-list].older)
      while let slot = next {
        precondition(Int(records[Int(slot)].list) == list, "slot \(slot) is in another's list")
        listed += 1
        precondition(listed <= slots, "the links of list \(list) run in a circle")
        next = asSlot(records[Int(slot)].older)
      }
      precondition(sizes[list] >= 0, "list \(list) has a negative size")
    }
    let counted = countAlongTheChain()
    var (withList, withLevel) = (0, 0)
    var slot = 0
    while slot < slots {
      if records[slot].list != 0 { withList += 1 }
      if records[slot].level != 0 { withLevel += 1 }
      slot += 1
    }
    precondition(withList == listed, "\(withList) slots have a list, \(listed) are linked")
    precondition(withLevel == counted, "\(withLevel) slots have a level, \(counted) are counted")
    return true
  }

  /// Returns the number of slots that the levels hold, ranked or retired.
  private func countAlongTheChain() -> Int {
    var counted = 0
    var (below, level) = (0, Int(levels[0].higher))
    while level != 0 {
      let current = levels[level]
      precondition(current.count > levels[below].count, "the chain ascends")
      precondition(Int(current.lower) == below, "the chain leads back")
      var ranked = 0
      var next = asSlot(records[-level].olderEqual)
      while let slot = next {
        precondition(Int(records[Int(slot)].level) == level, "slot \(slot) is in another's level")
        ranked += 1
        precondition(ranked <= slots, "the links of level \(level) run in a circle")
        next = asSlot(records[Int(slot)].olderEqual)
      }
      precondition(ranked > 0 || current.retired > 0, "a level is in use")
      precondition(
        ranked == 0 || lowest == 0 || current.count >= levels[Int(lowest)].count,
        "nothing ranked is below the lowest level")
      counted += ranked + Int(current.retired)
      (below, level) = (level, Int(current.higher))
    }
    return counted
  }
}
