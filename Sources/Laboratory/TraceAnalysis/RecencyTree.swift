/// The keys of a sample in the order of their last requests: how many were requested since a moment.
///
/// Each key has a place in that order, given anew at each of its requests; a Fenwick tree over words of
/// 64 places counts those in use. When the places run out, those in use are moved together, so that the
/// memory depends on the keys and not on the requests.
///
/// - Complexity: O(log keys) per operation, amortised. Memory: about 9 bytes a key.
/// - Paper: P. M. Fenwick, “A new data structure for cumulative frequency tables”, Software: Practice and
///   Experience 24(3), 1994.
struct RecencyTree {
  /// The number of the request that took each place, ascending.
  private var numbers: [UInt32]
  /// Places in use.
  private var used: [UInt64]
  /// At i the places in use in the words above i − lowest bit of i, up to i; from 1.
  private var sums: [UInt32]
  private var next = 0
  private(set) var count = 0

  /// An empty tree for at most `keys` keys.
  init(keys: Int) {
    let words = max(4, (2 * keys + 63) / 64)
    numbers = Array(repeating: 0, count: words * 64)
    used = Array(repeating: 0, count: words)
    sums = Array(repeating: 0, count: words + 1)
  }

  /// How many keys had their last request after the one numbered `number`.
  func count(after number: UInt32) -> Int {
    count - usedPlaces(below: place(after: number))
  }

  /// Makes the request numbered `number`, the highest so far, the last one of a key whose last one was
  /// `previous`, 0 if the key is new.
  mutating func touch(_ number: UInt32, previous: UInt32) {
    if previous > 0 {
      let place = place(after: previous - 1)
      assert(numbers[place] == previous, "the previous request is that of a key of the tree")
      used[place >> 6] &= ~(1 << UInt64(place & 63))
      add(UInt32.max, word: place >> 6)
      count -= 1
    }
    if next == numbers.count { compact() }
    numbers[next] = number
    used[next >> 6] |= 1 << UInt64(next & 63)
    add(1, word: next >> 6)
    next += 1
    count += 1
  }

  /// The first place that a later request than `number` took.
  private func place(after number: UInt32) -> Int {
    numbers.withUnsafeBufferPointer { numbers in
      var low = 0
      var width = next
      while width > 0 {
        let half = width / 2
        let isBefore = numbers[low &+ half] <= number
        low = isBefore ? low &+ half &+ 1 : low
        width = isBefore ? width &- half &- 1 : half
      }
      return low
    }
  }

  private func usedPlaces(below place: Int) -> Int {
    var word = place >> 6
    // A place past the last has no word of its own.
    let bits = place & 63 == 0 ? 0 : used[word] & (1 << UInt64(place & 63) - 1)
    var sum = bits.nonzeroBitCount
    while word > 0 {
      sum += Int(sums[word])
      word &= word - 1
    }
    return sum
  }

  /// Adds modulo 2³², so that the largest number stands for −1.
  private mutating func add(_ value: UInt32, word: Int) {
    var index = word + 1
    while index < sums.count {
      sums[index] &+= value
      index += index & -index
    }
  }

  private mutating func compact() {
    var kept = 0
    for place in 0..<next where used[place >> 6] >> UInt64(place & 63) & 1 == 1 {
      numbers[kept] = numbers[place]
      kept += 1
    }
    precondition(kept < numbers.count, "more keys than the tree was made for")
    next = kept
    for word in used.indices {
      let rest = kept - word * 64
      used[word] = rest >= 64 ? .max : rest <= 0 ? 0 : 1 << UInt64(rest) - 1
      sums[word + 1] = UInt32(used[word].nonzeroBitCount)
    }
    for index in 1..<sums.count {
      let parent = index + index & -index
      if parent < sums.count { sums[parent] += sums[index] }
    }
  }
}
