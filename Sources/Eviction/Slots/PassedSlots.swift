/// The pinned slots that searches for a victim have passed in the lists of a `SlotLists`, so that the next search of
/// a list starts behind them, or at an older slot that was released since.
///
/// Its policy tells it of every slot that it puts to the front of a list that is searched; nothing ever enters
/// elsewhere. A host that pins nothing pays nothing, and no memory for slots is taken.
///
///     lists.prepend(7, to: .first, size: 1)
///     passed.placed(7, host: host)
///     passed.unpinnedBack(of: .first, in: lists, host: host)   // 7, unless it is pinned
///
/// - Complexity: a search is O(pinned slots that none passed before), and O(log releases) for each release since the
///   last one. Memory: where the host pins slots, 8 bytes per slot and up to 32 for each one passed.
public struct PassedSlots: ~Copyable {
  /// Names one list.
  public typealias List = SlotLists<UInt8>.ID

  /// A slot at the place that it took when the clock showed `stamp`.
  @usableFromInline
  struct Entry: BitwiseCopyable {
    @usableFromInline let slot: Slot
    @usableFromInline let stamp: Int

    @inlinable @inline(__always)
    init(slot: Slot, stamp: Int) {
      self.slot = slot
      self.stamp = stamp
    }
  }

  /// The searches of one list.
  @usableFromInline
  struct Trail {
    /// The slots that were passed, from the back of the list; some have left their places since.
    @usableFromInline var passed: [Entry] = []
    /// Those of them that were released since: a heap, the oldest first.
    @usableFromInline var released: [Entry] = []
    /// The host's releases that are accounted for.
    @usableFromInline var releases = 0

    @inlinable
    init() {}
  }

  /// Indexed by slot: when it took its place.
  @usableFromInline var stamps: [Int] = []
  @usableFromInline var clock = 0
  /// Indexed by a list's number.
  @usableFromInline let trails: UnsafeMutablePointer<Trail>
  @usableFromInline let lists: Int

  /// Prepares for `lists` lists.
  @inlinable
  public init(lists: Int) {
    self.lists = lists
    trails = .allocate(capacity: lists + 1)
    trails.initialize(repeating: Trail(), count: lists + 1)
  }

  @inlinable
  deinit {
    trails.deinitialize(count: lists + 1)
    trails.deallocate()
  }

  /// Notes that `slot` is now at the front of a list.
  @inlinable @inline(__always)
  public mutating func placed<Host: SlotHost & ~Copyable>(_ slot: Slot, host: borrowing Host) {
    if Host.pinsSlots { stamp(slot) }
  }

  @inlinable
  mutating func stamp(_ slot: Slot) {
    let lacking = Int(slot) + 1 - stamps.count
    if lacking > 0 {
      stamps.append(contentsOf: repeatElement(0, count: max(lacking, stamps.count, 1024)))
    }
    clock &+= 1
    stamps[Int(slot)] = clock
  }

  /// The least recent slot of `list` that is not pinned, or nil if there is none.
  @inlinable @inline(__always)
  public mutating func unpinnedBack<Host: SlotHost & ~Copyable>(
    of list: List, in lists: borrowing SlotLists<UInt8>, host: borrowing Host
  ) -> Slot? {
    if Host.pinsSlots, let releases = host.releases {
      guard let back = lists.back(of: list) else { return nil }
      if !host.isPinned(back) { return back }
      return resume(list, in: lists, releases: releases, host: host)
    }
    return lists.unpinnedBack(of: list, host: host)
  }

  /// Returns true if `list` holds no slot that may leave.
  @inlinable @inline(__always)
  public mutating func lacksVictim<Host: SlotHost & ~Copyable>(
    _ list: List, in lists: borrowing SlotLists<UInt8>, host: borrowing Host
  ) -> Bool {
    unpinnedBack(of: list, in: lists, host: host) == nil
  }

  /// Moves CLOCK's hand over pinned slots: those at the back of `list` go to its front as they are.
  ///
  /// - Returns: The slot at the hand, which is not pinned; nil if none is.
  @inlinable @inline(__always)
  public mutating func passPinned<Host: SlotHost & ~Copyable>(
    of list: List, in lists: inout SlotLists<UInt8>, host: borrowing Host
  ) -> Slot? {
    guard let back = lists.back(of: list) else { return nil }
    if !host.isPinned(back) { return back }
    return turn(list, in: &lists, host: host)
  }
}

