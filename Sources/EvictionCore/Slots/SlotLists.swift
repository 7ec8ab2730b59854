import CInline

/// A few doubly linked lists over the same slots; a slot is in at most one of them at a time.
///
/// The front of a list is its *most recent* end, the back its *least recent* one. Links are two
/// 32-bit slots in a flat array, and each list is circular through a sentinel that sits before slot 0,
/// so linking and unlinking never branch. Which list owns a slot is kept in an array of its own, so
/// that asking whether a slot is resident touches one byte: a million answers fit a processor's
/// second-level cache.
///
/// Each list also knows how many slots it has and how many size units they take together, so that a
/// quota reads the same whether objects count one or their bytes.
///
///     var lists = SlotLists<UInt8>(count: 2, slots: 1_000)
///     lists.prepend(7, to: .first, size: 1)
///     lists.owner(of: 7)        // .first
///     lists.back(of: .first)    // 7
///
/// `Owner` is the integer that names a list: `UInt8` for up to 255 lists, `UInt32` beyond.
///
/// - Complexity: every operation is O(1), but growth and ``removeAll()``, which are O(slots).
///   Memory: 8 bytes per slot and one `Owner`.
public struct SlotLists<Owner: FixedWidthInteger & UnsignedInteger>: ~Copyable {
  /// Names one list. A policy gives its lists names of its own: `.t1`, `.protected`.
  public struct ID: Equatable {
    /// 1 for the first list, 2 for the second; 0 means no list.
    public let rawValue: Owner

    /// Names the list number `rawValue`.
    @inlinable @inline(__always)
    public init(_ rawValue: Owner) { self.rawValue = rawValue }

    /// The owner of a slot that is in no list.
    @inlinable @inline(__always)
    public static var none: ID { ID(0) }

    /// The first list.
    @inlinable @inline(__always)
    public static var first: ID { ID(1) }
  }

  /// A slot's neighbours. Numbers with the high bit set are sentinels: list k's is −k.
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

  @usableFromInline
  struct Total {
    @usableFromInline var count = 0
    @usableFromInline var size = 0

    @inlinable
    init() {}
  }

  /// Indexed from −listCount (the sentinels) to slots − 1.
  @usableFromInline var links: UnsafeMutablePointer<Link>
  /// Indexed by slot: the owner's number.
  @usableFromInline var owners: UnsafeMutablePointer<Owner>
  /// Indexed by a list's number; entry 0 is unused.
  @usableFromInline var totals: UnsafeMutablePointer<Total>
  @usableFromInline var listCount: Int
  @usableFromInline var slots: Int

  /// Creates `count` empty lists with room for `slots` slots.
  @inlinable
  public init(count: Int, slots: Int = 0) {
    precondition(count >= 0 && count <= Int(Owner.max), "an owner cannot name that many lists")
    precondition((0...SlotLists.maximumSlots).contains(slots), "at most 2^31 − 1 slots")
    listCount = 0
    self.slots = 0
    links = .allocate(capacity: 0)
    owners = .allocate(capacity: 0)
    totals = .allocate(capacity: 1)
    totals.initialize(to: Total())
    grow(slots: slots, lists: count)
  }

  deinit {
    (links - listCount).deallocate()
    owners.deallocate()
    totals.deallocate()
  }

  @inlinable static var maximumSlots: Int { Int(Int32.max) }
}

// MARK: - Growing and clearing

extension SlotLists {
  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  public mutating func reserve(slots: Int) {
    precondition(slots <= SlotLists.maximumSlots, "at most 2^31 − 1 slots")
    if slots > self.slots { grow(slots: slots, lists: listCount) }
  }

  /// Adds empty lists until there are `lists` of them.
  ///
  /// - Complexity: O(slots), as the links move with their sentinels.
  @inlinable
  public mutating func addLists(upTo lists: Int) {
    if lists > listCount { grow(slots: slots, lists: lists) }
  }

