import Parameters

/// A made key stream: one file in this folder, one line in ``TraceGenerators``.
///
/// Everything random is seeded: the same parameters and seed give the same keys.
public protocol TraceGenerator: Sendable {
  /// Name, summary and parameters.
  static var information: CatalogEntry { get }

  /// A generator at its first request. Throws `usage` when parameters don't fit together.
  init(_ arguments: Arguments, seed: UInt64) throws(TraceError)

  /// How many requests it makes.
  var requests: Int { get }

  /// Bytes of every object.
  var objectSize: UInt32 { get }

  /// Fills a block with the keys of the next requests. O(count).
  mutating func fill(_ keys: UnsafeMutableBufferPointer<UInt64>)
}

extension Parameter {
  /// How many requests a generator makes.
  static let requests = Parameter(
    "requests", .integer(in: 1...(1 << 40)), default: .integer(1_000_000), help: "requests made")

  /// The size of a generator's objects.
  static let objectSize = Parameter(
    "size", .integer(in: 1...Int(UInt32.max)), default: .integer(1), help: "bytes of every object")
}
