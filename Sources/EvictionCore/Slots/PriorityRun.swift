import CInline

/// Slots ordered by priority: the smallest is always at hand, and any slot's priority can change.
///
/// Most policies give a newcomer the largest priority so far, or nearly so, and on a hit only raise what a slot has.
/// Slots that arrive in order are linked in a sorted *run*; only those that arrive out of order are in a heap. The
/// first is that of the run or that of the heap. A raised slot stays where it is until it comes up as the first.
///
/// An entry of the heap is never moved by its slot: where a slot leaves the heap or gets a lower priority, the entry
/// stays behind, out of date, until it comes up, or until the heap is full and is built anew.
///
///     var run = PriorityRun<Int>(slots: 1_000)
///     run.insert(7, priority: 10)
///     run.insert(8, priority: 20)
///     run.raise(7, priority: 30)
///     run.first()   // 8
///
/// Priorities that compare equal come out in no promised order, so a priority should carry its own tie-break.
///
/// Where a host pins slots and keeps an account of their releases, a pinned slot that comes up as the first is set
/// aside, in a list of its own, until it is released.
///
/// - Complexity: ``raise(_:priority:)``, ``remove(_:)`` and ``contains(_:)`` O(1); ``insert(_:priority:)`` and
///   ``update(_:priority:)`` O(1) in the run, else O(log count); ``first()`` O(log count) amortised, for each slot that
///   was in the heap or was raised; growth and ``removeAll()`` O(slots). Memory: one padded `Priority` and 8 bytes
///   per slot, and up to half as much again for each one in the heap.
public struct PriorityRun<Priority: Comparable & BitwiseCopyable>: ~Copyable {
  /// A slot's priority and its neighbours in the run. Nodes 0 and 1 are the sentinels of the run and of the slots that
  /// are set aside; the node of a slot is its number + 2.
  @usableFromInline
  struct Node {
    @usableFromInline var priority: Priority
    /// The next node, or of one in the heap the stamp of its entry.
    @usableFromInline var newer: UInt32
    /// The node before, with two flags, or `inHeap`, or `absent`.
    @usableFromInline var older: UInt32
  }

  /// An entry of the heap, out of date unless its node has its stamp.
  @usableFromInline
  struct Entry {
    @usableFromInline var priority: Priority
    @usableFromInline var node: UInt32
    @usableFromInline var stamp: UInt32

    @inlinable @inline(__always)
    init(priority: Priority, node: UInt32, stamp: UInt32) {
      self.priority = priority
      self.node = node
      self.stamp = stamp
    }
  }

  @inlinable static var absent: UInt32 { .max }
  @inlinable static var inHeap: UInt32 { .max - 1 }
  /// The flag of a node whose priority was raised since it was linked.
  @inlinable static var raised: UInt32 { 1 << 31 }
  /// The flag of a node that is set aside.
  @inlinable static var aside: UInt32 { 1 << 30 }
  @inlinable static var link: UInt32 { aside - 1 }

  @usableFromInline var nodes: UnsafeMutablePointer<Node>
  @usableFromInline var slots: Int
  /// A heap of eight children a node, so that few levels are waited for.
  @usableFromInline var entries: UnsafeMutablePointer<Entry>
  @usableFromInline var entryCapacity: Int
  @usableFromInline var entryCount: Int
  /// The number of entries that are not out of date.
  @usableFromInline var heapCount: Int
  @usableFromInline var stamp: UInt32
  /// The host's releases that are accounted for.
  @usableFromInline var releases: Int
  @usableFromInline var slotCount: Int

  /// Creates an empty run with room for `slots` slots.
  @inlinable
  public init(slots: Int = 0) {
    self.slots = -2
    entryCapacity = 0
    entryCount = 0
    heapCount = 0
    stamp = 0
    releases = 0
    slotCount = 0
    nodes = .allocate(capacity: 0)
    entries = .allocate(capacity: 0)
    reserve(slots: slots)
    nodes[0].newer = 0
    nodes[0].older = 0
    nodes[1].newer = 1
    nodes[1].older = 1
  }

