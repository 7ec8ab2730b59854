/// A few lists over the same slots, each ordered by when its slots came; a slot is in at most one of them.
///
/// The front of a list is its *most recent* end, the back its *least recent* one. Three structures keep them.
/// ``SlotLists``, linked lists, serve every host: 9 bytes a slot. ``SlotLogs`` are for simulations of objects that count
/// one: a slot that moves touches no neighbour, so that a policy runs up to twice as fast, with pauses and memory that a
/// cache would not take. ``PinnedLists`` are for caches of prefixes, where a search for a victim meets many pinned slots.
///
/// Members for hosts have a form that is right for any lists.
///
/// A policy written over this protocol is ``ListRules``.
///
/// - Complexity: O(1) for every operation, amortized in logs, but growth and ``removeAll()``, which are O(slots).
public protocol RecencyLists: ~Copyable {
  /// The bytes that each slot in a list takes beside those of slots.
  static var bytesPerObject: Int { get }

  /// Creates `count` empty lists with room for `slots` slots.
  init(count: Int, slots: Int)

  /// Passes on every list; refuses by default. See ``PolicyState``.
  mutating func visitState(_ state: inout PolicyState)

  /// The list that holds `slot`, or `none`.
  func owner(of slot: Slot) -> ListID
  /// The number of slots that `list` holds.
  func count(of list: ListID) -> Int
  /// The number of size units that the slots of `list` take together.
  func size(of list: ListID) -> Int
  /// The least recent slot of `list`, or nil if it is empty.
  func back(of list: ListID) -> Slot?

  /// The most recent slot of `list`, or nil if it is empty. O(slots) at worst in logs.
  func front(of list: ListID) -> Slot?
  /// The neighbour of `slot` towards the front, or nil at the front. O(slots) at worst in logs.
  func newer(than slot: Slot) -> Slot?

  /// Puts `slot`, which is in no list, at the front of `list`.
  mutating func prepend(_ slot: Slot, to list: ListID, size: Int)
  /// Puts `slot`, which is in no list, at the back of `list`. O(slots) in logs.
  mutating func append(_ slot: Slot, to list: ListID, size: Int)
  /// Takes `slot` out of `list`, which holds it; `size` is what it entered with.
  mutating func remove(_ slot: Slot, from list: ListID, size: Int)
  /// Makes `slot` the most recent of `list`, which holds it.
  mutating func moveToFront(_ slot: Slot, of list: ListID)
  /// Makes `slot` the most recent of `list` if that holds it.
  mutating func moveToFront(_ slot: Slot, ifIn list: ListID)
  /// Moves `slot` from `list`, which holds it, to the front of another.
  mutating func move(_ slot: Slot, from list: ListID, toFrontOf other: ListID, size: Int)
  /// Moves the least recent slot of `list`, which is not empty, to the front of another.
  mutating func moveBack(
    of list: ListID, toFrontOf other: ListID, host: borrowing some SlotHost & ~Copyable)

  /// Moves `slot` to the front of `list`, which holds it, if `missed` is 0. If it is 1, `slot` is in no list, and
  /// replaces the least recent slot of `other`, which is not empty, at the front of that. Objects count one.
  mutating func moveToFront(
    _ slot: Slot, of list: ListID, orReplaceBackOf other: ListID, missed: Int)
  /// Moves `slot` to the front of `list`, which holds it, if `moved` is 1. If `missed` is, `slot` is in no list, and
  /// replaces the least recent slot of `list`, which is not empty, at its front. Objects count one.
  mutating func moveToFront(
    _ slot: Slot, of list: ListID, moved: Int, orReplaceBackIf missed: Int)
  /// Moves `slot` to the front of `list`, which holds it, if `moved` is 1. If `missed` is, `slot` is in no list, and
  /// takes the place of the most recent slot of `list`, which is not empty. Objects count one.
  mutating func moveToFront(
    _ slot: Slot, of list: ListID, moved: Int, orReplaceFrontIf missed: Int)