  @inlinable
  mutating func grow(slots newSlots: Int, lists newLists: Int) {
    precondition(newLists <= Int(Owner.max), "an owner cannot name that many lists")
    let newLinks =
      UnsafeMutablePointer<Link>.allocateRecords(capacity: newLists + newSlots) + newLists
    (newLinks - listCount).moveInitialize(from: links - listCount, count: listCount + slots)
    (newLinks + slots).initialize(
      repeating: Link(newer: 0, older: 0), count: newSlots - slots)
    (links - listCount).deallocate()
    links = newLinks

    let newOwners = UnsafeMutablePointer<Owner>.allocateRecords(capacity: newSlots)
    newOwners.moveInitialize(from: owners, count: slots)
    (newOwners + slots).initialize(repeating: 0, count: newSlots - slots)
    owners.deallocate()
    owners = newOwners

    let newTotals = UnsafeMutablePointer<Total>.allocate(capacity: newLists + 1)
    newTotals.moveInitialize(from: totals, count: listCount + 1)
    (newTotals + listCount + 1).initialize(repeating: Total(), count: newLists - listCount)
    totals.deallocate()
    totals = newTotals

    for list in stride(from: listCount + 1, through: newLists, by: 1) { linkSentinel(list) }
    slots = newSlots
    listCount = newLists
  }

  @inlinable
  mutating func linkSentinel(_ list: Int) {
    let sentinel = UInt32(truncatingIfNeeded: -list)
    (links - list).initialize(to: Link(newer: sentinel, older: sentinel))
  }

  /// Empties every list.
  @inlinable
  public mutating func removeAll() {
    owners.update(repeating: 0, count: slots)
    totals.update(repeating: Total(), count: listCount + 1)
    for list in stride(from: 1, through: listCount, by: 1) { linkSentinel(list) }
  }
}

// MARK: - Asking

extension SlotLists {
  /// The list that holds `slot`, or ``ID/none``.
  @inlinable @inline(__always)
  public func owner(of slot: Slot) -> ID {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    return ID(owners[Int(slot)])
  }

  /// The number of lists.
  @inlinable @inline(__always)
  public var count: Int { listCount }

  /// Returns the number of slots that `list` holds.
  @inlinable @inline(__always)
  public func count(of list: ID) -> Int { totals[Int(list.rawValue)].count }

  /// Returns the number of size units that the slots of `list` take together.
  @inlinable @inline(__always)
  public func size(of list: ID) -> Int { totals[Int(list.rawValue)].size }

  /// Returns true if `list` holds no slot.
  @inlinable @inline(__always)
  public func isEmpty(_ list: ID) -> Bool { count(of: list) == 0 }

  /// The most recent slot of `list`, or nil if it is empty.
  @inlinable @inline(__always)
  public func front(of list: ID) -> Slot? { asSlot(links[sentinel(of: list)].older) }

  /// The least recent slot of `list`, or nil if it is empty.
  @inlinable @inline(__always)
  public func back(of list: ID) -> Slot? { asSlot(links[sentinel(of: list)].newer) }

  /// The neighbour of `slot` towards the front, or nil at the front.
  @inlinable @inline(__always)
  public func newer(than slot: Slot) -> Slot? {
    assert(owner(of: slot) != .none, "slot \(slot) is in no list")
    return asSlot(links[Int(slot)].newer)
  }

  /// The neighbour of `slot` towards the back, or nil at the back.
  @inlinable @inline(__always)
  public func older(than slot: Slot) -> Slot? {
    assert(owner(of: slot) != .none, "slot \(slot) is in no list")
    return asSlot(links[Int(slot)].older)
  }

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    evl_prefetch(owners + Int(slot))
    evl_prefetch(links + Int(slot))
  }

  @inlinable @inline(__always)
  func sentinel(of list: ID) -> Int { -Int(list.rawValue) }

  @inlinable @inline(__always)
  func asSlot(_ node: UInt32) -> Slot? { node < 0x8000_0000 ? node : nil }

  @inlinable @inline(__always)
  func index(_ node: UInt32) -> Int { Int(Int32(bitPattern: node)) }
}

// MARK: - Moving slots

extension SlotLists {
  /// Puts `slot`, which is in no list, at the front of `list`.
  @inlinable @inline(__always)
  public mutating func prepend(_ slot: Slot, to list: ID, size: Int) {
    enter(slot, list: list, size: size)
    link(slot, after: UInt32(truncatingIfNeeded: sentinel(of: list)))
    assert(invariantsHold(around: slot))
  }

