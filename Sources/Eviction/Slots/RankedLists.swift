import CInline

/// Names one list of a ``RankedLists``. A policy gives its lists names of its own.
public struct RankedList: Equatable {
  /// 1 for the first list, 2 for the second; 0 means no list.
  public let rawValue: UInt8

  /// Names the list number `rawValue`.
  @inlinable @inline(__always)
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }

  /// The list of a slot that is in none.
  @inlinable @inline(__always)
  public static var none: RankedList { RankedList(0) }
}

/// Slots in two orders at once: in a few lists by recency, as `SlotLists` keeps them, and by a count of
/// their requests, the recency of the last one within each count.
///
/// It is for policies that look at the same objects by recency and by frequency: each slot has one
/// record, which one prefetch brings near. A slot may also be *retired*: it keeps its count, out of the
/// order, and can be *revived* with it. A slot in a list carries a mark, whatever its policy means by it.
///
///     var lists = RankedLists(slots: 1_000)
///     lists.prepend(7, to: RankedList(1), size: 1)
///     lists.rank(7)                              // counted once
///     lists.increment(7)                         // twice
///     lists.retire(7)                            // in no order of frequency
///     lists.revive(7, counting: true)            // three times
///     lists.leastFrequent(among: .leastRecent, host: host)   // 7
///
/// Each count in use is a level, and the levels form a chain in ascending order; a level stays in it
/// while any slot, ranked or retired, has that count, so that a revived slot finds its place without a
/// search. Lists and levels are circular through sentinels before slot 0.
///
/// - Complexity: every operation is O(1), but growth and ``removeAll()``, which are O(slots), and
///   ``leastFrequent(among:host:)``, which passes the levels that only retired slots have, none while
///   some slot was requested only once. Memory: 24 bytes per slot, and 48 per level, of which there are at
///   most √(2 × requests).
public struct RankedLists: ~Copyable {
  /// A slot's neighbours in its list and in its level, or what is noted of a retired slot in place of
  /// the latter. Numbers with the high bit set are sentinels: list k's and level k's is −k.
  @usableFromInline
  struct Record {
    @usableFromInline var newer: UInt32
    @usableFromInline var older: UInt32
    @usableFromInline var newerEqual: UInt32
    @usableFromInline var olderEqual: UInt32
    /// 0 for a slot without a count.
    @usableFromInline var level: UInt32
    @usableFromInline var list: UInt8
    @usableFromInline var isRetired: Bool
    @usableFromInline var mark: UInt8

    @inlinable
    init(sentinel: UInt32) {
      newer = sentinel
      older = sentinel
      newerEqual = sentinel
      olderEqual = sentinel
      level = 0
      list = 0
      isRetired = false
      mark = 0
    }
  }

  /// A count in use, and its neighbours in the chain; 0 ends the chain.
  @usableFromInline
  struct Level {
    @usableFromInline var count: Int
    @usableFromInline var lower: UInt32
    @usableFromInline var higher: UInt32
    /// The number of retired slots that have the count.
    @usableFromInline var retired: UInt32

    @inlinable @inline(__always)
    init(count: Int, lower: UInt32, higher: UInt32) {
      self.count = count
      self.lower = lower
      self.higher = higher
      retired = 0
    }
  }

  @usableFromInline static var maximumLists: Int { 4 }

  /// Indexed from −levelCapacity (the sentinels) to slots − 1.
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
  /// Indexed by a list's number: the size units of its slots.
  @usableFromInline var sizes: UnsafeMutablePointer<Int>

  /// Creates four empty lists with room for `slots` slots.
  @inlinable
  public init(slots: Int = 0) {
    self.slots = 0
    levelCapacity = 0
    records = .allocate(capacity: 0)
    levels = .allocate(capacity: 1)
    levels.initialize(to: Level(count: 0, lower: 0, higher: 0))
    levelsUsed = 0
    firstFree = 0
    lowest = 0
    sizes = .allocate(capacity: RankedLists.maximumLists + 1)
    sizes.initialize(repeating: 0, count: RankedLists.maximumLists + 1)
    grow(slots: slots, levels: 64)
  }

  deinit {
    (records - levelCapacity).deallocate()
    levels.deallocate()
    sizes.deallocate()
  }

  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  public mutating func reserve(slots: Int) {
    if slots > self.slots { grow(slots: slots, levels: levelCapacity) }
  }

  @inlinable
  mutating func grow(slots newSlots: Int, levels newLevels: Int) {
    precondition(newSlots <= Int(Int32.max), "at most 2^31 − 1 slots")
    let larger =
      UnsafeMutablePointer<Record>.allocateRecords(capacity: newLevels + newSlots) + newLevels
    (larger - levelCapacity).moveInitialize(
      from: records - levelCapacity, count: levelCapacity + slots)
    (larger + slots).initialize(
      repeating: Record(sentinel: 0), count: newSlots - slots)
    for sentinel in stride(from: levelCapacity + 1, through: newLevels, by: 1) {
      (larger - sentinel).initialize(
        to: Record(sentinel: UInt32(truncatingIfNeeded: -sentinel)))
    }
    (records - levelCapacity).deallocate()
    records = larger
    slots = newSlots
    if newLevels == levelCapacity { return }

    let longer = UnsafeMutablePointer<Level>.allocate(capacity: newLevels + 1)
    longer.moveInitialize(from: levels, count: levelCapacity + 1)
    (longer + levelCapacity + 1).initialize(
      repeating: Level(count: 0, lower: 0, higher: 0), count: newLevels - levelCapacity)
    levels.deallocate()
    levels = longer
    levelCapacity = newLevels
  }

