/// CAR with temporal filtering: two hits in a row do not make an object worth keeping.
public struct CART: ListPolicy, ~Copyable {
  /// Bits of a slot.
  @usableFromInline typealias Marks = UInt8

  /// T1, T2, B1, B2; the hand of a clock is at the back of its list.
  public var lists: SlotLists<UInt8>
  @usableFromInline var passed = PassedSlots(lists: 4)
  @usableFromInline var marks: SlotArray<Marks>
  /// p, and what bounds it and the ghosts.
  @usableFromInline var target: AdaptiveTarget
  /// nS: residents whose filter bit is S, which are in T1.
  @usableFromInline var shortTerm = 0
  /// nL: residents whose filter bit is L.
  @usableFromInline var longTerm = 0
  /// The target size of B1.
  @usableFromInline var q = 0

  @inlinable static var referenced: Marks { 1 }
  @inlinable static var isLong: Marks { 2 }

  /// Creates an empty cache's policy, with p = q = 0.
  public init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 4, slots: configuration.slots)
    marks = SlotArray(repeating: 0, slots: configuration.slots)
    target = AdaptiveTarget(configuration)
  }

  /// T1 and T2 are resident, B1 and B2 are not.
  @inlinable @inline(__always)
  public static func isResident(in list: SlotLists<UInt8>.ID) -> Bool {
    list == .t1 || list == .t2
  }

  /// Prefetches the slot's links, owner and bits.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    lists.prefetch(slot)
    marks.prefetch(slot)
  }

  /// Sets the reference bit.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    marks[request.slot] |= CART.referenced
  }

  /// One of a page whose reference bit is set.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { marks[slot] & CART.referenced != 0 }

  /// Makes room, moves p and q for a ghost, and enters the object into T1: as S, or L if it was a ghost.
  @inlinable
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    guard makeRoom(for: request, host: &host) else {
      boundGhosts(host: &host, newcomer: slot)
      return refuse(request, host: &host)
    }
    let ghost = lists.owner(of: slot)
    if ghost == .none {
      lists.prepend(slot, to: .t1, size: request.size)
      passed.placed(slot, host: host)
      marks[slot] = 0
      shortTerm += request.size
    } else {
      adapt(for: request, ghost: ghost)
      lists.remove(slot, size: host.size(of: slot))
      lists.prepend(slot, to: .t1, size: request.size)
      passed.placed(slot, host: host)
      marks[slot] = CART.isLong
      longTerm += request.size
      if ghost == .b2 { raiseQ(by: request.size) }
    }
    boundGhosts(host: &host)
    return true
  }

  /// replace(): the hands move until one finds an object that may leave.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    returnReferenced(host: host)
    filterHead(host: host)
    let t1IsLong = Double(lists.size(of: .t1)) >= max(1, target.p)
    var fromT1 = passed.lacksVictim(.t2, in: lists, host: host)
    if !fromT1 && t1IsLong { fromT1 = !passed.lacksVictim(.t1, in: lists, host: host) }
    let list: SlotLists<UInt8>.ID = fromT1 ? .t1 : .t2
    guard let victim = passed.unpinnedBack(of: list, in: lists, host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    if !host.mayEvict(victim) { return }
    lists.move(victim, toFrontOf: fromT1 ? .b1 : .b2, size: host.size(of: victim))
    host.evicted(victim)
    if fromT1 {
      shortTerm -= host.size(of: victim)
    } else {
      longTerm -= host.size(of: victim)
    }
    if request == nil { boundGhosts(host: &host) }
  }

  /// Unlinks `slot`, resident or ghost.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if contains(slot) { count(slot, by: -host.size(of: slot)) }
    lists.forget(slot, host: &host)
  }

  /// Corrects the sums that `slot` is in.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    lists.changeSize(of: slot, by: difference)
    count(slot, by: difference)
  }

  /// Empties the lists; p and q stay.
  @inlinable
  public mutating func removeAll() {
    lists.removeAll()
    shortTerm = 0
    longTerm = 0
  }

  /// Bounds p, q and the ghosts by the new capacity.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    target.resize(to: capacity)
    q = min(q, 2 * capacity)
    boundGhosts(host: &host)
  }

  /// The targets of T1's and B1's sizes.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("p", target.p)
    show("q", Double(q))
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    lists.reserve(slots: slots)
    marks.reserve(slots: slots)
  }
}

