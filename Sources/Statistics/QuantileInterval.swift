import Parameters
import CGSL

/// A quantile of a sample, and an interval for that of the distribution, whatever it is, between two of the
/// sample's values.
///
///     let p99 = try QuantileInterval(latencies, 0.99, of: .timings)
///
/// How many of n values lie below the true quantile is binomial: that says between which two, in order, it
/// lies. `ranks` gives their places, for values that are kept in a histogram.
///
/// - Paper: W. R. Thompson, “On confidence ranges for the median and other expectation distributions for
///   populations of unknown distribution form”, Ann. Math. Stat. 7(3), 1936.
/// - Assumes: values drawn independently. Consecutive latencies come in clusters; take quantiles of separate
///   runs then, and `MeanInterval` over those.
/// - Does not say: anything where too few values lie beyond: a p99.9 takes 3 688 values for 95 %. As it holds
///   for every distribution it is never below its confidence, and a little above where values are few.
/// - Complexity: O(n log n).
package struct QuantileInterval: Sendable, Equatable {
  /// The estimand of the interval.
  package let estimand: Estimand
  /// The quantile: 0.5 is the median.
  package let quantile: Double
  /// The sample's quantile, interpolated between the two values next to it.
  package let value: Double
  private let sorted: [Double]

  /// Looks at a sample.
  ///
  /// - Parameters:
  ///   - sample: The values, in any order.
  ///   - quantile: Between 0 and 1.
  ///   - estimand: The estimand of the interval.
  /// - Throws: For no values, and values that are not finite.
  package init(
    _ sample: [Double], _ quantile: Double, of estimand: Estimand
  ) throws(StatisticsError) {
    precondition(quantile > 0 && quantile < 1, "a quantile lies between 0 and 1")
    guard !sample.isEmpty else {
      throw .tooFew("values", count: 0, needed: 1, remedy: "measure some")
    }
    try StatisticsError.checkFinite(sample, "value")
    self.estimand = estimand
    self.quantile = quantile
    sorted = sample.sorted()
    value = gsl_stats_quantile_from_sorted_data(sorted, 1, sorted.count, quantile)
  }

  /// An interval that holds the true quantile with at least this confidence, which lies between 0 and 1. Nil
  /// where the sample is too small for it.
  package func interval(confidence: Double = 0.95) -> ClosedRange<Double>? {
    QuantileInterval.ranks(quantile, count: sorted.count, confidence: confidence).map {
      sorted[$0.lowerBound - 1]...sorted[$0.upperBound - 1]
    }
  }

  /// The ranks, from 1 for the smallest, of the two of `count` values that hold a quantile between them.
  ///
  /// - Returns: Nil where `count` is too small.
  package static func ranks(
    _ quantile: Double, count: Int, confidence: Double = 0.95
  ) -> ClosedRange<Int>? {
    precondition(count >= 0 && count < Int(UInt32.max), "values are counted in 32 bits")
    GSL.returnsErrors
    let tail = 1 - NormalDistribution.upperLevel(confidence)
    let n = UInt32(count)
    // Fewer than `lower` values below the quantile, or at least `upper`: each happens with at most `tail`.
    let lower = lastRank(upTo: count) {
      $0 == 0 || gsl_cdf_binomial_P(UInt32($0 - 1), quantile, n) <= tail
    }
    let upper =
      1
      + lastRank(upTo: count) {
        $0 == 0 || gsl_cdf_binomial_Q(UInt32($0 - 1), quantile, n) > tail
      }
    return lower >= 1 && upper <= count ? lower...upper : nil
  }

  /// The last of 0 … `count` that has a property which the smaller ones have, too.
  private static func lastRank(upTo count: Int, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count + 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if holds(middle) { low = middle } else { high = middle }
    }
    return low
  }
}
