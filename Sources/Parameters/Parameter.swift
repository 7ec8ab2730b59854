/// A parameter of a policy, a format, a generator: declared once, and read by the parser, the help,
/// the catalogs and the tests.
///
///     Parameter("protected", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(8, 10)),
///               help: "share of the capacity that is protected")
public struct Parameter: Sendable {
  /// The kind of a parameter's values, with their range.
  public enum Kind: Sendable, Equatable {
    /// A whole number; `1e6` is understood.
    case integer(in: ClosedRange<Int>)
    /// A number of bytes; `64KiB` is understood.
    case bytes(in: ClosedRange<Int>)
    /// An exact decimal.
    case fraction(in: ClosedRange<Fraction>)
    /// One word of a list.
    case choice([String])
    /// `true` or `false`.
    case flag
    /// Any text.
    case text
  }

  /// The way a value measures time by requests, whatever the capacity.
  ///
  /// A miniature of a cache sees a part of the requests, and needs times as much shorter. A time that is a
  /// multiple of the capacity shrinks with that.
  public enum Time: Sendable, Equatable {
    /// A number of requests.
    case requests
    /// One over a number of requests.
    case perRequest
  }

  /// A parsed value.
  public enum Value: Sendable, Equatable {
    /// A whole number.
    case integer(Int)
    /// An exact decimal.
    case fraction(Fraction)
    /// One word of a list, or any text.
    case text(String)
    /// `true` or `false`.
    case flag(Bool)
  }

  /// The name before the equals sign, in lower case.
  public let name: String
  /// The type and range.
  public let kind: Kind
  /// The value without the parameter; nil where the others decide it.
  public let defaultValue: Value?
  /// The time that the value is, in requests; nil for what is not a number or is a multiple of the capacity.
  public let time: Time?
  /// One line that says what the parameter does.
  public let help: String

  /// Declares a parameter.
  public init(
    _ name: String, _ kind: Kind, default value: Value?, time: Time? = nil, help: String
  ) {
    self.name = name
    self.kind = kind
    self.defaultValue = value
    self.time = time
    self.help = help
  }

  /// The value that `text` stands for, or nil if it is of the wrong type or out of range.
  public func parse(_ text: String) -> Value? {
    switch kind {
    case .integer(let range):
      guard let number = Fraction(parsing: text), number.denominator == 1,
        range.contains(number.numerator)
      else { return nil }
      return .integer(number.numerator)
    case .bytes(let range):
      guard let number = ByteCount.parse(text), range.contains(number) else { return nil }
      return .integer(number)
    case .fraction(let range):
      guard let number = Fraction(parsing: text), range.contains(number) else { return nil }
      return .fraction(number)
    case .choice(let words):
      return words.contains(text) ? .text(text) : nil
    case .flag:
      return Bool(text).map(Value.flag)
    case .text:
      return .text(text)
    }
  }
}

extension Parameter.Kind {
  /// The type's name in the catalogs: `integer`, `bytes`, `fraction`, `choice`, `flag`, `text`.
  public var name: String {
    switch self {
    case .integer: "integer"
    case .bytes: "bytes"
    case .fraction: "fraction"
    case .choice: "choice"
    case .flag: "flag"
    case .text: "text"
    }
  }

  /// The range in words: `1…254`, `lru | fifo`.
  public var range: String {
    switch self {
    case .integer(let range), .bytes(let range):
      range.upperBound == .max ? "≥ \(range.lowerBound)" : "\(range.lowerBound)…\(range.upperBound)"
    case .fraction(let range): "\(range.lowerBound)…\(range.upperBound)"
    case .choice(let words): words.joined(separator: " | ")
    case .flag: "true | false"
    case .text: "any text"
    }
  }
}

extension Parameter.Value: CustomStringConvertible {
  /// The value as it is written in a specification.
  public var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .fraction(let value): "\(value)"
    case .text(let value): value
    case .flag(let value): "\(value)"
    }
  }
}
