/// A set of small whole numbers that finds the next member above a number, and the largest.
///
/// One bit per number, and above every 64 of them one bit that says whether there is any.
///
/// - Complexity: `insert`, `remove` and `contains` O(1); ``next(from:)`` and ``last`` look at one word
///   per 4096 numbers. Memory: 65/64 bits per number.
@usableFromInline package struct IndexBits: ~Copyable {
  /// Number n is bit n mod 64 of word ⌊n / 64⌋.
  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  /// Word w is bit w mod 64 of summary ⌊w / 64⌋, set while the word is not zero.
  @usableFromInline let summaries: UnsafeMutablePointer<UInt64>
  @usableFromInline let wordCount: Int
  @usableFromInline let summaryCount: Int
  /// No member is in a summary beyond this one.
  @usableFromInline var top = 0

  /// Creates an empty set of numbers below `count`.
  @inlinable
  package init(count: Int) {
    wordCount = (count + 63) / 64
    summaryCount = (wordCount + 63) / 64
    words = .allocate(capacity: wordCount)
    words.initialize(repeating: 0, count: wordCount)
    summaries = .allocate(capacity: summaryCount)
    summaries.initialize(repeating: 0, count: summaryCount)
  }

  deinit {
    words.deallocate()
    summaries.deallocate()
  }

  /// Returns true if `number` is a member.
  @inlinable @inline(__always)
  package func contains(_ number: Int) -> Bool {
    assert(number >= 0 && number >> 6 < wordCount, "\(number) is out of range")
    return words[number >> 6] >> UInt64(number & 63) & 1 == 1
  }

  /// Makes `number` a member.
  @inlinable @inline(__always)
  package mutating func insert(_ number: Int) {
    assert(number >= 0 && number >> 6 < wordCount, "\(number) is out of range")
    words[number >> 6] |= 1 &<< UInt64(number & 63)
    summaries[number >> 12] |= 1 &<< UInt64(number >> 6 & 63)
    top = max(top, number >> 12)
  }

  /// Takes `number` out, if it is a member.
  @inlinable @inline(__always)
  package mutating func remove(_ number: Int) {
    assert(number >= 0 && number >> 6 < wordCount, "\(number) is out of range")
    words[number >> 6] &= ~(1 &<< UInt64(number & 63))
    if words[number >> 6] == 0 { summaries[number >> 12] &= ~(1 &<< UInt64(number >> 6 & 63)) }
  }

  /// The smallest member from `number` on, or nil if there is none.
  @inlinable
  package func next(from number: Int) -> Int? {
    if number >> 6 >= wordCount { return nil }
    let rest = words[number >> 6] >> UInt64(number & 63)
    if rest != 0 { return number + rest.trailingZeroBitCount }
    let word = number >> 6 + 1
    var summary = word >> 6
    if summary >= summaryCount { return nil }
    var candidates = summaries[summary] & (~0 &<< UInt64(word & 63))
    while candidates == 0 {
      summary += 1
      if summary == summaryCount { return nil }
      candidates = summaries[summary]
    }
    let found = summary << 6 + candidates.trailingZeroBitCount
    return found << 6 + words[found].trailingZeroBitCount
  }

  /// The largest member, or nil if there is none.
  @inlinable
  package var last: Int? {
    var summary = top
    while summary >= 0 {
      if summaries[summary] != 0 {
        let found = summary << 6 + 63 - summaries[summary].leadingZeroBitCount
        return found << 6 + 63 - words[found].leadingZeroBitCount
      }
      summary -= 1
    }
    return nil
  }

  /// Takes every number out.
  @inlinable
  package mutating func removeAll() {
    words.update(repeating: 0, count: wordCount)
    summaries.update(repeating: 0, count: summaryCount)
    top = 0
  }
}
