import Parameters

/// Every size of a range is as likely.
struct UniformSizes: SizeDistribution {
  static let information = CatalogEntry(
    name: "uniform", summary: "every size from min to max is as likely",
    parameters: [.size("min", 1, "the smallest size"), .size("max", 8192, "the largest size")])

  private let smallest: UInt64
  private let count: UInt64

  init(_ arguments: Arguments) throws(TraceError) {
    let (low, high) = (arguments.integer("min"), arguments.integer("max"))
    if low > high {
      throw .usage(
        problem: "uniform: min=\(low) is above max=\(high)", remedy: "lower min or raise max")
    }
    smallest = UInt64(low)
    count = UInt64(high - low + 1)
  }

  func size(seed: UInt64) -> UInt64 {
    var random = RandomSource(seed: seed)
    return smallest + random.below(count)
  }
}
