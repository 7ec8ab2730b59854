import Parameters

/// Independent requests whose popularity follows Zipf's law: the key of rank k is requested in
/// proportion to k^−α. Which key has which rank is scrambled by the seed, so that popular keys
/// are not neighbours.
struct ZipfGenerator: TraceGenerator {
  static let information = CatalogEntry(
    name: "zipf", summary: "independent requests, the key of rank k in proportion to k^-alpha",
    parameters: [
      .alpha("how uneven the popularity is; 0 is uniform"), .keys, .requests, .objectSize,
    ])

  let keys: UInt64
  private let sampler: ZipfSampler
  private let key: Permutation
  private var random: RandomSource

  init(_ arguments: Arguments, seed: UInt64) {
    keys = UInt64(arguments.integer("keys"))
    sampler = ZipfSampler(ranks: keys, alpha: arguments.fraction("alpha").double)
    random = RandomSource(seed: seed)
    key = Permutation(count: keys, seed: random.next())
  }

  mutating func fill(_ keys: UnsafeMutableBufferPointer<UInt64>) {
    var random = self.random
    for index in keys.indices { keys[index] = key(sampler.rank(&random) - 1) }
    self.random = random
  }
}
