/// The entries of a cache by slot, and the index that finds them.
///
/// A slot is *resident* (it has a value), a *ghost* (the policy remembers it), or *free*. Free slots are
/// recycled, so that a cache that is full allocates nothing.
@usableFromInline
struct CacheStore<Key: Hashable & Sendable, Value>: ~Copyable {
  @usableFromInline
  struct Entry {
    /// The first field, where ``SlotLedger`` reads it.
    @usableFromInline var cost: Int
    @usableFromInline var key: Key
    /// Nil for a ghost.
    @usableFromInline var value: Value?

    @inlinable @inline(__always)
    init(cost: Int, key: Key, value: Value?) {
      self.key = key
      self.cost = cost
      self.value = value
    }
  }

  /// Indexed by slot; initialized where the slot is not free.
  @usableFromInline var entries: UnsafeMutablePointer<Entry>
  @usableFromInline var index = KeyIndex()
  /// A stack of free slots below `touched`.
  @usableFromInline var free: UnsafeMutablePointer<Slot>
  @usableFromInline var capacity = 0

  /// The host of the policy.
  @usableFromInline var ledger: SlotLedger
  @usableFromInline let hashing: KeyHashing<Key>
  /// True if a callback gets the values that leave, so that its key must be kept.
  @usableFromInline let reportsDepartures: Bool
  /// The times at which entries expire.
  @usableFromInline var lifetimes: EntryLifetimes

  /// Between what gets read and what sets write.
  @usableFromInline let padding = CacheLinePadding()

  @usableFromInline var freeCount = 0
  /// Slots from here on were never used.
  @usableFromInline var touched = 0
  /// The entries that left during the current operation, to be released outside the lock.
  @usableFromInline var departures = Departures<Key, Value>()

  init(
    countsCosts: Bool, limit: Int, hashing: KeyHashing<Key>, filter: AdmissionFilter?,
    reportsDepartures: Bool, lifetimes: consuming EntryLifetimes
  ) {
    self.hashing = hashing
    self.reportsDepartures = reportsDepartures
    self.lifetimes = lifetimes
    entries = .allocate(capacity: 0)
    free = .allocate(capacity: 0)
    ledger = SlotLedger(
      countsCosts: countsCosts, limit: limit, filter: filter,
      costs: UnsafeRawPointer(entries), stride: MemoryLayout<Entry>.stride)
  }

  @inlinable deinit {
    let isFree = freeMarks()
    for slot in 0..<touched where !isFree[slot] { (entries + slot).deinitialize(count: 1) }
    entries.deallocate()
    free.deallocate()
  }

  /// The slot that stands for `key`, resident or ghost, or nil.
  @inlinable @inline(__always)
  func find(_ key: Key, hash: UInt64) -> Slot? {
    index.find(hash) { entries[Int($0)].key == key }
  }

  /// Gives `key` a slot, as a ghost yet; there must be room below `capacity`.
  @inlinable @inline(__always)
  mutating func allocate(_ key: Key, hash: UInt64, cost: Int) -> Slot {
    let slot: Slot
    if freeCount > 0 {
      freeCount &-= 1
      slot = free[freeCount]
    } else {
      slot = Slot(truncatingIfNeeded: touched)
      touched &+= 1
    }
    (entries + Int(slot)).initialize(to: Entry(cost: cost, key: key, value: nil))
    if ledger.gate.hasFilter { ledger.keyHashes[slot] = hash }
    index.insert(slot, hash: hash)
    return slot
  }

  @inlinable @inline(__always)
  var isFullOfSlots: Bool { freeCount == 0 && touched == capacity }

  /// Doubles the room for slots.
  @inlinable
  mutating func grow() {
    let larger = max(16, 2 * capacity)
    precondition(larger <= 1 << 30, "a cache knows at most 2^30 keys")
    let newEntries = UnsafeMutablePointer<Entry>.allocateRecords(capacity: larger)
    // Every slot is in use when the store grows.
    newEntries.moveInitialize(from: entries, count: touched)
    entries.deallocate()
    entries = newEntries
    ledger.costs = UnsafeRawPointer(entries)
    if ledger.gate.hasFilter { ledger.keyHashes.reserve(slots: larger) }
    free.deallocate()
    free = .allocate(capacity: larger)
    index.reserve(slots: larger)
    lifetimes.reserve(slots: larger)
    capacity = larger
  }

