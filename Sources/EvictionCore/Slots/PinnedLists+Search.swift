// MARK: - Searches for a victim

extension PinnedLists {
  /// A slot where it stood when this was noted: further to the front, the greater lap and label are.
  @usableFromInline
  struct Entry: BitwiseCopyable {
    @usableFromInline let slot: Slot
    @usableFromInline let lap: UInt32
    @usableFromInline let label: UInt64

    @inlinable @inline(__always)
    init(slot: Slot, lap: UInt32, label: UInt64) {
      self.slot = slot
      self.lap = lap
      self.label = label
    }

    @inlinable @inline(__always)
    static func < (left: Entry, right: Entry) -> Bool {
      (left.lap, left.label) < (right.lap, right.label)
    }
  }

  /// The searches of one list.
  @usableFromInline
  struct Trail {
    /// No slot is between the hand and this label: a slot's label counts from here, and wraps once.
    @usableFromInline var origin: UInt64 = 0
    /// The last label that was given to a slot at the front.
    @usableFromInline var latest: UInt64 = 0
    /// The number of times that the hand went round.
    @usableFromInline var lap = Trail.firstLap
    /// True once a search has begun: the slots that are in neither array are pinned then.
    @usableFromInline var isKept = false
    /// The slots that came to the front since, the oldest first; the first `checked` have left or were pinned when a
    /// search came by.
    @usableFromInline var newcomers: [Entry] = []
    @usableFromInline var checked = 0
    /// The slots that were released since: a heap, the oldest first.
    @usableFromInline var released: [Entry] = []
    /// The host's releases that are accounted for.
    @usableFromInline var releases = 0

    @inlinable static var firstLap: UInt32 { 1 << 31 }

    @inlinable
    init() {}

    /// Forgets every search.
    @inlinable
    mutating func clear() {
      isKept = false
      newcomers.removeAll(keepingCapacity: true)
      checked = 0
      released.removeAll(keepingCapacity: true)
      lap = Trail.firstLap
    }

    /// The entry of a slot of the list.
    @inlinable @inline(__always)
    func entry(_ slot: Slot, label: UInt64) -> Entry {
      Entry(slot: slot, lap: label >= origin ? lap : lap &+ 1, label: label)
    }

    /// Moves the origin to the label of a slot that none precedes any more.
    @inlinable @inline(__always)
    mutating func advance(to label: UInt64) {
      if label < origin { lap &+= 1 }
      origin = label
      if lap == .max { clear() }
    }
  }

  @inlinable
  mutating func turn<Host: SlotHost & ~Copyable>(
    _ list: ListID, host: borrowing Host
  ) -> Slot? {
    // Where all are pinned, a whole turn leaves the order as it is.
    guard let victim = unpinnedBack(of: list, host: host) else { return nil }
    trails[Int(list.rawValue)].advance(to: labels[victim])
    lists.rotate(list, until: victim)
    return victim
  }

  @inlinable
  func resume<Host: SlotHost & ~Copyable>(
    _ list: ListID, releases: Int, host: borrowing Host
  ) -> Slot? {
    let trail = trails + Int(list.rawValue)
    let seen = trail.pointee.releases
    trail.pointee.releases = releases
    if !trail.pointee.isKept || releases < seen || releases &- seen > Host.releasesKept {
      trail.pointee.clear()
      trail.pointee.isKept = true
      var next = lists.back(of: list)
      while let slot = next {
        if !host.isPinned(slot) {
          trail.pointee.newcomers.append(trail.pointee.entry(slot, label: labels[slot]))
        }
        next = lists.newer(than: slot)
      }
    } else {
      for release in seen..<releases {
        let slot = host.released(release)
        if lists.owner(of: slot) == list && !host.isPinned(slot) { push(slot, list) }
      }
    }
    while let oldest = trail.pointee.released.first, !mayLeave(oldest, list, host: host) {
      pop(list)
    }
    while trail.pointee.checked < trail.pointee.newcomers.count {
      let newcomer = trail.pointee.newcomers[trail.pointee.checked]
      if mayLeave(newcomer, list, host: host) {
        guard let oldest = trail.pointee.released.first, oldest < newcomer else {
          return newcomer.slot
        }
        return oldest.slot
      }
      trail.pointee.checked &+= 1
    }
    trail.pointee.newcomers.removeAll(keepingCapacity: true)
    trail.pointee.checked = 0
    return trail.pointee.released.first?.slot
  }

  /// Returns true if the slot has not left its place and is not pinned.
  @inlinable @inline(__always)
  func mayLeave(
    _ entry: Entry, _ list: ListID, host: borrowing some SlotHost & ~Copyable
  ) -> Bool {
    isThere(entry, list) && !host.isPinned(entry.slot)
  }

  /// Returns true if the slot has not left its place.
  @inlinable @inline(__always)
  func isThere(_ entry: Entry, _ list: ListID) -> Bool {
    labels[entry.slot] == entry.label && lists.owner(of: entry.slot) == list
      && trails[Int(list.rawValue)].entry(entry.slot, label: entry.label).lap == entry.lap
  }

  /// Notes a slot at the front of `list`, once a search has begun.
  @inlinable @inline(__always)
  func note(_ slot: Slot, _ list: ListID) {
    let trail = trails + Int(list.rawValue)
    if !trail.pointee.isKept { return }
    if trail.pointee.newcomers.count > 2 &* lists.count(of: list) &+ 1024 {
      dropAbsent(from: list)
    }
    trail.pointee.newcomers.append(trail.pointee.entry(slot, label: labels[slot]))
  }

