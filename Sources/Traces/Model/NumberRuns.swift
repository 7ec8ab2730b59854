/// Sequences of numbers, many of which begin alike: the ids of the blocks of prompts.
///
/// Of each number the one is kept that preceded it when it first appeared. Three or more numbers each of which follows that
/// one again are two words, their count and the last of them. Others stand as they are, behind their count with the highest
/// bit set. So a sequence that goes on as others did takes two words, and any at most one word more than it has numbers.
package struct NumberRuns: Sendable {
  fileprivate static let others: UInt32 = 1 << 31

  /// By number, the one before it at first; `UInt32.max` for none.
  private let before: Column<UInt32>
  /// The words of all sequences, one after the other.
  private let words: Column<UInt32>
  /// By sequence, where its words start; and the end of the last one's.
  private let starts: Column<UInt64>

  fileprivate init(before: Column<UInt32>, words: Column<UInt32>, starts: Column<UInt64>) {
    self.before = before
    self.words = words
    self.starts = starts
  }

  /// The words of all sequences, of four bytes each.
  package var wordCount: Int { words.count }

  /// Writes the numbers of a sequence to memory that has room for them. O(numbers).
  package func write(_ sequence: Int, to target: UnsafeMutablePointer<UInt32>) {
    before.withUnsafeBufferPointer { before in
      words.withUnsafeBufferPointer { words in
        var target = target
        var place = Int(starts[sequence])
        let end = Int(starts[sequence + 1])
        while place < end {
          let count = Int(words[place] & ~NumberRuns.others)
          if words[place] & NumberRuns.others == 0 {
            var number = words[place + 1]
            for step in (1..<count).reversed() {
              target[step] = number
              number = before[Int(number)]
            }
            target[0] = number
            place += 2
          } else {
            for step in 0..<count { target[step] = words[place + 1 + step] }
            place += 1 + count
          }
          target += count
        }
      }
    }
  }

  /// The number at a place of a sequence. O(numbers).
  package func number(at place: Int, of sequence: Int) -> UInt32 {
    var left = place
    var word = Int(starts[sequence])
    while true {
      let count = Int(words[word] & ~NumberRuns.others)
      let isRun = words[word] & NumberRuns.others == 0
      if left < count {
        if !isRun { return words[word + 1 + left] }
        var number = words[word + 1]
        for _ in left + 1..<count { number = before[Int(number)] }
        return number
      }
      left -= count
      word += isRun ? 2 : 1 + count
    }
  }
}

/// Collects ``NumberRuns``.
package struct NumberRunBuffer: ~Copyable {
  private var before = ColumnBuffer<UInt32>()
  private var words = ColumnBuffer<UInt32>()
  private var starts = ColumnBuffer<UInt64>()

  /// No sequence.
  package init() { starts.append(0) }

  /// The number of sequences.
  var count: Int { starts.count - 1 }

  /// Bytes of the sequences so far.
  var usedBytes: Int { before.usedBytes + words.usedBytes + starts.usedBytes }

  /// Appends a sequence. O(numbers), where they are numbered in order of first appearance.
  package mutating func append(_ numbers: UnsafeBufferPointer<UInt32>) {
    var last = UInt32.max
    for number in numbers {
      while before.count <= Int(number) {
        before.append(before.count == Int(number) ? last : .max)
      }
      last = number
    }
    guard let before = before.elements else { return starts.append(UInt64(words.count)) }
    // The first of the numbers that stand as they are.
    var first = 0
    var place = 0
    while place < numbers.count {
      var end = place + 1
      while end < numbers.count && before[Int(numbers[end])] == numbers[end - 1] { end += 1 }
      if end - place >= 3 {
        appendOthers(numbers, first..<place)
        words.append(UInt32(end - place))
        words.append(numbers[end - 1])
        first = end
      }
      place = end
    }
    appendOthers(numbers, first..<numbers.count)
    starts.append(UInt64(words.count))
  }

  /// Appends a sequence of others with other numbers in its place. O(numbers).
  mutating func append(
    _ others: NumberRuns, _ sequence: Int, count: Int, as number: (UInt32) -> UInt32
  ) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: max(1, count)) { numbers in
      guard let base = numbers.baseAddress else { return }
      others.write(sequence, to: base)
      for place in 0..<count { numbers[place] = number(numbers[place]) }
      append(UnsafeBufferPointer(start: base, count: count))
    }
  }

  private mutating func appendOthers(
    _ numbers: UnsafeBufferPointer<UInt32>, _ places: Range<Int>
  ) {
    if places.isEmpty { return }
    words.append(UInt32(places.count) | NumberRuns.others)
    for place in places { words.append(numbers[place]) }
  }

  /// The finished sequences.
  package consuming func freeze() -> NumberRuns {
    NumberRuns(before: before.freeze(), words: words.freeze(), starts: starts.freeze())
  }
}
