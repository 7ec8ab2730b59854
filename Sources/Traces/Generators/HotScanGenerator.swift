import Parameters

/// A scan over a large range, again and again, mixed into uniform requests of a small hot set:
/// what makes recency alone fail.
///
/// The hot keys are 0 ..< hot, the scanned ones follow them.
struct HotScanGenerator: TraceGenerator {
  static let information = CatalogEntry(
    name: "hotscan", summary: "a repeated scan over a large range, mixed into a small hot set",
    parameters: [
      .integer("hot", 1000, "keys of the hot set"),
      .integer("scan", 100_000, "keys of the scanned range"),
      .share("share", Fraction(5, 10), "share of the requests that go to the hot set"),
      .requests, .objectSize,
    ])

  var keys: UInt64 { hot + scan }
  private let hot: UInt64
  private let scan: UInt64
  private let share: Double
  private var position: UInt64 = 0
  private var random: RandomSource

  init(_ arguments: Arguments, seed: UInt64) {
    hot = UInt64(arguments.integer("hot"))
    scan = UInt64(arguments.integer("scan"))
    share = arguments.fraction("share").double
    random = RandomSource(seed: seed)
  }

  mutating func fill(_ keys: UnsafeMutableBufferPointer<UInt64>) {
    for index in keys.indices {
      if random.unit() < share {
        keys[index] = random.below(hot)
      } else {
        keys[index] = hot + position
        position = position + 1 == scan ? 0 : position + 1
      }
    }
  }
}
