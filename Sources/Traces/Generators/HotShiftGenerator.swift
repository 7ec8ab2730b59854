import Parameters

/// A hot set that moves on: most requests go to a few keys, and after every period to the next few.
///
/// Hot set number i holds the keys from i × `hot` on, around the whole range; a share of the requests
/// goes to it, the rest to any key, both uniformly. What was hot stays in the caches of policies that
/// count.
struct HotShiftGenerator: TraceGenerator {
  static let information = CatalogEntry(
    name: "hot-shift", summary: "a hot set that is replaced by the next keys after every period",
    parameters: [
      .keys,
      .integer("hot", 1000, "keys of the hot set"),
      .share("share", Fraction(9, 10), "share of the requests that go to the hot set"),
      .integer("period", 100_000, "requests until the hot set moves on"),
      .requests, .objectSize,
    ])

  let keys: UInt64
  private let hot: UInt64
  private let share: Double
  private let period: Int
  private var first: UInt64 = 0
  private var left: Int
  private var random: RandomSource

  init(_ arguments: Arguments, seed: UInt64) throws(TraceError) {
    keys = UInt64(arguments.integer("keys"))
    hot = UInt64(arguments.integer("hot"))
    share = arguments.fraction("share").double
    period = arguments.integer("period")
    left = period
    random = RandomSource(seed: seed)
    if hot > keys {
      throw .usage(
        problem: "hot-shift: a hot set of \(hot) is larger than all \(keys) keys",
        remedy: "lower hot or raise keys")
    }
  }

  mutating func fill(_ keys: UnsafeMutableBufferPointer<UInt64>) {
    for index in keys.indices {
      if left == 0 {
        first = (first + hot) % self.keys
        left = period
      }
      left -= 1
      let isHot = random.unit() < share
      keys[index] = isHot ? (first + random.below(hot)) % self.keys : random.below(self.keys)
    }
  }
}
