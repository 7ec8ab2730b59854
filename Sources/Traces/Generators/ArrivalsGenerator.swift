import Parameters

/// New objects keep coming, and interest fades with age: a share of the requests asks for an object
/// that was never requested, the rest for one of the youngest, the k-th youngest in proportion to
/// k^−α.
///
/// Objects are numbered from 0 in order of arrival. While fewer have arrived than the window holds,
/// ranks beyond them are wrapped.
struct ArrivalsGenerator: TraceGenerator {
  static let information = CatalogEntry(
    name: "arrivals", summary: "new objects keep coming; older ones are requested less and less",
    parameters: [
      .share("new", Fraction(1, 10), "share of the requests that ask for a new object"),
      .alpha("how fast interest fades: the k-th youngest in proportion to k^-alpha"),
      .integer("window", 100_000, "the number of the youngest objects that are requested again"),
      .requests, .objectSize,
    ])

  let keys: UInt64
  private let share: Double
  private let sampler: ZipfSampler
  private var arrived: UInt64 = 0
  private var random: RandomSource

  init(_ arguments: Arguments, seed: UInt64) {
    keys = UInt64(arguments.integer("requests"))
    share = arguments.fraction("new").double
    sampler = ZipfSampler(
      ranks: UInt64(arguments.integer("window")), alpha: arguments.fraction("alpha").double)
    random = RandomSource(seed: seed)
  }

  mutating func fill(_ keys: UnsafeMutableBufferPointer<UInt64>) {
    for index in keys.indices {
      if arrived == 0 || random.unit() < share {
        keys[index] = arrived
        arrived += 1
      } else {
        keys[index] = arrived - 1 - (sampler.rank(&random) - 1) % arrived
      }
    }
  }
}