  /// Returns true if `list` holds no slot that may leave.
  func lacksVictim(_ list: ListID, host: borrowing some SlotHost & ~Copyable) -> Bool
  /// The least recent slot of `list` that is not pinned, or nil if there is none.
  func unpinnedBack(of list: ListID, host: borrowing some SlotHost & ~Copyable) -> Slot?
  /// Moves CLOCK's hand over pinned slots: those at the back of `list` go to its front as they are.
  ///
  /// - Returns: The slot at the hand, which is not pinned; nil if none is.
  mutating func passPinned(of list: ListID, host: borrowing some SlotHost & ~Copyable) -> Slot?
  /// Evicts the least recent slot of `list` that is not pinned and remembers nothing about it, if the host lets it go.
  mutating func evictBack(of list: ListID, host: inout some SlotHost & ~Copyable)
  /// Evicts the most recent slot of `list` that is not pinned and remembers nothing about it, if the host lets it go.
  mutating func evictFront(of list: ListID, host: inout some SlotHost & ~Copyable)
  /// Evicts the least recent slot of `list` that is not pinned, which becomes the newest ghost of `ghosts`, if the host
  /// lets it go.
  mutating func evictBack(
    of list: ListID, to ghosts: ListID, host: inout some SlotHost & ~Copyable)
  /// Forgets the oldest ghost of `list`.
  mutating func forgetBack(of list: ListID, host: inout some SlotHost & ~Copyable)

  /// Counts `slot` with `difference` more size units in the list that holds it.
  mutating func changeSize(of slot: Slot, by difference: Int)
  /// Empties every list.
  mutating func removeAll()
  /// Makes room for slots below `slots`; never shrinks.
  mutating func reserve(slots: Int)
  /// Asks the processor to bring near what a request for `slot` will read.
  func prefetch(_ slot: Slot)
  /// Gives back memory that is not used: to be called now and then.
  mutating func shrink()
}

/// Names one of ``RecencyLists``.
public typealias ListID = SlotLists<UInt8>.ID

extension RecencyLists where Self: ~Copyable {
  /// The lists can't be passed on.
  public mutating func visitState(_ state: inout PolicyState) { state.refuse() }

  /// Returns true if `list` holds no slot.
  @inlinable @inline(__always)
  public func isEmpty(_ list: ListID) -> Bool { count(of: list) == 0 }

  /// The end of an `insert` that admits nothing but remembers the newcomer: it becomes the most recent ghost of `ghosts`,
  /// with the size that it had if it was a ghost already.
  ///
  /// - Returns: False.
  @inlinable @inline(__always)
  public mutating func refuse(
    _ request: Request, to ghosts: ListID, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let list = owner(of: request.slot)
    if list == .none {
      host.didRemember(request)
      prepend(request.slot, to: ghosts, size: request.size)
    } else {
      move(request.slot, from: list, toFrontOf: ghosts, size: host.size(of: request.slot))
    }
    return false
  }

  /// Slots take all.
  @inlinable public static var bytesPerObject: Int { 0 }

  /// Does nothing: right where memory is by slots.
  @inlinable @inline(__always)
  public mutating func shrink() {}

  /// Moves the least recent slot of `list`, which is not empty, to the front of another.
  @inlinable @inline(__always)
  public mutating func moveBack(
    of list: ListID, toFrontOf other: ListID, host: borrowing some SlotHost & ~Copyable
  ) {
    guard let slot = back(of: list) else { preconditionFailure("the list is empty") }
    move(slot, from: list, toFrontOf: other, size: host.size(of: slot))
  }

  /// Makes `slot` the most recent of `list` if that holds it.
  @inlinable @inline(__always)
  public mutating func moveToFront(_ slot: Slot, ifIn list: ListID) {
    if owner(of: slot) == list { moveToFront(slot, of: list) }
  }

  /// Moves `slot` to the front of its list, or lets it replace the back of another.
  @inlinable @inline(__always)
  public mutating func moveToFront(
    _ slot: Slot, of list: ListID, orReplaceBackOf other: ListID, missed: Int
  ) {
    if missed == 0 { return moveToFront(slot, of: list) }
    guard let victim = back(of: other) else { preconditionFailure("the list is empty") }
    remove(victim, from: other, size: 1)
    prepend(slot, to: other, size: 1)
  }

