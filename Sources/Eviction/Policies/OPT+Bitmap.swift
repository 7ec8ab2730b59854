/// A set of small whole numbers as a tree of bitmaps with 64 children a node: the smallest and the
/// largest member are at hand.
///
/// The lowest level has a bit for each number; a bit of a level above says whether the 64-bit word
/// below it has any. It grows to hold the largest number inserted.
///
/// - Complexity: every operation O(log₆₄ of the largest number), four steps for ten million; growth
///   is amortised. Memory: 1.02 bits for each number up to the largest, doubled as it grows.
@usableFromInline package struct BitmapTree: ~Copyable {
  /// The words of all levels, the lowest first.
  @usableFromInline var words: UnsafeMutablePointer<UInt64>
  /// The first word of each level.
  @usableFromInline var levels: UnsafeMutablePointer<Int>
  @usableFromInline var height: Int
  /// Numbers below this have a bit.
  @usableFromInline var bound: Int

  /// 64⁶ numbers are more than there are slots.
  @inlinable static var tallest: Int { 6 }

  /// Creates an empty set.
  @usableFromInline package init() {
    words = .allocate(capacity: 1)
    words.initialize(to: 0)
    levels = .allocate(capacity: BitmapTree.tallest)
    levels.initialize(repeating: 0, count: BitmapTree.tallest)
    height = 1
    bound = 64
  }

  deinit {
    words.deallocate()
    levels.deallocate()
  }

  /// True if the set has no member.
  @inlinable @inline(__always)
  package var isEmpty: Bool { words[levels[height &- 1]] == 0 }

  /// Returns true if `number` is a member.
  @inlinable @inline(__always)
  package func contains(_ number: Int) -> Bool {
    number < bound && words[number >> 6] >> UInt64(number & 63) & 1 == 1
  }

  /// Adds `number`, which is not negative; a member stays one.
  @inlinable @inline(__always)
  package mutating func insert(_ number: Int) {
    if number >= bound { grow(toHold: number) }
    var index = number
    for level in 0..<height {
      let word = words + (levels[level] &+ index >> 6)
      let before = word.pointee
      word.pointee = before | 1 &<< UInt64(index & 63)
      if before != 0 { break }
      index >>= 6
    }
    assert(invariantsHold(around: number))
  }

  /// Takes out `number`, which is a member.
  @inlinable @inline(__always)
  package mutating func remove(_ number: Int) {
    assert(contains(number), "\(number) is no member")
    var index = number
    for level in 0..<height {
      let word = words + (levels[level] &+ index >> 6)
      word.pointee &= ~(1 &<< UInt64(index & 63))
      if word.pointee != 0 { break }
      index >>= 6
    }
    assert(invariantsHold(around: number))
  }

  /// The smallest member; nil if there is none.
  @inlinable @inline(__always)
  package var first: Int? {
    if isEmpty { return nil }
    var index = 0
    var level = height
    while level > 0 {
      level &-= 1
      index = index << 6 | words[levels[level] &+ index].trailingZeroBitCount
    }
    return index
  }

  /// The largest member; nil if there is none.
  @inlinable @inline(__always)
  package var last: Int? {
    if isEmpty { return nil }
    var index = 0
    var level = height
    while level > 0 {
      level &-= 1
      index = index << 6 | (63 &- words[levels[level] &+ index].leadingZeroBitCount)
    }
    return index
  }

  /// Takes out every member. O(largest number ever inserted).
  @usableFromInline package mutating func removeAll() {
    words.update(repeating: 0, count: levels[height - 1] + 1)
  }

  /// Makes room for numbers up to `number`, and for as many again.
  @usableFromInline
  mutating func grow(toHold number: Int) {
    let old = (words: words, count: bound >> 6)
    bound = ((max(2 * bound, number + 1) + 63) >> 6) << 6
    var counts = [bound >> 6]
    while let below = counts.last, below > 1 { counts.append((below + 63) >> 6) }
    precondition(counts.count <= BitmapTree.tallest, "at most 2^36 numbers")
    height = counts.count
    words = .allocate(capacity: counts.reduce(0, +))
    words.initialize(repeating: 0, count: counts.reduce(0, +))
    words.update(from: old.words, count: old.count)
    old.words.deallocate()
    for level in 1..<height {
      levels[level] = levels[level - 1] + counts[level - 1]
      for index in 0..<counts[level - 1] where words[levels[level - 1] + index] != 0 {
        words[levels[level] + index >> 6] |= 1 << UInt64(index & 63)
      }
    }
  }

  /// Checks that each level says of the one below what is there: on the way from `number` up, and
  /// everywhere while small.
  @usableFromInline
  func invariantsHold(around number: Int) -> Bool {
    func consistent(_ number: Int) -> Bool {
      var index = number >> 6
      for level in 1..<max(height, 1) {
        let isSet = words[levels[level] + index >> 6] >> UInt64(index & 63) & 1 == 1
        if isSet != (words[levels[level - 1] + index] != 0) { return false }
        index >>= 6
      }
      return true
    }
    guard bound <= 4_096 else { return consistent(number) }
    return stride(from: 0, to: bound, by: 64).allSatisfy(consistent)
  }
}
