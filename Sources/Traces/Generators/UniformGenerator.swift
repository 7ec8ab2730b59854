import Parameters

/// Independent requests for keys of equal popularity: what no policy can tell apart.
struct UniformGenerator: TraceGenerator {
  static let information = CatalogEntry(
    name: "uniform", summary: "independent requests for keys of equal popularity",
    parameters: [.keys, .requests, .objectSize])

  let keys: UInt64
  private var random: RandomSource

  init(_ arguments: Arguments, seed: UInt64) {
    keys = UInt64(arguments.integer("keys"))
    random = RandomSource(seed: seed)
  }

  mutating func fill(_ keys: UnsafeMutableBufferPointer<UInt64>) {
    for index in keys.indices { keys[index] = random.below(self.keys) }
  }
}
