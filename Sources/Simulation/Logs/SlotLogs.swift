import CInline
import EvictionCore

/// A few ``SlotLog``s over the same slots; a slot is in at most one of them at a time.
///
/// One record a slot tells its owner, which the loop chooses, and the number of its entry. Unlike in `SlotLists`, one
/// that moves touches no record of a neighbour: it clears a bit, and stands where the last one wrote.
struct SlotLogs: ~Copyable {
  /// Bits of a record that hold the number.
  private static var numberBits: UInt64 { 30 }
  /// The largest owner.
  static var largestOwner: Int { 1 << 34 - 1 }
  /// The objects that logs may have together.
  static var mostObjects: Int { 1 << 27 }

  private var records: SlotArray<UInt64>
  private var logs: UnsafeMutablePointer<SlotLog>
  /// The number of logs.
  private(set) var count: Int

  init(count: Int, slots: Int) {
    records = SlotArray(repeating: 0, slots: slots)
    logs = .allocate(capacity: count)
    for log in 0..<count { (logs + log).initialize(to: SlotLog()) }
    self.count = count
  }

  deinit {
    for log in 0..<count { logs[log].deallocate() }
    logs.deallocate()
  }

  /// The bytes for a number of slots, of which at most `objects` are in a log at once.
  static func bytes(slots: Int, objects: Int) -> Int { 8 * slots + 66 * min(slots, objects) }

  mutating func reserve(slots: Int) { records.reserve(slots: slots) }

  /// Adds empty logs.
  mutating func addLogs(upTo newCount: Int) {
    let more = UnsafeMutablePointer<SlotLog>.allocate(capacity: newCount)
    more.moveInitialize(from: logs, count: count)
    for log in count..<newCount { (more + log).initialize(to: SlotLog()) }
    logs.deallocate()
    (logs, count) = (more, newCount)
  }

  /// Gives back what logs take that have few slots for their room: to be called now and then.
  func shrink() {
    for log in 0..<count where logs[log].isWasteful { handle.fit(log) }
  }

  /// Access for a run, until slots are reserved or logs added.
  var handle: Handle {
    Handle(records: UnsafeMutablePointer(mutating: records.records), logs: logs)
  }

  /// The logs, raw, so that a run reads their addresses once.
  struct Handle {
    fileprivate let records: UnsafeMutablePointer<UInt64>
    fileprivate let logs: UnsafeMutablePointer<SlotLog>

    @inline(__always)
    func prefetch(_ slot: Int) { evl_prefetch(records + slot) }

    /// The owner of a slot; 0 of one in no log.
    @inline(__always)
    func owner(of slot: Int) -> Int { Int(truncatingIfNeeded: records[slot] &>> numberBits) }

    /// The number of slots in a log.
    @inline(__always)
    func count(of log: Int) -> Int { logs[log].count }

    /// Adds a slot that is in no log at a log's end.
    @inline(__always)
    func append(_ slot: Int, to log: Int, owner: Int) {
      if logs[log].isFull { makeRoom(in: log) }
      write(logs[log].append(Slot(truncatingIfNeeded: slot)), of: slot, owner: owner)
    }

    /// Moves a slot to the end of the log that it is in.
    @inline(__always)
    func renew(_ slot: Int, in log: Int, owner: Int) {
      if logs[log].isFull { makeRoom(in: log) }
      logs[log].clear(number(of: slot))
      write(logs[log].renew(Slot(truncatingIfNeeded: slot)), of: slot, owner: owner)
    }

    /// Moves a slot to the end of the log that it is in, if `missed` is 0. If it is 1, the slot is in no log, and
    /// replaces the first one of `other`, which is not empty: without a branch, as hits come in no order that a
    /// processor could foresee.
    @inline(__always)
    func renew(
      _ slot: Int, in log: Int, owner: Int, orReplaceFirstOf other: Int, owner otherOwner: Int,
      missed: Int
    ) {
      let end = log &+ (other &- log) &* missed
      if logs[end].isFull { makeRoom(in: end) }
      logs[end].clear(number(of: slot))
      let first = Int(logs[other].takeFirst(isTaken: UInt64(truncatingIfNeeded: missed)))
      records[slot &+ (first &- slot) &* missed] = 0
      write(
        logs[end].renew(Slot(truncatingIfNeeded: slot)), of: slot,
        owner: owner &+ (otherOwner &- owner) &* missed)
    }

    /// Takes a slot out of the log that it is in; its record stays.
    @inline(__always)
    func take(_ slot: Int, outOf log: Int) { logs[log].remove(number(of: slot)) }

    /// The first slot of a log that is not empty.
    @inline(__always)
    func first(of log: Int) -> Int { Int(logs[log].takeFirst(isTaken: 0)) }

    /// Takes the first slot out of a log that is not empty; its record stays.
    @inline(__always)
    func takeFirst(of log: Int) -> Int { Int(logs[log].removeFirst()) }

    /// Puts a slot that was taken out of its log in none.
    @inline(__always)
    func forget(_ slot: Int) { records[slot] = 0 }

    /// Removes the first slot of a log that is not empty.
    @inline(__always)
    func removeFirst(of log: Int) { forget(takeFirst(of: log)) }

    /// Removes the first slot of an owner that has one in a log. O(slots of the log).
    func removeFirst(of log: Int, owner: Int) {
      var first: Int?
      logs[log].forEach { slot in
        if first == nil && self.owner(of: Int(slot)) == owner { first = Int(slot) }
      }
      guard let first else { return }
      take(first, outOf: log)
      records[first] = 0
    }

    /// The lowest owner of the slots in a log that is not empty.
    func lowestOwner(in log: Int) -> Int {
      var lowest = SlotLogs.largestOwner
      logs[log].forEach { lowest = min(lowest, owner(of: Int($0))) }
      return lowest
    }

    /// Takes all slots out of a log, and appends each to the one that `choose` finds for its owner, in their order.
    func distribute(_ log: Int, by choose: (_ owner: Int) -> Int) {
      let old = logs[log]
      logs[log] = SlotLog()
      old.forEach { slot in
        let owner = owner(of: Int(slot))
        append(Int(slot), to: choose(owner), owner: owner)
      }
      old.deallocate()
    }

    @inline(__always)
    private func number(of slot: Int) -> Int {
      Int(truncatingIfNeeded: records[slot] & (1 &<< numberBits &- 1))
    }

    @inline(__always)
    private func write(_ number: Int, of slot: Int, owner: Int) {
      records[slot] =
        UInt64(truncatingIfNeeded: owner) &<< numberBits | UInt64(truncatingIfNeeded: number)
    }

    /// Gives the slots of a full log the first numbers, of a larger one where need be.
    @inline(never)
    private func makeRoom(in log: Int) {
      let isDone = logs[log].renumber { slot, number in
        write(number, of: Int(slot), owner: owner(of: Int(slot)))
      }
      if !isDone { fit(log) }
    }

    /// Gives the slots of a log the first numbers of one that has room for eight times as many.
    @inline(never)
    fileprivate func fit(_ log: Int) {
      let old = logs[log]
      logs[log] = old.fitting()
      old.forEach { slot in
        write(logs[log].append(slot), of: Int(slot), owner: owner(of: Int(slot)))
      }
      old.deallocate()
    }
  }
}
