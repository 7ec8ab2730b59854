/// The SplitMix64 generator: one word of state, the same numbers on every platform.
///
/// It passes BigCrush, and a draw is a handful of instructions, which is what an eviction can afford.
///
/// - Paper: G. L. Steele, D. Lea and C. H. Flood, “Fast splittable pseudorandom number generators”,
///   OOPSLA 2014.
public struct SplitMix64: BitwiseCopyable, RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  /// Starts the sequence that belongs to `seed`.
  @inlinable
  public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  @inlinable @inline(__always)
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return SplitMix64.mix(state)
  }

  /// The generator's output function: a bijection of 64-bit words that changes half of the bits for
  /// every bit of the input.
  @inlinable @inline(__always)
  public static func mix(_ word: UInt64) -> UInt64 {
    var z = word
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number in 0 ..< `bound`, uniform to the last bit.
  ///
  /// - Paper: D. Lemire, “Fast random integer generation in an interval”, ACM TOMACS 29(1), 2019.
  @inlinable @inline(__always)
  public mutating func index(below bound: Int) -> Int {
    assert(bound > 0, "there is nothing to draw from")
    let range = UInt64(truncatingIfNeeded: bound)
    var product = next().multipliedFullWidth(by: range)
    if product.low < range {
      let threshold = (0 &- range) % range
      while product.low < threshold {
        product = next().multipliedFullWidth(by: range)
      }
    }
    return Int(truncatingIfNeeded: product.high)
  }
}
