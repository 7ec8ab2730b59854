import Parameters

/// Zipf's law over keys that age: after every period a key enters at the first rank, and every other
/// one moves to the next; the one of the last rank enters next.
struct ZipfDriftGenerator: TraceGenerator {
  static let information = CatalogEntry(
    name: "zipf-drift", summary: "zipf whose keys fall by a rank after every period, a new first",
    parameters: [
      .alpha("how uneven the popularity is; 0 is uniform"), .keys,
      .integer("period", 1000, "requests until the ranks move"),
      .requests, .objectSize,
    ])

  let keys: UInt64
  private let period: Int
  private let sampler: ZipfSampler
  private let key: Permutation
  /// The place, before scrambling, of the key that has the first rank.
  private var first: UInt64 = 0
  private var left: Int
  private var random: RandomSource

  init(_ arguments: Arguments, seed: UInt64) {
    keys = UInt64(arguments.integer("keys"))
    period = arguments.integer("period")
    left = period
    sampler = ZipfSampler(ranks: keys, alpha: arguments.fraction("alpha").double)
    random = RandomSource(seed: seed)
    key = Permutation(count: keys, seed: random.next())
  }

  mutating func fill(_ keys: UnsafeMutableBufferPointer<UInt64>) {
    for index in keys.indices {
      if left == 0 {
        first = first == 0 ? self.keys - 1 : first - 1
        left = period
      }
      left -= 1
      keys[index] = key((first + sampler.rank(&random) - 1) % self.keys)
    }
  }
}
