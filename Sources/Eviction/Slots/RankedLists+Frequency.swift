/// The choice among the slots that were requested equally often.
public enum FrequencyTie {
  /// The one whose last request is the oldest.
  case leastRecent
  /// The one whose last request is the newest.
  case mostRecent
}

extension RankedLists {
  /// Returns the number of requests of `slot`, ranked or retired; 0 for any other.
  @inlinable @inline(__always)
  public func frequency(of slot: Slot) -> Int { levels[Int(records[Int(slot)].level)].count }

  /// A slot of the lowest count that has ranked slots which are not pinned, or nil if there is none.
  @inlinable @inline(__always)
  public mutating func leastFrequent(
    among tie: FrequencyTie, host: borrowing some SlotHost & ~Copyable
  ) -> Slot? {
    if lowest == 0 { lowest = levels[0].higher }
    while lowest != 0 && !hasRanked(lowest) { lowest = levels[Int(lowest)].higher }
    var level = lowest
    while level != 0 {
      var node = neighbor(of: UInt32(truncatingIfNeeded: -Int(level)), tie)
      while let slot = asSlot(node) {
        if !host.isPinned(slot) { return slot }
        node = neighbor(of: node, tie)
      }
      level = levels[Int(level)].higher
    }
    return nil
  }

  /// The next slot of a level in the order of `tie`; from the sentinel, the first.
  @inlinable @inline(__always)
  func neighbor(of node: UInt32, _ tie: FrequencyTie) -> UInt32 {
    let record = records[index(node)]
    return tie == .leastRecent ? record.newerEqual : record.olderEqual
  }

  /// Counts `slot`, which has no count, as requested once.
  @inlinable @inline(__always)
  public mutating func rank(_ slot: Slot) {
    assert(frequency(of: slot) == 0, "slot \(slot) is counted already")
    lowest = level(of: 1, above: 0)
    link(slot, toLevel: lowest)
    assert(invariantsHold(around: slot))
  }

  /// Counts another request of `slot`, which is ranked.
  @inlinable @inline(__always)
  public mutating func increment(_ slot: Slot) {
    assert(isRanked(slot), "slot \(slot) is not ranked")
    let current = records[Int(slot)].level
    let count = levels[Int(current)].count &+ 1
    let higher = levels[Int(current)].higher
    let isAlone =
      records[Int(slot)].newerEqual == records[Int(slot)].olderEqual
      && levels[Int(current)].retired == 0
    if levels[Int(higher)].count == count {
      unlinkFromLevel(slot)
      link(slot, toLevel: higher)
      if isAlone { release(current) }
    } else if isAlone {
      levels[Int(current)].count = count
    } else {
      unlinkFromLevel(slot)
      link(slot, toLevel: newLevel(of: count, above: current))
    }
    assert(invariantsHold(around: slot))
  }

  /// Takes `slot`, which is ranked, out of the order, keeps its count, and notes a number.
  @inlinable @inline(__always)
  public mutating func retire(_ slot: Slot, noting note: Int = 0) {
    assert(isRanked(slot), "slot \(slot) is not ranked")
    unlinkFromLevel(slot)
    records[Int(slot)].isRetired = true
    records[Int(slot)].newerEqual = UInt32(truncatingIfNeeded: note >> 32)
    records[Int(slot)].olderEqual = UInt32(truncatingIfNeeded: note)
    levels[Int(records[Int(slot)].level)].retired &+= 1
    assert(invariantsHold(around: slot))
  }

  /// Returns the note made when `slot` retired.
  @inlinable @inline(__always)
  public func note(of slot: Slot) -> Int {
    assert(records[Int(slot)].isRetired, "slot \(slot) is not retired")
    let record = records[Int(slot)]
    return Int(Int32(bitPattern: record.newerEqual)) << 32 | Int(record.olderEqual)
  }

