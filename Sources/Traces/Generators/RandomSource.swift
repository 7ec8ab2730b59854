/// xoshiro256** 1.0 of Blackman and Vigna (2018), its state filled by SplitMix64 from one seed.
///
/// The same seed gives the same numbers on every machine and in every release.
package struct RandomSource: RandomNumberGenerator, Sendable {
  private var s0: UInt64
  private var s1: UInt64
  private var s2: UInt64
  private var s3: UInt64

  package init(seed: UInt64) {
    var state = seed
    s0 = Self.split(&state)
    s1 = Self.split(&state)
    s2 = Self.split(&state)
    s3 = Self.split(&state)
  }

  /// A source that goes on from a state, which is not all zeros.
  package init(state: (UInt64, UInt64, UInt64, UInt64)) {
    (s0, s1, s2, s3) = state
  }

  /// One step of SplitMix64.
  package static func split(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  @inline(__always)
  package mutating func next() -> UInt64 {
    let scaled = s1 &* 5
    let result = ((scaled &<< 7) | (scaled &>> 57)) &* 9
    let shifted = s1 &<< 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 &<< 45) | (s3 &>> 19)
    return result
  }

  /// A number of 53 random bits in [0, 1).
  @inline(__always)
  mutating func unit() -> Double { Double(next() &>> 11) * 0x1p-53 }

  /// A number below `bound`, by multiplication; the bias is below bound / 2^64.
  @inline(__always)
  mutating func below(_ bound: UInt64) -> UInt64 { next().multipliedFullWidth(by: bound).high }
}
