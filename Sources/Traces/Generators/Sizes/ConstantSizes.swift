import Parameters

/// Every object has the same size.
struct ConstantSizes: SizeDistribution {
  static let information = CatalogEntry(
    name: "constant", summary: "every object has the same size",
    parameters: [.size("bytes", 4096, "the size")])

  private let bytes: UInt64

  init(_ arguments: Arguments) { bytes = UInt64(arguments.integer("bytes")) }

  func size(seed: UInt64) -> UInt64 { bytes }
}
