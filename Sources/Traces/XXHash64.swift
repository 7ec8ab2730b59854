/// Yann Collet's XXH64 with seed 0: a fast 64-bit checksum, no defence against forgery.
///
/// Every step is one to one in its input, so that a single wrong bit always shows. About 10 GB a
/// second. https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
package struct XXHash64: ~Copyable {
  /// Bytes taken at a time: what is hashed is a multiple of it.
  package static let stripe = 32

  private static let p1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let p2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let p3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let p4: UInt64 = 0x85EB_CA77_C2B2_AE63

  private var lanes = (Self.p1 &+ Self.p2, Self.p2, UInt64(0), 0 &- Self.p1)
  private var count: UInt64 = 0

  package init() {}

  /// Takes whole stripes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count % Self.stripe == 0, "a checksum takes whole stripes")
    guard let base = bytes.baseAddress else { return }
    var (a, b, c, d) = lanes
    for at in stride(from: 0, to: bytes.count, by: Self.stripe) {
      a = Self.round(a, base.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      b = Self.round(b, base.loadUnaligned(fromByteOffset: at &+ 8, as: UInt64.self))
      c = Self.round(c, base.loadUnaligned(fromByteOffset: at &+ 16, as: UInt64.self))
      d = Self.round(d, base.loadUnaligned(fromByteOffset: at &+ 24, as: UInt64.self))
    }
    lanes = (a, b, c, d)
    count &+= UInt64(bytes.count)
  }

  /// The checksum of what was taken, which is at least one stripe.
  package consuming func finish() -> UInt64 {
    precondition(count > 0, "a checksum of nothing")
    let (a, b, c, d) = lanes
    var hash =
      Self.rotate(a, 1) &+ Self.rotate(b, 7) &+ Self.rotate(c, 12) &+ Self.rotate(d, 18)
    for lane in [a, b, c, d] {
      hash = (hash ^ Self.round(0, lane)) &* Self.p1 &+ Self.p4
    }
    hash = hash &+ count
    hash = (hash ^ (hash >> 33)) &* Self.p2
    hash = (hash ^ (hash >> 29)) &* Self.p3
    return hash ^ (hash >> 32)
  }

  /// The checksum of bytes that are whole stripes.
  package static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = XXHash64()
    hash.update(bytes)
    return hash.finish()
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ UInt64(littleEndian: input) &* p2, 31) &* p1
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    (value &<< bits) | (value &>> (64 &- bits))
  }
}
