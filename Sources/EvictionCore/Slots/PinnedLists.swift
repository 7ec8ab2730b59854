/// Lists for a host that pins slots, a cache of prefixes: ``SlotLists`` that know which pinned slots a search for a victim
/// has passed, so that the next one starts behind them, or at an older slot that was released since.
///
/// - Complexity: as ``SlotLists``; a search is O(pinned slots that none passed before), and O(log releases) for each
///   release since the last one. Memory: 17 bytes per slot and up to 32 for each one passed.
public struct PinnedLists: RecencyLists, ~Copyable {
  @usableFromInline var lists: SlotLists<UInt8>
  /// The time at which each slot took its place: the further to the front of a list, the later.
  @usableFromInline var stamps: SlotArray<Int>
  @usableFromInline var latest = 0
  @usableFromInline var earliest = 0
  /// Indexed by a list's number. Searches change nothing else.
  @usableFromInline let trails: UnsafeMutablePointer<Trail>
  @usableFromInline let listCount: Int

  /// Creates `count` empty lists with room for `slots` slots.
  @inlinable
  public init(count: Int, slots: Int) {
    lists = SlotLists(count: count, slots: slots)
    stamps = SlotArray(repeating: 0, slots: slots)
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
    lists.prepend(slot, to: list, size: size)
    stamp(slot)
  }

  /// Puts `slot`, which is in no list, at the back of `list`.
  @inlinable
  public mutating func append(_ slot: Slot, to list: ListID, size: Int) {
    lists.append(slot, to: list, size: size)
    earliest &-= 1
    stamps[slot] = earliest
    // The next search begins there.
    trails[Int(list.rawValue)].clear()
  }

  /// Takes `slot` out of `list`, which holds it.
  @inlinable
  public mutating func remove(_ slot: Slot, from list: ListID, size: Int) {
    lists.remove(slot, from: list, size: size)
  }

  /// Makes `slot` the most recent of `list`, which holds it.
  @inlinable
  public mutating func moveToFront(_ slot: Slot, of list: ListID) {
    lists.moveToFront(slot, of: list)
    stamp(slot)
  }

  /// Moves `slot` from `list`, which holds it, to the front of another.
  @inlinable
  public mutating func move(_ slot: Slot, from list: ListID, toFrontOf other: ListID, size: Int) {
    lists.move(slot, from: list, toFrontOf: other, size: size)
    stamp(slot)
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
  public mutating func removeAll() { lists.removeAll() }

  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  public mutating func reserve(slots: Int) {
    lists.reserve(slots: slots)
    stamps.reserve(slots: slots)
  }

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { lists.prefetch(slot) }

  /// Notes that `slot` is now at the front of a list.
  @inlinable @inline(__always)
  mutating func stamp(_ slot: Slot) {
    latest &+= 1
    stamps[slot] = latest
  }
}
