import CInline

/// Slots ordered by a count of their requests, the recency of the last one within each count; and the
/// counts of some slots that are out of the order.
///
/// ``FrequencyLists`` forgets the count of a slot that leaves. Here a slot can be *retired* instead: it
/// keeps its count, and can be *revived* with it. Each count is a level, and the levels form a chain in
/// ascending order; a level stays in it while any slot, ranked or retired, has that count. So a revived
/// slot finds its place without a search.
///
///     var frequencies = LastingFrequencies(slots: 1_000)
///     frequencies.insert(7)                           // counted once
///     frequencies.increment(7)                        // twice
///     frequencies.retire(7)                           // in no order
///     frequencies.revive(7, counting: true)           // three times
///     frequencies.leastFrequent(among: .leastRecent)  // 7
///
/// - Complexity: every operation is O(1), but growth and ``removeAll()``, which are O(slots), and
///   ``leastFrequent(among:)``, which passes the levels that nothing but retired slots holds: none
///   while some slot was requested only once. Memory: 12 bytes per slot, and 32 per level, of which
///   there are at most √(2 × requests).
public struct LastingFrequencies: ~Copyable {
  /// Which of the slots of one frequency is meant.
  public enum Tie {
    /// The one whose last request is the oldest.
    case leastRecent
    /// The one whose last request is the newest.
    case mostRecent
  }

  /// A slot's neighbours in its level, and the level, 0 for an unknown slot. ``none`` ends a list, and
  /// ``retired`` stands in both places of a slot that is in none.
  @usableFromInline
  struct Record {
    @usableFromInline var newer: UInt32
    @usableFromInline var older: UInt32
    @usableFromInline var level: UInt32

    @inlinable @inline(__always)
    init(newer: UInt32, older: UInt32, level: UInt32) {
      self.newer = newer
      self.older = older
      self.level = level
    }
  }

  /// A frequency in use, its neighbours in the chain (0 ends it), and the ends of its list.
  @usableFromInline
  struct Level {
    @usableFromInline var frequency: Int
    @usableFromInline var lower: UInt32
    @usableFromInline var higher: UInt32
    @usableFromInline var newest: UInt32
    @usableFromInline var oldest: UInt32
    @usableFromInline var ranked: UInt32
    @usableFromInline var retired: UInt32

    @inlinable @inline(__always)
    init(frequency: Int, lower: UInt32, higher: UInt32) {
      self.frequency = frequency
      self.lower = lower
      self.higher = higher
      newest = LastingFrequencies.none
      oldest = LastingFrequencies.none
      ranked = 0
      retired = 0
    }
  }

  /// Indexed by slot.
  @usableFromInline var records: UnsafeMutablePointer<Record>
  @usableFromInline var slots: Int
  /// Level 0 is the chain's end: its `higher` is the lowest level.
  @usableFromInline var levels: UnsafeMutablePointer<Level>
  @usableFromInline var levelCapacity: Int
  @usableFromInline var levelsUsed: UInt32
  /// Levels no longer in use, chained by `higher`.
  @usableFromInline var firstFree: UInt32
  /// No level below this one has ranked slots; 0 if that is not known of any.
  @usableFromInline var lowest: UInt32

  @inlinable static var none: UInt32 { .max }
  @inlinable static var retired: UInt32 { .max - 1 }

  /// Creates an empty order with room for `slots` slots.
  @inlinable
  public init(slots: Int = 0) {
    self.slots = 0
    records = .allocate(capacity: 0)
    levelCapacity = 64
    levels = .allocate(capacity: levelCapacity)
    levels.initialize(to: Level(frequency: 0, lower: 0, higher: 0))
    levelsUsed = 1
    firstFree = 0
    lowest = 0
    reserve(slots: slots)
  }

  deinit {
    records.deallocate()
    levels.deallocate()
  }

  /// How often `slot`, ranked or retired, was requested; 0 for an unknown slot.
  @inlinable @inline(__always)
  public func frequency(of slot: Slot) -> Int {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    return levels[Int(records[Int(slot)].level)].frequency
  }

  /// A slot of the lowest frequency that a ranked slot has, or nil if none is ranked.
  @inlinable @inline(__always)
  public mutating func leastFrequent(among tie: Tie) -> Slot? {
    if lowest == 0 { lowest = levels[0].higher }
    while lowest != 0 && levels[Int(lowest)].ranked == 0 { lowest = levels[Int(lowest)].higher }
    if lowest == 0 { return nil }
    return tie == .leastRecent ? levels[Int(lowest)].oldest : levels[Int(lowest)].newest
  }
}

// MARK: - Changing

extension LastingFrequencies {
  /// Ranks `slot`, which is unknown, as requested once.
  @inlinable @inline(__always)
  public mutating func insert(_ slot: Slot) {
    assert(frequency(of: slot) == 0, "slot \(slot) is counted already")
    lowest = level(of: 1, above: 0)
    link(slot, to: lowest)
    assert(invariantsHold(around: slot))
  }

  /// Counts another request of `slot`, which is ranked.
  @inlinable @inline(__always)
  public mutating func increment(_ slot: Slot) {
    assert(isRanked(slot), "slot \(slot) is not ranked")
    let current = records[Int(slot)].level
    let next = level(of: levels[Int(current)].frequency &+ 1, above: current)
    unlink(slot)
    link(slot, to: next)
    releaseIfUnused(current)
    assert(invariantsHold(around: slot))
  }