  @inlinable
  deinit {
    nodes.deallocate()
    entries.deallocate()
  }

  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  public mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    precondition(newSlots < 1 << 30 - 3, "at most 2^30 − 4 slots")
    let larger = UnsafeMutablePointer<Node>.allocateRecords(capacity: newSlots + 2)
    larger.moveInitialize(from: nodes, count: slots + 2)
    for node in slots + 2..<newSlots + 2 { larger[node].older = PriorityRun.absent }
    nodes.deallocate()
    nodes = larger
    slots = newSlots
  }

  /// Takes every slot out.
  @inlinable
  public mutating func removeAll() {
    for node in 2..<slots + 2 { nodes[node].older = PriorityRun.absent }
    for sentinel in 0..<UInt32(2) {
      nodes[Int(sentinel)].newer = sentinel
      nodes[Int(sentinel)].older = sentinel
    }
    entryCount = 0
    heapCount = 0
    slotCount = 0
  }
}

// MARK: - Asking

extension PriorityRun {
  /// The number of slots.
  @inlinable @inline(__always)
  public var count: Int { slotCount }

  /// Returns true if `slot` has a priority.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    return nodes[Int(slot) &+ 2].older != PriorityRun.absent
  }

  /// The priority of `slot`, which has one.
  @inlinable @inline(__always)
  public func priority(of slot: Slot) -> Priority {
    assert(contains(slot), "slot \(slot) has no priority")
    return nodes[Int(slot) &+ 2].priority
  }

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { evl_prefetch(nodes + (Int(slot) &+ 2)) }

  /// The slot with the smallest priority, or nil if there is none; it must not be read while slots are set aside.
  @inlinable @inline(__always)
  public mutating func first() -> Slot? {
    assert(nodes[1].newer == 1, "a slot that is set aside may be smaller")
    return firstInOrder()
  }

  /// The slot with the smallest priority among those that are not pinned, or nil if there is none.
  ///
  /// - Complexity: that of ``first()``, and where the host pins slots, O(log count) for each release since the last
  ///   call and for each pinned slot that is set aside now; without an account of releases, for all those set aside.
  @inlinable @inline(__always)
  public mutating func firstUnpinned<Host: SlotHost & ~Copyable>(
    host: borrowing Host
  ) -> Slot? {
    Host.pinsSlots ? firstBesidePinned(host: host) : first()
  }

  @inlinable
  mutating func firstBesidePinned<Host: SlotHost & ~Copyable>(host: borrowing Host) -> Slot? {
    if let now = host.releases, now >= releases, now &- releases <= Host.releasesKept {
      for number in releases..<now {
        let slot = host.released(number)
        if Int(slot) >= slots || host.isPinned(slot) { continue }
        let older = nodes[Int(slot) &+ 2].older
        if older < PriorityRun.inHeap && older & PriorityRun.aside != 0 { replace(slot &+ 2) }
      }
    } else {
      while nodes[1].newer != 1 { replace(nodes[1].newer) }
    }
    releases = host.releases ?? 0
    while let slot = firstInOrder() {
      if !host.isPinned(slot) { return slot }
      detach(slot &+ 2)
      attach(slot &+ 2, to: 1, flags: PriorityRun.aside)
    }
    return nil
  }

  /// The first of all that are not set aside.
  @inlinable @inline(__always)
  mutating func firstInOrder() -> Slot? {
    var front = nodes[0].newer
    while front != 0 && nodes[Int(front)].older >= PriorityRun.raised {
      replace(front)
      front = nodes[0].newer
    }
    while entryCount > 0 {
      let top = entries[0]
      if front != 0 && nodes[Int(front)].priority < top.priority { return front &- 2 }
      let node = nodes + Int(top.node)
      if node.pointee.older != PriorityRun.inHeap || node.pointee.newer != top.stamp {
        entryCount &-= 1
        if entryCount > 0 { sink(entries[entryCount]) }
      } else if top.priority < node.pointee.priority {
        sink(Entry(priority: node.pointee.priority, node: top.node, stamp: top.stamp))
      } else {
        return top.node &- 2
      }
    }
    return front == 0 ? nil : front &- 2
  }
}

