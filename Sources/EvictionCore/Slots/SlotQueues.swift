import CInline

/// Up to three FIFO queues over the same slots; a slot is in at most one of them at a time, and has
/// a small frequency there.
///
/// Slots enter a queue at its newest end. Each queue is a flat ring: the policy's walk from the
/// oldest to the newest reads memory in order, where links would lead it across the whole array.
/// A slot that is taken out of the middle leaves a hole; the ring is rebuilt without its holes when
/// it is full, and grows when more than half of it is in use.
///
/// Which queue holds a slot, and its frequency, share one byte: a hit touches nothing else, and a
/// million of them fit a processor's second-level cache.
///
///     var queues = SlotQueues(count: 2, slots: 1_000)
///     queues.append(7, to: .first, size: 1)
///     queues.reference(7, atMost: 3)
///     queues.frequency(of: 7)   // 1
///     queues.front(of: .first)  // 7
///
/// Each queue also has a hand, for SIEVE: see ``slotAtHand(of:)``.
///
/// - Complexity: every operation is O(1), amortized over the entries into the queue, but growth and
///   ``removeAll()``, which are O(slots). Memory: 5 bytes per slot, or 1 without positions, and rings
///   of 4 bytes per entry: at most four times as many as slots were in the queue at once; twice, if
///   slots leave it in their order.
public struct SlotQueues: ~Copyable {
  /// Names one queue. A policy gives its queues names of its own: `.small`, `.main`.
  public struct ID: Equatable {
    /// 1 for the first queue, 2 for the second, 3 for the third; 0 means no queue.
    public let rawValue: UInt8

    /// Names the queue number `rawValue`.
    @inlinable @inline(__always)
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// The owner of a slot that is in no queue.
    @inlinable @inline(__always)
    public static var none: ID { ID(0) }

    /// The first queue.
    @inlinable @inline(__always)
    public static var first: ID { ID(1) }
  }

  /// A ring of slots and holes. Entries are numbered as they enter; number n stands at n & mask.
  @usableFromInline
  struct Ring {
    @usableFromInline var entries: UnsafeMutablePointer<Slot>
    @usableFromInline var mask: Int
    /// The number of the oldest entry, never a hole; `end` if the queue is empty.
    @usableFromInline var oldest = 0
    /// The number that the next entry gets.
    @usableFromInline var end = 0
    // Count and size do not touch: a compiler would write both at once in one place and each by itself in another,
    // and a processor waits where it reads together what was written apart.
    @usableFromInline var count = 0
    /// The number of the entry that the hand points at, never a hole. Below `oldest`, it stands for
    /// `oldest`.
    @usableFromInline var hand = 0
    @usableFromInline var size = 0

    @inlinable
    init(capacity: Int) {
      entries = .allocateRecords(capacity: capacity)
      entries.initialize(repeating: 0, count: capacity)
      mask = capacity - 1
    }
  }

  /// A search for the oldest slot that is not pinned: entries before `passed` are holes or were pinned, after
  /// `releases` releases by the host.
  @usableFromInline
  struct Search {
    @usableFromInline var passed = 0
    @usableFromInline var releases = 0

    @inlinable
    init() {}
  }

  /// Indexed by slot: the owner's number, and the frequency times four.
  @usableFromInline var marks: UnsafeMutablePointer<UInt8>
  /// Indexed by slot: the number of its entry in the owner's ring, modulo 2³²; empty while none are kept.
  @usableFromInline var positions: UnsafeMutablePointer<UInt32>
  /// Indexed by a queue's number: the last search for a slot that is not pinned.
  @usableFromInline let searches: UnsafeMutablePointer<Search>
  /// False while no slot was taken out but by a walk of its ring, for queues that begin without positions.
  @usableFromInline var keepsPositions: Bool
  /// Indexed by a queue's number; entry 0 is unused.
  @usableFromInline var rings: UnsafeMutablePointer<Ring>
  @usableFromInline let queueCount: Int
  @usableFromInline var slots: Int

  /// The largest frequency that a slot can have.
  @inlinable public static var maximumFrequency: UInt8 { 63 }

  @inlinable static var hole: Slot { .max }

  @inlinable static var smallestRing: Int { 16 }

  /// The number of entries ahead of the oldest that are prefetched when that leaves.
  @inlinable static var prefetchDistance: Int { 8 }

  /// Creates `count` empty queues with room for `slots` slots.
  ///
  /// - Parameters:
  ///   - count: The number of queues, at most three.
  ///   - slots: The slots that have room.
  ///   - keepsPositions: False where slots leave in their order, as a rule: what finds a slot elsewhere is
  ///     then built when one is first taken out by name, in O(slots), and kept from there on.
  @inlinable
  public init(count: Int, slots: Int = 0, keepsPositions: Bool = true) {
    precondition((0...3).contains(count), "a mark cannot name that many queues")
    self.keepsPositions = keepsPositions
    queueCount = count
    self.slots = 0
    marks = .allocate(capacity: 0)
    positions = .allocate(capacity: 0)
    searches = .allocate(capacity: count + 1)
    searches.initialize(repeating: Search(), count: count + 1)
    rings = .allocate(capacity: count + 1)
    for queue in 0...count {
      (rings + queue).initialize(to: Ring(capacity: SlotQueues.smallestRing))
    }
    reserve(slots: slots)
  }

