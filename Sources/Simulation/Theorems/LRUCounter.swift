import CInline
import EvictionCore
import Requests
import Results

/// Counts what LRU does with plain gets, without a list: hits, insertions and evictions are those of the policy, to the
/// last one.
///
/// In a ``RecencyOrder`` a request takes its object's old number out, and the least one is the victim. Which object that
/// is need not be known: the request that looks for its number will not find it.
///
/// - Complexity: a few nanoseconds a request, without a branch that depends on a hit. Memory: 6 bytes a distinct key.
struct LRUCounter: NumberingCounter, ~Copyable {
  var counts = RequestCounts()
  var cursor = RequestCursor()
  /// The set's numbers from the word ``word`` on are those of residents.
  private var order: RecencyOrder
  private var word: UInt32 = 0
  /// The word at ``word`` as it is now, of which the set keeps an older state; never 0.
  private var least = RecencyOrder.firstWord
  /// The number of the next request.
  private var next: UInt32 = 1
  var room: Int

  static let file = #fileID

  init(slots: Int, capacity: Int) {
    order = RecencyOrder(slots: slots)
    room = capacity
  }

  static func bytes(keys: Int) -> Int { 6 * keys }

  mutating func reserve(slots: Int) { order.numbers.reserve(slots: slots) }

  var numbersLeft: Int { order.end - Int(next) }

  mutating func run(_ range: Range<Int>) {
    let filled = room > 0 ? fill(range) : range.lowerBound
    runFull(filled..<range.upperBound)
  }

  /// Runs requests as long as all fit in, and finds the least number.
  ///
  /// - Returns: The first one that was not run.
  private mutating func fill(_ range: Range<Int>) -> Int {
    let filled = fill(range) { loop, slot in
      let number = loop.order.numbers[Slot(slot)]
      loop.order.numbers[Slot(slot)] = loop.next
      loop.next += 1
      loop.order.words[Slot(number / 64)] &= ~(1 << UInt64(number % 64))
      return number == 0
    }
    word = 0
    least = order.words[0]
    while least == 0 {
      word += 1
      least = order.words[Slot(word)]
    }
    return filled
  }

  /// Runs requests of a full cache. A function of its own, so that the loop has all registers.
  @inline(never)
  private mutating func runFull(_ range: Range<Int>) {
    // Read once: a store might be one to these.
    let cursor = cursor
    let numbers = UnsafeMutablePointer(mutating: order.numbers.records)
    let words = UnsafeMutablePointer(mutating: order.words.records)
    var (next, word, least) = (next, word, least)
    var misses = 0
    for place in range {
      evl_prefetch(numbers + cursor.coming(after: place))
      let slot = cursor.slot(at: place)
      let number = numbers[slot]
      numbers[slot] = next
      next &+= 1
      let (itsWord, bit) = (number &>> 6, UInt64(number & 63))
      words[Int(itsWord)] &= ~(1 &<< bit)
      // Bits in place of branches: hits come in no order that a processor could foresee.
      let isThere: UInt64 = itsWord == word ? 1 : 0
      let isBehind: UInt64 = itsWord > word ? 1 : 0
      let missed = (least &>> bit & isThere | isBehind) &- 1
      least &= ~(isThere &<< bit) & ~(least & (0 &- least) & missed)
      misses &-= Int(truncatingIfNeeded: missed)
      while least == 0 {
        word &+= 1
        least = words[Int(word)]
      }
    }
    (self.next, self.word, self.least) = (next, word, least)
    count(misses: misses, of: range.count)
  }

  mutating func renumber() {
    order.words[Slot(word)] = least
    next = order.renumber(slots: cursor.slots, from: word, next: next)
    (word, least) = (0, RecencyOrder.firstWord)
  }
}
