import Parameters

/// A distribution of generated objects' sizes: one file in this folder, one line in ``SizeDistributions``.
package protocol SizeDistribution: Sendable {
  /// Name, summary and parameters.
  static var information: CatalogEntry { get }

  /// A distribution. Throws `usage` when parameters don't fit together.
  init(_ arguments: Arguments) throws(TraceError)

  /// The bytes of an object, from 1 to 2^32 − 1. The seed is the object's own, so that it has the
  /// same size at each request.
  func size(seed: UInt64) -> UInt64
}

/// The catalog of size distributions.
package enum SizeDistributions {
  /// Every distribution; a new one is one file and one line here.
  package static let all: [any SizeDistribution.Type] = [
    ConstantSizes.self, UniformSizes.self, LognormalSizes.self, ParetoSizes.self,
  ]

  /// The distribution of a specification such as `lognormal:mean=4096:sigma=1`.
  static func distribution(_ text: String) throws(TraceError) -> any SizeDistribution {
    let (type, arguments) = try CatalogEntry.choose(
      text, among: all, "size distribution"
    ) { $0.information }
    return try type.init(arguments)
  }
}

extension Parameter {
  /// A number of bytes that fits into 32 bits.
  static func size(_ name: String, _ value: Int, _ help: String) -> Parameter {
    Parameter(name, .bytes(in: 1...Int(UInt32.max)), default: .integer(value), help: help)
  }

  /// The size above which nothing is.
  static let largestSize = size("max", Int(UInt32.max), "what is larger has this size")
}

extension Double {
  /// A size of that number of bytes, rounded, at least 1 and at most `largest`.
  func size(atMost largest: Double) -> UInt64 {
    UInt64(Swift.min(Swift.max(rounded(), 1), largest))
  }
}