extension PassedSlots {
  @inlinable
  mutating func turn<Host: SlotHost & ~Copyable>(
    _ list: List, in lists: inout SlotLists<UInt8>, host: borrowing Host
  ) -> Slot? {
    // Where all are pinned, a whole turn leaves the order as it is.
    guard let victim = unpinnedBack(of: list, in: lists, host: host) else { return nil }
    let before = stamps[Int(victim)]
    var passed = lists.back(of: list)
    while let slot = passed, slot != victim {
      placed(slot, host: host)
      passed = lists.newer(than: slot)
    }
    lists.rotate(list, until: victim)
    let trail = trails + Int(list.rawValue)
    if let last = trail.pointee.passed.last, last.stamp < before {
      trail.pointee.passed.removeAll(keepingCapacity: true)
    }
    return victim
  }

  @inlinable
  mutating func resume<Host: SlotHost & ~Copyable>(
    _ list: List, in lists: borrowing SlotLists<UInt8>, releases: Int, host: borrowing Host
  ) -> Slot? {
    let number = Int(list.rawValue)
    let seen = trails[number].releases
    trails[number].releases = releases
    if releases < seen || releases &- seen > Host.releasesKept {
      trails[number].passed.removeAll(keepingCapacity: true)
      trails[number].released.removeAll(keepingCapacity: true)
    }
    while let last = trails[number].passed.last, !isThere(last, list, lists) {
      trails[number].passed.removeLast()
    }
    let end = trails[number].passed.last
    if let end {
      for release in seen..<releases {
        let slot = host.released(release)
        if lists.owner(of: slot) != list || host.isPinned(slot) { continue }
        let stamp = stamps[Int(slot)]
        if stamp <= end.stamp { push(Entry(slot: slot, stamp: stamp), number) }
      }
    }
    while let oldest = trails[number].released.first {
      if isThere(oldest, list, lists) && !host.isPinned(oldest.slot) { return oldest.slot }
      pop(number)
    }
    var candidate = end == nil ? lists.back(of: list) : lists.newer(than: end?.slot ?? 0)
    while let slot = candidate, host.isPinned(slot) {
      assert(stamps[Int(slot)] > trails[number].passed.last?.stamp ?? 0, "slot \(slot) is older")
      trails[number].passed.append(Entry(slot: slot, stamp: stamps[Int(slot)]))
      candidate = lists.newer(than: slot)
    }
    if trails[number].passed.count > 2 &* lists.count(of: list) &+ 1024 {
      dropAbsent(from: list, lists)
    }
    return candidate
  }

  /// Returns true if the slot has not left its place.
  @inlinable @inline(__always)
  func isThere(_ entry: Entry, _ list: List, _ lists: borrowing SlotLists<UInt8>) -> Bool {
    stamps[Int(entry.slot)] == entry.stamp && lists.owner(of: entry.slot) == list
  }

  /// Forgets the passed slots of `list` that have left their places.
  @inlinable
  mutating func dropAbsent(from list: List, _ lists: borrowing SlotLists<UInt8>) {
    let number = Int(list.rawValue)
    var kept = 0
    for place in 0..<trails[number].passed.count {
      let entry = trails[number].passed[place]
      if !isThere(entry, list, lists) { continue }
      trails[number].passed[kept] = entry
      kept += 1
    }
    trails[number].passed.removeLast(trails[number].passed.count - kept)
  }

  /// Adds a released slot to the heap of trail `number`.
  @inlinable
  mutating func push(_ entry: Entry, _ number: Int) {
    var hole = trails[number].released.count
    trails[number].released.append(entry)
    while hole > 0 {
      let parent = (hole - 1) / 2
      if trails[number].released[parent].stamp <= entry.stamp { break }
      trails[number].released[hole] = trails[number].released[parent]
      hole = parent
    }
    trails[number].released[hole] = entry
  }

  /// Takes the oldest released slot out of the heap of trail `number`.
  @inlinable
  mutating func pop(_ number: Int) {
    let entry = trails[number].released.removeLast()
    let count = trails[number].released.count
    if count == 0 { return }
    var hole = 0
    while 2 * hole + 1 < count {
      var child = 2 * hole + 1
      if child + 1 < count
        && trails[number].released[child + 1].stamp < trails[number].released[child].stamp
      {
        child += 1
      }
      if trails[number].released[child].stamp >= entry.stamp { break }
      trails[number].released[hole] = trails[number].released[child]
      hole = child
    }
    trails[number].released[hole] = entry
  }
}
