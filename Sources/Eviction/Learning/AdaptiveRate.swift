/// A learning rate that climbs towards a higher hit ratio, period by period.
///
/// If the last change of the rate and the change of the hit ratio point the same way, the rate goes on
/// that way, otherwise back; if the rate did not change and the hit ratio fell, it goes a random way; and
/// if that does not help ten times, it starts again. Rates and hit ratios are compared in thousandths.
///
/// - Paper: L. V. Rodriguez et al., “Learning cache replacement with CACHEUS”, FAST 2021, and the
///   authors' code (sylab/cacheus, commit 08e7d99), which this follows.
@usableFromInline
struct AdaptiveRate: BitwiseCopyable {
  /// The learning rate.
  @usableFromInline private(set) var rate: Double
  /// e^−rate: what a mistake leaves of a weight.
  @usableFromInline private(set) var factor: Double
  /// The number of size units requested in a period.
  @usableFromInline var period: Int { didSet { initial = AdaptiveRate.initial(period) } }
  @usableFromInline var elapsed = 0
  @usableFromInline var hits = 0
  private var initial: Double
  private var latestRate: Double
  private var earlierRate = 0.0
  private var earlierHitRatio = 0
  private var zeros = 0
  private var falls = 0

  init(period: Int) {
    self.period = period
    initial = AdaptiveRate.initial(period)
    rate = initial
    factor = decay(-rate)
    latestRate = rate
  }

  /// √(2 ln 2 / period).
  private static func initial(_ period: Int) -> Double {
    (2 * 0.6931471805599453 / Double(period)).squareRoot()
  }

  /// A request begins: ends the period if it is over.
  @inlinable @inline(__always)
  mutating func begin(_ request: Request, generator: inout SplitMix64) {
    elapsed &+= request.size
    if elapsed >= period { adapt(&generator) }
  }

  /// The request that began is a hit.
  @inlinable @inline(__always)
  mutating func countHit(_ request: Request) { hits &+= request.size }

  @usableFromInline
  mutating func adapt(_ generator: inout SplitMix64) {
    let hitRatio = AdaptiveRate.thousandths(Double(hits) / Double(elapsed))
    let gain = hitRatio - earlierHitRatio
    let change = AdaptiveRate.thousandths(latestRate) - AdaptiveRate.thousandths(earlierRate)
    let step = abs(rate * Double(change) / 1000)
    if change.signum() * gain.signum() > 0 {
      rate = min(rate + step, 1)
      (zeros, falls) = (0, 0)
    } else if change.signum() * gain.signum() < 0 {
      rate = max(rate - step, 0.001)
      (zeros, falls) = (0, 0)
    } else if gain <= 0 {
      restartOrWander(hitRatio: hitRatio, gain: gain, &generator)
    }
    factor = decay(-rate)
    earlierRate = latestRate
    latestRate = rate
    earlierHitRatio = hitRatio
    elapsed = 0
    hits = 0
  }

  /// The hit ratio did not rise, and the last change of the rate says nothing about it.
  private mutating func restartOrWander(
    hitRatio: Int, gain: Int, _ generator: inout SplitMix64
  ) {
    if gain < 0 { falls += 1 }
    if gain < 0 || hitRatio == 0 { zeros += 1 }
    if zeros >= 10 {
      rate = min(max(initial, 0.001), 1)
      zeros = 0
    } else if falls >= 10 && gain < 0 {
      rate = min(max(initial, 0.001), 1)
      falls = 0
    } else if gain < 0 {
      wander(&generator)
    }
  }

  private mutating func wander(_ generator: inout SplitMix64) {
    if rate >= 1 {
      rate = 0.9
    } else if rate <= 0.001 {
      rate = 0.005
    } else if generator.index(below: 2) == 0 {
      rate = min(rate * 1.25, 1)
    } else {
      rate = max(rate * 0.75, 0.001)
    }
  }

  private static func thousandths(_ value: Double) -> Int {
    Int((value * 1000).rounded(.toNearestOrEven))
  }
}
