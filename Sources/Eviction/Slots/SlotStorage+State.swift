// Copies of the structures that some policies keep slots in.

extension FrequencyLists {
  /// Copies every list.
  public init(copying order: borrowing FrequencyLists) {
    lists = SlotLists(copying: order.lists)
    capacity = order.capacity
    used = order.used
    firstFree = order.firstFree
    levels = .allocate(capacity: capacity + 1)
    levels.initialize(from: order.levels, count: Int(used) + 1)
  }
}

extension FrequencyRanking {
  init(copying ranking: borrowing FrequencyRanking) {
    residents = PriorityRun(copying: ranking.residents)
    ghosts = SlotLists(copying: ranking.ghosts)
    remembered = ranking.remembered
    ties = ranking.ties
    history = ranking.history
    ghostLimit = ranking.ghostLimit
    sequence = ranking.sequence
  }
}

extension ReferenceHistory {
  init(copying history: borrowing ReferenceHistory) {
    self.init(depth: history.depth, slots: history.slots)
    numbers.update(from: history.numbers, count: depth * slots)
  }
}

extension SlotLinkPairs {
  init(copying pairs: borrowing SlotLinkPairs) {
    self.init(count: pairs.count, slots: pairs.slots)
    let before = 2 * count
    (links - before).update(from: pairs.links - before, count: before + 2 * slots)
  }
}

extension IndexBits {
  init(copying bits: borrowing IndexBits) {
    self.init(count: 64 * bits.wordCount)
    words.update(from: bits.words, count: wordCount)
    summaries.update(from: bits.summaries, count: summaryCount)
    top = bits.top
  }
}

extension KeyHistory {
  init(copying history: borrowing KeyHistory) {
    order = SlotLists(copying: history.order)
    entries = SlotArray(copying: history.entries)
    table = SlotArray(copying: history.table)
    mask = history.mask
    room = history.room
  }
}
