import EvictionCore

// The state of the structures that some policies keep slots in.

extension FrequencyLists {
  /// Passes on every list.
  public mutating func visitState(_ state: inout PolicyState) {
    lists.visitState(&state)
    var room = capacity + 1
    state.visit(&levels, room: &room, count: Int(used) + 1)
    capacity = room - 1
    state.visit(&used)
    state.visit(&firstFree)
  }
}

extension FrequencyRanking {
  mutating func visitState(_ state: inout PolicyState) {
    residents.visitState(&state)
    ghosts.visitState(&state)
    state.visit(&remembered)
    state.visit(&ghostLimit)
    state.visit(&sequence)
  }
}

extension SlotLinkPairs {
  mutating func visitState(_ state: inout PolicyState) {
    let number = state.visit(count: slots, bytesEach: 2 * MemoryLayout<Link>.stride)
    reserve(slots: number)
    let before = 2 * count
    state.visit(links - before, count: before + 2 * number)
  }
}

extension IndexBits {
  mutating func visitState(_ state: inout PolicyState) {
    state.visit(words, count: wordCount)
    state.visit(summaries, count: summaryCount)
    state.visit(&top)
  }
}

extension KeyHistory {
  mutating func visitState(_ state: inout PolicyState) {
    order.visitState(&state)
    entries.visitState(&state)
    table.visitState(&state)
    state.visit(&mask)
    state.visit(&room)
  }
}

extension PlacedSlots {
  mutating func visitState(_ state: inout PolicyState) {
    order.visitState(&state)
    state.visit(&slots)
    state.visit(&clock)
  }
}

extension EvictionPool {
  mutating func visitState(_ state: inout PolicyState) {
    state.visit(candidates, count: capacity + EvictionPool.group)
    state.visit(&count)
  }
}

extension SampledSlots {
  @inlinable
  package mutating func visitState(_ state: inout PolicyState) {
    let count = state.visit(count: slots, bytesEach: MemoryLayout<UInt32>.stride)
    if count >= Int(UInt32.max) { return state.refuse() }
    reserve(slots: count)
    recordCount = state.visit(count: recordCount, bytesEach: MemoryLayout<Record>.stride)
    if recordCount > slots { return state.refuse() }
    state.visit(positions, count: count)
    state.visit(records, count: recordCount)
  }
}

extension PooledSlots {
  mutating func visitState(_ state: inout PolicyState) {
    residents.visitState(&state)
    pool.visitState(&state)
    state.visit(&generator)
  }
}

extension PriorityWheel {
  mutating func visitState(_ state: inout PolicyState) {
    let count = state.visit(count: slots, bytesEach: MemoryLayout<Node>.stride)
    if count > Int(Int32.max) { return state.refuse() }
    reserve(slots: count)
    let buckets = PriorityWheel.buckets
    state.visit(nodes - buckets, count: buckets + count)
    state.visit(occupied, count: PriorityWheel.digits)
    state.visit(&base)
  }
}

extension RankedLists {
  mutating func visitState(_ state: inout PolicyState) {
    let newLevels = state.visit(count: levelCapacity, bytesEach: MemoryLayout<Level>.stride)
    let count = state.visit(count: slots, bytesEach: MemoryLayout<Record>.stride)
    if newLevels < levelCapacity || count > Int(Int32.max) { return state.refuse() }
    if newLevels > levelCapacity || count > slots {
      grow(slots: max(count, slots), levels: newLevels)
    }
    state.visit(records - newLevels, count: newLevels + count)
    state.visit(levels, count: newLevels + 1)
    state.visit(&levelsUsed)
    state.visit(&firstFree)
    state.visit(&lowest)
    state.visit(sizes, count: RankedLists.maximumLists + 1)
  }
}

extension SizeLists {
  mutating func visitState(_ state: inout PolicyState) {
    lists.visitState(&state)
    sizes.visitState(&state)
    order.visitState(&state)
    index.visitState(&state)
    state.visit(&used)
    state.visit(&free)
    state.visit(&recent)
  }
}

extension SlotOrder {
  mutating func visitState(_ state: inout PolicyState) {
    var room = indices.slots * SlotOrder.blockSize
    state.visit(&entries, room: &room)
    blocks.visitState(&state)
    indices.visitState(&state)
    directory.visitState(&state)
    counts.visitState(&state)
    sums.visitState(&state)
    state.visit(&firstFree)
    state.visit(&begin)
    state.visit(&end)
    state.visit(&count)
  }
}