  /// Takes `slot`, which is ranked, out of the order and keeps its frequency.
  @inlinable @inline(__always)
  public mutating func retire(_ slot: Slot) {
    assert(isRanked(slot), "slot \(slot) is not ranked")
    unlink(slot)
    records[Int(slot)].newer = LastingFrequencies.retired
    records[Int(slot)].older = LastingFrequencies.retired
    levels[Int(records[Int(slot)].level)].retired &+= 1
    assert(invariantsHold(around: slot))
  }

  /// Ranks `slot`, which is retired, by its frequency, or one more if this request counts.
  @inlinable @inline(__always)
  public mutating func revive(_ slot: Slot, counting counts: Bool) {
    assert(isRetired(slot), "slot \(slot) is not retired")
    let current = records[Int(slot)].level
    let frequency = levels[Int(current)].frequency
    let next = counts ? level(of: frequency &+ 1, above: current) : current
    levels[Int(current)].retired &-= 1
    link(slot, to: next)
    if levels[Int(lowest)].frequency > levels[Int(next)].frequency { lowest = next }
    releaseIfUnused(current)
    assert(invariantsHold(around: slot))
  }

  /// Forgets `slot` and its frequency, whether it is ranked, retired or unknown.
  @inlinable @inline(__always)
  public mutating func forget(_ slot: Slot) {
    let level = records[Int(slot)].level
    if level == 0 { return }
    if isRanked(slot) {
      unlink(slot)
    } else {
      levels[Int(level)].retired &-= 1
    }
    records[Int(slot)] = Record(
      newer: LastingFrequencies.none, older: LastingFrequencies.none, level: 0)
    releaseIfUnused(level)
    assert(invariantsHold(around: slot))
  }

  /// Forgets every slot.
  @inlinable
  public mutating func removeAll() {
    records.update(
      repeating: Record(
        newer: LastingFrequencies.none, older: LastingFrequencies.none, level: 0), count: slots)
    levels[0] = Level(frequency: 0, lower: 0, higher: 0)
    levelsUsed = 1
    firstFree = 0
    lowest = 0
  }

  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  public mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    precondition(newSlots <= Int(Int32.max), "at most 2^31 − 1 slots")
    let larger = UnsafeMutablePointer<Record>.allocate(capacity: newSlots)
    larger.moveInitialize(from: records, count: slots)
    (larger + slots).initialize(
      repeating: Record(
        newer: LastingFrequencies.none, older: LastingFrequencies.none, level: 0),
      count: newSlots - slots)
    records.deallocate()
    records = larger
    slots = newSlots
  }

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { evl_prefetch(records + Int(slot)) }
}

// MARK: - Lists and levels

extension LastingFrequencies {
  @inlinable @inline(__always)
  func isRetired(_ slot: Slot) -> Bool {
    records[Int(slot)].newer == LastingFrequencies.retired
  }

  @inlinable @inline(__always)
  func isRanked(_ slot: Slot) -> Bool {
    records[Int(slot)].level != 0 && !isRetired(slot)
  }

  /// Makes `slot` the newest of `level`.
  @inlinable @inline(__always)
  mutating func link(_ slot: Slot, to level: UInt32) {
    let older = levels[Int(level)].newest
    records[Int(slot)] = Record(newer: LastingFrequencies.none, older: older, level: level)
    if older == LastingFrequencies.none {
      levels[Int(level)].oldest = slot
    } else {
      records[Int(older)].newer = slot
    }
    levels[Int(level)].newest = slot
    levels[Int(level)].ranked &+= 1
  }

  @inlinable @inline(__always)
  mutating func unlink(_ slot: Slot) {
    let record = records[Int(slot)]
    let level = Int(record.level)
    if record.newer == LastingFrequencies.none {
      levels[level].newest = record.older
    } else {
      records[Int(record.newer)].older = record.older
    }
    if record.older == LastingFrequencies.none {
      levels[level].oldest = record.newer
    } else {
      records[Int(record.older)].newer = record.newer
    }
    levels[level].ranked &-= 1
  }

  /// The level of `frequency`, whose next lower frequency in use is that of `lower`.
  @inlinable @inline(__always)
  mutating func level(of frequency: Int, above lower: UInt32) -> UInt32 {
    let higher = levels[Int(lower)].higher
    if higher != 0 && levels[Int(higher)].frequency == frequency { return higher }
    let level = newLevel()
    (levels + Int(level)).initialize(
      to: Level(frequency: frequency, lower: lower, higher: higher))
    levels[Int(lower)].higher = level
    levels[Int(higher)].lower = level
    return level
  }

  @inlinable @inline(__always)
  mutating func newLevel() -> UInt32 {
    if firstFree != 0 {
      let level = firstFree
      firstFree = levels[Int(level)].higher
      return level
    }
    if Int(levelsUsed) == levelCapacity { growLevels() }
    levelsUsed &+= 1
    return levelsUsed &- 1
  }

  @inlinable @inline(__always)
  mutating func releaseIfUnused(_ level: UInt32) {
    let unused = levels[Int(level)]
    if unused.ranked != 0 || unused.retired != 0 { return }
    levels[Int(unused.lower)].higher = unused.higher
    levels[Int(unused.higher)].lower = unused.lower
    levels[Int(level)].higher = firstFree
    firstFree = level
    if lowest == level { lowest = unused.higher }
  }

  @inlinable
  mutating func growLevels() {
    let larger = UnsafeMutablePointer<Level>.allocate(capacity: 2 * levelCapacity)
    larger.moveInitialize(from: levels, count: levelCapacity)
    levels.deallocate()
    levels = larger
    levelCapacity *= 2
  }
}