  /// Returns true if `list` holds no slot that may leave.
  @inlinable @inline(__always)
  public func lacksVictim(_ list: ListID, host: borrowing some SlotHost & ~Copyable) -> Bool {
    unpinnedBack(of: list, host: host) == nil
  }

  /// Evicts the least recent slot of `list` that is not pinned and remembers nothing about it, if the host lets it go.
  @inlinable @inline(__always)
  public mutating func evictBack(of list: ListID, host: inout some SlotHost & ~Copyable) {
    guard let victim = unpinnedBack(of: list, host: host) else {
      preconditionFailure("the list to evict from is empty")
    }
    if !host.mayEvict(victim) { return }
    remove(victim, from: list, size: host.size(of: victim))
    host.didEvictAndForget(victim)
  }

  /// Evicts the least recent slot of `list` that is not pinned, which becomes the newest ghost of `ghosts`, if the host
  /// lets it go.
  @inlinable @inline(__always)
  public mutating func evictBack(
    of list: ListID, to ghosts: ListID, host: inout some SlotHost & ~Copyable
  ) {
    guard let victim = unpinnedBack(of: list, host: host) else {
      preconditionFailure("the list to evict from is empty")
    }
    if !host.mayEvict(victim) { return }
    move(victim, from: list, toFrontOf: ghosts, size: host.size(of: victim))
    host.didEvict(victim)
  }

  /// Forgets the oldest ghost of `list`.
  @inlinable @inline(__always)
  public mutating func forgetBack(of list: ListID, host: inout some SlotHost & ~Copyable) {
    guard let ghost = back(of: list) else { preconditionFailure("the list is empty") }
    remove(ghost, from: list, size: host.size(of: ghost))
    host.didForget(ghost)
  }

  /// Runs a request that only moves slots as `steady` says.
  ///
  /// - Returns: 1 if it missed, 0 if it hit, nil if nothing was done, as the slot is in another list.
  @inlinable @inline(__always)
  public mutating func steadyRequest(of slot: Slot, in steady: SteadyLists) -> Int? {
    let owner = owner(of: slot).rawValue
    // One test for both, as it must not tell hits from misses.
    let mask: UInt64 = 1 | 1 &<< UInt64(steady.hits.rawValue)
    if mask &>> UInt64(owner) & 1 == 1 {
      let missed = owner == 0 ? 1 : 0
      moveToFront(slot, of: steady.hits, orReplaceBackOf: steady.misses, missed: missed)
      return missed
    }
    return nil
  }

  /// Moves `slot` to the front of its list, or replaces the least recent one.
  @inlinable @inline(__always)
  public mutating func moveToFront(
    _ slot: Slot, of list: ListID, moved: Int, orReplaceBackIf missed: Int
  ) {
    if moved | missed == 0 { return }
    moveToFront(slot, of: list, orReplaceBackOf: list, missed: missed)
  }

  /// Moves `slot` to the front of its list, or replaces the most recent one.
  @inlinable @inline(__always)
  public mutating func moveToFront(
    _ slot: Slot, of list: ListID, moved: Int, orReplaceFrontIf missed: Int
  ) {
    if moved == 1 { moveToFront(slot, of: list) }
    if missed == 0 { return }
    guard let victim = front(of: list) else { preconditionFailure("the list is empty") }
    remove(victim, from: list, size: 1)
    prepend(slot, to: list, size: 1)
  }

  /// Takes `slot` out of the list that holds it, if any, and forgets it.
  @inlinable
  public mutating func forget(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    let list = owner(of: slot)
    if list == .none { return }
    remove(slot, from: list, size: host.size(of: slot))
    host.didForget(slot)
  }

  /// Evicts `victim` from the list that holds it and remembers nothing about it, if the host lets it go.
  @inlinable @inline(__always)
  public mutating func evict(_ victim: Slot, host: inout some SlotHost & ~Copyable) {
    if !host.mayEvict(victim) { return }
    remove(victim, from: owner(of: victim), size: host.size(of: victim))
    host.didEvictAndForget(victim)
  }
}

extension SlotLists: RecencyLists where Owner == UInt8 {}
