import EvictionCore

/// Objects in the order in which they came, as a log: each has the number of the entry that it came with.
///
/// A set of bits tells which entries still count. One that leaves clears its bit and touches no other object, and the
/// oldest one stands at the first bit that is set.
///
/// - Complexity: amortized O(1) for an entry that comes or leaves. Memory: 4.125 bytes an entry. When room is made it is
///   made for 64 entries at least, and for eight an object; with sixteen an object it ``isWasteful``.
struct SlotLog {
  /// By number, the slot that came with it.
  private let slots: UnsafeMutablePointer<Slot>
  /// 64 numbers a word: the entries that still count, and all to come.
  private let words: UnsafeMutablePointer<UInt64>
  private let capacity: Int
  /// The number of the next entry. No entry has number 0.
  private var next = 0
  /// No entry before this word counts.
  private var word = 0
  /// The number of objects.
  private(set) var count = 0

  /// An empty log.
  ///
  /// - Parameter capacity: The entries that there is room for, in whole words; none without memory.
  init(capacity: Int = 0) {
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
    words = .allocate(capacity: capacity / 64)
    if capacity > 0 { start(at: 1) }
  }

  func deallocate() {
    slots.deallocate()
    words.deallocate()
  }

  @inline(__always)
  var isFull: Bool { next == capacity }

  /// True where objects are few for the room.
  @inline(__always)
  var isWasteful: Bool { 16 &* count &+ 64 < capacity }

  /// Adds an object where there is room, and returns its number.
  @inline(__always)
  mutating func append(_ slot: Slot) -> Int {
    count &+= 1
    return renew(slot)
  }

  /// Gives an object that was taken from its entry a new one where there is room, and returns its number.
  @inline(__always)
  mutating func renew(_ slot: Slot) -> Int {
    let number = next
    slots[number] = slot
    next = number &+ 1
    return number
  }

  /// Takes an entry's object, which gets another one.
  @inline(__always)
  func clear(_ number: Int) { words[number &>> 6] &= ~(1 &<< UInt64(truncatingIfNeeded: number)) }

  /// Removes an entry's object.
  @inline(__always)
  mutating func remove(_ number: Int) {
    clear(number)
    count &-= 1
  }

  /// Removes the oldest object, of at least one.
  @inline(__always)
  mutating func removeFirst() -> Slot {
    count &-= 1
    return takeFirst(isTaken: 1)
  }

  /// Takes the oldest entry's object, which another one replaces, if `isTaken` is 1; if it is 0, only looks.
  @inline(__always)
  mutating func takeFirst(isTaken: UInt64) -> Slot {
    var bits = words[word]
    while bits == 0 {
      word &+= 1
      bits = words[word]
    }
    words[word] = bits & (bits &- isTaken)
    return slots[word &<< 6 | bits.trailingZeroBitCount]
  }

  /// Calls `body` with each object, from the oldest on.
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

  /// Gives the objects of a full log the first numbers, in their order, where entries are few that still count.
  ///
  /// - Returns: False, with nothing done, where they are many: ``fitting()`` has room for them.
  mutating func renumber(_ body: (_ slot: Slot, _ number: Int) -> Void) -> Bool {
    if 4 * count >= capacity { return false }
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

  /// An empty log with room for eight times the objects of this one.
  func fitting() -> SlotLog { SlotLog(capacity: max(64, 8 * count / 64 * 64)) }

  private mutating func start(at number: Int) {
    words.initialize(repeating: .max, count: capacity / 64)
    words[0] &= ~1
    (next, word) = (number, 0)
  }
}
