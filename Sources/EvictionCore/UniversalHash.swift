/// Hashes under a seed, for keys that an adversary may choose.
///
/// Two words that differ take any two given hashes with a probability of at most 2 · 2⁻¹²⁸ over the words
/// that the seed stands for: an almost strongly universal family. So any two keys meet in a table of n
/// places, or in one of n shards, with a probability of at most 2 ÷ n, no matter who chose them without knowing the
/// seed. The bound is that of independent words; here they are drawn from one seed of 64 bits.
///
/// - Paper: M. Dietzfelbinger, “Universal hashing and k-wise independent random variables via integer
///   arithmetic without primes”, STACS 1996, for words; M. N. Wegman and J. L. Carter, “New hash functions
///   and their use in authentication and set equality”, JCSS 22(3), 1981, for polynomials, as for bytes.
@usableFromInline
package enum UniversalHash {
  /// The hash of a word: the high half of a·word + b, where a has 128 bits, scrambled.
  ///
  /// Scrambling is one to one, so the bound holds without it. It takes the line out of the function: evenly
  /// spaced keys would fill a table in runs under some seeds.
  @inlinable @inline(__always)
  package static func hash(_ word: UInt64, seed: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: draw(1, seed))
    return scramble(product.high &+ word &* draw(2, seed) &+ draw(3, seed))
  }

  /// The hash of bytes, and a word that has the highest bit of a byte if one of them has.
  ///
  /// Seven bytes are a coefficient of a polynomial modulo 2⁶¹ − 1, and the length is the first one. Long keys
  /// have two, which do not wait for each other. Two keys of at most n bytes have the same values at random
  /// points with a probability below (n + 14) ÷ 2⁶², and are told apart as words otherwise.
  ///
  /// - Complexity: O(bytes), about a multiplication for every seven.
  @inlinable @inline(__always)
  package static func hash(
    _ bytes: UnsafeRawBufferPointer, seed: UInt64
  ) -> (hash: UInt64, highBits: UInt64) {
    let count = bytes.count
    let point = draw(4, seed) &>> 4
    var value = UInt64(truncatingIfNeeded: count)
    var highBits: UInt64 = 0
    var offset = 0
    var second: UInt64 = 0
    if count > 14 {
      let secondPoint = draw(5, seed) &>> 4
      while offset &+ 15 <= count {
        let words = (word(at: offset, of: bytes), word(at: offset &+ 7, of: bytes))
        highBits |= words.0 | words.1
        value = step(value, at: point, adding: words.0)
        second = step(second, at: secondPoint, adding: words.1)
        offset &+= 14
      }
    }
    if offset &+ 8 <= count {
      let word = word(at: offset, of: bytes)
      highBits |= word
      value = step(value, at: point, adding: word)
      offset &+= 7
    }
    let rest = rest(after: offset, of: bytes)
    value = step(value, at: point, adding: rest)
    if count > 14 { value = step(value, at: draw(6, seed) &>> 4, adding: 0) &+ second }
    return (hash(value, seed: seed), highBits | rest)
  }

  /// One of the words that a seed stands for.
  @inlinable @inline(__always)
  static func draw(_ number: UInt64, _ seed: UInt64) -> UInt64 {
    scramble(seed &+ number &* 0x9E37_79B9_7F4A_7C15)
  }

  /// A bijection all of whose bits depend on all of the input's, or nearly.
  @inlinable @inline(__always)
  static func scramble(_ word: UInt64) -> UInt64 {
    let product = (word ^ (word &>> 32)) &* 0x9FB2_1C65_1E98_DF25
    return product ^ (product &>> 32)
  }

  /// value · point + the low 56 bits of word, modulo 2⁶¹ − 1 but not reduced to the end: below 2⁶³, as is
  /// `value`, if the point is below 2⁶⁰.
  @inlinable @inline(__always)
  static func step(_ value: UInt64, at point: UInt64, adding word: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: point)
    let low = product.low & 0x1FFF_FFFF_FFFF_FFFF
    return low &+ (product.high &<< 3 | product.low &>> 61) &+ (word & 0x00FF_FFFF_FFFF_FFFF)
  }

  @inlinable @inline(__always)
  static func word(at offset: Int, of bytes: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The last bytes, at most seven, the first of them lowest.
  @inlinable @inline(__always)
  static func rest(after offset: Int, of bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    if count >= 8 {
      return word(at: count &- 8, of: bytes) &>> UInt64(8 &* (offset &+ 8 &- count))
    }
    if count >= 4 {
      // The two overlap where they agree.
      let low = bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
      let high = bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      return UInt64(UInt32(littleEndian: low))
        | UInt64(UInt32(littleEndian: high)) &<< UInt64(8 &* (count &- 4))
    }
    if count == 0 { return 0 }
    let middle = count &>> 1
    return UInt64(bytes[0]) | UInt64(bytes[middle]) &<< UInt64(8 &* middle)
      | UInt64(bytes[count &- 1]) &<< UInt64(8 &* (count &- 1))
  }
}
