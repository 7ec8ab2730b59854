/// SipHash-2-4 of one number under a secret key: equal numbers have equal hashes, and no one without the
/// key can tell the number from the hash.
///
/// Aumasson and Bernstein, “SipHash: a fast short-input PRF”, INDOCRYPT 2012.
package struct KeyedHash: Sendable {
  private let key: (UInt64, UInt64)

  /// A secret key, drawn from the system.
  package init() { self.init(key: (.random(in: 0 ... .max), .random(in: 0 ... .max))) }

  package init(key: (UInt64, UInt64)) { self.key = key }

  /// The hash of the number's eight bytes, little-endian.
  @inline(__always)
  package func hash(of number: UInt64) -> UInt64 {
    var state = State(
      v0: key.0 ^ 0x736f_6d65_7073_6575, v1: key.1 ^ 0x646f_7261_6e64_6f6d,
      v2: key.0 ^ 0x6c79_6765_6e65_7261, v3: key.1 ^ 0x7465_6462_7974_6573)
    state.compress(number)
    // The last block holds nothing but the length.
    state.compress(8 << 56)
    state.v2 ^= 0xFF
    for _ in 0..<4 { state.round() }
    return state.v0 ^ state.v1 ^ state.v2 ^ state.v3
  }

  private struct State {
    var v0: UInt64
    var v1: UInt64
    var v2: UInt64
    var v3: UInt64

    @inline(__always)
    mutating func compress(_ block: UInt64) {
      v3 ^= block
      round()
      round()
      v0 ^= block
    }

    @inline(__always)
    mutating func round() {
      v0 &+= v1
      v2 &+= v3
      v1 = v1.rotated(by: 13) ^ v0
      v3 = v3.rotated(by: 16) ^ v2
      v0 = v0.rotated(by: 32)
      v2 &+= v1
      v0 &+= v3
      v1 = v1.rotated(by: 17) ^ v2
      v3 = v3.rotated(by: 21) ^ v0
      v2 = v2.rotated(by: 32)
    }
  }
}

extension UInt64 {
  fileprivate func rotated(by bits: UInt64) -> UInt64 { self &<< bits | self &>> (64 &- bits) }
}
