import CInline

/// A power of two of 64-byte blocks, each on a cache line of its own, chosen by the low bits of a hash.
///
/// The memory under ``CountMinSketch`` and ``BloomFilter``: all that is known of a key lies in one block,
/// so that a look costs at most one cache miss.
@usableFromInline
struct HashedBlocks: ~Copyable {
  /// Eight words a block.
  @usableFromInline var words: UnsafeMutablePointer<UInt64>
  /// The number of blocks, minus one.
  @usableFromInline var mask: UInt64

  /// At least `count` blocks of zeros.
  @inlinable
  init(count: Int) {
    let blocks = HashedBlocks.powerOfTwo(atLeast: count)
    words = HashedBlocks.allocate(blocks)
    words.initialize(repeating: 0, count: 8 * blocks)
    mask = UInt64(blocks - 1)
  }

  @inlinable
  deinit { words.deallocate() }

  @inlinable @inline(__always)
  var count: Int { Int(mask) + 1 }

  @inlinable @inline(__always)
  var wordCount: Int { 8 * count }

  /// The first word of the block of `hash`.
  @inlinable @inline(__always)
  func block(of hash: UInt64) -> UnsafeMutablePointer<UInt64> {
    words + Int(truncatingIfNeeded: hash & mask) << 3
  }

  @inlinable @inline(__always)
  func prefetch(_ hash: UInt64) { evl_prefetch(block(of: hash)) }

  @inlinable
  mutating func clear() { words.update(repeating: 0, count: wordCount) }

  /// Grows to at least `newCount` blocks, each a copy of the one that its hashes had: what was known of
  /// a key still is.
  @inlinable
  mutating func grow(to newCount: Int) {
    let blocks = HashedBlocks.powerOfTwo(atLeast: newCount)
    if blocks <= count { return }
    let larger = HashedBlocks.allocate(blocks)
    for start in stride(from: 0, to: 8 * blocks, by: wordCount) {
      (larger + start).initialize(from: words, count: wordCount)
    }
    words.deallocate()
    words = larger
    mask = UInt64(blocks - 1)
  }

  @usableFromInline
  static func powerOfTwo(atLeast count: Int) -> Int {
    precondition(count <= 1 << 40, "a sketch of that size fits no memory")
    return count <= 1 ? 1 : 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
  }

  @usableFromInline
  static func allocate(_ blocks: Int) -> UnsafeMutablePointer<UInt64> {
    UnsafeMutableRawPointer.allocate(byteCount: 64 * blocks, alignment: 64)
      .bindMemory(to: UInt64.self, capacity: 8 * blocks)
  }
}
