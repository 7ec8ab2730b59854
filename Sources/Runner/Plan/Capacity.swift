import Parameters
import Results
import Traces

/// The capacity of a cache, as users write it.
///
///     Capacity(parsing: "1000")   // objects; bytes in a sized run
///     Capacity(parsing: "1e6")
///     Capacity(parsing: "0.1%")   // of the distinct keys, or of their bytes; at least 1
///     Capacity(parsing: "64MiB")  // bytes: implies a sized run
package enum Capacity: Sendable, Equatable {
  /// A number of objects; of bytes in a sized run.
  case count(Int)
  /// A fraction of the trace's distinct keys or bytes.
  case fraction(Fraction)
  /// A number of bytes.
  case bytes(Int)

  /// The largest capacity: policies multiply it by up to 100 for their ghosts.
  package static let largest = 64 << 50

  /// Parses one capacity.
  ///
  /// - Throws: ``PlanError/capacity(text:)`` for anything else, for 0 and for more than 64 PiB.
  package init(parsing text: String) throws(PlanError) {
    guard let capacity = Capacity.parse(text) else { throw .capacity(text: text) }
    self = capacity
  }

  /// Parses a list: `1000,1%,64MiB`.
  package static func list(parsing text: String) throws(PlanError) -> [Capacity] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if let separator = ThousandsSeparator(in: parts) { throw .thousands(separator) }
    return try parts.map { (part) throws(PlanError) in try Capacity(parsing: part) }
  }

  private static func parse(_ text: String) -> Capacity? {
    if text.hasSuffix("%") {
      guard let number = positive(text.dropLast()), number.denominator <= Int.max / 100 else {
        return nil
      }
      return .fraction(Fraction(number.numerator, number.denominator * 100))
    }
    if ByteCount.units.contains(where: { text.hasSuffix($0.suffix) }) {
      let bytes = ByteCount.parse(withUnit: text) ?? 0
      return bytes > 0 && bytes <= largest ? .bytes(bytes) : nil
    }
    guard let count = positive(Substring(text))?.wholeNumber, count <= largest else { return nil }
    return .count(count)
  }

  private static func positive(_ text: Substring) -> Fraction? {
    guard let number = Fraction(parsing: text), number.numerator > 0 else { return nil }
    return number
  }

  package var isCount: Bool { if case .count = self { true } else { false } }
  /// True for a fraction of the trace's distinct keys or bytes.
  package var isFraction: Bool { if case .fraction = self { true } else { false } }
  /// True for more than the whole of the trace's distinct keys or bytes.
  package var isMoreThanAll: Bool {
    guard case .fraction(let fraction) = self else { return false }
    return fraction.numerator > fraction.denominator
  }
  package var isBytes: Bool { if case .bytes = self { true } else { false } }

  /// The capacity for a trace whose distinct keys take `total` objects or bytes together.
  package func resolved(total: Int) -> Int {
    switch self {
    case .count(let capacity), .bytes(let capacity): capacity
    case .fraction(let fraction): min(max(1, fraction.floor(of: total)), Capacity.largest)
    }
  }
}

extension Capacity: CustomStringConvertible {
  /// As it is parsed, equal capacities alike: `1000`, `1%`, `64MiB`.
  package var description: String {
    switch self {
    case .count(let count): "\(count)"
    case .fraction(let fraction): "\(Capacity.percent(fraction))%"
    case .bytes(let bytes): Measurement.label(of: bytes, .bytes)
    }
  }

  private static func percent(_ fraction: Fraction) -> Fraction {
    fraction.denominator.isMultiple(of: 100)
      ? Fraction(fraction.numerator, fraction.denominator / 100)
      : Fraction(fraction.numerator * (100 / fraction.denominator))
  }
}
