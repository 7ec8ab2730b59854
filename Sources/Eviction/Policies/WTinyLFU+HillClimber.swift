/// Walks towards a better hit ratio: goes on as long as it rises, turns round when it falls.
///
/// After each sample of requests it says by how much the window should grow. The steps become smaller,
/// and start over when the hit ratio changes much.
///
/// - Paper: G. Einziger, O. Eytan, R. Friedman and B. Manes, “Adaptive software cache management”,
///   Middleware 2018. Caffeine replaced it by what is ``WindowClimber`` here, in commit ccef95542 (6
///   August 2026).
@usableFromInline
struct HillClimber: BitwiseCopyable {
  /// The factor that each sample applies to the step.
  static let decay = 0.98
  /// The change of the hit ratio that starts the steps over.
  static let restart = 0.05

  @usableFromInline let firstStep: Double
  @usableFromInline var step: Double
  @usableFromInline var previousRatio = 0.0
  @usableFromInline var hits = 0
  @usableFromInline var requests = 0

  /// Begins with a step down.
  @usableFromInline
  init(firstStep: Double) {
    self.firstStep = firstStep
    step = -firstStep
  }

  /// Judges the sample if it is complete, then counts a request.
  ///
  /// - Returns: The growth of the window in size units, rounded towards zero; 0 within a sample.
  @inlinable @inline(__always)
  mutating func record(isHit: Bool, sample: Int) -> Int {
    let growth = requests < sample ? 0 : adapt()
    requests &+= 1
    if isHit { hits &+= 1 }
    return growth
  }

  @usableFromInline
  mutating func adapt() -> Int {
    let ratio = Double(hits) / Double(requests)
    let change = ratio - previousRatio
    let amount = change >= 0 ? step : -step
    let restarted = amount >= 0 ? firstStep : -firstStep
    step = abs(change) >= HillClimber.restart ? restarted : HillClimber.decay * amount
    previousRatio = ratio
    hits = 0
    requests = 0
    return Int(amount)
  }
}