  /// Forgets the newcomers to `list` that have left their places.
  @inlinable @inline(never)
  func dropAbsent(from list: ListID) {
    let trail = trails + Int(list.rawValue)
    let unchecked = trail.pointee.newcomers.dropFirst(trail.pointee.checked)
    trail.pointee.newcomers = unchecked.filter { isThere($0, list) }
    trail.pointee.checked = 0
  }

  /// Adds a slot to the released ones of `list`.
  @inlinable
  func push(_ slot: Slot, _ list: ListID) {
    let number = Int(list.rawValue)
    if trails[number].released.count > 2 &* lists.count(of: list) &+ 1024 {
      // In order they are a heap, too.
      let kept = trails[number].released.filter { isThere($0, list) }.sorted { $0 < $1 }
      trails[number].released.removeAll(keepingCapacity: true)
      for entry in kept where entry.slot != trails[number].released.last?.slot {
        trails[number].released.append(entry)
      }
    }
    let entry = trails[number].entry(slot, label: labels[slot])
    var hole = trails[number].released.count
    trails[number].released.append(entry)
    while hole > 0 {
      let parent = (hole - 1) / 2
      if !(entry < trails[number].released[parent]) { break }
      trails[number].released[hole] = trails[number].released[parent]
      hole = parent
    }
    trails[number].released[hole] = entry
  }

  /// Takes the oldest of the released slots of `list` out.
  @inlinable
  func pop(_ list: ListID) {
    let number = Int(list.rawValue)
    let entry = trails[number].released.removeLast()
    let count = trails[number].released.count
    if count == 0 { return }
    var hole = 0
    while 2 * hole + 1 < count {
      var child = 2 * hole + 1
      if child + 1 < count
        && trails[number].released[child + 1] < trails[number].released[child]
      {
        child += 1
      }
      if !(trails[number].released[child] < entry) { break }
      trails[number].released[hole] = trails[number].released[child]
      hole = child
    }
    trails[number].released[hole] = entry
  }
}

// MARK: - Labels

extension PinnedLists {
  /// The distance from one label to the next, where there is room.
  @inlinable static var stride: UInt64 { 1 << 36 }

  /// The distance to the next label where `room` labels are free: as small as that, as the hand may come to stand between any
  /// two slots, and newcomers then need labels between theirs. 0 if there is too little room.
  @inlinable @inline(__always)
  static func step(room: UInt64) -> UInt64 { min(room &>> 6, stride) }

  /// Labels a slot that is about to be the most recent of `list`, and is in it already or not. No label is given again
  /// before the hand has been round.
  @inlinable @inline(__always)
  mutating func label(_ slot: Slot, frontOf list: ListID) {
    let trail = trails + Int(list.rawValue)
    var latest = latest(in: list)
    if PinnedLists.step(room: ~latest) == 0 { latest = makeRoom(in: list) }
    latest &+= trail.pointee.origin &+ PinnedLists.step(room: ~latest)
    labels[slot] = latest
    trail.pointee.latest = latest
  }

  /// Labels a slot that is about to be the least recent of `list`.
  @inlinable
  mutating func label(_ slot: Slot, backOf list: ListID) {
    guard let back = lists.back(of: list) else { return label(slot, frontOf: list) }
    let trail = trails + Int(list.rawValue)
    trail.pointee.advance(to: labels[back])
    var latest = latest(in: list)
    if PinnedLists.step(room: ~latest) == 0 { latest = makeRoom(in: list) }
    let origin = trail.pointee.origin
    labels[slot] = origin &- PinnedLists.step(room: ~latest)
    trail.pointee.origin = labels[slot]
    if labels[slot] < origin { return }
    trail.pointee.lap &-= 1
    if trail.pointee.lap == 0 { trail.pointee.clear() }
  }

  /// The distance from the origin to the last label of the most recent slots of `list`.
  @inlinable @inline(__always)
  func latest(in list: ListID) -> UInt64 {
    let trail = trails + Int(list.rawValue)
    let last = trail.pointee.latest &- trail.pointee.origin
    guard let front = lists.front(of: list) else { return last }
    return max(labels[front] &- trail.pointee.origin, last)
  }

  /// Makes room for labels at the front of `list`: at best by taking those that the hand has passed, else by giving all
  /// its slots others.
  ///
  /// - Returns: The distance from the origin to the last label.
  @inlinable @inline(never)
  mutating func makeRoom(in list: ListID) -> UInt64 {
    let trail = trails + Int(list.rawValue)
    if let back = lists.back(of: list) {
      trail.pointee.advance(to: labels[back])
      let latest = latest(in: list)
      if PinnedLists.step(room: ~latest) > 0 { return latest }
    }
    trail.pointee.clear()
    trail.pointee.origin = 0
    // Half of all labels.
    let step = (UInt64.max / 2) / UInt64(lists.count(of: list) + 1)
    var label: UInt64 = 0
    var next = lists.back(of: list)
    while let slot = next {
      label += step
      labels[slot] = label
      next = lists.newer(than: slot)
    }
    trail.pointee.latest = label
    return label
  }
}