  /// Ranks `slot`, which is retired, by its count, or by one more if this request counts.
  @inlinable @inline(__always)
  public mutating func revive(_ slot: Slot, counting counts: Bool) {
    assert(records[Int(slot)].isRetired, "slot \(slot) is not retired")
    let current = records[Int(slot)].level
    let next =
      counts ? level(of: levels[Int(current)].count &+ 1, above: current) : current
    levels[Int(current)].retired &-= 1
    records[Int(slot)].isRetired = false
    link(slot, toLevel: next)
    if levels[Int(lowest)].count > levels[Int(next)].count { lowest = next }
    releaseIfUnused(current)
    assert(invariantsHold(around: slot))
  }

  /// Forgets the count of `slot`, whether it is ranked, retired or has none.
  @inlinable @inline(__always)
  public mutating func forgetFrequency(of slot: Slot) {
    let level = records[Int(slot)].level
    if level == 0 { return }
    if records[Int(slot)].isRetired {
      levels[Int(level)].retired &-= 1
      records[Int(slot)].isRetired = false
    } else {
      unlinkFromLevel(slot)
    }
    records[Int(slot)].level = 0
    releaseIfUnused(level)
    assert(invariantsHold(around: slot))
  }
}

// MARK: - Levels

extension RankedLists {
  @inlinable @inline(__always)
  func isRanked(_ slot: Slot) -> Bool {
    records[Int(slot)].level != 0 && !records[Int(slot)].isRetired
  }

  @inlinable @inline(__always)
  func hasRanked(_ level: UInt32) -> Bool { asSlot(records[-Int(level)].newerEqual) != nil }

  @inlinable @inline(__always)
  mutating func unlinkFromLevel(_ slot: Slot) {
    let records = records
    let (newer, older) = (records[Int(slot)].newerEqual, records[Int(slot)].olderEqual)
    records[index(newer)].olderEqual = older
    records[index(older)].newerEqual = newer
  }

  /// Makes `slot` the newest of `level`.
  @inlinable @inline(__always)
  mutating func link(_ slot: Slot, toLevel level: UInt32) {
    let records = records
    let sentinel = UInt32(truncatingIfNeeded: -Int(level))
    let older = records[-Int(level)].olderEqual
    records[Int(slot)].newerEqual = sentinel
    records[Int(slot)].olderEqual = older
    records[Int(slot)].level = level
    records[index(older)].newerEqual = slot
    records[-Int(level)].olderEqual = slot
  }

  /// The level of `count`, whose next lower count in use is that of `lower`.
  @inlinable @inline(__always)
  mutating func level(of count: Int, above lower: UInt32) -> UInt32 {
    let higher = levels[Int(lower)].higher
    return higher != 0 && levels[Int(higher)].count == count
      ? higher : newLevel(of: count, above: lower)
  }

  @inlinable @inline(__always)
  mutating func newLevel(of count: Int, above lower: UInt32) -> UInt32 {
    var level = firstFree
    if level != 0 {
      firstFree = levels[Int(level)].higher
    } else {
      if Int(levelsUsed) == levelCapacity { grow(slots: slots, levels: 2 * levelCapacity) }
      levelsUsed &+= 1
      level = levelsUsed
    }
    let higher = levels[Int(lower)].higher
    levels[Int(level)] = Level(count: count, lower: lower, higher: higher)
    levels[Int(lower)].higher = level
    levels[Int(higher)].lower = level
    return level
  }

  @inlinable @inline(__always)
  mutating func releaseIfUnused(_ level: UInt32) {
    if !hasRanked(level) && levels[Int(level)].retired == 0 { release(level) }
  }

  @inlinable @inline(__always)
  mutating func release(_ level: UInt32) {
    let (lower, higher) = (levels[Int(level)].lower, levels[Int(level)].higher)
    levels[Int(lower)].higher = higher
    levels[Int(higher)].lower = lower
    levels[Int(level)].higher = firstFree
    firstFree = level
    if lowest == level { lowest = higher }
  }
}
