import CInline

// MARK: - Lists

extension SlotLogs {
  /// The list that holds `slot`, or `none`.
  @inlinable @inline(__always)
  public func owner(of slot: Slot) -> ListID {
    ListID(UInt8(truncatingIfNeeded: records[Int(slot)] &>> SlotLogs.numberBits))
  }

  /// The number of slots that `list` holds.
  @inlinable @inline(__always)
  public func count(of list: ListID) -> Int { logs[Int(list.rawValue)].count }

  /// Its ``count(of:)``.
  @inlinable @inline(__always)
  public func size(of list: ListID) -> Int { logs[Int(list.rawValue)].count }

  /// The least recent slot of `list`, or nil if it is empty.
  @inlinable @inline(__always)
  public func back(of list: ListID) -> Slot? {
    logs[Int(list.rawValue)].count == 0 ? nil : logs[Int(list.rawValue)].first(isTaken: 0)
  }

  /// The most recent slot of `list`, or nil if it is empty.
  ///
  /// - Complexity: O(entries that count no more).
  public func front(of list: ListID) -> Slot? {
    let log = logs[Int(list.rawValue)]
    var number = log.next - 1
    while number > 0 {
      if log.counts(number) { return log.slots[number] }
      number -= 1
    }
    return nil
  }

  /// The neighbour of `slot` towards the front, or nil at the front.
  ///
  /// - Complexity: O(entries that count no more).
  public func newer(than slot: Slot) -> Slot? {
    let log = logs[ownerNumber(of: slot)]
    var number = number(of: slot) + 1
    while number < log.next {
      if log.counts(number) { return log.slots[number] }
      number += 1
    }
    return nil
  }

  /// Puts `slot`, which is in no list, at the back of `list`.
  ///
  /// - Complexity: O(slots of the list).
  public mutating func append(_ slot: Slot, to list: ListID, size: Int) {
    var others: [Slot] = []
    logs[Int(list.rawValue)].forEach { others.append($0) }
    for other in others { remove(other, from: list, size: 1) }
    for each in [slot] + others { prepend(each, to: list, size: 1) }
  }

  /// Puts `slot`, which is in no list, at the front of `list`.
  @inlinable @inline(__always)
  public mutating func prepend(_ slot: Slot, to list: ListID, size: Int) {
    append(slot, to: Int(list.rawValue), owner: Int(list.rawValue))
  }

  /// Takes `slot` out of `list`, which holds it.
  @inlinable @inline(__always)
  public mutating func remove(_ slot: Slot, from list: ListID, size: Int) {
    take(slot, outOf: Int(list.rawValue))
    records[Int(slot)] = 0
  }

  /// Makes `slot` the most recent of `list`, which holds it.
  @inlinable @inline(__always)
  public mutating func moveToFront(_ slot: Slot, of list: ListID) {
    renew(slot, in: Int(list.rawValue), owner: Int(list.rawValue))
  }

  /// Makes `slot` the most recent of `list` if that holds it: without a branch, which could not be foreseen.
  @inlinable @inline(__always)
  public mutating func moveToFront(_ slot: Slot, ifIn list: ListID) {
    let log = Int(list.rawValue)
    if logs[log].isFull { makeRoom(in: log) }
    let moved = ownerNumber(of: slot) == log ? 1 : 0
    logs[log].clear(number(of: slot) &* moved, if: moved)
    let record = records[Int(slot)]
    write(logs[log].renew(slot, if: moved), of: slot, owner: log)
    let renewed = records[Int(slot)]
    records[Int(slot)] = moved == 1 ? renewed : record
  }

  /// Moves `slot` from `list`, which holds it, to the front of another.
  @inlinable @inline(__always)
  public mutating func move(_ slot: Slot, from list: ListID, toFrontOf other: ListID, size: Int) {
    take(slot, outOf: Int(list.rawValue))
    append(slot, to: Int(other.rawValue), owner: Int(other.rawValue))
  }