  /// Puts `slot`, which is in no list, at the back of `list`.
  @inlinable @inline(__always)
  public mutating func append(_ slot: Slot, to list: ID, size: Int) {
    enter(slot, list: list, size: size)
    link(slot, after: links[sentinel(of: list)].newer)
    assert(invariantsHold(around: slot))
  }

  /// Takes `slot` out of the list that holds it; `size` is what it entered with.
  @inlinable @inline(__always)
  public mutating func remove(_ slot: Slot, size: Int) {
    remove(slot, from: owner(of: slot), size: size)
  }

  /// Takes `slot` out of `list`, which holds it: which list it is need not be read of a victim that is far away.
  @inlinable @inline(__always)
  public mutating func remove(_ slot: Slot, from list: ID, size: Int) {
    assert(list != .none && owner(of: slot) == list, "slot \(slot) is not in that list")
    unlink(slot)
    owners[Int(slot)] = 0
    totals[Int(list.rawValue)].count &-= 1
    totals[Int(list.rawValue)].size &-= size
    assert(invariantsHold(around: slot))
  }

  /// Makes `slot` the most recent of `list`, which holds it.
  @inlinable @inline(__always)
  public mutating func moveToFront(_ slot: Slot, of list: ID) {
    assert(owner(of: slot) == list, "slot \(slot) is in another list")
    unlink(slot)
    link(slot, after: UInt32(truncatingIfNeeded: sentinel(of: list)))
    assert(invariantsHold(around: slot))
  }

  /// Moves all slots behind `slot` to the front of `list`, which holds it, from the least recent on: `slot` is the
  /// least recent then. The list is a ring, so its sentinel moves instead.
  @inlinable
  public mutating func rotate(_ list: ID, until slot: Slot) {
    assert(owner(of: slot) == list, "slot \(slot) is in another list")
    let (ring, end) = (sentinel(of: list), links[sentinel(of: list)])
    if end.newer == slot { return }
    links[index(end.newer)].older = end.older
    links[index(end.older)].newer = end.newer
    let next = links[Int(slot)].older
    links[ring] = Link(newer: slot, older: next)
    links[Int(slot)].older = UInt32(truncatingIfNeeded: ring)
    links[index(next)].newer = UInt32(truncatingIfNeeded: ring)
    assert(invariantsHold(around: slot))
  }

  /// Moves `slot` from the list that holds it to the front of another.
  @inlinable @inline(__always)
  public mutating func move(_ slot: Slot, toFrontOf list: ID, size: Int) {
    move(slot, from: owner(of: slot), toFrontOf: list, size: size)
  }

  /// Moves `slot` from `list`, which holds it, to the front of another.
  @inlinable @inline(__always)
  public mutating func move(_ slot: Slot, from list: ID, toFrontOf other: ID, size: Int) {
    remove(slot, from: list, size: size)
    prepend(slot, to: other, size: size)
  }

  /// Counts `slot` with `difference` more size units in the list that holds it.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    totals[Int(owner(of: slot).rawValue)].size &+= difference
  }

  @inlinable @inline(__always)
  mutating func enter(_ slot: Slot, list: ID, size: Int) {
    assert(owner(of: slot) == .none, "slot \(slot) is in a list already")
    assert(list != .none && Int(list.rawValue) <= listCount, "there is no such list")
    owners[Int(slot)] = list.rawValue
    totals[Int(list.rawValue)].count &+= 1
    totals[Int(list.rawValue)].size &+= size
  }

  @inlinable @inline(__always)
  mutating func unlink(_ slot: Slot) {
    let link = links[Int(slot)]
    links[index(link.newer)].older = link.older
    links[index(link.older)].newer = link.newer
  }

  /// Links `slot` as the older neighbour of `node`, a slot or a sentinel.
  @inlinable @inline(__always)
  mutating func link(_ slot: Slot, after node: UInt32) {
    let older = links[index(node)].older
    links[Int(slot)] = Link(newer: node, older: older)
    links[index(older)].newer = slot
    links[index(node)].older = slot
  }
}
