/// CAR with temporal filtering: two hits in a row do not make an object worth keeping.
public typealias CART = ListedPolicy<FilteringClockRules, SlotLists<UInt8>>

/// The rules of ``CART``: T1, T2, B1, B2; the hand of a clock is at the back of its list.
public struct FilteringClockRules: AdaptiveRules, ~Copyable {
  /// Bits of a slot.
  @usableFromInline typealias Marks = UInt8

  @usableFromInline var marks: SlotArray<Marks>
  /// p, and what bounds it and the ghosts.
  public var target: AdaptiveTarget
  /// nS: residents whose filter bit is S, which are in T1.
  @usableFromInline var shortTerm = 0
  /// nL: residents whose filter bit is L.
  @usableFromInline var longTerm = 0
  /// The target size of B1.
  @usableFromInline var q = 0

  @inlinable static var referenced: Marks { 1 }
  @inlinable static var isLong: Marks { 2 }

  /// Begins with p = q = 0.
  public init(_ configuration: PolicyConfiguration) {
    marks = SlotArray(repeating: 0, slots: configuration.slots)
    target = AdaptiveTarget(configuration)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    marks.visitState(&state)
    state.visit(&target)
    state.visit(&shortTerm)
    state.visit(&longTerm)
    state.visit(&q)
  }

  /// Prefetches the slot's bits.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { marks.prefetch(slot) }

  /// Sets the reference bit.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    marks[request.slot] |= Self.referenced
  }

  /// One of a page whose reference bit is set.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { marks[slot] & Self.referenced != 0 }

  /// Makes room, moves p and q for a ghost, and enters the object into T1: as S, or L if it was a ghost.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    guard makeRoom(for: request, lists: &lists, host: &host) else {
      boundGhosts(lists: &lists, host: &host, newcomer: slot)
      return refuse(request, lists: lists, host: &host)
    }
    let ghost = lists.owner(of: slot)
    if ghost == .none {
      lists.prepend(slot, to: .t1, size: request.size)
      marks[slot] = 0
      shortTerm += request.size
    } else {
      adapt(for: request, ghost: ghost, lists)
      lists.remove(slot, from: ghost, size: host.size(of: slot))
      lists.prepend(slot, to: .t1, size: request.size)
      marks[slot] = Self.isLong
      longTerm += request.size
      if ghost == .b2 { raiseQ(by: request.size, lists) }
    }
    boundGhosts(lists: &lists, host: &host)
    return true
  }

  /// replace(), also where nothing is known of the request.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    replace(forGhostOfB2: false, lists: &lists, host: &host)
    if request == nil { boundGhosts(lists: &lists, host: &host) }
  }

  /// replace(): the hands move until one finds an object that may leave.
  @inlinable @inline(__always)
  public mutating func replace<Lists: RecencyLists & ~Copyable>(
    forGhostOfB2 isOfB2: Bool, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    returnReferenced(lists: &lists, host: host)
    filterHead(lists: &lists, host: host)
    let fromT1 = target.handIsInT1(lists, host: host)
    let list: ListID = fromT1 ? .t1 : .t2
    let size = lists.size(of: list)
    lists.evictBack(of: list, to: fromT1 ? .b1 : .b2, host: &host)
    if fromT1 {
      shortTerm -= size - lists.size(of: list)
    } else {
      longTerm -= size - lists.size(of: list)
    }
  }

  /// Takes a resident out of the sum that it is in.
  @inlinable
  public mutating func remove(_ slot: Slot, from list: ListID, size: Int) {
    if Self.isResident(in: list) { changeSize(of: slot, by: -size) }
  }

  /// Counts a resident with `difference` more size units in nS or nL.
  @inlinable @inline(__always)
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    if marks[slot] & Self.isLong == 0 {
      shortTerm += difference
    } else {
      longTerm += difference
    }
  }

  /// Empties the sums; p and q stay.
  @inlinable
  public mutating func removeAll() {
    shortTerm = 0
    longTerm = 0
  }

  /// Bounds p, q and the ghosts by the new capacity.
  @inlinable
  public mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    target.resize(to: capacity)
    q = min(q, 2 * capacity)
    boundGhosts(lists: &lists, host: &host)
  }

  /// The targets of T1's and B1's sizes.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("p", target.p)
    show("q", Double(q))
  }

  /// Grows the bits.
  @inlinable
  public mutating func reserve(slots: Int) { marks.reserve(slots: slots) }
}

// MARK: - Steps

extension FilteringClockRules {
  /// Referenced objects at the head of T2 go to the tail of T1.
  @inlinable @inline(__always)
  mutating func returnReferenced<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    while let head = lists.passPinned(of: .t2, host: host), marks[head] & Self.referenced != 0 {
      marks[head] &= ~Self.referenced
      lists.moveBack(of: .t2, toFrontOf: .t1, host: host)
      raiseQ(by: host.size(of: head), lists)
    }
  }

  /// At the head of T1, referenced objects go to its tail, where they may become L, and others that are
  /// L go to the tail of T2: until an unreferenced S is there.
  @inlinable @inline(__always)
  mutating func filterHead<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    while let head = lists.passPinned(of: .t1, host: host), marks[head] != 0 {
      let size = host.size(of: head)
      if marks[head] & Self.referenced != 0 {
        marks[head] &= ~Self.referenced
        lists.moveToFront(head, of: .t1)
        let threshold = min(target.p + 1, Double(lists.size(of: .b1)))
        if marks[head] & Self.isLong == 0 && Double(lists.size(of: .t1)) >= threshold {
          marks[head] |= Self.isLong
          shortTerm -= size
          longTerm += size
        }
      } else {
        lists.moveBack(of: .t1, toFrontOf: .t2, host: host)
        q = max(q - size, target.capacity - lists.size(of: .t1))
      }
    }
  }

  /// q grows while the long-term objects, resident or remembered, take the whole capacity.
  @inlinable @inline(__always)
  mutating func raiseQ<Lists: RecencyLists & ~Copyable>(by size: Int, _ lists: borrowing Lists) {
    let t1 = lists.size(of: .t1)
    if lists.l2 + t1 - shortTerm >= target.capacity {
      q = min(q + size, 2 * target.capacity - t1)
    }
  }

  /// Moves p towards the list whose ghost was requested.
  @inlinable @inline(__always)
  mutating func adapt<Lists: RecencyLists & ~Copyable>(
    for request: Request, ghost: ListID, _ lists: borrowing Lists
  ) {
    let residents = Double(ghost == .b1 ? shortTerm : longTerm)
    target.move(for: request, ghost: ghost, ratio: residents / Double(lists.size(of: ghost)))
  }

  /// Forgets the oldest ghosts of B1 while it is longer than q, else those of B2.
  @inlinable @inline(__always)
  func boundGhosts<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: inout some SlotHost & ~Copyable, newcomer: Slot = .max
  ) {
    while lists.size(of: .b1) + lists.size(of: .b2) > target.ghosts {
      let isOfB1 =
        lists.isEmpty(.b2) || (!lists.isEmpty(.b1) && lists.size(of: .b1) > max(0, q))
      let ghosts: ListID = isOfB1 ? .b1 : .b2
      if newcomer != .max && lists.back(of: ghosts) == newcomer {
        lists.remove(newcomer, from: ghosts, size: host.size(of: newcomer))
      } else {
        lists.forgetBack(of: ghosts, host: &host)
      }
    }
  }
}
