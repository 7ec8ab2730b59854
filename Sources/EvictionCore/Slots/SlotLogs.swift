import CInline

/// A few lists kept as logs, for simulations of objects that count one: see ``RecencyLists``.
///
/// A list is an array of entries, and a slot has the number of the entry that it came with. A set of bits tells which
/// entries still count. A slot that moves clears its bit and stands where the last one wrote, which touches no neighbour;
/// the least recent slot stands at the first bit that is set, and which one it is need be known only when it is wanted.
///
/// Hosts of logs pin no slots and refuse no newcomer.
///
/// - Complexity: every operation is amortized O(1), but growth and ``removeAll()``, which are O(slots). Memory: 8 bytes a
///   slot, and at most about 66 for each one in a list.
public struct SlotLogs: RecencyLists, ~Copyable {
  /// Indexed by slot: the owner's number above, the number of its entry below.
  @usableFromInline var records: UnsafeMutablePointer<UInt64>
  /// Indexed by a list's number.
  @usableFromInline var logs: UnsafeMutablePointer<Log>
  @usableFromInline var logCount: Int
  @usableFromInline var slots: Int

  /// Those of a log that was just made anew.
  @inlinable public static var bytesPerObject: Int { 66 }

  @inlinable static var numberBits: UInt64 { 32 }

  /// Creates `count` empty lists with room for `slots` slots. List 0 is there, too.
  @inlinable
  public init(count: Int, slots: Int) {
    records = .allocateRecords(capacity: slots)
    records.initialize(repeating: 0, count: slots)
    self.slots = slots
    logCount = count + 1
    logs = .allocate(capacity: logCount)
    for log in 0..<logCount { (logs + log).initialize(to: Log()) }
  }

  deinit {
    for log in 0..<logCount { logs[log].deallocate() }
    logs.deallocate()
    records.deallocate()
  }

  /// Empties every list.
  public mutating func removeAll() {
    records.update(repeating: 0, count: slots)
    for log in 0..<logCount {
      logs[log].deallocate()
      logs[log] = Log()
    }
  }

  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  public mutating func reserve(slots newSlots: Int) {
    if newSlots <= slots { return }
    let more = UnsafeMutablePointer<UInt64>.allocateRecords(capacity: newSlots)
    more.moveInitialize(from: records, count: slots)
    (more + slots).initialize(repeating: 0, count: newSlots - slots)
    records.deallocate()
    (records, slots) = (more, newSlots)
  }

  /// Adds empty lists until there are `count` of them, and list 0.
  package mutating func addLists(upTo count: Int) {
    let more = UnsafeMutablePointer<Log>.allocate(capacity: count + 1)
    more.moveInitialize(from: logs, count: logCount)
    for log in logCount...count { (more + log).initialize(to: Log()) }
    logs.deallocate()
    (logs, logCount) = (more, count + 1)
  }

  /// Gives back memory of lists that have few slots for their room.
  public mutating func shrink() {
    for log in 0..<logCount where logs[log].isWasteful { fit(log) }
  }
}

// MARK: - One log

extension SlotLogs {
  /// A list as a log.
  @usableFromInline
  struct Log {
    /// By number, the slot that came with it.
    @usableFromInline let slots: UnsafeMutablePointer<Slot>
    /// 64 numbers a word: the entries that still count, and all to come.
    @usableFromInline let words: UnsafeMutablePointer<UInt64>
    @usableFromInline let capacity: Int
    /// The number of the next entry. No entry has number 0.
    @usableFromInline var next = 0
    /// No entry before this word counts.
    @usableFromInline var word = 0
    @usableFromInline var count = 0
    // A size of eight words: a log's address is a shift away.
    @usableFromInline let unused = (0, 0)

    /// An empty log with room for a number of entries, in whole words; none without memory.
    @usableFromInline
    init(capacity: Int = 0) {
      self.capacity = capacity
      slots = .allocate(capacity: capacity)
      words = .allocate(capacity: capacity / 64)
      if capacity > 0 { start(at: 1) }
    }

    @usableFromInline
    func deallocate() {
      slots.deallocate()
      words.deallocate()
    }

    /// True where slots are few for the room.
    var isWasteful: Bool { 16 &* count &+ 64 < capacity }

    @inlinable @inline(__always)
    var isFull: Bool { next == capacity }

