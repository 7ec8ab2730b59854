/// Slots in containers, in the order in which they were put into them, and the containers in queues.
///
/// One container at most is open: new slots go there. A closed one is in one of three queues: cold and
/// hot, by the recency of the last move, and survival, by accesses per object that was put into it. A
/// container without slots does not exist.
///
/// - Complexity: O(1) for every operation, but O(log containers) in the survival queue; growth is
///   O(slots) and doubles the containers. Memory: 12 bytes per slot, and 81 per container.
@usableFromInline
struct Containers: ~Copyable {
  @usableFromInline typealias Queue = SlotLists<UInt8>.ID

  @usableFromInline
  struct Record {
    @usableFromInline var accesses = 0
    /// The number of slots put into the container.
    @usableFromInline var objects = 0

    @inlinable
    init() {}
  }

  /// Accesses per object, and the time of entry into the queue.
  @usableFromInline
  struct Rank: Comparable, BitwiseCopyable {
    @usableFromInline var accesses: Int
    @usableFromInline var objects: Int
    @usableFromInline var entry: Int

    @inlinable
    init(accesses: Int, objects: Int, entry: Int) {
      self.accesses = accesses
      self.objects = objects
      self.entry = entry
    }

    @inlinable
    static func < (left: Rank, right: Rank) -> Bool {
      let (a, b) = (left.accesses &* right.objects, right.accesses &* left.objects)
      return a == b ? left.entry < right.entry : a < b
    }
  }

  /// Lists 1 … are the containers; a container's number is its list's less 1.
  @usableFromInline var slots: SlotLists<UInt32>
  @usableFromInline var queues: SlotLists<UInt8>
  @usableFromInline var survivors: SlotHeap<Rank>
  @usableFromInline var records: UnsafeMutablePointer<Record>
  @usableFromInline var capacity = 16
  @usableFromInline var used: UInt32 = 0
  /// The container that is filled, if `isOpen`.
  @usableFromInline var open: Slot = 0
  @usableFromInline var isOpen = false
  @usableFromInline var entries = 0

  @usableFromInline
  init(slots count: Int) {
    slots = SlotLists(count: capacity, slots: count)
    queues = SlotLists(count: 4, slots: capacity)
    survivors = SlotHeap(slots: capacity)
    records = .allocate(capacity: capacity)
    records.initialize(repeating: Record(), count: capacity)
  }

  @inlinable
  deinit { records.deallocate() }

  @inlinable
  mutating func reserve(slots count: Int) { slots.reserve(slots: count) }

  @inlinable
  mutating func removeAll() {
    slots.removeAll()
    queues.removeAll()
    survivors.removeAll()
    used = 0
    isOpen = false
  }
}

// MARK: - Asking

extension Containers {
  @inlinable @inline(__always)
  func contains(_ slot: Slot) -> Bool { slots.owner(of: slot) != .none }

  @inlinable @inline(__always)
  func prefetch(_ slot: Slot) { slots.prefetch(slot) }

  /// The queue of a container; none if it is open.
  @inlinable @inline(__always)
  func queue(of container: Slot) -> Queue { queues.owner(of: container) }

  @inlinable @inline(__always)
  func accesses(of container: Slot) -> Int { records[Int(container)].accesses }

  @inlinable @inline(__always)
  func objects(of container: Slot) -> Int { records[Int(container)].objects }

  @inlinable @inline(__always)
  func size(of queue: Queue) -> Int { queues.size(of: queue) }

  @inlinable @inline(__always)
  func isEmpty(_ queue: Queue) -> Bool { queues.isEmpty(queue) }

  @inlinable @inline(__always)
  func leastRecent(of queue: Queue) -> Slot? { queues.back(of: queue) }

  @inlinable @inline(__always)
  var lowestSurvivor: Slot? { survivors.first }

  /// The number of size units that the open container holds; 0 if there is none.
  @inlinable @inline(__always)
  var openSize: Int { isOpen ? slots.size(of: list(of: open)) : 0 }

  /// The slot that was put first into `container`, among those that are still there.
  @inlinable @inline(__always)
  func oldest(in container: Slot) -> Slot? { slots.back(of: list(of: container)) }

  @inlinable @inline(__always)
  func list(of container: Slot) -> SlotLists<UInt32>.ID { SlotLists.ID(container &+ 1) }

  @inlinable @inline(__always)
  func container(of slot: Slot) -> Slot { slots.owner(of: slot).rawValue &- 1 }
}