  /// Moves the least recent slot of `list`, which is not empty, to the front of another.
  @inlinable @inline(__always)
  public mutating func moveBack(
    of list: ListID, toFrontOf other: ListID, host: borrowing some SlotHost & ~Copyable
  ) {
    append(takeFirst(of: Int(list.rawValue)), to: Int(other.rawValue), owner: Int(other.rawValue))
  }

  /// Moves `slot` to the front of its list, or replaces the back of another: without a branch, as hits come in no order
  /// that a processor could foresee.
  @inlinable @inline(__always)
  public mutating func moveToFront(
    _ slot: Slot, of list: ListID, orReplaceBackOf other: ListID, missed: Int
  ) {
    renew(
      slot, in: Int(list.rawValue), owner: Int(list.rawValue),
      orReplaceFirstOf: Int(other.rawValue), owner: Int(other.rawValue), missed: missed)
  }

  /// Moves `slot` to the front of its list, or replaces the least recent one, or does neither: without a branch.
  @inlinable @inline(__always)
  public mutating func moveToFront(
    _ slot: Slot, of list: ListID, moved: Int, orReplaceBackIf missed: Int
  ) {
    let (log, owner) = (Int(list.rawValue), Int(list.rawValue))
    renew(
      slot, in: log, owner: owner, moved: moved, orReplaceFirstOf: log, owner: owner,
      missed: missed)
  }

  /// Moves `slot` to the front of its list, or replaces the most recent one, or does neither: without a branch.
  @inlinable @inline(__always)
  public mutating func moveToFront(
    _ slot: Slot, of list: ListID, moved: Int, orReplaceFrontIf missed: Int
  ) {
    let log = Int(list.rawValue)
    if logs[log].isFull { makeRoom(in: log) }
    let old = number(of: slot)
    let last = Int(logs[log].last(isTaken: missed))
    logs[log].clear(old, if: moved)
    records[Int(slot) &+ (last &- Int(slot)) &* missed] = 0
    let number = logs[log].renew(slot, if: moved | missed)
    write(old &+ (number &- old) &* (moved | missed), of: slot, owner: log)
  }

  /// Returns true if `list` is empty.
  @inlinable @inline(__always)
  public func lacksVictim(_ list: ListID, host: borrowing some SlotHost & ~Copyable) -> Bool {
    logs[Int(list.rawValue)].count == 0
  }

  /// The least recent slot of `list`, or nil if it is empty.
  @inlinable @inline(__always)
  public func unpinnedBack(of list: ListID, host: borrowing some SlotHost & ~Copyable) -> Slot? {
    back(of: list)
  }

  /// The least recent slot of `list`, or nil if it is empty.
  @inlinable @inline(__always)
  public mutating func passPinned(
    of list: ListID, host: borrowing some SlotHost & ~Copyable
  ) -> Slot? { back(of: list) }

  /// Evicts the least recent slot of `list`, which is not empty, and remembers nothing about it.
  @inlinable @inline(__always)
  public mutating func evictBack(of list: ListID, host: inout some SlotHost & ~Copyable) {
    let victim = takeFirst(of: Int(list.rawValue))
    records[Int(victim)] = 0
    host.didEvictAndForget(victim)
  }

  /// Evicts the most recent slot of `list`, which is not empty, and remembers nothing about it.
  @inlinable @inline(__always)
  public mutating func evictFront(of list: ListID, host: inout some SlotHost & ~Copyable) {
    let log = Int(list.rawValue)
    let victim = logs[log].last(isTaken: 1)
    logs[log].count &-= 1
    records[Int(victim)] = 0
    host.didEvictAndForget(victim)
  }

