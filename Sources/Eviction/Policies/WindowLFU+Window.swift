import CInline

/// The last requests, as many as fit a limit, and how many of them each slot has.
///
/// A ring of requests, each linked to the one before it for the same slot, so that all requests of a
/// slot can be struck out. A request that was struck out keeps its place until the window has passed.
///
/// A slot may have a *floor*: the window reports a slot only when its count falls below that.
///
/// - Complexity: every operation is O(1) amortised, but growth and ``removeAll()``, which are O(slots +
///   requests); ``forget(_:)`` is O(count of the slot). Memory: 16 bytes per slot and 8 per request, 16
///   where requests have sizes.
@usableFromInline package struct RequestWindow: ~Copyable {
  @usableFromInline
  struct Entry {
    @usableFromInline var slot: Slot
    /// The lower half of the number of the slot's request before this one.
    @usableFromInline var previous: UInt32

    @inlinable @inline(__always)
    init(slot: Slot, previous: UInt32) {
      self.slot = slot
      self.previous = previous
    }
  }

  @usableFromInline
  struct Record {
    /// The number of the last request.
    @usableFromInline var newest = 0
    @usableFromInline var count: UInt32 = 0
    @usableFromInline var floor: UInt32 = 0

    @inlinable @inline(__always)
    init() {}
  }

  @inlinable static var struckOut: Slot { .max }

  /// Indexed by a request's number modulo the capacity, a power of two.
  @usableFromInline var entries: UnsafeMutablePointer<Entry>
  /// The same, where requests have sizes; empty otherwise.
  @usableFromInline var sizes: UnsafeMutablePointer<Int>
  @usableFromInline var capacity = 1024
  @usableFromInline var records: UnsafeMutablePointer<Record>
  @usableFromInline var slots = 0
  @usableFromInline let isSized: Bool
  /// The numbers of the oldest request in the window, and of the next one.
  @usableFromInline var oldest = 1
  @usableFromInline var next = 1
  @usableFromInline var used = 0
  /// The number of requests, or of size units of requests, that the window may hold.
  @usableFromInline package var limit: Int

  /// An empty window.
  @usableFromInline package init(slots: Int, limit: Int, isSized: Bool) {
    self.limit = limit
    self.isSized = isSized
    entries = .allocate(capacity: capacity)
    sizes = .allocate(capacity: isSized ? capacity : 0)
    records = .allocate(capacity: 0)
    reserve(slots: slots)
  }

  deinit {
    entries.deallocate()
    sizes.deallocate()
    records.deallocate()
  }

  /// Makes room for slots below `slots`; never shrinks.
  @usableFromInline package mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    let larger = UnsafeMutablePointer<Record>.allocateRecords(capacity: newSlots)
    larger.moveInitialize(from: records, count: slots)
    (larger + slots).initialize(repeating: Record(), count: newSlots - slots)
    records.deallocate()
    records = larger
    slots = newSlots
  }

  /// Empties the window.
  @usableFromInline package mutating func removeAll() {
    records.update(repeating: Record(), count: slots)
    oldest = next
    used = 0
  }
}

extension RequestWindow {
  /// Returns the number of requests of `slot` in the window.
  @inlinable @inline(__always)
  package func count(of slot: Slot) -> Int { Int(records[Int(slot)].count) }

  /// The number of the last request of `slot`: larger is more recent.
  @inlinable @inline(__always)
  package func lastUse(of slot: Slot) -> Int { records[Int(slot)].newest }

  /// True if the window holds more than its limit.
  @inlinable @inline(__always)
  package var isOver: Bool { used > limit }

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  package func prefetch(_ slot: Slot) { evl_prefetch(records + Int(slot)) }

  /// Adds a request; the caller drops the oldest ones while the window is over its limit.
  ///
  /// That of an empty object takes one size unit: a window of them would have no end.
  @inlinable @inline(__always)
  package mutating func add(_ slot: Slot, size: Int) {
    let size = max(size, 1)
    if next &- oldest == capacity { grow() }
    let record = records + Int(slot)
    let place = next & (capacity &- 1)
    entries[place] = Entry(
      slot: slot, previous: UInt32(truncatingIfNeeded: record.pointee.newest))
    if isSized { sizes[place] = size }
    used &+= size
    record.pointee.newest = next
    record.pointee.count &+= 1
    next &+= 1
  }

  /// Drops the oldest request.
  ///
  /// - Returns: Its slot, if that has fewer requests in the window now than its floor, which falls with
  ///   it.
  @inlinable @inline(__always)
  package mutating func dropOldest() -> Slot? {
    assert(oldest < next, "the window is empty")
    let mask = capacity &- 1
    let entry = entries[oldest & mask]
    used &-= isSized ? sizes[oldest & mask] : 1
    oldest &+= 1
    if entry.slot == RequestWindow.struckOut { return nil }
    // The order in which requests leave is known: their records can be fetched ahead of time.
    let coming = oldest &+ 8
    if coming < next {
      let slot = entries[coming & mask].slot
      if slot != RequestWindow.struckOut { evl_prefetch(records + Int(slot)) }
    }
    let record = records + Int(entry.slot)
    record.pointee.count &-= 1
    if record.pointee.count >= record.pointee.floor { return nil }
    record.pointee.floor = record.pointee.count
    return entry.slot
  }

  /// Has `slot` reported when its count falls below `floor`.
  @inlinable @inline(__always)
  package mutating func setFloor(of slot: Slot, to floor: Int) {
    records[Int(slot)].floor = UInt32(truncatingIfNeeded: floor)
  }

  /// Strikes out every request of `slot`.
  @inlinable
  package mutating func forget(_ slot: Slot) {
    let record = records[Int(slot)]
    var number = UInt32(truncatingIfNeeded: record.newest)
    for _ in 0..<record.count {
      let place = Int(number) & (capacity - 1)
      assert(entries[place].slot == slot, "request \(number) is another slot's")
      number = entries[place].previous
      entries[place].slot = RequestWindow.struckOut
    }
    records[Int(slot)] = Record()
  }

  @inlinable @inline(never)
  mutating func grow() {
    precondition(capacity < 1 << 32, "at most 2^32 requests")
    let largerEntries = UnsafeMutablePointer<Entry>.allocateRecords(capacity: 2 * capacity)
    let largerSizes = UnsafeMutablePointer<Int>.allocateRecords(
      capacity: isSized ? 2 * capacity : 0)
    for number in oldest..<next {
      let place = number & (2 * capacity - 1)
      (largerEntries + place).initialize(to: entries[number & (capacity - 1)])
      if isSized { (largerSizes + place).initialize(to: sizes[number & (capacity - 1)]) }
    }
    entries.deallocate()
    sizes.deallocate()
    entries = largerEntries
    sizes = largerSizes
    capacity *= 2
  }
}

extension RequestWindow {
  mutating func visitState(_ state: inout PolicyState) {
    var sized = isSized ? capacity : 0
    state.visit(&sizes, room: &sized)
    state.visit(&entries, room: &capacity)
    state.visit(&records, room: &slots)
    state.visit(&oldest)
    state.visit(&next)
    state.visit(&used)
    state.visit(&limit)
  }
}
