extension SlotLists {
  /// Checks what one mutation can break: the links around `slot`, and, while the lists are small,
  /// everything. Called from assertions, so that release builds pay nothing.
  @usableFromInline
  func invariantsHold(around slot: Slot) -> Bool {
    if owner(of: slot) != .none {
      let link = links[Int(slot)]
      precondition(links[index(link.newer)].older == slot, "the newer neighbour of \(slot)")
      precondition(links[index(link.older)].newer == slot, "the older neighbour of \(slot)")
    }
    return slots > 64 || invariantsHold()
  }

  /// Walks every list in both directions and compares owners and counts. O(slots).
  ///
  /// Plain loops: this runs in builds without optimisation, after every mutation.
  @usableFromInline
  func invariantsHold() -> Bool {
    var listed = 0
    var list = 0
    while list < listCount {
      list += 1
      let id = ID(Owner(list))
      var walked = 0
      var next = front(of: id)
      while let slot = next {
        precondition(owner(of: slot) == id, "slot \(slot) is linked into another's list")
        walked += 1
        precondition(walked <= slots, "the links of list \(list) run in a circle")
        next = older(than: slot)
      }
      precondition(walked == count(of: id), "list \(list) has \(walked) slots, not its count")
      precondition(size(of: id) >= 0, "list \(list) has a negative size")
      listed += walked
    }
    var owned = 0
    var slot = 0
    while slot < slots {
      if owners[slot] != 0 { owned += 1 }
      slot += 1
    }
    precondition(owned == listed, "\(owned) slots have an owner, \(listed) are linked")
    return true
  }
}
