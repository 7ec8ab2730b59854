/// The entries of a cache by slot, the index that finds them, and the account of what they take.
///
/// A slot is *resident* (it has a value), a *ghost* (the policy remembers it), or *free*. Free slots are
/// recycled, so that a cache that is full allocates nothing.
@usableFromInline
struct CacheStore<Key: CacheKey, Value>: ~Copyable {
  @usableFromInline
  struct Entry {
    @usableFromInline var key: Key
    @usableFromInline var cost: Int
    /// Nil for a ghost.
    @usableFromInline var value: Value?

    @inlinable @inline(__always)
    init(key: Key, cost: Int, value: Value?) {
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

  /// Whether the policy's C counts costs; otherwise every object counts one.
  @usableFromInline let countsCosts: Bool
  /// C.
  @usableFromInline var limit: Int
  /// The admission filter, if there is one.
  @usableFromInline var gate: AdmissionGate
  /// Seeds the keys' hashes.
  @usableFromInline let seed: UInt64
  /// Whether somebody is told of what leaves, and why, so that its key must be kept.
  @usableFromInline let reportsDepartures: Bool
  /// When entries expire.
  @usableFromInline var lifetimes: EntryLifetimes

  /// Between what gets read and what sets write.
  @usableFromInline let padding = CacheLinePadding()

  @usableFromInline var freeCount = 0
  /// Slots from here on were never used.
  @usableFromInline var touched = 0
  @usableFromInline var count = 0
  @usableFromInline var totalCost = 0
  @usableFromInline var evictions = 0
  /// The slot of the operation under way, which must outlive it even if the policy forgets it.
  @usableFromInline var requested: Slot = .max
  @usableFromInline var requestedWasForgotten = false
  /// What left during the current operation, to be released outside the lock.
  @usableFromInline var departures = Departures<Key, Value>()

  init(
    countsCosts: Bool, limit: Int, seed: UInt64, filter: AdmissionFilter?,
    reportsDepartures: Bool, lifetimes: consuming EntryLifetimes
  ) {
    self.countsCosts = countsCosts
    self.limit = limit
    self.seed = seed
    self.reportsDepartures = reportsDepartures
    self.lifetimes = lifetimes
    gate = AdmissionGate(filter)
    entries = .allocate(capacity: 0)
    free = .allocate(capacity: 0)
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
    (entries + Int(slot)).initialize(to: Entry(key: key, cost: cost, value: nil))
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
    let newEntries = UnsafeMutablePointer<Entry>.allocate(capacity: larger)
    // Every slot is in use when the store grows.
    newEntries.moveInitialize(from: entries, count: touched)
    entries.deallocate()
    entries = newEntries
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
    count &+= 1
    totalCost += cost
    if lifetimes.isInUse { lifetimes.start(slot) }
  }

  /// Takes the value of a resident out; the slot stays known.
  @inlinable @inline(__always)
  mutating func takeValue(_ slot: Slot) -> Value? {
    count &-= 1
    totalCost &-= entries[Int(slot)].cost
    if lifetimes.isInUse { lifetimes.stop(slot) }
    return entries[Int(slot)].value.take()
  }

  /// Gives a resident another value; the old one leaves.
  @inlinable @inline(__always)
  mutating func replace(_ slot: Slot, with value: Value) {
    if let old = entries[Int(slot)].value.take() { depart(old, of: slot, cause: .replaced) }
    entries[Int(slot)].value = value
    if lifetimes.isInUse { lifetimes.start(slot) }
  }

  /// Keeps a value of `slot` that leaves until the lock is given back, unless it is plain bits that nobody
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
    free.deallocate()
    free = .allocate(capacity: 0)
    index = KeyIndex()
    capacity = 0
    freeCount = 0
    touched = 0
    count = 0
    totalCost = 0
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

extension CacheStore: SlotHost {
  @inlinable @inline(__always)
  var used: Int { countsCosts ? totalCost : count }

  @inlinable @inline(__always)
  func hasRoom(for request: Request) -> Bool { request.size <= limit &- used }

  @inlinable @inline(__always)
  func size(of slot: Slot) -> Int { countsCosts ? entries[Int(slot)].cost : 1 }

  @inlinable @inline(__always)
  mutating func mayEvict(_ victim: Slot) -> Bool {
    if !gate.isAsking { return true }
    return gate.mayEvict(entries[Int(victim)].key.stableHash(seed: seed))
  }

  @inlinable @inline(__always)
  var hasRefused: Bool { gate.hasRefused }

  @inlinable @inline(__always)
  mutating func evicted(_ slot: Slot) {
    evictions &+= 1
    guard let value = takeValue(slot) else {
      preconditionFailure("the policy evicted slot \(slot), which is not resident")
    }
    depart(value, of: slot, cause: .size)
  }

  @inlinable @inline(__always)
  mutating func forgot(_ slot: Slot) {
    if slot == requested {
      requestedWasForgotten = true
    } else {
      release(slot)
    }
  }
}
