/// Yann Collet's XXH64: a fast 64-bit checksum, no defence against forgery.
///
/// Every step is one to one in its input, so that a single wrong bit always shows. About 10 GB a
/// second. https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
package struct XXHash64: ~Copyable {
  /// Bytes taken at a time: what is hashed in pieces is a multiple of it.
  package static let stripe = 32

  private static let p1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let p2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let p3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let p4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let p5: UInt64 = 0x27D4_EB2F_1656_67C5

  private let seed: UInt64
  private var lanes: (UInt64, UInt64, UInt64, UInt64)
  private var count: UInt64 = 0

  package init(seed: UInt64 = 0) {
    self.seed = seed
    lanes = (seed &+ Self.p1 &+ Self.p2, seed &+ Self.p2, seed, seed &- Self.p1)
  }

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

  /// The checksum of what was taken and of `tail`, which is less than a stripe.
  package consuming func finish(
    tail: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) -> UInt64 {
    precondition(tail.count < Self.stripe, "a tail is less than a stripe")
    let (a, b, c, d) = lanes
    var hash = seed &+ Self.p5
    if count > 0 {
      hash = Self.rotate(a, 1) &+ Self.rotate(b, 7) &+ Self.rotate(c, 12) &+ Self.rotate(d, 18)
      hash = Self.merge(Self.merge(Self.merge(Self.merge(hash, a), b), c), d)
    }
    hash = hash &+ count &+ UInt64(tail.count)
    var at = 0
    while at + 8 <= tail.count {
      hash ^= Self.round(0, tail.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      hash = Self.rotate(hash, 27) &* Self.p1 &+ Self.p4
      at += 8
    }
    if at + 4 <= tail.count {
      let word = UInt32(littleEndian: tail.loadUnaligned(fromByteOffset: at, as: UInt32.self))
      hash = Self.rotate(hash ^ UInt64(word) &* Self.p1, 23) &* Self.p2 &+ Self.p3
      at += 4
    }
    while at < tail.count {
      hash = Self.rotate(hash ^ UInt64(tail[at]) &* Self.p5, 11) &* Self.p1
      at += 1
    }
    hash = (hash ^ (hash >> 33)) &* Self.p2
    hash = (hash ^ (hash >> 29)) &* Self.p3
    return hash ^ (hash >> 32)
  }

  /// The checksum of any bytes.
  package static func checksum(of bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    let whole = bytes.count & ~(stripe - 1)
    var hash = XXHash64(seed: seed)
    hash.update(UnsafeRawBufferPointer(rebasing: bytes[..<whole]))
    return hash.finish(tail: UnsafeRawBufferPointer(rebasing: bytes[whole...]))
  }

  /// The checksum of any bytes, with seed 0.
  package static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    checksum(of: bytes, seed: 0)
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ UInt64(littleEndian: input) &* p2, 31) &* p1
  }

  @inline(__always)
  private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
    (hash ^ round(0, lane)) &* p1 &+ p4
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    (value &<< bits) | (value &>> (64 &- bits))
  }
}
