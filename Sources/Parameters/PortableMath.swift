/// Elementary functions from additions, multiplications and divisions alone.
///
/// The C library's differ in the last bit from platform to platform, and a decision that hangs on it
/// would make hit counts and generated traces differ. These are the same wherever arithmetic is IEEE
/// 754; the error is at most about two units in the last place.
public enum PortableMath {
  /// eˣ; 0 below the smallest normal number.
  public static func exp(_ x: Double) -> Double {
    if x < -708 { return 0 }
    if x > 709 { return .infinity }
    if x.isNaN { return x }
    let (power, tail) = parts(x)
    return (1 + tail) * power
  }

  /// 2ˣ; 0 below the smallest normal number.
  public static func exp2(_ x: Double) -> Double {
    if x < -1022 { return 0 }
    if x >= 1023.5 { return .infinity }
    if x.isNaN { return x }
    let power = nearestInteger(x)
    return (1 + exponentialTail((x - power) * (ln2High + ln2Low))) * powerOfTwo(power)
  }

  /// eˣ − 1, exact around 0 too.
  public static func expMinusOne(_ x: Double) -> Double {
    if x < -40 || x > 700 || x.isNaN { return exp(x) - 1 }
    let (power, tail) = parts(x)
    return power * tail + (power - 1)
  }

  /// 2ᵏ and eʳ − 1, whose sum k ln 2 + r is x.
  private static func parts(_ x: Double) -> (power: Double, tail: Double) {
    let k = nearestInteger(x * 1.442_695_040_888_963_4)
    return (powerOfTwo(k), exponentialTail((x - k * ln2High) - k * ln2Low))
  }

  /// The natural logarithm of a positive, finite, normal number.
  public static func log(_ x: Double) -> Double {
    let (power, rest) = split(x)
    return power * ln2High + (power * ln2Low + rest)
  }

  /// The logarithm to base 2 of a positive, finite, normal number.
  public static func log2(_ x: Double) -> Double {
    let (power, rest) = split(x)
    return power + rest / (ln2High + ln2Low)
  }

  /// The natural logarithm of 1 + x, exact around 0 too; −∞ for x ≤ −1.
  public static func logOnePlus(_ x: Double) -> Double {
    if x.magnitude < 0.34 { return doubledArtanh(x / (2 + x)) }
    return x <= -1 ? -.infinity : log(1 + x)
  }

  private static let ln2High = 6.931_471_803_691_238e-1
  private static let ln2Low = 1.908_214_929_270_587_7e-10

  /// A whole p and ln m with x = 2ᵖ m and m between √½ and √2.
  private static func split(_ x: Double) -> (power: Double, rest: Double) {
    precondition(x.isNormal && x > 0, "the number is positive and finite")
    var power = Double(x.exponent)
    var significand = x.significand
    if significand > 1.414_213_562_373_095 {
      significand /= 2
      power += 1
    }
    return (power, doubledArtanh((significand - 1) / (significand + 1)))
  }

  /// eʳ − 1 for |r| ≤ ½ ln 2: Σ rᵏ / k! up to k = 13, even and odd terms side by side.
  private static func exponentialTail(_ r: Double) -> Double {
    let square = r * r
    var odd = 1.605_904_383_682_161_3e-10
    odd = odd * square + 2.505_210_838_544_172e-8
    odd = odd * square + 2.755_731_922_398_589_3e-6
    odd = odd * square + 1.984_126_984_126_984e-4
    odd = odd * square + 8.333_333_333_333_333e-3
    odd = odd * square + 1.666_666_666_666_666_6e-1
    var even = 2.087_675_698_786_81e-9
    even = even * square + 2.755_731_922_398_589e-7
    even = even * square + 2.480_158_730_158_73e-5
    even = even * square + 1.388_888_888_888_889e-3
    even = even * square + 4.166_666_666_666_666_4e-2
    even = even * square + 0.5
    return r + square * (even + r * odd)
  }

  /// 2 artanh s for |s| ≤ 0.206: 2 Σ sᵏ / k over the odd k up to 25.
  private static func doubledArtanh(_ s: Double) -> Double {
    let square = s * s
    let fourth = square * square
    var low = 1 / 25.0
    low = low * fourth + 1 / 21.0
    low = low * fourth + 1 / 17.0
    low = low * fourth + 1 / 13.0
    low = low * fourth + 1 / 9.0
    low = low * fourth + 1 / 5.0
    var high = 1 / 23.0
    high = high * fourth + 1 / 19.0
    high = high * fourth + 1 / 15.0
    high = high * fourth + 1 / 11.0
    high = high * fourth + 1 / 7.0
    high = high * fourth + 1 / 3.0
    return 2 * s + 2 * s * square * (high + square * low)
  }

  /// Rounds to the nearest integer: sums above 2⁵² have no fraction.
  private static func nearestInteger(_ x: Double) -> Double {
    let shift = 6_755_399_441_055_744.0
    return (x + shift) - shift
  }

  /// 2ᵏ for a whole k from −1022 to 1023.
  private static func powerOfTwo(_ k: Double) -> Double {
    Double(bitPattern: UInt64(truncatingIfNeeded: 1023 + Int(k)) << 52)
  }
}
