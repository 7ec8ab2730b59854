/// Walks towards a better hit ratio: goes on as long as it rises, turns round when it falls.
///
/// After each sample of requests it says by how much the window should grow. The steps become smaller,
/// and start over when the hit ratio changes much.
///
/// - Paper: G. Einziger, O. Eytan, R. Friedman and B. Manes, “Adaptive software cache management”,
///   Middleware 2018. Caffeine replaced it by what is ``WindowClimber`` here, in commit ccef95542 (6
///   August 2026). The other forms are those of its simulator, commit 0499355.
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
  /// The window at the end of the previous sample; nil in the first one.
  var previousWindow: Int?
  /// The samples in a row whose hit ratio fell.
  var falls = 0
  /// True if the trust region's last move was up.
  var isGrowing = false
  /// The gradient's mean, or the trust region's previous change.
  var moment = 0.0
  /// The mean of the gradient's square, or the smoothed change.
  var velocity = 0.0
  var largestVelocity = 0.0
  /// The powers of the means' factors, of as many as there were samples.
  var momentPower = 1.0
  var velocityPower = 1.0
  /// The part of an object by which the window has yet to grow.
  var rest = 0.0

  /// Begins with a step down; a trust region's step has no direction.
  @usableFromInline
  init(_ form: WTinyLFU.Climber, firstStep: Double) {
    self.firstStep = firstStep
    step = form == .trustRegion ? firstStep : -firstStep
  }

  /// Judges the sample if it is complete, then counts a request.
  ///
  /// - Returns: The growth of the window in size units; 0 within a sample.
  @inlinable @inline(__always)
  mutating func record(
    _ form: WTinyLFU.Climber, isHit: Bool, sample: Int, window: Int, capacity: Int
  ) -> Int {
    let growth = requests < sample ? 0 : adapt(form, window: window, capacity: capacity)
    requests &+= 1
    if isHit { hits &+= 1 }
    return growth
  }

  @usableFromInline @inline(never)
  mutating func adapt(_ form: WTinyLFU.Climber, window: Int, capacity: Int) -> Int {
    let ratio = Double(hits) / Double(requests)
    let change = ratio - previousRatio
    let amount =
      switch form {
      case .simple: walk(change)
      case .correlation: correlate(change, window: window)
      case .trustRegion: trust(change, capacity: Double(capacity))
      case .sgd, .adam, .nadam, .amsgrad: descend(form, (1 - ratio) - (1 - previousRatio))
      case .indicator: 0.0
      }
    previousRatio = ratio
    previousWindow = window
    hits = 0
    requests = 0
    if form == .simple { return Int(amount) }
    rest += max(-0x1p62, min(amount, 0x1p62))
    let whole = rest.rounded(.down)
    rest -= whole
    return Int(whole)
  }

  mutating func walk(_ change: Double) -> Double {
    let amount = change >= 0 ? step : -step
    let restarted = amount >= 0 ? firstStep : -firstStep
    step = abs(change) >= HillClimber.restart ? restarted : HillClimber.decay * amount
    return amount
  }

  /// Starts over with a step up where the window did not move, and after five falls in a row.
  mutating func correlate(_ change: Double, window: Int) -> Double {
    let first = max(1, firstStep)
    guard let previousWindow, window != previousWindow else { return first }
    falls = change < 0 ? falls + 1 : 0
    if falls == 5 {
      falls = 0
      return first
    }
    if change == 0 { return 0 }
    let move = Double(window - previousWindow)
    let length = max(1, 0.95 * abs(move))
    return (move > 0) == (change > 0) ? length : -length
  }

  mutating func trust(_ change: Double, capacity: Double) -> Double {
    velocity = 0.7 * velocity + 0.3 * abs(change)
    if moment > 1e-12 {
      if velocity / moment < 0.25 {
        step *= 0.5
      } else if velocity / moment > 0.75 {
        step *= 1.5
      }
    }
    let least = max(1, 0.001 * capacity)
    step = max(least, min(step, max(least + 1, 0.1 * capacity)))
    moment = abs(change)
    if change < -0.005 {
      isGrowing.toggle()
      return isGrowing ? 0.5 * step : -0.5 * step
    }
    isGrowing = (change >= 0) == isGrowing
    return isGrowing ? step : -step
  }

  mutating func descend(_ form: WTinyLFU.Climber, _ gradient: Double) -> Double {
    moment = 0.9 * moment + 0.1 * gradient
    if form == .sgd { return firstStep * moment }
    velocity = 0.999 * velocity + 0.001 * gradient * gradient
    if form == .amsgrad {
      largestVelocity = max(velocity, largestVelocity)
      return firstStep * moment / (largestVelocity.squareRoot() + 1e-8)
    }
    momentPower *= 0.9
    velocityPower *= 0.999
    let mean = moment / (1 - momentPower)
    let deviation = (velocity / (1 - velocityPower)).squareRoot() + 1e-8
    return form == .adam
      ? firstStep * mean / deviation
      : firstStep / deviation * (0.9 * mean + 0.1 / (1 - momentPower) * gradient)
  }
}
