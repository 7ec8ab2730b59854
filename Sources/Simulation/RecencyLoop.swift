import CInline
import EvictionCore
import Requests
import Results

/// Counts what LRU does with plain gets, without a list: hits, insertions and evictions are those of the policy, to the
/// last one.
///
/// Requests are numbered, and an object has the number of its latest request. In a set of numbers those of residents
/// stand in the order of recency: a request takes its object's old number out, and the least one is the victim. Which
/// object that is need not be known: the request that looks for its number will not find it.
///
/// - Complexity: a few nanoseconds a request, without a branch that depends on a hit. Memory: 6 bytes a distinct key.
struct RecencyLoop: NumberedLoop, ~Copyable {
  var counts = RequestCounts()
  var arrivals = Arrivals()
  /// By slot, the number of its latest request; 0 for none.
  private var numbers: SlotArray<UInt32>
  /// The set, 64 numbers a word: those of residents from the word ``word`` on, and all to come.
  private var words: SlotArray<UInt64>
  private var word: UInt32 = 0
  /// The word at ``word`` as it is now, of which ``words`` keeps an older state; never 0.
  private var least: UInt64 = RecencyLoop.firstWord
  /// The number of the next request.
  private var next: UInt32 = 1
  var room: Int

  /// A first word without the number 0.
  private static var firstWord: UInt64 { ~1 }

  init(slots: Int, run: RunOptions) {
    numbers = SlotArray(repeating: 0, slots: slots)
    words = RecencyLoop.words(slots: slots)
    room = run.capacity
  }

  private static func words(slots: Int) -> SlotArray<UInt64> {
    SlotArray(repeating: .max, slots: numbers(slots: slots) / 64)
  }

  static func bytes(keys: Int, _ run: RunOptions) -> Int { 6 * keys }

  mutating func reserve(slots: Int) { numbers.reserve(slots: slots) }

  var numbersLeft: Int { words.slots * 64 - Int(next) }

  mutating func run(_ range: Range<Int>) {
    let filled = room > 0 ? fill(range) : range.lowerBound
    runFull(filled..<range.upperBound)
  }

  /// Runs requests as long as all fit in, and finds the least number.
  ///
  /// - Returns: The first one that was not run.
  private mutating func fill(_ range: Range<Int>) -> Int {
    let filled = fill(range) { loop, slot in
      let number = loop.numbers[Slot(slot)]
      loop.numbers[Slot(slot)] = loop.next
      loop.next += 1
      loop.words[Slot(number / 64)] &= ~(1 << UInt64(number % 64))
      return number == 0
    }
    word = 0
    least = words[0] & RecencyLoop.firstWord
    while least == 0 {
      word += 1
      least = words[Slot(word)]
    }
    return filled
  }

  /// Runs requests of a full cache.
  private mutating func runFull(_ range: Range<Int>) {
    // Read once: a store might be one to these.
    let arrivals = arrivals
    let numbers = UnsafeMutablePointer(mutating: numbers.records)
    let words = UnsafeMutablePointer(mutating: words.records)
    var (next, word, least) = (next, word, least)
    var misses = 0
    for place in arrivals.places(of: range) {
      evl_prefetch(numbers + arrivals.coming(after: place))
      let slot = arrivals.slot(at: place)
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
    words[Slot(word)] = least
    // By word, the residents in those before it.
    var before = SlotArray<UInt32>(repeating: 0, slots: words.slots)
    var residents: UInt32 = 0
    for index in word..<Slot(words.slots) {
      before[index] = residents
      residents += UInt32(words[index].nonzeroBitCount)
    }
    for slot in 0..<Slot(arrivals.slots) {
      let (itsWord, bit) = (numbers[slot] / 64, UInt64(1) << UInt64(numbers[slot] % 64))
      let isResident = itsWord >= word && words[itsWord] & bit != 0
      let older = (words[itsWord] & (bit - 1)).nonzeroBitCount
      numbers[slot] = isResident ? before[itsWord] + UInt32(older) + 1 : 0
    }
    // The numbers to come are none of residents.
    next = residents - UInt32(numbersLeft) + 1
    words = RecencyLoop.words(slots: arrivals.slots)
    (word, least) = (0, RecencyLoop.firstWord)
  }
}
