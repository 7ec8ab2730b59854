import Parameters
import CGSL

/// The mean of a sample, and Student's interval for the mean of what it was drawn from.
///
///     let throughput = try MeanInterval([8.1, 8.4, 7.9, 8.2, 8.0], of: .timings)
///     print(throughput.mean, throughput.interval())            // 8.12, 7.88…8.36
///
/// - Paper: Student, “The probable error of a mean”, Biometrika 6(1), 1908.
/// - Assumes: values drawn independently of each other, of one distribution that is not too skewed; with
///   30 values the shape hardly matters, with 5 it does. Repetitions of a measurement are independent
///   when each starts anew; requests of one trace never are (`StationaryMean` is for those).
/// - Does not say: where the next value lies, which is `standardDeviation` wide, nor anything of a machine
///   that runs differently tomorrow.
/// - Complexity: O(values).
package struct MeanInterval: Sendable, Equatable {
  /// The estimand of the interval.
  package let estimand: Estimand
  /// Values in the sample.
  package let count: Int
  /// Their mean.
  package let mean: Double
  /// The distance of values from the mean: the root of the sum of squares over n − 1.
  package let standardDeviation: Double

  /// Looks at a sample.
  ///
  /// - Throws: For fewer than two values, and values that are not finite.
  package init(_ sample: [Double], of estimand: Estimand) throws(StatisticsError) {
    guard sample.count >= 2 else {
      throw .tooFew(
        "values", count: sample.count, needed: 2,
        remedy: "repeat the measurement: one value has no spread")
    }
    try StatisticsError.checkFinite(sample, "value")
    self.estimand = estimand
    count = sample.count
    mean = gsl_stats_mean(sample, 1, count)
    standardDeviation = gsl_stats_sd_m(sample, 1, count, mean)
  }

  /// The distance of the sample's mean from the truth, in the root of the mean square.
  package var standardError: Double { standardDeviation / Double(count).squareRoot() }

  /// An interval that holds the true mean with this confidence, which lies between 0 and 1.
  package func interval(confidence: Double = 0.95) -> ClosedRange<Double> {
    let width =
      standardError
      * StudentDistribution.width(
        ofInterval: confidence, degreesOfFreedom: Double(count - 1))
    return (mean - width)...(mean + width)
  }
}