  @inlinable deinit {
    for queue in 0...queueCount { rings[queue].entries.deallocate() }
    rings.deallocate()
    marks.deallocate()
    positions.deallocate()
    searches.deallocate()
  }

  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  public mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    precondition(newSlots <= Int(Int32.max), "at most 2^31 − 1 slots")
    let newMarks = UnsafeMutablePointer<UInt8>.allocateRecords(capacity: newSlots)
    newMarks.moveInitialize(from: marks, count: slots)
    (newMarks + slots).initialize(repeating: 0, count: newSlots - slots)
    marks.deallocate()
    marks = newMarks
    if keepsPositions { growPositions(from: slots, to: newSlots) }
    slots = newSlots
  }

  @inlinable
  mutating func growPositions(from slots: Int, to newSlots: Int) {
    let newPositions = UnsafeMutablePointer<UInt32>.allocateRecords(capacity: newSlots)
    newPositions.moveInitialize(from: positions, count: slots)
    (newPositions + slots).initialize(repeating: 0, count: newSlots - slots)
    positions.deallocate()
    positions = newPositions
  }

  /// Keeps positions from here on, in queues that began without: pinned slots are then not passed over one by one
  /// at every eviction.
  @inlinable @inline(__always)
  mutating func keepPositions() { if !keepsPositions { notePositions() } }

  @inlinable @inline(never)
  mutating func notePositions() {
    keepsPositions = true
    growPositions(from: 0, to: slots)
    for queue in 0...queueCount {
      let ring = rings[queue]
      for number in ring.oldest..<ring.end {
        let slot = ring.entries[number & ring.mask]
        if slot != SlotQueues.hole { positions[Int(slot)] = UInt32(truncatingIfNeeded: number) }
      }
    }
  }

  /// Empties every queue.
  @inlinable
  public mutating func removeAll() {
    marks.update(repeating: 0, count: slots)
    for queue in 0...queueCount {
      rings[queue].oldest = 0
      rings[queue].end = 0
      rings[queue].hand = 0
      rings[queue].count = 0
      rings[queue].size = 0
      searches[queue].passed = 0
    }
  }
}

// MARK: - Asking

extension SlotQueues {
  /// The queue that holds `slot`, or ``ID/none``.
  @inlinable @inline(__always)
  public func owner(of slot: Slot) -> ID {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    return ID(marks[Int(slot)] & 3)
  }

  /// The frequency of `slot`, which is in a queue.
  @inlinable @inline(__always)
  public func frequency(of slot: Slot) -> UInt8 {
    assert(owner(of: slot) != .none, "slot \(slot) is in no queue")
    return marks[Int(slot)] >> 2
  }

  /// Returns the number of slots that `queue` holds.
  @inlinable @inline(__always)
  public func count(of queue: ID) -> Int { rings[Int(queue.rawValue)].count }

  /// Returns the number of size units that the slots of `queue` take together.
  @inlinable @inline(__always)
  public func size(of queue: ID) -> Int { rings[Int(queue.rawValue)].size }

  /// Returns true if `queue` holds no slot.
  @inlinable @inline(__always)
  public func isEmpty(_ queue: ID) -> Bool { count(of: queue) == 0 }

  /// The oldest slot of `queue`, or nil if it is empty.
  @inlinable @inline(__always)
  public func front(of queue: ID) -> Slot? {
    let ring = rings + Int(queue.rawValue)
    if ring.pointee.count == 0 { return nil }
    return ring.pointee.entries[ring.pointee.oldest & ring.pointee.mask]
  }

  /// The number of the entry of `slot`, which is in that ring.
  @inlinable @inline(__always)
  func number(of slot: Slot, in ring: UnsafeMutablePointer<Ring>) -> Int {
    assert(keepsPositions, "no positions are kept")
    let oldest = ring.pointee.oldest
    return oldest &+ (Int(positions[Int(slot)]) &- oldest) & ring.pointee.mask
  }

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    prefetchMark(slot)
    evl_prefetch(positions + Int(slot))
  }

  /// Asks the processor to bring near the owner and the frequency of `slot`.
  @inlinable @inline(__always)
  public func prefetchMark(_ slot: Slot) { evl_prefetch(marks + Int(slot)) }
}

// MARK: - Moving slots

extension SlotQueues {
  /// Adds one to the frequency of `slot`, which is in a queue, unless it is `limit` already.
  @inlinable @inline(__always)
  public mutating func reference(_ slot: Slot, atMost limit: UInt8) {
    assert(owner(of: slot) != .none, "slot \(slot) is in no queue")
    let mark = marks[Int(slot)]
    marks[Int(slot)] = mark &+ (mark >> 2 < limit ? 4 : 0)
  }

