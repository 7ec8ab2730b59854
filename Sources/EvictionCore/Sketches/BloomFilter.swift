/// True if keys were seen, approximately and in little memory: never a no for a key that was.
///
/// Each key sets four bits of one 64-byte block, so that a look costs at most one cache miss. As TinyLFU's
/// *doorkeeper* it keeps keys that are requested once out of the frequency sketch.
///
///     var filter = BloomFilter(capacity: 1_000)
///     filter.insert(hash)     // true: it is new
///     filter.contains(hash)   // true
///
/// Keys come as uniform 64-bit hashes, such as ``Request/keyHash``. What the filter takes from a hash is
/// independent of what ``CountMinSketch`` takes.
///
/// - Paper: B. H. Bloom, “Space/time trade-offs in hash coding with allowable errors”, CACM 13(7), 1970;
///   blocked: F. Putze, P. Sanders and J. Singler, “Cache-, hash- and space-efficient Bloom filters”,
///   WEA 2007.
/// - Complexity: O(1); clearing O(capacity). Memory: 1 byte per unit of capacity, rounded up to a power of
///   two, and at least 64. Filled to its capacity, it says yes to about 3 % of the keys it never saw.
public struct BloomFilter: ~Copyable {
  @usableFromInline var blocks: HashedBlocks

  /// An empty filter with eight bits for each of `capacity` keys.
  @inlinable
  public init(capacity: Int) { blocks = HashedBlocks(count: BloomFilter.blocks(for: capacity)) }

  /// The number of keys it has room for.
  @inlinable @inline(__always)
  public var capacity: Int { 64 * blocks.count }

  /// Grows to the next power of two that has room for `newCapacity` keys; never shrinks, and forgets
  /// nothing.
  @inlinable
  public mutating func grow(to newCapacity: Int) {
    blocks.grow(to: BloomFilter.blocks(for: newCapacity))
  }

  /// Returns true if the key may have been inserted; if it was, the answer is true.
  @inlinable @inline(__always)
  public func contains(_ hash: UInt64) -> Bool {
    let bits = BloomFilter.rehash(hash)
    let block = blocks.block(of: bits)
    var missing: UInt64 = 0
    for index in 0..<4 {
      let (word, bit) = BloomFilter.place(of: bits, index)
      missing |= ~block[word] & bit
    }
    return missing == 0
  }

  /// Inserts the key.
  ///
  /// - Returns: True if it was new: false if ``contains(_:)`` was true.
  @inlinable @inline(__always) @discardableResult
  public mutating func insert(_ hash: UInt64) -> Bool {
    let bits = BloomFilter.rehash(hash)
    let block = blocks.block(of: bits)
    var missing: UInt64 = 0
    for index in 0..<4 {
      let (word, bit) = BloomFilter.place(of: bits, index)
      missing |= ~block[word] & bit
      block[word] |= bit
    }
    return missing != 0
  }

  /// Empties the filter.
  @inlinable
  public mutating func clear() { blocks.clear() }

  /// Asks the processor to bring the key's bits near.
  @inlinable @inline(__always)
  public func prefetch(_ hash: UInt64) { blocks.prefetch(BloomFilter.rehash(hash)) }

  @usableFromInline
  static func blocks(for capacity: Int) -> Int {
    max(capacity, 1) / 64 + (capacity % 64 > 0 ? 1 : 0)
  }

  /// A second hash, so that keys that share a block of the sketch do not share one here.
  @inlinable @inline(__always)
  static func rehash(_ hash: UInt64) -> UInt64 { SplitMix64.mix(hash) }

  /// Bits 28 … 63 of the second hash: nine for each of the key's four bits.
  @inlinable @inline(__always)
  static func place(of bits: UInt64, _ index: Int) -> (word: Int, bit: UInt64) {
    let place = bits >> UInt64(28 &+ 9 &* index)
    return (Int(truncatingIfNeeded: (place >> 6) & 7), 1 &<< (place & 63))
  }
}
