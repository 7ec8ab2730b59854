// The state of the structures that policies keep slots in.

extension SlotArray {
  /// Passes on every record.
  @inlinable
  public mutating func visitState(_ state: inout PolicyState) {
    let count = state.visit(count: slots, bytesEach: MemoryLayout<Element>.stride)
    reserve(slots: count)
    state.visit(elements, count: count)
  }
}

extension SlotLists {
  /// Passes on every list.
  @inlinable
  public mutating func visitState(_ state: inout PolicyState) {
    let lists = state.visit(count: listCount, bytesEach: MemoryLayout<Total>.stride)
    let count = state.visit(count: slots, bytesEach: MemoryLayout<Link>.stride)
    if lists > Int(Owner.max) || count > SlotLists.maximumSlots { return state.refuse() }
    addLists(upTo: lists)
    reserve(slots: count)
    state.visit(links - lists, count: lists + count)
    state.visit(owners, count: count)
    state.visit(totals, count: lists + 1)
  }
}

extension SlotQueues {
  /// Passes on every queue with its hand.
  @inlinable
  public mutating func visitState(_ state: inout PolicyState) {
    let count = state.visit(count: slots, bytesEach: 1)
    if count > Int(Int32.max) { return state.refuse() }
    reserve(slots: count)
    state.visit(marks, count: count)
    var hasPositions = keepsPositions
    state.visit(&hasPositions)
    if hasPositions {
      keepPositions()
      state.visit(positions, count: count)
    }
    state.visit(searches, count: queueCount + 1)
    for queue in 0...queueCount { visit(rings + queue, &state) }
  }

  @inlinable
  func visit(_ ring: UnsafeMutablePointer<Ring>, _ state: inout PolicyState) {
    let room = state.visit(count: ring.pointee.mask + 1, bytesEach: MemoryLayout<Slot>.stride)
    if room != ring.pointee.mask + 1 {
      if room < SlotQueues.smallestRing || room & (room - 1) != 0 { return state.refuse() }
      ring.pointee.entries.deallocate()
      ring.pointee = Ring(capacity: room)
    }
    state.visit(ring.pointee.entries, count: room)
    state.visit(&ring.pointee.oldest)
    state.visit(&ring.pointee.end)
    state.visit(&ring.pointee.count)
    state.visit(&ring.pointee.hand)
    state.visit(&ring.pointee.size)
  }
}

extension PriorityRun {
  /// Passes on the run and the heap.
  @inlinable
  public mutating func visitState(_ state: inout PolicyState) {
    let count = state.visit(count: slots, bytesEach: MemoryLayout<Node>.stride)
    let inHeap = state.visit(count: entryCount, bytesEach: MemoryLayout<Entry>.stride)
    if count >= 1 << 30 - 3 { return state.refuse() }
    reserve(slots: count)
    if inHeap > entryCapacity {
      entries.deallocate()
      entries = .allocateRecords(capacity: inHeap)
      entryCapacity = inHeap
    }
    entryCount = inHeap
    state.visit(nodes, count: count + 2)
    state.visit(entries, count: inHeap)
    state.visit(&heapCount)
    state.visit(&stamp)
    state.visit(&releases)
    state.visit(&slotCount)
  }
}

extension SlotHeap {
  /// Passes on every slot with its priority.
  @inlinable
  public mutating func visitState(_ state: inout PolicyState) {
    let count = state.visit(count: slots, bytesEach: MemoryLayout<UInt32>.stride)
    if count >= Int(UInt32.max) { return state.refuse() }
    reserve(slots: count)
    entryCount = state.visit(count: entryCount, bytesEach: MemoryLayout<Entry>.stride)
    if entryCount > slots { return state.refuse() }
    state.visit(positions, count: count)
    state.visit(entries, count: entryCount)
  }
}

extension SlotSet {
  /// Passes on every member.
  public mutating func visitState(_ state: inout PolicyState) {
    let count = state.visit(count: slots, bytesEach: MemoryLayout<UInt32>.stride)
    if count >= Int(UInt32.max) { return state.refuse() }
    reserve(slots: count)
    state.visit(positions, count: count)
    state.visit(members, count: count)
    state.visit(&memberCount)
  }
}

extension KeyIndex {
  /// Passes on every slot with its hash.
  package mutating func visitState(_ state: inout PolicyState) {
    var room = wordCount
    state.visit(&words, room: &room)
    if room < 16 || room & (room - 1) != 0 { return state.refuse() }
    bits = room.trailingZeroBitCount
    state.visit(&hashes, room: &slots)
  }
}
