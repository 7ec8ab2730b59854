/// Approximate counts of keys in little memory: four-bit counters, of which each key has four.
///
/// A key's counters are shared with other keys, so the smallest of the four is an upper bound of the
/// key's count, and rarely far above it. Counts end at 15. All four lie in one cache line:
/// a block of 64 bytes holds four rows of 32 counters, and the hash chooses the block and one counter in
/// each row.
///
///     var sketch = CountMinSketch(capacity: 100_000)
///     sketch.increment(hash)
///     sketch.frequency(of: hash)   // at least 1
///
/// Keys come as uniform 64-bit hashes, such as ``Request/keyHash``: the low bits choose the block, the
/// high 20 the counters.
///
/// - Paper: G. Cormode and S. Muthukrishnan, “An improved data stream summary: the count-min sketch and
///   its applications”, Journal of Algorithms 55(1), 2005; conservative update: C. Estan and G.
///   Varghese, “New directions in traffic measurement and accounting”, SIGCOMM 2002.
/// - Complexity: O(1); halving O(capacity). Memory: 8 bytes per unit of capacity, rounded up to a power
///   of two, and at least 64.
public struct CountMinSketch: ~Copyable {
  /// The largest count.
  @inlinable public static var maximum: Int { 15 }

  @usableFromInline var blocks: HashedBlocks
  @usableFromInline let isConservative: Bool

  /// A sketch of zeros with 16 counters for each of `capacity` keys.
  ///
  /// - Parameters:
  ///   - capacity: The number of keys that it is made for.
  ///   - isConservative: True if only the smallest of a key's counters grow (also called
  ///     minimal increment), which is more accurate.
  @inlinable
  public init(capacity: Int, isConservative: Bool = false) {
    blocks = HashedBlocks(count: CountMinSketch.blocks(for: capacity))
    self.isConservative = isConservative
  }

  /// The number of keys it has room for.
  @inlinable @inline(__always)
  public var capacity: Int { blocks.wordCount }

  /// Grows to the next power of two that has room for `newCapacity` keys; never shrinks, and forgets
  /// nothing.
  @inlinable
  public mutating func grow(to newCapacity: Int) {
    blocks.grow(to: CountMinSketch.blocks(for: newCapacity))
  }

  /// An upper bound of how often the key was counted since the last halvings, 0 … 15.
  @inlinable @inline(__always)
  public func frequency(of hash: UInt64) -> Int {
    let block = blocks.block(of: hash)
    let first = min(counter(of: hash, row: 0, block), counter(of: hash, row: 1, block))
    let second = min(counter(of: hash, row: 2, block), counter(of: hash, row: 3, block))
    return Int(truncatingIfNeeded: min(first, second))
  }

  /// Counts the key once.
  ///
  /// - Returns: True if any of its counters grew; not if they have all reached 15.
  @inlinable @inline(__always) @discardableResult
  public mutating func increment(_ hash: UInt64) -> Bool {
    let block = blocks.block(of: hash)
    // What each counter must not exceed in order to grow.
    let limit =
      isConservative ? UInt64(min(frequency(of: hash), CountMinSketch.maximum - 1)) : 14
    var grew: UInt64 = 0
    grew |= increment(hash, row: 0, block, upTo: limit)
    grew |= increment(hash, row: 1, block, upTo: limit)
    grew |= increment(hash, row: 2, block, upTo: limit)
    grew |= increment(hash, row: 3, block, upTo: limit)
    return grew != 0
  }

  /// Halves every counter, rounding down.
  ///
  /// - Returns: The number of counters that were odd: each lost half a count more than the others.
  @inlinable
  public mutating func halve() -> Int {
    var odd = 0
    for index in 0..<blocks.wordCount {
      let word = blocks.words[index]
      odd &+= (word & 0x1111_1111_1111_1111).nonzeroBitCount
      blocks.words[index] = (word >> 1) & 0x7777_7777_7777_7777
    }
    return odd
  }

  /// Sets every counter to zero.
  @inlinable
  public mutating func clear() { blocks.clear() }

  /// Asks the processor to bring the key's counters near.
  @inlinable @inline(__always)
  public func prefetch(_ hash: UInt64) { blocks.prefetch(hash) }

  @usableFromInline
  static func blocks(for capacity: Int) -> Int { max(capacity, 1) / 8 + (capacity % 8 > 0 ? 1 : 0) }

  /// Bits 44 … 63 of the hash: five for each row, the lowest says in which of the row's two words the
  /// counter is, the others where in the word.
  @inlinable @inline(__always)
  func place(of hash: UInt64, row: Int) -> (word: Int, shift: UInt64) {
    let bits = hash >> UInt64(44 &+ 5 &* row)
    return (2 &* row &+ Int(truncatingIfNeeded: bits & 1), (bits & 30) << 1)
  }

  @inlinable @inline(__always)
  func counter(of hash: UInt64, row: Int, _ block: UnsafeMutablePointer<UInt64>) -> UInt64 {
    let place = place(of: hash, row: row)
    return (block[place.word] &>> place.shift) & 15
  }

  /// Adds one to the row's counter if it is at most `limit`, and returns what was added.
  @inlinable @inline(__always)
  func increment(
    _ hash: UInt64, row: Int, _ block: UnsafeMutablePointer<UInt64>, upTo limit: UInt64
  ) -> UInt64 {
    let place = place(of: hash, row: row)
    let word = block[place.word]
    let step: UInt64 = (word &>> place.shift) & 15 <= limit ? 1 : 0
    block[place.word] = word &+ (step &<< place.shift)
    return step
  }
}
