import EvictionCore

/// Objects in the order of their latest requests, without a list: requests are numbered, an object has the number of its
/// latest one, and a set of numbers holds those that objects have.
///
/// Memory: 6 bytes a distinct key.
struct RecencyOrder: ~Copyable {
  /// By slot, the number of its latest request; 0 for none.
  var numbers: SlotArray<UInt32>
  /// The set, 64 numbers a word: those of objects, and all to come.
  var words: SlotArray<UInt64>

  /// No objects, and numbers enough for renumbering to cost little.
  init(slots: Int) {
    numbers = SlotArray(repeating: 0, slots: slots)
    words = RecencyOrder.words(slots: slots)
  }

  /// A first word without the number 0.
  static var firstWord: UInt64 { ~1 }

  private static func words(slots: Int) -> SlotArray<UInt64> {
    var words = SlotArray<UInt64>(
      repeating: .max, slots: RequestCursor.numbers(slots: slots) / 64)
    words[0] = firstWord
    return words
  }

  /// The number behind the last one.
  var end: Int { words.slots * 64 }

  /// Numbers the objects of the set anew from 1 on, in their order; all others lose their numbers.
  ///
  /// - Parameters:
  ///   - slots: The slots that keys may have by now.
  ///   - word: The first word that counts.
  ///   - next: The number of the next request so far.
  /// - Returns: That number from now on.
  mutating func renumber(slots: Int, from word: UInt32, next: UInt32) -> UInt32 {
    // By word, the objects in those before it.
    var before = SlotArray<UInt32>(repeating: 0, slots: words.slots)
    var count: UInt32 = 0
    for index in word..<Slot(words.slots) {
      before[index] = count
      count += UInt32(words[index].nonzeroBitCount)
    }
    for slot in 0..<Slot(slots) {
      let (itsWord, bit) = (numbers[slot] / 64, UInt64(1) << UInt64(numbers[slot] % 64))
      let isThere = itsWord >= word && words[itsWord] & bit != 0
      let older = (words[itsWord] & (bit - 1)).nonzeroBitCount
      numbers[slot] = isThere ? before[itsWord] + UInt32(older) + 1 : 0
    }
    // The numbers to come belong to no objects.
    let objects = count - UInt32(end - Int(next))
    words = RecencyOrder.words(slots: slots)
    return objects + 1
  }
}