// MARK: - Steps

extension CART {
  /// Counts a resident with `difference` more size units in nS or nL.
  @inlinable @inline(__always)
  mutating func count(_ slot: Slot, by difference: Int) {
    if marks[slot] & CART.isLong == 0 {
      shortTerm += difference
    } else {
      longTerm += difference
    }
  }

  /// Referenced objects at the head of T2 go to the tail of T1.
  @inlinable @inline(__always)
  mutating func returnReferenced(host: borrowing some SlotHost & ~Copyable) {
    while let head = passed.passPinned(of: .t2, in: &lists, host: host),
      marks[head] & CART.referenced != 0
    {
      let size = host.size(of: head)
      marks[head] &= ~CART.referenced
      lists.move(head, toFrontOf: .t1, size: size)
      passed.placed(head, host: host)
      raiseQ(by: size)
    }
  }

  /// At the head of T1, referenced objects go to its tail, where they may become L, and others that are
  /// L go to the tail of T2: until an unreferenced S is there.
  @inlinable @inline(__always)
  mutating func filterHead(host: borrowing some SlotHost & ~Copyable) {
    while let head = passed.passPinned(of: .t1, in: &lists, host: host), marks[head] != 0 {
      let size = host.size(of: head)
      if marks[head] & CART.referenced != 0 {
        marks[head] &= ~CART.referenced
        lists.moveToFront(head, of: .t1)
        passed.placed(head, host: host)
        let threshold = min(target.p + 1, Double(lists.size(of: .b1)))
        if marks[head] & CART.isLong == 0 && Double(lists.size(of: .t1)) >= threshold {
          marks[head] |= CART.isLong
          shortTerm -= size
          longTerm += size
        }
      } else {
        lists.move(head, toFrontOf: .t2, size: size)
        passed.placed(head, host: host)
        q = max(q - size, target.capacity - lists.size(of: .t1))
      }
    }
  }

  /// q grows while the long-term objects, resident or remembered, take the whole capacity.
  @inlinable @inline(__always)
  mutating func raiseQ(by size: Int) {
    let t1 = lists.size(of: .t1)
    if lists.size(of: .t2) + lists.size(of: .b2) + t1 - shortTerm >= target.capacity {
      q = min(q + size, 2 * target.capacity - t1)
    }
  }

  /// Moves p towards the list whose ghost was requested.
  @inlinable @inline(__always)
  mutating func adapt(for request: Request, ghost: SlotLists<UInt8>.ID) {
    let residents = Double(ghost == .b1 ? shortTerm : longTerm)
    target.move(for: request, ghost: ghost, ratio: residents / Double(lists.size(of: ghost)))
  }

  /// Forgets the oldest ghosts of B1 while it is longer than q, else those of B2.
  @inlinable @inline(__always)
  mutating func boundGhosts(host: inout some SlotHost & ~Copyable, newcomer: Slot = .max) {
    while lists.size(of: .b1) + lists.size(of: .b2) > target.ghosts {
      let fromB1 =
        lists.isEmpty(.b2) || (!lists.isEmpty(.b1) && lists.size(of: .b1) > max(0, q))
      if newcomer != .max && lists.back(of: fromB1 ? .b1 : .b2) == newcomer {
        lists.remove(newcomer, size: host.size(of: newcomer))
      } else {
        lists.forgetBack(of: fromB1 ? .b1 : .b2, host: &host)
      }
    }
  }
}
