import CInline

/// Slots ordered by a priority that is never below the last smallest one; among equals the least
/// recently placed comes first.
///
/// What a policy needs whose priorities start from those of its victims, as GreedyDual's do. A radix
/// heap: a slot stands in the list whose number is the highest bit in which its priority differs from
/// ``floor``, so that placing it is a move between lists. When the smallest is asked for and no slot
/// has the floor as its priority, the lowest list that is not empty is spread over the ones below it,
/// until one has.
///
/// Priorities are bit patterns of 63 bits, such as those of doubles that are not negative, which have
/// the order of their values.
///
/// - Paper: R. K. Ahuja, K. Mehlhorn, J. B. Orlin and R. E. Tarjan, “Faster algorithms for the shortest
///   path problem”, Journal of the ACM 37(2), 1990.
/// - Complexity: O(1) for each operation, and for each placing at most 63 moves later, while ``first()``
///   looks for the smallest; growth and ``removeAll()`` are O(slots). Memory: 17 bytes per slot.
public struct MonotoneQueue: ~Copyable {
  @usableFromInline typealias ID = SlotLists<UInt8>.ID

  /// List k + 1 holds the priorities whose highest difference from the floor is bit k − 1, the first
  /// list those that are the floor itself.
  @usableFromInline var lists: SlotLists<UInt8>
  /// Indexed by slot.
  @usableFromInline var priorities: UnsafeMutablePointer<UInt64>
  @usableFromInline var slots: Int
  /// Bit k is set while list k + 1 holds something.
  @usableFromInline var occupied: UInt64 = 0
  /// What bits are compared with: the floor, or on the way there.
  @usableFromInline var lowest: UInt64 = 0
  /// Indexed by a list's number: no priority in the list is below it.
  @usableFromInline var minima: UnsafeMutablePointer<UInt64>

  /// Creates an empty queue with room for `slots` slots, and the floor 0.
  @inlinable
  public init(slots: Int = 0) {
    lists = SlotLists(count: 64)
    priorities = .allocate(capacity: 0)
    minima = .allocate(capacity: 64)
    minima.initialize(repeating: 0, count: 64)
    self.slots = 0
    reserve(slots: slots)
  }

  deinit {
    priorities.deallocate()
    minima.deallocate()
  }

  /// What ``first()`` last found: no priority may be below it.
  @inlinable @inline(__always)
  public var floor: UInt64 { lowest }

  /// Whether `slot` is in the queue.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { lists.owner(of: slot) != .none }

  /// Adds `slot`, which is not in the queue.
  @inlinable @inline(__always)
  public mutating func insert(_ slot: Slot, priority: UInt64) {
    let bucket = bucket(of: priority)
    priorities[Int(slot)] = priority
    open(bucket, for: priority)
    lists.prepend(slot, to: id(bucket), size: 1)
    assert(invariantsHold())
  }

  /// Gives `slot`, which is in the queue, another priority; it comes last among equals.
  @inlinable @inline(__always)
  public mutating func update(_ slot: Slot, priority: UInt64) {
    priorities[Int(slot)] = priority
    move(slot, to: bucket(of: priority), priority: priority)
    assert(invariantsHold())
  }

  /// Removes `slot`, which is in the queue.
  @inlinable @inline(__always)
  public mutating func remove(_ slot: Slot) {
    let bucket = lists.owner(of: slot).rawValue &- 1
    lists.remove(slot, size: 1)
    if lists.isEmpty(id(bucket)) { occupied &= ~(1 &<< bucket) }
    assert(invariantsHold())
  }

  /// The slot that comes first, or nil if there is none; its priority becomes the floor.
  @inlinable @inline(__always)
  public mutating func first() -> Slot? {
    while occupied & 1 == 0 {
      if occupied == 0 { return nil }
      spread(UInt8(truncatingIfNeeded: occupied.trailingZeroBitCount))
    }
    return lists.back(of: .first)
  }

  /// Empties the queue. The floor stays.
  @inlinable
  public mutating func removeAll() {
    lists.removeAll()
    occupied = 0
  }

  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  public mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    lists.reserve(slots: newSlots)
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: newSlots)
    larger.moveInitialize(from: priorities, count: slots)
    (larger + slots).initialize(repeating: 0, count: newSlots - slots)
    priorities.deallocate()
    priorities = larger
    slots = newSlots
  }

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    lists.prefetch(slot)
    evl_prefetch(priorities + Int(slot))
  }

  @inlinable @inline(__always)
  func id(_ bucket: UInt8) -> ID { ID(bucket &+ 1) }

  @inlinable @inline(__always)
  func bucket(of priority: UInt64) -> UInt8 {
    assert(priority >= lowest && priority >> 63 == 0, "\(priority) is below the floor, or too long")
    return UInt8(truncatingIfNeeded: 64 &- (priority ^ lowest).leadingZeroBitCount)
  }

  /// Marks a list as not empty, before a slot of `priority` enters it.
  @inlinable @inline(__always)
  mutating func open(_ bucket: UInt8, for priority: UInt64) {
    let isEmpty = occupied &>> bucket & 1 == 0
    occupied |= 1 &<< bucket
    let minimum = minima[Int(bucket)]
    minima[Int(bucket)] = isEmpty || priority < minimum ? priority : minimum
  }

  @inlinable @inline(__always)
  mutating func move(_ slot: Slot, to bucket: UInt8, priority: UInt64) {
    let old = lists.owner(of: slot).rawValue &- 1
    open(bucket, for: priority)
    if old == bucket {
      lists.moveToFront(slot, of: id(bucket))
      return
    }
    lists.move(slot, toFrontOf: id(bucket), size: 1)
    if lists.isEmpty(id(old)) { occupied &= ~(1 &<< old) }
  }

  /// Raises what bits are compared with to the minimum of a list, the lowest that is not empty, and gives
  /// its slots to the lists below, which are empty: the least recent first, so that each list keeps its
  /// order.
  @inlinable
  mutating func spread(_ bucket: UInt8) {
    lowest = minima[Int(bucket)]
    while let slot = lists.back(of: id(bucket)) {
      if let next = lists.newer(than: slot) { prefetch(next) }
      let priority = priorities[Int(slot)]
      move(slot, to: self.bucket(of: priority), priority: priority)
    }
  }

  /// Checks that every slot stands where its priority belongs, while the queue is small.
  @usableFromInline
  func invariantsHold() -> Bool {
    if slots > 64 { return true }
    for bucket in UInt8(0)..<64 {
      let isOccupied = occupied >> bucket & 1 == 1
      precondition(isOccupied != lists.isEmpty(id(bucket)), "list \(bucket) and its bit")
    }
    for slot in 0..<Slot(slots) where contains(slot) {
      let expected = id(bucket(of: priorities[Int(slot)]))
      precondition(lists.owner(of: slot) == expected, "slot \(slot) stands in the wrong list")
      let minimum = minima[Int(bucket(of: priorities[Int(slot)]))]
      precondition(priorities[Int(slot)] >= minimum, "slot \(slot) is below its list's minimum")
    }
    return true
  }
}