  /// The object of `slot` became resident.
  @inlinable @inline(__always)
  mutating func admit(_ slot: Slot, value: Value, cost: Int) {
    entries[Int(slot)].value = value
    entries[Int(slot)].cost = cost
    ledger.count &+= 1
    ledger.totalCost += cost
    if lifetimes.followsEntries { lifetimes.start(slot) }
  }

  /// Takes the value out, if the slot has one; the slot stays known.
  @inlinable @inline(__always)
  mutating func takeValue(_ slot: Slot) -> Value? {
    guard let value = entries[Int(slot)].value.take() else { return nil }
    if lifetimes.followsEntries { lifetimes.stop(slot) }
    return value
  }

  /// Carries out what the policy has decided: the values of the evicted leave, and the slots that it has
  /// forgotten become free.
  @inlinable @inline(__always)
  mutating func settle() {
    if ledger.decisionCount > 0 { settleDecisions() }
  }

  @inlinable
  mutating func settleDecisions() {
    for place in 0..<ledger.decisionCount {
      let decision = ledger.decisions[place]
      let slot = decision & ~(SlotLedger.forgotten | SlotLedger.evictedAndForgotten)
      if decision & SlotLedger.forgotten == 0 {
        guard let value = takeValue(slot) else {
          preconditionFailure("the policy evicted slot \(slot), which is not resident")
        }
        depart(value, of: slot, cause: .size)
      }
      if decision != slot { release(slot) }
    }
    ledger.decisionCount = 0
  }

  /// Gives a resident another value; the old one leaves.
  @inlinable @inline(__always)
  mutating func replace(_ slot: Slot, with value: Value) {
    if let old = entries[Int(slot)].value.take() { depart(old, of: slot, cause: .replaced) }
    entries[Int(slot)].value = value
    if lifetimes.followsEntries { lifetimes.start(slot) }
  }

  /// Keeps a value of `slot` that leaves until the lock is given back, unless it is plain bits that no callback
  /// asks for: then there is nothing to release or to tell.
  @inlinable @inline(__always)
  mutating func depart(_ value: Value, of slot: Slot, cause: RemovalCause) {
    if !reportsDepartures && _isPOD(Value.self) { return }
    let key = reportsDepartures ? entries[Int(slot)].key : nil
    departures.append(Departure(key: key, value: value, cause: cause))
  }

  /// Frees a slot: no key leads to it any more.
  @inlinable @inline(__always)
  mutating func release(_ slot: Slot) {
    index.remove(slot)
    (entries + Int(slot)).deinitialize(count: 1)
    free[freeCount] = slot
    freeCount &+= 1
  }

  /// Frees every slot and its memory; the values are released outside the lock.
  @inlinable
  mutating func removeAll() {
    let isFree = freeMarks()
    for slot in 0..<touched where !isFree[slot] {
      if let value = entries[slot].value.take() {
        depart(value, of: Slot(slot), cause: .removed)
      }
      (entries + slot).deinitialize(count: 1)
    }
    entries.deallocate()
    entries = .allocate(capacity: 0)
    ledger.costs = UnsafeRawPointer(entries)
    free.deallocate()
    free = .allocate(capacity: 0)
    index = KeyIndex()
    capacity = 0
    freeCount = 0
    touched = 0
    ledger.count = 0
    ledger.totalCost = 0
    lifetimes.removeAll()
  }

  /// Visits every slot that a key has: residents and ghosts.
  @inlinable
  func forEachKnown(_ body: (Slot) -> Void) {
    let isFree = freeMarks()
    for slot in 0..<touched where !isFree[slot] { body(Slot(slot)) }
  }

  @inlinable
  func freeMarks() -> [Bool] {
    var marks = [Bool](repeating: false, count: touched)
    for position in 0..<freeCount { marks[Int(free[position])] = true }
    return marks
  }
}
