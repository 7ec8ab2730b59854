import Parameters

/// The LRU stack model: each request asks for the object at a random depth of the stack of objects in
/// order of their latest request, so that LRU's miss-ratio curve is chosen, not found.
///
/// Depth d, from 1 to `depth`, is drawn in proportion to d^−α; a share of the requests, and those for
/// a depth that the stack doesn't have yet, ask for a new object. Once the stack is full, LRU of
/// capacity c hits (1 − new) times the share of the depths up to c.
///
/// R. L. Mattson, J. Gecsei, D. R. Slutz and I. L. Traiger, “Evaluation techniques for storage
/// hierarchies”, IBM Systems Journal 9(2), 1970; the model is in J. R. Spirn, “Distance string models
/// for program behavior”, IEEE Computer 9(11), 1976.
///
/// - Complexity: O(log depth) a request; 24 bytes an object of the stack.
struct StackDistanceGenerator: TraceGenerator {
  static let information = CatalogEntry(
    name: "stack-distance", summary: "the LRU stack model: depth d in proportion to d^-alpha",
    parameters: [
      .alpha("how fast the odds of a depth fall"),
      Parameter(
        "depth", .integer(in: 1...(1 << 28)), default: .integer(10_000),
        help: "the deepest requested depth; objects that sink below are never requested again"),
      .share("new", Fraction(1, 100), "share of the requests that ask for a new object"),
      .requests, .objectSize,
    ])

  let keys: UInt64
  private let depth: Int
  private let share: Double
  private let sampler: ZipfSampler
  private var stack = RecencyStack()
  private var created: UInt64 = 0
  private var random: RandomSource

  init(_ arguments: Arguments, seed: UInt64) {
    keys = UInt64(arguments.integer("requests"))
    depth = arguments.integer("depth")
    share = arguments.fraction("new").double
    sampler = ZipfSampler(ranks: UInt64(depth), alpha: arguments.fraction("alpha").double)
    random = RandomSource(seed: seed)
  }

  mutating func fill(_ keys: UnsafeMutableBufferPointer<UInt64>) {
    for index in keys.indices {
      let wanted = random.unit() < share ? 0 : Int(sampler.rank(&random))
      let key: UInt64
      if wanted > 0 && wanted <= stack.count {
        key = stack.remove(at: wanted)
      } else {
        key = created
        created += 1
        if stack.count == depth { _ = stack.remove(at: depth) }
      }
      stack.push(key)
      keys[index] = key
    }
  }
}