  /// Evicts the least recent slot of `list`, which is not empty, to the ghosts of another.
  @inlinable @inline(__always)
  public mutating func evictBack(
    of list: ListID, to ghosts: ListID, host: inout some SlotHost & ~Copyable
  ) {
    let victim = takeFirst(of: Int(list.rawValue))
    append(victim, to: Int(ghosts.rawValue), owner: Int(ghosts.rawValue))
    host.didEvict(victim)
  }

  /// Forgets the oldest ghost of `list`.
  @inlinable @inline(__always)
  public mutating func forgetBack(of list: ListID, host: inout some SlotHost & ~Copyable) {
    let ghost = takeFirst(of: Int(list.rawValue))
    records[Int(ghost)] = 0
    host.didForget(ghost)
  }

  /// Does nothing: objects count one.
  @inlinable @inline(__always)
  public mutating func changeSize(of slot: Slot, by difference: Int) {}

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { evl_prefetch(records + Int(slot)) }
}

// MARK: - Logs under owners of other numbers

extension SlotLogs {
  /// Adds a slot that is in no log at a log's end.
  @inlinable @inline(__always)
  package mutating func append(_ slot: Slot, to log: Int, owner: Int) {
    if logs[log].isFull { makeRoom(in: log) }
    write(logs[log].renew(slot), of: slot, owner: owner)
    logs[log].count &+= 1
  }

  /// Moves a slot to the end of the log that it is in.
  @inlinable @inline(__always)
  package mutating func renew(_ slot: Slot, in log: Int, owner: Int) {
    if logs[log].isFull { makeRoom(in: log) }
    logs[log].clear(number(of: slot))
    write(logs[log].renew(slot), of: slot, owner: owner)
  }

  /// Moves a slot to the end of the log that it is in if `missed` is 0 and `moved` 1; if `missed` is 1, it is in none,
  /// and replaces the first one of `other`.
  @inlinable @inline(__always)
  package mutating func renew(
    _ slot: Slot, in log: Int, owner: Int, moved: Int = 1, orReplaceFirstOf other: Int,
    owner otherOwner: Int, missed: Int
  ) {
    let end = log &+ (other &- log) &* missed
    if logs[end].isFull { makeRoom(in: end) }
    let old = number(of: slot)
    logs[end].clear(old, if: moved)
    let first = Int(logs[other].first(isTaken: UInt64(truncatingIfNeeded: missed)))
    records[Int(slot) &+ (first &- Int(slot)) &* missed] = 0
    let number = logs[end].renew(slot, if: moved | missed)
    write(
      old &+ (number &- old) &* (moved | missed), of: slot,
      owner: owner &+ (otherOwner &- owner) &* missed)
  }

  /// Takes a slot out of the log that it is in; its record stays.
  @inlinable @inline(__always)
  package mutating func take(_ slot: Slot, outOf log: Int) {
    logs[log].clear(number(of: slot))
    logs[log].count &-= 1
  }

  /// Takes the first slot out of a log that is not empty; its record stays.
  @inlinable @inline(__always)
  package mutating func takeFirst(of log: Int) -> Slot {
    logs[log].count &-= 1
    return logs[log].first(isTaken: 1)
  }

  /// Puts a slot that was taken out of its log in none.
  @inlinable @inline(__always)
  package mutating func forget(_ slot: Slot) { records[Int(slot)] = 0 }

  /// Returns true if a log has no slot.
  @inlinable @inline(__always)
  package func isEmpty(log: Int) -> Bool { logs[log].count == 0 }

  /// Calls `body` with each slot of a log, from the first on.
  package func forEach(in log: Int, _ body: (Slot) -> Void) { logs[log].forEach(body) }

  /// Takes all slots out of a log, and appends each to the one that `choose` finds for its owner, in their order.
  package mutating func distribute(_ log: Int, by choose: (_ owner: Int) -> Int) {
    let old = logs[log]
    logs[log] = Log()
    old.forEach { slot in
      let owner = ownerNumber(of: slot)
      append(slot, to: choose(owner), owner: owner)
    }
    old.deallocate()
  }
}