  /// Empties every list and forgets every count and mark.
  @inlinable
  public mutating func removeAll() {
    records.update(repeating: Record(sentinel: 0), count: slots)
    for sentinel in stride(from: 1, through: levelCapacity, by: 1) {
      records[-sentinel] = Record(sentinel: UInt32(truncatingIfNeeded: -sentinel))
    }
    levels[0] = Level(count: 0, lower: 0, higher: 0)
    levelsUsed = 0
    firstFree = 0
    lowest = 0
    sizes.update(repeating: 0, count: RankedLists.maximumLists + 1)
  }

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { evl_prefetch(records + Int(slot)) }

  /// Asks the processor to bring near what the removal of `slot` will read. `slot` is near already.
  ///
  /// What is noted of a retired slot leads nowhere, which a prefetch may, and a branch would cost more.
  @inlinable @inline(__always)
  public func prefetchNeighbors(of slot: Slot) {
    let record = records + Int(slot)
    evl_prefetch(records + index(record.pointee.newer))
    evl_prefetch(records + index(record.pointee.older))
    evl_prefetch(records + index(record.pointee.newerEqual))
    evl_prefetch(records + index(record.pointee.olderEqual))
  }

  /// The mark of `slot`.
  @inlinable
  public subscript(slot: Slot) -> UInt8 {
    @inline(__always) get { records[Int(slot)].mark }
    @inline(__always) set { records[Int(slot)].mark = newValue }
  }

  @inlinable @inline(__always)
  func index(_ node: UInt32) -> Int { Int(Int32(bitPattern: node)) }

  @inlinable @inline(__always)
  func asSlot(_ node: UInt32) -> Slot? { node < 0x8000_0000 ? node : nil }
}

// MARK: - Lists

extension RankedLists {
  /// The list that holds `slot`, or ``RankedList/none``.
  @inlinable @inline(__always)
  public func list(of slot: Slot) -> RankedList {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    return RankedList(records[Int(slot)].list)
  }

  /// Returns the number of size units that the slots of `list` take together.
  @inlinable @inline(__always)
  public func size(of list: RankedList) -> Int { sizes[Int(list.rawValue)] }

  /// Returns true if `list` holds no slot.
  @inlinable @inline(__always)
  public func isEmpty(_ list: RankedList) -> Bool { back(of: list) == nil }

  /// The least recent slot of `list`, or nil if it is empty.
  @inlinable @inline(__always)
  public func back(of list: RankedList) -> Slot? { asSlot(records[-Int(list.rawValue)].newer) }

  /// The least recent slot of `list` that is not pinned, or nil if there is none.
  @inlinable @inline(__always)
  public func unpinnedBack(
    of list: RankedList, host: borrowing some SlotHost & ~Copyable
  ) -> Slot? {
    var candidate = back(of: list)
    while let slot = candidate, host.isPinned(slot) {
      candidate = asSlot(records[Int(slot)].newer)
    }
    return candidate
  }

  /// Puts `slot`, which is in no list, at the front of `list`.
  @inlinable @inline(__always)
  public mutating func prepend(_ slot: Slot, to list: RankedList, size: Int) {
    assert(self.list(of: slot) == .none, "slot \(slot) is in a list already")
    records[Int(slot)].list = list.rawValue
    sizes[Int(list.rawValue)] &+= size
    link(slot, to: list)
    assert(invariantsHold(around: slot))
  }

  /// Makes `slot` the most recent of the list that holds it.
  @inlinable @inline(__always)
  public mutating func moveToFront(_ slot: Slot, of list: RankedList) {
    assert(self.list(of: slot) == list, "slot \(slot) is in another list")
    unlink(slot)
    link(slot, to: list)
    assert(invariantsHold(around: slot))
  }

  /// Takes `slot` out of the list that holds it; `size` is what it entered with. Its count and its mark
  /// stay.
  @inlinable @inline(__always)
  public mutating func remove(_ slot: Slot, size: Int) {
    let list = list(of: slot)
    assert(list != .none, "slot \(slot) is in no list")
    unlink(slot)
    records[Int(slot)].list = 0
    sizes[Int(list.rawValue)] &-= size
    assert(invariantsHold(around: slot))
  }

  /// Moves `slot` from the list that holds it to the front of another.
  @inlinable @inline(__always)
  public mutating func move(_ slot: Slot, toFrontOf list: RankedList, size: Int) {
    remove(slot, size: size)
    prepend(slot, to: list, size: size)
  }

  /// Counts `slot` with `difference` more size units in the list that holds it.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    sizes[Int(list(of: slot).rawValue)] &+= difference
  }

  @inlinable @inline(__always)
  mutating func unlink(_ slot: Slot) {
    let records = records
    let (newer, older) = (records[Int(slot)].newer, records[Int(slot)].older)
    records[index(newer)].older = older
    records[index(older)].newer = newer
  }

  @inlinable @inline(__always)
  mutating func link(_ slot: Slot, to list: RankedList) {
    let records = records
    let sentinel = UInt32(truncatingIfNeeded: -Int(list.rawValue))
    let older = records[-Int(list.rawValue)].older
    records[Int(slot)].newer = sentinel
    records[Int(slot)].older = older
    records[index(older)].newer = slot
    records[-Int(list.rawValue)].older = slot
  }
}