  /// Gives `slot`, which is in a queue, a frequency.
  @inlinable @inline(__always)
  public mutating func setFrequency(of slot: Slot, to frequency: UInt8) {
    assert(frequency <= SlotQueues.maximumFrequency, "a frequency has six bits")
    marks[Int(slot)] = marks[Int(slot)] & 3 | frequency << 2
  }

  /// Puts `slot`, which is in no queue, at the newest end of `queue`.
  @inlinable @inline(__always)
  public mutating func append(_ slot: Slot, to queue: ID, size: Int, frequency: UInt8 = 0) {
    assert(owner(of: slot) == .none, "slot \(slot) is in a queue already")
    assert(queue != .none && Int(queue.rawValue) <= queueCount, "there is no such queue")
    let ring = rings + Int(queue.rawValue)
    if ring.pointee.end &- ring.pointee.oldest > ring.pointee.mask { rebuild(queue) }
    let end = ring.pointee.end
    ring.pointee.entries[end & ring.pointee.mask] = slot
    ring.pointee.end = end &+ 1
    ring.pointee.count &+= 1
    ring.pointee.size &+= size
    if keepsPositions { positions[Int(slot)] = UInt32(truncatingIfNeeded: end) }
    assert(frequency <= SlotQueues.maximumFrequency, "a frequency has six bits")
    marks[Int(slot)] = queue.rawValue | frequency << 2
    assert(invariantsHold(around: slot))
  }

  /// Takes the oldest slot out of `queue`, which is not empty; `size` is what it entered with.
  @inlinable @inline(__always)
  public mutating func removeFront(of queue: ID, size: Int) {
    let ring = rings + Int(queue.rawValue)
    assert(ring.pointee.count > 0, "the queue is empty")
    vacate(ring.pointee.oldest, in: ring, size: size)
  }

  /// Moves the oldest slot of `queue` to the newest end of another queue, or of the same.
  @inlinable @inline(__always)
  public mutating func moveFront(
    of queue: ID, to other: ID, size: Int, frequency: UInt8 = 0
  ) {
    let ring = rings + Int(queue.rawValue)
    let slot = ring.pointee.entries[ring.pointee.oldest & ring.pointee.mask]
    removeFront(of: queue, size: size)
    append(slot, to: other, size: size, frequency: frequency)
  }

  /// Takes `slot` out of the queue that holds it; `size` is what it entered with.
  @inlinable @inline(__always)
  public mutating func remove(_ slot: Slot, size: Int) {
    let queue = owner(of: slot)
    assert(queue != .none, "slot \(slot) is in no queue")
    keepPositions()
    let ring = rings + Int(queue.rawValue)
    vacate(number(of: slot, in: ring), in: ring, size: size)
  }

  /// Counts `slot` with `difference` more size units in the queue that holds it.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    rings[Int(owner(of: slot).rawValue)].size &+= difference
  }

  /// Makes a hole of entry `number`, and moves the oldest end and the hand off holes.
  @inlinable @inline(__always)
  mutating func vacate(_ number: Int, in ring: UnsafeMutablePointer<Ring>, size: Int) {
    let entries = ring.pointee.entries
    let mask = ring.pointee.mask
    let slot = entries[number & mask]
    marks[Int(slot)] = 0
    ring.pointee.count &-= 1
    ring.pointee.size &-= size
    if number == ring.pointee.oldest {
      prefetchMark(entries[(number &+ SlotQueues.prefetchDistance) & mask])
      ring.pointee.oldest = nextEntry(after: number, in: ring)
    } else {
      entries[number & mask] = SlotQueues.hole
      if number == ring.pointee.hand {
        let next = nextEntry(after: number, in: ring)
        ring.pointee.hand = next == ring.pointee.end ? ring.pointee.oldest : next
      }
    }
    assert(invariantsHold(around: slot))
  }

  /// The number of the next entry that is no hole, or `end`.
  @inlinable @inline(__always)
  func nextEntry(after number: Int, in ring: UnsafeMutablePointer<Ring>) -> Int {
    var next = number &+ 1
    while next < ring.pointee.end
      && ring.pointee.entries[next & ring.pointee.mask] == SlotQueues.hole
    {
      next &+= 1
    }
    return next
  }

  /// Closes the holes of a ring, and doubles it if more than half of it is in use.
  @inlinable @inline(never)
  mutating func rebuild(_ queue: ID) {
    let old = rings[Int(queue.rawValue)]
    let grows = 2 * old.count > old.mask + 1
    var new = grows ? Ring(capacity: 2 * (old.mask + 1)) : old
    new.oldest = old.oldest
    new.end = old.oldest
    new.hand = old.oldest
    new.count = old.count
    new.size = old.size
    for number in old.oldest..<old.end {
      let slot = old.entries[number & old.mask]
      if slot == SlotQueues.hole { continue }
      if number == old.hand { new.hand = new.end }
      new.entries[new.end & new.mask] = slot
      if keepsPositions { positions[Int(slot)] = UInt32(truncatingIfNeeded: new.end) }
      new.end += 1
    }
    if grows { old.entries.deallocate() }
    rings[Int(queue.rawValue)] = new
    searches[Int(queue.rawValue)].passed = 0
  }
}