// MARK: - Changing

extension PriorityRun {
  /// Adds `slot`, which has no priority.
  @inlinable @inline(__always)
  public mutating func insert(_ slot: Slot, priority: Priority) {
    assert(!contains(slot), "slot \(slot) has a priority already")
    slotCount &+= 1
    nodes[Int(slot) &+ 2].priority = priority
    if fits(priority) {
      attach(slot &+ 2, to: 0)
    } else {
      insertOutOfOrder(slot &+ 2)
    }
    assert(invariantsHold(around: slot))
  }

  /// Gives `slot`, which has a lower priority or the same one, another.
  @inlinable @inline(__always)
  public mutating func raise(_ slot: Slot, priority: Priority) {
    assert(!(priority < self.priority(of: slot)), "the priority of slot \(slot) is higher")
    let node = nodes + (Int(slot) &+ 2)
    node.pointee.priority = priority
    node.pointee.older |= PriorityRun.raised
  }

  /// Gives `slot`, which has a priority, another, and moves it to the end of the run if it is the highest now.
  @inlinable @inline(__always)
  public mutating func update(_ slot: Slot, priority: Priority) {
    let node = nodes + (Int(slot) &+ 2)
    if node.pointee.older == PriorityRun.inHeap && !(priority < node.pointee.priority) {
      node.pointee.priority = priority
    } else {
      detach(slot &+ 2)
      node.pointee.priority = priority
      place(slot &+ 2)
    }
    assert(invariantsHold(around: slot))
  }

  /// Removes `slot`, which has a priority.
  @inlinable @inline(__always)
  public mutating func remove(_ slot: Slot) {
    assert(contains(slot), "slot \(slot) has no priority")
    detach(slot &+ 2)
    nodes[Int(slot) &+ 2].older = PriorityRun.absent
    slotCount &-= 1
  }

  /// Returns true if nothing in the run has a higher priority.
  @inlinable @inline(__always)
  func fits(_ priority: Priority) -> Bool {
    let newest = nodes[0].older
    return newest == 0 || !(priority < nodes[Int(newest)].priority)
  }

  /// Puts `node`, which is nowhere, into the run or into the heap.
  @inlinable @inline(__always)
  mutating func place(_ node: UInt32) {
    if fits(nodes[Int(node)].priority) { attach(node, to: 0) } else { push(node) }
  }

  /// Takes `node` out of where it is and places it anew.
  @inlinable @inline(never)
  mutating func replace(_ node: UInt32) {
    detach(node)
    place(node)
  }

  /// Places a newcomer. What it finds at the end of the run is perhaps an outlier that would keep others out of it, and
  /// goes to the heap.
  @inlinable @inline(never)
  mutating func insertOutOfOrder(_ node: UInt32) {
    let newest = nodes[0].older
    detach(newest)
    push(newest)
    place(node)
  }

  @inlinable @inline(__always)
  mutating func attach(_ node: UInt32, to sentinel: UInt32, flags: UInt32 = 0) {
    let nodes = nodes
    let older = nodes[Int(sentinel)].older
    nodes[Int(node)].newer = sentinel
    nodes[Int(node)].older = older | flags
    nodes[Int(older)].newer = node
    nodes[Int(sentinel)].older = node
  }

  /// Takes `node` out of where it is.
  @inlinable @inline(__always)
  mutating func detach(_ node: UInt32) {
    let nodes = nodes
    let (newer, older) = (nodes[Int(node)].newer, nodes[Int(node)].older)
    if older == PriorityRun.inHeap {
      heapCount &-= 1
      nodes[Int(node)].older = PriorityRun.absent
      return
    }
    nodes[Int(older & PriorityRun.link)].newer = newer
    let flags = nodes[Int(newer)].older & ~PriorityRun.link
    nodes[Int(newer)].older = flags | older & PriorityRun.link
  }
}
