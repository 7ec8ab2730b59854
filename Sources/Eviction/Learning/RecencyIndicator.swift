import Parameters

/// Tells from a sample of requests how much of a cache recency deserves, as an indicator of skew and frequencies does.
///
/// It is large where keys were often requested before, and yet none is requested much more often than the others. It is
/// an object of its own, as most policies that may have one do without.
///
/// - Source: ben-manes/caffeine, Indicator.java, commit 0499355.
@usableFromInline
final class RecencyIndicator {
  /// The number of residents that the sketch is made for.
  private static let sketched = 5_000
  private static let counters = 1_000
  /// The number of ranks whose frequencies tell the skew.
  private static let ranks = 70

  private let period: Int
  private var requests = 0
  /// The sum of the frequencies that the requested keys had.
  private var frequencies = 0
  private var sketch = FrequencySketch()
  private var hitters = HeavyHitters(counters: RecencyIndicator.counters)

  /// An indicator of samples of `period` requests.
  init(period: Int) {
    self.period = period
    sketch.note(residents: RecencyIndicator.sketched)
  }

  func visitState(_ state: inout PolicyState) {
    state.visit(&requests)
    state.visit(&frequencies)
    sketch.visitState(&state)
    hitters.visitState(&state)
  }

  /// Counts a request of the key with that hash.
  func record(_ hash: UInt64) {
    requests += 1
    frequencies += sketch.frequency(of: hash)
    sketch.record(hash)
    hitters.record(hash)
  }

  /// Begins another sample if this one is complete.
  ///
  /// - Returns: The share that the complete one gives, 0 … 1; nil within a sample.
  func judge() -> Double? {
    if requests < period { return nil }
    let skew = skew()
    let hint = Double(frequencies) / Double(requests)
    requests = 0
    frequencies = 0
    hitters.removeAll()
    return skew < 1 ? hint * (1 - skew * skew * skew) / 15 : 0
  }

  /// The negative slope of the line through the logarithms of ranks and counts; 1 if there are fewer than two.
  private func skew() -> Double {
    var (number, sumX, sumY, sumXX, sumXY) = (0.0, 0.0, 0.0, 0.0, 0.0)
    hitters.forEachHighest(RecencyIndicator.ranks) { count in
      number += 1
      let (x, y) = (PortableMath.log(number), PortableMath.log(Double(count)))
      sumX += x
      sumY += y
      sumXX += x * x
      sumXY += x * y
    }
    if number < 2 { return 1 }
    return (sumX * sumY - number * sumXY) / (number * sumXX - sumX * sumX)
  }
}