    /// Gives a slot an entry if `isWanted` is 1, and returns the number that it has then.
    @inlinable @inline(__always)
    mutating func renew(_ slot: Slot, if isWanted: Int = 1) -> Int {
      let number = next
      slots[number] = slot
      next = number &+ isWanted
      return number
    }

    @inlinable @inline(__always)
    func clear(_ number: Int, if isWanted: Int = 1) {
      words[number &>> 6] &=
        ~(UInt64(truncatingIfNeeded: isWanted) &<< UInt64(truncatingIfNeeded: number))
    }

    @inlinable @inline(__always)
    func counts(_ number: Int) -> Bool {
      words[number &>> 6] &>> UInt64(truncatingIfNeeded: number) & 1 == 1
    }

    /// The first entry's slot, which leaves it if `isTaken` is 1.
    @inlinable @inline(__always)
    mutating func first(isTaken: UInt64) -> Slot {
      var bits = words[word]
      while bits == 0 {
        word &+= 1
        bits = words[word]
      }
      words[word] = bits & (bits &- isTaken)
      return slots[word &<< 6 | bits.trailingZeroBitCount]
    }

    /// The last entry's slot, of a log that is not empty; the entry is one to come if `isTaken` is 1.
    @inlinable @inline(__always)
    mutating func last(isTaken: Int) -> Slot {
      while !counts(next &- 1) {
        next &-= 1
        words[next &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: next)
      }
      let slot = slots[next &- 1]
      next &-= isTaken
      return slot
    }

    /// Calls `body` with each slot, from the first on.
    @inlinable
    func forEach(_ body: (Slot) -> Void) {
      var left = count
      var index = word
      while left > 0 {
        var bits = words[index]
        while bits != 0 && left > 0 {
          body(slots[index << 6 | bits.trailingZeroBitCount])
          bits &= bits - 1
          left -= 1
        }
        index += 1
      }
    }

    /// Gives the slots of a full log the first numbers, in their order, where entries are few that still count.
    ///
    /// - Returns: False, with nothing done, where they are many.
    @usableFromInline
    mutating func renumber(_ body: (_ slot: Slot, _ number: Int) -> Void) -> Bool {
      if 4 * count >= capacity && capacity < Log.mostEntries { return false }
      var number = 1
      for index in word..<capacity / 64 {
        var bits = words[index]
        while bits != 0 {
          let slot = slots[index << 6 | bits.trailingZeroBitCount]
          bits &= bits - 1
          slots[number] = slot
          body(slot, number)
          number += 1
        }
      }
      start(at: number)
      return true
    }

    /// An empty log with room for eight times the slots of this one.
    func fitting() -> Log { Log(capacity: min(max(64, 8 * count / 64 * 64), Log.mostEntries)) }

    /// As many as a record has numbers for.
    static var mostEntries: Int { 1 << SlotLogs.numberBits }

    private mutating func start(at number: Int) {
      words.initialize(repeating: .max, count: capacity / 64)
      words[0] &= ~1
      (next, word) = (number, 0)
    }
  }

  @inlinable @inline(__always)
  func number(of slot: Slot) -> Int {
    Int(truncatingIfNeeded: records[Int(slot)] & (1 &<< SlotLogs.numberBits &- 1))
  }

  /// The owner of `slot` as any number; 0 in no list.
  @inlinable @inline(__always)
  package func ownerNumber(of slot: Slot) -> Int {
    Int(truncatingIfNeeded: records[Int(slot)] &>> SlotLogs.numberBits)
  }

  @inlinable @inline(__always)
  func write(_ number: Int, of slot: Slot, owner: Int) {
    records[Int(slot)] =
      UInt64(truncatingIfNeeded: owner) &<< SlotLogs.numberBits
      | UInt64(truncatingIfNeeded: number)
  }

  /// Gives the slots of a full log the first numbers, of a larger one where need be.
  @usableFromInline @inline(never)
  func makeRoom(in log: Int) {
    // The record is read first: loads overlap where stores alone would wait for each other.
    let isDone = logs[log].renumber { slot, number in
      write(number, of: slot, owner: ownerNumber(of: slot))
    }
    if !isDone { fit(log) }
  }

  /// Gives the slots of a log the first numbers of one that has room for eight times as many.
  @inline(never)
  private func fit(_ log: Int) {
    let old = logs[log]
    logs[log] = old.fitting()
    logs[log].count = old.count
    old.forEach { slot in write(logs[log].renew(slot), of: slot, owner: ownerNumber(of: slot)) }
    old.deallocate()
  }
}