// MARK: - Changing

extension Containers {
  /// Counts an access of the container of `slot`, and returns it.
  @inlinable @inline(__always)
  mutating func access(_ slot: Slot) -> Slot {
    let container = container(of: slot)
    records[Int(container)].accesses &+= 1
    return container
  }

  @inlinable @inline(__always)
  mutating func resetAccesses(of container: Slot) { records[Int(container)].accesses = 0 }

  /// Puts `slot` into the open container, a new one if there is none.
  @inlinable
  mutating func put(_ slot: Slot, size: Int) {
    if !isOpen {
      open = newContainer()
      isOpen = true
    }
    slots.prepend(slot, to: list(of: open), size: size)
    records[Int(open)].objects &+= 1
  }

  /// Closes the open container, if there is one, into the cold queue.
  @inlinable
  mutating func close() {
    if !isOpen { return }
    isOpen = false
    queues.prepend(open, to: .cold, size: slots.size(of: list(of: open)))
  }

  /// Moves a closed container to the most recent end of `queue`.
  @inlinable @inline(__always)
  mutating func move(_ container: Slot, to queue: Queue) {
    let earlier = queues.owner(of: container)
    if earlier == queue {
      queues.moveToFront(container, of: queue)
      return
    }
    if earlier == .survival { survivors.remove(container) }
    queues.move(container, toFrontOf: queue, size: slots.size(of: list(of: container)))
    if queue == .survival {
      entries &+= 1
      survivors.insert(container, priority: rank(of: container, entry: entries))
    }
  }

  /// Gives a surviving container the rank of its accesses.
  @inlinable
  mutating func rankAgain(_ container: Slot) {
    let entry = survivors.priority(of: container).entry
    survivors.update(container, priority: rank(of: container, entry: entry))
  }

  @inlinable
  func rank(of container: Slot, entry: Int) -> Rank {
    let record = records[Int(container)]
    return Rank(accesses: record.accesses, objects: record.objects, entry: entry)
  }

  /// Takes `slot` out of its container, which goes with the last one.
  @inlinable
  mutating func takeOut(_ slot: Slot, size: Int) {
    let container = container(of: slot)
    slots.remove(slot, size: size)
    let queue = queues.owner(of: container)
    if queue != .none { queues.changeSize(of: container, by: -size) }
    if !slots.isEmpty(list(of: container)) { return }
    if queue == .none {
      isOpen = false
    } else {
      if queue == .survival { survivors.remove(container) }
      queues.remove(container, size: 0)
    }
    queues.prepend(container, to: .free, size: 0)
  }

  @inlinable
  mutating func changeSize(of slot: Slot, by difference: Int) {
    let container = container(of: slot)
    slots.changeSize(of: slot, by: difference)
    if queues.owner(of: container) != .none {
      queues.changeSize(of: container, by: difference)
    }
  }

  @inlinable
  mutating func newContainer() -> Slot {
    let container: Slot
    if let free = queues.back(of: .free) {
      queues.remove(free, size: 0)
      container = free
    } else {
      if Int(used) == capacity { grow() }
      container = used
      used &+= 1
    }
    records[Int(container)] = Record()
    return container
  }

  @inlinable @inline(never)
  mutating func grow() {
    slots.addLists(upTo: 2 * capacity)
    queues.reserve(slots: 2 * capacity)
    survivors.reserve(slots: 2 * capacity)
    let larger = UnsafeMutablePointer<Record>.allocate(capacity: 2 * capacity)
    larger.moveInitialize(from: records, count: capacity)
    (larger + capacity).initialize(repeating: Record(), count: capacity)
    records.deallocate()
    records = larger
    capacity *= 2
  }
}

extension SlotLists<UInt8>.ID {
  @inlinable @inline(__always)
  static var cold: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(1) }
  @inlinable @inline(__always)
  static var hot: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(2) }
  @inlinable @inline(__always)
  static var survival: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(3) }
  /// Numbers of containers that are gone.
  @inlinable @inline(__always)
  static var free: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(4) }
}

extension Containers {
  mutating func visitState(_ state: inout PolicyState) {
    slots.visitState(&state)
    queues.visitState(&state)
    survivors.visitState(&state)
    state.visit(&records, room: &capacity)
    state.visit(&used)
    state.visit(&open)
    state.visit(&isOpen)
    state.visit(&entries)
  }
}
