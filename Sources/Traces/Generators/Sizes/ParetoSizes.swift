import Parameters

/// A power law: a size is above x with probability (min / x)^shape, the heavy tail of file sizes.
struct ParetoSizes: SizeDistribution {
  static let information = CatalogEntry(
    name: "pareto", summary: "a power law: above x with probability (min / x)^shape",
    parameters: [
      .size("min", 1024, "the smallest size"),
      Parameter(
        "shape", .fraction(in: Fraction(1, 100)...Fraction(100)),
        default: .fraction(Fraction(12, 10)),
        help:
          "how fast the tail falls; the mean is min × shape / (shape − 1) where shape is above 1"),
      .largestSize,
    ])

  private let smallest: Double
  private let shape: Double
  private let largest: Double

  init(_ arguments: Arguments) {
    smallest = Double(arguments.integer("min"))
    shape = arguments.fraction("shape").double
    largest = Double(arguments.integer("max"))
  }

  func size(seed: UInt64) -> UInt64 {
    var random = RandomSource(seed: seed)
    return (smallest * PortableMath.exp(random.exponential() / shape)).size(atMost: largest)
  }
}
