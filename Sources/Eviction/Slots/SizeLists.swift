import EvictionCore

/// Slots ordered by size, the largest first, and by recency among those of one size.
///
/// Each size that some slot has is one list of a `SlotLists`. A heap holds the lists, that of the largest size at the
/// top, and an index finds the list of a size; both are asked only when a slot enters or leaves.
///
/// - Complexity: ``touch(_:)`` O(1); ``insert(_:size:)`` and ``remove(_:)`` O(1) expected, and O(log sizes) for the first
///   and the last slot of a size; growth and ``removeAll()`` O(slots). Memory: 12 bytes per slot, and 64 to 136 per
///   size in use.
@usableFromInline
struct SizeLists: ~Copyable {
  @usableFromInline typealias ID = SlotLists<UInt32>.ID

  @usableFromInline var lists: SlotLists<UInt32>
  /// Indexed by a list's number: its size.
  @usableFromInline var sizes: SlotArray<Int>
  /// The lists that are not empty, by their sizes with the sign changed.
  @usableFromInline var order: SlotHeap<Int>
  /// The same, by the hashes of their sizes.
  @usableFromInline var index: KeyIndex
  /// Lists up to this number have been in use; those that are empty again are listed in `free`.
  @usableFromInline var used = 0
  @usableFromInline var free: [UInt32] = []
  /// The list that a slot entered last.
  @usableFromInline var recent: UInt32 = 1

  @usableFromInline
  init(slots: Int) {
    lists = SlotLists(count: 0, slots: slots)
    sizes = SlotArray(repeating: 0)
    order = SlotHeap()
    index = KeyIndex()
    grow(toHold: 16)
  }

  @inlinable @inline(__always)
  func contains(_ slot: Slot) -> Bool { lists.owner(of: slot) != .none }

  @inlinable @inline(__always)
  func prefetch(_ slot: Slot) { lists.prefetch(slot) }

  /// The least recent slot of the largest size, of those that are not pinned; nil if there is none.
  @inlinable @inline(__always)
  func largest<Host: SlotHost & ~Copyable>(host: borrowing Host) -> Slot? {
    guard let list = order.first else { return nil }
    if let slot = lists.unpinnedBack(of: ID(list), host: host) { return slot }
    return Host.pinsSlots ? largestUnpinned(host: host) : nil
  }

  /// The same where all slots of the largest size are pinned. O(sizes and pinned slots).
  @inlinable
  func largestUnpinned(host: borrowing some SlotHost & ~Copyable) -> Slot? {
    var (largest, size): (Slot?, Int) = (nil, .min)
    for list in 1..<UInt32(used + 1) where sizes[list] > size || largest == nil {
      if let slot = lists.unpinnedBack(of: ID(list), host: host) {
        (largest, size) = (slot, sizes[list])
      }
    }
    return largest
  }

  /// The slot becomes the most recent of its size.
  @inlinable @inline(__always)
  mutating func touch(_ slot: Slot) { lists.moveToFront(slot, of: lists.owner(of: slot)) }

  /// Adds a slot, which is the most recent of its size.
  @inlinable @inline(__always)
  mutating func insert(_ slot: Slot, size: Int) {
    if sizes[recent] != size || lists.isEmpty(ID(recent)) { recent = list(of: size) }
    lists.prepend(slot, to: ID(recent), size: 1)
  }

  /// The list of a size, a new one if no slot has it.
  @inlinable @inline(never)
  mutating func list(of size: Int) -> UInt32 {
    let hash = SplitMix64.mix(UInt64(bitPattern: Int64(size)))
    return index.find(hash) { sizes[$0] == size } ?? begin(size, hash: hash)
  }

  /// Takes a slot out.
  @inlinable @inline(__always)
  mutating func remove(_ slot: Slot) {
    let list = lists.owner(of: slot)
    lists.remove(slot, from: list, size: 1)
    if lists.isEmpty(list) { end(list.rawValue) }
  }

  /// Gives a slot another size, of which it is the most recent.
  @inlinable
  mutating func changeSize(of slot: Slot, by difference: Int) {
    let size = sizes[lists.owner(of: slot).rawValue] + difference
    remove(slot)
    insert(slot, size: size)
  }

  @inlinable
  mutating func removeAll() {
    lists.removeAll()
    order.removeAll()
    index = KeyIndex()
    index.reserve(slots: lists.count + 1)
    used = 0
    free.removeAll(keepingCapacity: true)
  }

  @inlinable
  mutating func reserve(slots: Int) { lists.reserve(slots: slots) }

  /// Begins the list of a size that no slot has.
  @inlinable
  mutating func begin(_ size: Int, hash: UInt64) -> UInt32 {
    let list: UInt32
    if let last = free.popLast() {
      list = last
    } else {
      if used == lists.count { grow(toHold: 2 * used) }
      used += 1
      list = UInt32(used)
    }
    sizes[list] = size
    order.insert(list, priority: -size)
    index.insert(list, hash: hash)
    return list
  }

  /// Ends a list that is empty.
  @inlinable
  mutating func end(_ list: UInt32) {
    order.remove(list)
    index.remove(list)
    free.append(list)
  }

  @inlinable
  mutating func grow(toHold count: Int) {
    lists.addLists(upTo: count)
    sizes.reserve(slots: count + 1)
    order.reserve(slots: count + 1)
    index.reserve(slots: count + 1)
  }
}
