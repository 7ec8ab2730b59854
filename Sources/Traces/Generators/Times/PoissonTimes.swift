import Parameters

/// A Poisson process: the distances of requests are independent and exponentially distributed, as
/// those of many users who know nothing of each other.
struct PoissonTimes: ArrivalTimes {
  static let information = CatalogEntry(
    name: "poisson", summary: "independent, exponentially distributed distances",
    parameters: [.rate])

  let rate: Double
  private var now: Int64 = 0
  private var random: RandomSource

  init(_ arguments: Arguments, seed: UInt64) {
    rate = arguments.fraction("rate").double
    random = RandomSource(seed: seed)
  }

  mutating func fill(_ times: UnsafeMutableBufferPointer<Int64>) {
    let gap = 1e9 / rate
    for index in times.indices {
      now += Int64((random.exponential() * gap).rounded())
      times[index] = now
    }
  }
}
