/// An exact decimal fraction, such as the 0.8 of `slru:protected=0.8`.
///
/// A product with a capacity is floored exactly: 0.29 of 100 is 29, where binary floating point
/// would say 28.
public struct Fraction: BitwiseCopyable, Sendable, Hashable {
  /// The digits without their decimal point.
  public let numerator: Int
  /// A power of ten.
  public let denominator: Int

  /// The fraction `numerator / denominator`, as a decimal.
  ///
  /// Traps where no decimal of 18 places equals it, as for a third.
  public init(_ numerator: Int, _ denominator: Int = 1) {
    let powers = (0...18).lazy.compactMap(Fraction.powerOfTen)
    guard denominator > 0, let power = powers.first(where: { $0.isMultiple(of: denominator) })
    else { preconditionFailure("\(numerator)/\(denominator) is no decimal of 18 places") }
    self.numerator = numerator * (power / denominator)
    self.denominator = power
  }

  /// Parses decimal notation (`0.8`, `.5`, `2`, `1e-3`, `1e6`) of at most 18 significant digits;
  /// anything else is nil.
  public init?(parsing text: some StringProtocol) {
    var digits = 0
    var scale = 0
    var exponent = 0
    var seenPoint = false
    var seenDigit = false
    var rest = Substring(text).utf8
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let (shifted, tooLong) = digits.multipliedReportingOverflow(by: 10)
        let (next, tooLarge) = shifted.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
        if tooLong || tooLarge { return nil }
        digits = next
        if seenPoint { scale += 1 }
        seenDigit = true
      case UInt8(ascii: "."):
        if seenPoint { return nil }
        seenPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        guard let value = Int(Substring(rest.dropFirst())), abs(value) <= 18 else { return nil }
        exponent = value
        rest = rest.suffix(1)
      default:
        return nil
      }
      rest = rest.dropFirst()
    }
    guard seenDigit, let power = Fraction.powerOfTen(abs(exponent - scale)) else { return nil }
    if exponent >= scale {
      let (value, overflow) = digits.multipliedReportingOverflow(by: power)
      if overflow { return nil }
      self.init(value)
    } else {
      self.init(digits, power)
    }
  }

  private static func powerOfTen(_ exponent: Int) -> Int? {
    exponent <= 18 ? (0..<exponent).reduce(1) { power, _ in power * 10 } : nil
  }

  /// ⌊fraction × count⌋, exact for every count; `Int.max` where the product is larger than that.
  public func floor(of count: Int) -> Int {
    let product = numerator.multipliedFullWidth(by: count)
    // The quotient is an integer of 63 bits if the product is below denominator × 2⁶³.
    let times2To63 = 2 * product.high + Int(product.low >> 63)
    guard times2To63 < denominator else { return .max }
    return denominator.dividingFullWidth(product).quotient
  }

  /// The value where it is a whole number: `1e6`, `5.0`.
  public var wholeNumber: Int? {
    numerator.isMultiple(of: denominator) ? numerator / denominator : nil
  }

  /// The nearest binary floating-point number.
  public var double: Double { Double(numerator) / Double(denominator) }
}

extension Fraction: Comparable {
  /// Compares by value; 0.5 and 0.50 are neither smaller than the other.
  public static func < (left: Fraction, right: Fraction) -> Bool {
    let a = left.numerator.multipliedFullWidth(by: right.denominator)
    let b = right.numerator.multipliedFullWidth(by: left.denominator)
    return (a.high, a.low) < (b.high, b.low)
  }

  /// Compares by value: 0.5 equals 0.50.
  public static func == (left: Fraction, right: Fraction) -> Bool {
    !(left < right) && !(right < left)
  }

  /// Equal values hash alike, whatever their notation.
  public func hash(into hasher: inout Hasher) {
    var shortest = (numerator, denominator)
    while shortest.1 > 1 && shortest.0 % 10 == 0 {
      shortest = (shortest.0 / 10, shortest.1 / 10)
    }
    hasher.combine(shortest.0)
    hasher.combine(shortest.1)
  }
}

extension Fraction: CustomStringConvertible {
  /// Decimal notation: `0.8`, `2`.
  public var description: String {
    let whole = numerator / denominator
    var rest = numerator % denominator
    if rest == 0 { return "\(whole)" }
    var text = "\(whole)."
    var unit = denominator / 10
    while rest > 0 {
      text += "\(rest / unit)"
      rest %= unit
      unit /= 10
    }
    return text
  }
}

extension Fraction {
  /// The decimal of at most 15 places that is written for a number from 0 to 1: 0.29 for the binary
  /// number next to it; nil where there is none, as for a third.
  init?(written number: Double) {
    var unit = 1.0
    for _ in 0...15 {
      // Both are whole numbers below 2⁵³, so the quotient is the number that is read for the decimal.
      let digits = Int(number * unit + 0.5)
      if Double(digits) / unit == number {
        self.init(digits, Int(unit))
        return
      }
      unit *= 10
    }
    return nil
  }
}

extension Double {
  /// ⌊share × count⌋ of a share from 0 to 1, as the decimal number that is written for it: 0.29 of 100
  /// is 29, where the binary one next to it would give 28. Exact also for shares that no decimal of 15
  /// places says.
  package func floor(of count: Int) -> Int {
    precondition((0...1).contains(self), "a share is from 0 to 1")
    if let decimal = Fraction(written: self) { return decimal.floor(of: count) }
    let significand = significandBitPattern | 1 << Double.significandBitCount
    let product = UInt128(significand) * UInt128(count)
    return Int(product >> (Double.significandBitCount - Int(exponent)))
  }
}

extension Fraction: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// The decimal that is written: `0.8` is eight tenths, not the nearest binary number.
  ///
  /// Traps where it has more than 18 significant digits.
  public init(floatLiteral value: Double) {
    guard let fraction = Fraction(parsing: "\(value)") else {
      preconditionFailure("\(value) is no decimal of 18 digits that is 0 or more")
    }
    self = fraction
  }

  /// The whole number.
  public init(integerLiteral value: Int) { self.init(value) }
}
