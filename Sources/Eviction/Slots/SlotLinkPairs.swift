import CInline

/// Doubly linked lists over the same slots, of which a slot may be in two at a time.
///
/// A slot has two pairs of links, side by side in one record of 16 bytes: one for the *stack* that holds
/// it, one for the *queue*. There are as many stacks as queues. As in `SlotLists`, the front of a list
/// is its most recent end, and each is circular through a sentinel that sits before slot 0.
///
/// Which lists hold a slot is not kept here: a policy that needs two lists at a time has a state for
/// each slot anyway.
///
/// - Complexity: every operation is O(1), but growth, which is O(slots). Memory: 16 bytes per slot.
@usableFromInline package struct SlotLinkPairs: ~Copyable {
  /// Names one list.
  @usableFromInline package struct List: Equatable {
    /// The pair of a slot's two pairs of links that the list runs through.
    @usableFromInline let pair: Int
    /// The number of its sentinel, which is below 0.
    @usableFromInline let sentinel: Int

    @inlinable @inline(__always)
    init(pair: Int, sentinel: Int) {
      self.pair = pair
      self.sentinel = sentinel
    }

    /// Stack `number`, counted from 1: a list of the first pair of links.
    @inlinable @inline(__always)
    package static func stack(_ number: Int) -> List { List(pair: 0, sentinel: -number) }
    /// Queue `number`, counted from 1: a list of the second pair of links.
    @inlinable @inline(__always)
    package static func queue(_ number: Int) -> List { List(pair: 1, sentinel: -number) }
  }

  /// Neighbours in one list. Numbers with the high bit set are sentinels.
  @usableFromInline
  struct Link {
    @usableFromInline var newer: UInt32
    @usableFromInline var older: UInt32

    @inlinable @inline(__always)
    init(newer: UInt32, older: UInt32) {
      self.newer = newer
      self.older = older
    }
  }

  /// Two links per slot, and before slot 0 the sentinels, two per record.
  @usableFromInline var links: UnsafeMutablePointer<Link>
  @usableFromInline var slots: Int

  @usableFromInline let count: Int

  /// Creates `count` empty stacks and as many empty queues, with room for `slots` slots.
  @inlinable
  package init(count: Int, slots: Int = 0) {
    self.count = count
    self.slots = 0
    links = .allocate(capacity: 2 * count) + 2 * count
    removeAll()
    reserve(slots: slots)
  }

  deinit { (links - 2 * count).deallocate() }

  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  package mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    precondition(newSlots <= Int(Int32.max), "at most 2^31 − 1 slots")
    let before = 2 * count
    let newLinks =
      UnsafeMutablePointer<Link>.allocateRecords(capacity: before + 2 * newSlots) + before
    (newLinks - before).moveInitialize(from: links - before, count: before + 2 * slots)
    (newLinks + 2 * slots).initialize(
      repeating: Link(newer: 0, older: 0), count: 2 * (newSlots - slots))
    (links - before).deallocate()
    links = newLinks
    slots = newSlots
  }

  /// Empties every list.
  @inlinable
  package mutating func removeAll() {
    for number in stride(from: 1, through: count, by: 1) {
      clear(.stack(number))
      clear(.queue(number))
    }
  }

  /// Empties `list`.
  @inlinable
  package mutating func clear(_ list: List) {
    let number = UInt32(truncatingIfNeeded: list.sentinel)
    (links + 2 * list.sentinel + list.pair).initialize(to: Link(newer: number, older: number))
  }

  /// The most recent slot of `list`, or nil if it is empty.
  @inlinable @inline(__always)
  package func front(of list: List) -> Slot? {
    asSlot(links[2 &* list.sentinel &+ list.pair].older)
  }

  /// The least recent slot of `list`, or nil if it is empty.
  @inlinable @inline(__always)
  package func back(of list: List) -> Slot? {
    asSlot(links[2 &* list.sentinel &+ list.pair].newer)
  }

  /// The least recent slot of `list` that is not pinned, or nil if there is none.
  @inlinable @inline(__always)
  package func unpinnedBack(of list: List, host: borrowing some SlotHost & ~Copyable) -> Slot? {
    var candidate = back(of: list)
    while let slot = candidate, host.isPinned(slot) { candidate = newer(than: slot, in: list) }
    return candidate
  }

  /// The neighbour of `slot` towards the front of `list`, which holds it, or nil at the front.
  @inlinable @inline(__always)
  package func newer(than slot: Slot, in list: List) -> Slot? {
    asSlot(links[index(slot, list)].newer)
  }

  /// Puts `slot` at the front of `list`; no list of that pair of links holds it.
  @inlinable @inline(__always)
  package mutating func prepend(_ slot: Slot, to list: List) {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    let sentinel = 2 &* list.sentinel &+ list.pair
    let number = UInt32(truncatingIfNeeded: list.sentinel)
    let older = links[sentinel].older
    links[index(slot, list)] = Link(newer: number, older: older)
    links[index(older, list)].newer = slot
    links[sentinel].older = slot
    assert(neighboursAgree(on: slot, list))
  }

  /// Takes `slot` out of `list`, which holds it.
  @inlinable @inline(__always)
  package mutating func remove(_ slot: Slot, from list: List) {
    assert(neighboursAgree(on: slot, list))
    let link = links[index(slot, list)]
    links[index(link.newer, list)].older = link.older
    links[index(link.older, list)].newer = link.newer
  }

  /// Makes `slot` the most recent of `list`, which holds it.
  @inlinable @inline(__always)
  package mutating func moveToFront(_ slot: Slot, of list: List) {
    remove(slot, from: list)
    prepend(slot, to: list)
  }

  /// Asks the processor to bring near the links of `slot`.
  @inlinable @inline(__always)
  package func prefetch(_ slot: Slot) { evl_prefetch(links + 2 &* Int(slot)) }

  @inlinable @inline(__always)
  func asSlot(_ node: UInt32) -> Slot? { node < 0x8000_0000 ? node : nil }

  @inlinable @inline(__always)
  func index(_ node: UInt32, _ list: List) -> Int {
    2 &* Int(Int32(bitPattern: node)) &+ list.pair
  }

  /// Checks what one mutation can break. Called from assertions, so that release builds pay nothing.
  @usableFromInline
  func neighboursAgree(on slot: Slot, _ list: List) -> Bool {
    let link = links[index(slot, list)]
    precondition(links[index(link.newer, list)].older == slot, "the newer neighbour of \(slot)")
    precondition(links[index(link.older, list)].newer == slot, "the older neighbour of \(slot)")
    return true
  }
}
