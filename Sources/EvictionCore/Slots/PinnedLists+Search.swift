// MARK: - Searches for a victim

extension PinnedLists {
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

    @inlinable
    mutating func clear() {
      passed.removeAll(keepingCapacity: true)
      released.removeAll(keepingCapacity: true)
    }
  }

  @inlinable
  mutating func turn<Host: SlotHost & ~Copyable>(
    _ list: ListID, host: borrowing Host
  ) -> Slot? {
    if trails[Int(list.rawValue)].passed.isEmpty {
      var hand = lists.back(of: list)
      while let slot = hand, host.isPinned(slot) {
        stamp(slot)
        hand = lists.newer(than: slot)
      }
      if let hand {
        lists.rotate(list, until: hand)
        return hand
      }
    }
    // Where all are pinned, a whole turn leaves the order as it is.
    guard let victim = unpinnedBack(of: list, host: host) else { return nil }
    let before = stamps[victim]
    var passed = lists.back(of: list)
    while let slot = passed, slot != victim {
      stamp(slot)
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
  func resume<Host: SlotHost & ~Copyable>(
    _ list: ListID, releases: Int, host: borrowing Host
  ) -> Slot? {
    let number = Int(list.rawValue)
    let seen = trails[number].releases
    trails[number].releases = releases
    if releases < seen || releases &- seen > Host.releasesKept {
      trails[number].clear()
    }
    while let last = trails[number].passed.last, !isThere(last, list) {
      trails[number].passed.removeLast()
    }
    let end = trails[number].passed.last
    if let end {
      for release in seen..<releases {
        let slot = host.released(release)
        if lists.owner(of: slot) != list || host.isPinned(slot) { continue }
        let stamp = stamps[slot]
        if stamp <= end.stamp { push(Entry(slot: slot, stamp: stamp), number) }
      }
    }
    while let oldest = trails[number].released.first {
      if isThere(oldest, list) && !host.isPinned(oldest.slot) { return oldest.slot }
      pop(number)
    }
    var candidate = end == nil ? lists.back(of: list) : lists.newer(than: end?.slot ?? 0)
    while let slot = candidate, host.isPinned(slot) {
      assert(stamps[slot] > trails[number].passed.last?.stamp ?? .min, "slot \(slot) is older")
      trails[number].passed.append(Entry(slot: slot, stamp: stamps[slot]))
      candidate = lists.newer(than: slot)
    }
    if trails[number].passed.count > 2 &* lists.count(of: list) &+ 1024 {
      dropAbsent(from: list)
    }
    return candidate
  }

  /// Returns true if the slot has not left its place.
  @inlinable @inline(__always)
  func isThere(_ entry: Entry, _ list: ListID) -> Bool {
    stamps[entry.slot] == entry.stamp && lists.owner(of: entry.slot) == list
  }

  /// Forgets the passed slots of `list` that have left their places.
  @inlinable
  func dropAbsent(from list: ListID) {
    let number = Int(list.rawValue)
    var kept = 0
    for place in 0..<trails[number].passed.count {
      let entry = trails[number].passed[place]
      if !isThere(entry, list) { continue }
      trails[number].passed[kept] = entry
      kept += 1
    }
    trails[number].passed.removeLast(trails[number].passed.count - kept)
  }

  /// Adds a released slot to the heap of trail `number`.
  @inlinable
  func push(_ entry: Entry, _ number: Int) {
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
  func pop(_ number: Int) {
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
