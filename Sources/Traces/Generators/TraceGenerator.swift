import Parameters

/// A made key stream: one file in this folder, one line in ``TraceGenerators``.
///
/// Everything random is seeded: the same parameters and seed give the same keys on every platform,
/// so a draw uses nothing of the C library, whose last bits differ (`PortableMath` instead).
package protocol TraceGenerator: Sendable {
  /// Name, summary and parameters; among them `requests` and `size`, which every generator has.
  static var information: CatalogEntry { get }

  /// A generator at its first request. Throws `usage` when parameters don't fit together.
  init(_ arguments: Arguments, seed: UInt64) throws(TraceError)

  /// All keys that it makes are below this number.
  var keys: UInt64 { get }

  /// Fills a block with the keys of the next requests.
  mutating func fill(_ keys: UnsafeMutableBufferPointer<UInt64>)
}

extension Parameter {
  /// The number of requests.
  static let requests = integer("requests", 1_000_000, "requests made")

  /// The size of a generator's objects.
  static let objectSize = Parameter(
    "size", .bytes(in: 1...Int(UInt32.max)), default: .integer(1), help: "bytes of every object")

  /// The number of keys to draw from.
  static let keys = integer("keys", 100_000, "keys to draw from, numbered from 0")

  /// The exponent of a Zipf distribution.
  static func alpha(_ help: String) -> Parameter {
    Parameter(
      "alpha", .fraction(in: Fraction(0)...Fraction(10)), default: .fraction(Fraction(1)),
      help: help)
  }

  /// A count of at least 1.
  static func integer(_ name: String, _ value: Int, _ help: String) -> Parameter {
    Parameter(name, .integer(in: 1...Int.most), default: .integer(value), help: help)
  }

  /// A share, from 0 to 1.
  static func share(_ name: String, _ value: Fraction, _ help: String) -> Parameter {
    Parameter(
      name, .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(value), help: help)
  }
}

extension Int {
  /// The most keys and requests that a generator makes.
  static let most = 1 << 40
}
