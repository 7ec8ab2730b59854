/// A 128-bit hash that stands for a text key: MurmurHash3_x64_128 of its bytes, seed 0.
///
/// Austin Appleby's function is public, has published test values, and maps keys of one length of
/// up to 16 bytes one to one, so that decimal numbers, hexadecimal addresses and the like never
/// collide; among longer keys a collision is expected once in 2^64 distinct keys. It is no
/// defence against keys *made* to collide. Its low half is the stable hash of a key
/// (``Trace/keyHash(of:)``).
package struct KeyHash: Hashable, Sendable, BitwiseCopyable {
  var low: UInt64
  var high: UInt64

  @inline(__always)
  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  private static let c1: UInt64 = 0x87c3_7b91_1142_53d5
  private static let c2: UInt64 = 0x4cf5_ad43_2745_937f

  /// The final mix of MurmurHash3: one to one, every bit of the result depends on every bit.
  @inline(__always)
  package static func finish(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 33)) &* 0xff51_afd7_ed55_8ccd
    mixed = (mixed ^ (mixed >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return mixed ^ (mixed >> 33)
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    (value &<< bits) | (value &>> (64 &- bits))
  }

  @inline(__always)
  private static func scrambleLow(_ block: UInt64) -> UInt64 { rotate(block &* c1, 31) &* c2 }

  @inline(__always)
  private static func scrambleHigh(_ block: UInt64) -> UInt64 { rotate(block &* c2, 33) &* c1 }

  /// The hash of `count` bytes. O(count).
  @inline(__always)
  package init(_ bytes: UnsafeRawPointer, count: Int) {
    var h1: UInt64 = 0
    var h2: UInt64 = 0
    var at = 0
    while count &- at >= 16 {
      h1 ^= Self.scrambleLow(bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian)
      h1 = (Self.rotate(h1, 27) &+ h2) &* 5 &+ 0x52dc_e729
      h2 ^= Self.scrambleHigh(
        bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self).littleEndian)
      h2 = (Self.rotate(h2, 31) &+ h1) &* 5 &+ 0x3849_5ab5
      at &+= 16
    }
    let rest = count &- at
    if rest > 8 {
      h2 ^= Self.scrambleHigh(Self.partial(bytes + at + 8, rest &- 8))
      h1 ^= Self.scrambleLow(
        bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian)
    } else {
      h1 ^= Self.scrambleLow(Self.partial(bytes + at, rest))
    }
    h1 ^= UInt64(truncatingIfNeeded: count)
    h2 ^= UInt64(truncatingIfNeeded: count)
    h1 = h1 &+ h2
    h2 = h2 &+ h1
    h1 = Self.finish(h1)
    h2 = Self.finish(h2)
    low = h1 &+ h2
    high = h2 &+ h1 &+ h2
  }

  /// The hash of a text's bytes. O(length).
  @inline(__always)
  init(_ text: UnsafeRawBufferPointer) {
    // No byte of an empty text is read.
    let base = text.baseAddress ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
    self.init(base, count: text.count)
  }

  /// The hash of a number's decimal text.
  package init(decimal value: UInt64) {
    self = withUnsafeTemporaryAllocation(byteCount: 20, alignment: 8) { digits in
      let count = value.writeDecimal(endingAt: 20, of: digits)
      return KeyHash(digits.baseAddress.unsafelyUnwrapped + (20 - count), count: count)
    }
  }

  /// Up to 8 bytes as one little-endian number, read without a loop and never past the end.
  @inline(__always)
  private static func partial(_ bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
    if count >= 4 {
      let first = UInt64(bytes.loadUnaligned(as: UInt32.self).littleEndian)
      let last = UInt64(
        bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self).littleEndian)
      return first | last &<< UInt64(truncatingIfNeeded: (count &- 4) &* 8)
    }
    if count == 0 { return 0 }
    let first = UInt64(bytes.load(as: UInt8.self))
    let middle = UInt64(bytes.load(fromByteOffset: count &>> 1, as: UInt8.self))
    let last = UInt64(bytes.load(fromByteOffset: count &- 1, as: UInt8.self))
    return first
      | middle &<< UInt64(truncatingIfNeeded: (count &>> 1) &* 8)
      | last &<< UInt64(truncatingIfNeeded: (count &- 1) &* 8)
  }
}

extension UInt64 {
  /// Writes the decimal digits so that the last one stands before `end`; returns how many.
  @inline(__always)
  func writeDecimal(endingAt end: Int, of bytes: UnsafeMutableRawBufferPointer) -> Int {
    assert(end >= decimalLength && end <= bytes.count)
    var rest = self
    var at = end
    repeat {
      at -= 1
      bytes[at] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30
      rest /= 10
    } while rest != 0
    return end - at
  }
}
