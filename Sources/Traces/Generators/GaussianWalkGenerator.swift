import Parameters

/// Requests around a place that wanders: keys are normally distributed about a centre, which itself
/// takes a normally distributed step after each request. Neighbouring keys are popular together, and
/// popularity moves slowly.
///
/// The range is a ring: what leaves it at one end enters at the other. The centre starts in the middle.
struct GaussianWalkGenerator: TraceGenerator {
  static let information = CatalogEntry(
    name: "gaussian-walk", summary: "normally distributed about a centre that takes a random walk",
    parameters: [
      .keys,
      Parameter(
        "spread", distance, default: .fraction(Fraction(1000)),
        help: "standard deviation of the keys about the centre"),
      Parameter(
        "step", distance, default: .fraction(Fraction(1)),
        help: "standard deviation of the centre's step after each request"),
      .requests, .objectSize,
    ])

  private static let distance = Parameter.Kind.fraction(in: Fraction(0)...Fraction(1_000_000_000))

  let keys: UInt64
  private let spread: Double
  private let step: Double
  private var centre: Double
  private var random: RandomSource

  init(_ arguments: Arguments, seed: UInt64) {
    keys = UInt64(arguments.integer("keys"))
    spread = arguments.fraction("spread").double
    step = arguments.fraction("step").double
    centre = Double(keys) / 2
    random = RandomSource(seed: seed)
  }

  mutating func fill(_ keys: UnsafeMutableBufferPointer<UInt64>) {
    for index in keys.indices {
      keys[index] = UInt64(onRing(centre + spread * random.normal()))
      centre = onRing(centre + step * random.normal())
    }
  }

  /// The place on the ring from 0 up to the number of keys.
  private func onRing(_ place: Double) -> Double {
    let length = Double(keys)
    let rest = place - length * (place / length).rounded(.down)
    // A place just below 0 rounds to the length itself.
    return rest >= 0 && rest < length ? rest : 0
  }
}
