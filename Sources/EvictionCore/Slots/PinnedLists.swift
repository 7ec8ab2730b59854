/// Lists for a host that pins slots, a cache of prefixes: ``SlotLists`` that know which slots are not pinned, from the
/// first search for a victim on. A newcomer may be one; a slot that was pinned when a search came by is one again when it is
/// released.
///
/// Slots have labels that grow from the back of a list to its front. CLOCK's hand goes round: a label counts from the hand,
/// so that the slots that it passes keep theirs.
///
/// - Complexity: as ``SlotLists``, amortised; a search is O(slots that came since the last one), and O(log releases) for
///   each release since. Memory: 17 bytes per slot, and up to 64 for each one in a list where slots are searched for.
public struct PinnedLists: RecencyLists, ~Copyable {
  @usableFromInline var lists: SlotLists<UInt8>
  /// The place of each slot in its list.
  @usableFromInline var labels: SlotArray<UInt64>
  /// Indexed by a list's number. Searches change nothing else.
  @usableFromInline let trails: UnsafeMutablePointer<Trail>
  @usableFromInline let listCount: Int

  /// Creates `count` empty lists with room for `slots` slots.
  @inlinable
  public init(count: Int, slots: Int) {
    lists = SlotLists(count: count, slots: slots)
    labels = SlotArray(repeating: 0, slots: slots)
    listCount = count
    trails = .allocate(capacity: count + 1)
    trails.initialize(repeating: Trail(), count: count + 1)
  }

  @inlinable
  deinit {
    trails.deinitialize(count: listCount + 1)
    trails.deallocate()
  }

  /// The list that holds `slot`, or `none`.
  @inlinable @inline(__always)
  public func owner(of slot: Slot) -> ListID { lists.owner(of: slot) }

  /// The number of slots that `list` holds.
  @inlinable @inline(__always)
  public func count(of list: ListID) -> Int { lists.count(of: list) }

  /// The number of size units that the slots of `list` take together.
  @inlinable @inline(__always)
  public func size(of list: ListID) -> Int { lists.size(of: list) }

  /// The least recent slot of `list`, or nil if it is empty.
  @inlinable @inline(__always)
  public func back(of list: ListID) -> Slot? { lists.back(of: list) }

  /// The most recent slot of `list`, or nil if it is empty.
  @inlinable @inline(__always)
  public func front(of list: ListID) -> Slot? { lists.front(of: list) }

  /// The neighbour of `slot` towards the front, or nil at the front.
  @inlinable @inline(__always)
  public func newer(than slot: Slot) -> Slot? { lists.newer(than: slot) }

  /// Puts `slot`, which is in no list, at the front of `list`.
  @inlinable
  public mutating func prepend(_ slot: Slot, to list: ListID, size: Int) {
    label(slot, frontOf: list)
    lists.prepend(slot, to: list, size: size)
    note(slot, list)
  }

  /// Puts `slot`, which is in no list, at the back of `list`.
  @inlinable
  public mutating func append(_ slot: Slot, to list: ListID, size: Int) {
    label(slot, backOf: list)
    lists.append(slot, to: list, size: size)
    if trails[Int(list.rawValue)].isKept { push(slot, list) }
  }

  /// Takes `slot` out of `list`, which holds it.
  @inlinable
  public mutating func remove(_ slot: Slot, from list: ListID, size: Int) {
    lists.remove(slot, from: list, size: size)
  }

  /// Makes `slot` the most recent of `list`, which holds it.
  @inlinable
  public mutating func moveToFront(_ slot: Slot, of list: ListID) {
    label(slot, frontOf: list)
    lists.moveToFront(slot, of: list)
    note(slot, list)
  }

  /// Moves `slot` from `list`, which holds it, to the front of another.
  @inlinable
  public mutating func move(_ slot: Slot, from list: ListID, toFrontOf other: ListID, size: Int) {
    label(slot, frontOf: other)
    lists.move(slot, from: list, toFrontOf: other, size: size)
    note(slot, other)
  }

  /// The least recent slot of `list` that is not pinned, or nil if there is none.
  @inlinable @inline(__always)
  public func unpinnedBack(of list: ListID, host: borrowing some SlotHost & ~Copyable) -> Slot? {
    guard let releases = host.releases else { return lists.unpinnedBack(of: list, host: host) }
    guard let back = lists.back(of: list) else { return nil }
    return host.isPinned(back) ? resume(list, releases: releases, host: host) : back
  }

  /// Moves CLOCK's hand over pinned slots: those at the back of `list` go to its front as they are.
  ///
  /// - Returns: The slot at the hand, which is not pinned; nil if none is.
  @inlinable @inline(__always)
  public mutating func passPinned(
    of list: ListID, host: borrowing some SlotHost & ~Copyable
  ) -> Slot? {
    guard let back = lists.back(of: list) else { return nil }
    return host.isPinned(back) ? turn(list, host: host) : back
  }

  /// Evicts the most recent slot of `list` that is not pinned and remembers nothing about it, if the host lets it go.
  ///
  /// - Complexity: O(pinned slots that are more recent).
  @inlinable
  public mutating func evictFront(of list: ListID, host: inout some SlotHost & ~Copyable) {
    lists.evictFront(of: list, host: &host)
  }

  /// Counts `slot` with `difference` more size units in the list that holds it.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    lists.changeSize(of: slot, by: difference)
  }

  /// Empties every list.
  @inlinable
  public mutating func removeAll() {
    lists.removeAll()
    for list in 0...listCount { trails[list].clear() }
  }

  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  public mutating func reserve(slots: Int) {
    lists.reserve(slots: slots)
    labels.reserve(slots: slots)
  }

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { lists.prefetch(slot) }
}
