/// Elementary functions from additions, multiplications and divisions alone.
///
/// The C library's differ in the last bit from platform to platform, and a decision that hangs on it
/// would make hit counts differ. These are the same wherever arithmetic is IEEE 754; the error is at most
/// about one unit in the last place.
public enum PortableMath {
  /// eˣ; 0 below the smallest normal number.
  public static func exp(_ x: Double) -> Double {
    if x < -708 { return 0 }
    if x > 709 { return .infinity }
    if x.isNaN { return x }
    let power = nearestInteger(x * 1.442_695_040_888_963_4)
    return series((x - power * ln2High) - power * ln2Low) * powerOfTwo(power)
  }

  /// 2ˣ; 0 below the smallest normal number.
  public static func exp2(_ x: Double) -> Double {
    if x < -1022 { return 0 }
    if x >= 1023.5 { return .infinity }
    if x.isNaN { return x }
    let power = nearestInteger(x)
    return series((x - power) * (ln2High + ln2Low)) * powerOfTwo(power)
  }

  /// The logarithm to base 2 of a positive, finite, normal number.
  public static func log2(_ x: Double) -> Double {
    precondition(x.isNormal && x > 0, "the number is positive and finite")
    var power = Double(x.exponent)
    var significand = x.significand
    if significand > 1.414_213_562_373_095 {
      significand /= 2
      power += 1
    }
    // ln m = 2 artanh s, with s at most 0.172.
    let s = (significand - 1) / (significand + 1)
    let square = s * s
    var sum = 0.0
    for odd in stride(from: 21.0, through: 1, by: -2) { sum = sum * square + 1 / odd }
    return power + 2 * s * sum / (ln2High + ln2Low)
  }

  private static let ln2High = 6.931_471_803_691_238e-1
  private static let ln2Low = 1.908_214_929_270_587_7e-10

  /// eʳ for |r| ≤ ½ ln 2, by its Taylor series.
  private static func series(_ r: Double) -> Double {
    var sum = 1.0
    for divisor in stride(from: 13.0, through: 1, by: -1) { sum = 1 + sum * r / divisor }
    return sum
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
