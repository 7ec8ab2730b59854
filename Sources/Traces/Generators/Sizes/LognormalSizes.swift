import Parameters

/// The sizes' logarithms are normally distributed: the body of most file and web object sizes.
///
/// `mean` is that of the sizes themselves, so μ = ln mean − σ² / 2; without rounding and the limit.
struct LognormalSizes: SizeDistribution {
  static let information = CatalogEntry(
    name: "lognormal", summary: "the logarithms of the sizes are normally distributed",
    parameters: [
      .size("mean", 4096, "the mean size"),
      Parameter(
        "sigma", .fraction(in: Fraction(0)...Fraction(10)), default: .fraction(Fraction(1)),
        help: "standard deviation of the natural logarithms"),
      .largestSize,
    ])

  private let mu: Double
  private let sigma: Double
  private let largest: Double

  init(_ arguments: Arguments) {
    sigma = arguments.fraction("sigma").double
    mu = PortableMath.log(Double(arguments.integer("mean"))) - sigma * sigma / 2
    largest = Double(arguments.integer("max"))
  }

  func size(seed: UInt64) -> UInt64 {
    var random = RandomSource(seed: seed)
    return PortableMath.exp(mu + sigma * random.normal()).size(atMost: largest)
  }
}
