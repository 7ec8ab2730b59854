import CGSL
import Foundation

/// The test that the level of values does not change along their order, against one that drifts: KPSS.
///
/// The squared sums of the first 1, 2, 3, … deviations from the mean, in relation to the variance of such a
/// sum. A trend, a shift of level and a slow wave make them large. The variance is that of blocks, at most as
/// long as the longer lags of the paper: else a shift would pass for dependence.
///
/// - Paper: D. Kwiatkowski, P. C. B. Phillips, P. Schmidt and Y. Shin, “Testing the null hypothesis of
///   stationarity against the alternative of a unit root”, Journal of Econometrics 54, 1992. The p-value is of the
///   limit distribution, which is Cramér and von Mises's: T. W. Anderson and D. A. Darling, “Asymptotic theory
///   of certain goodness of fit criteria”, Annals of Mathematical Statistics 23(2), 1952.
/// - Assumes: dependence that fades well within the values. Where it does not, small p-values are too frequent:
///   of sets of 100 values of an autoregression of 0.9 one in five is below 0.05.
/// - Does not say: that the level stays when it finds nothing. Of sets of 100 values that drift by one standard
///   deviation from first to last, about one in four passes at 0.05; of sets of 400 hardly one.
/// - Complexity: O(n).
package struct StationarityTest: Sendable, Equatable {
  /// The statistic: 0.463 is exceeded by chance in 5 % of cases.
  package let statistic: Double
  /// The probability that a level that stays makes the statistic as large, or larger.
  package let pValue: Double

  /// Looks at values in their order.
  ///
  /// - Parameters:
  ///   - values: Deviations from their mean.
  ///   - blockLength: Values that depend on each other.
  init(centered values: [Double], blockLength: Int) {
    let n = Double(values.count)
    let longest = Int(12 * pow(n / 100, 0.25))
    let variance = BlockLength.variance(of: values, length: min(blockLength, longest))
    var (sum, squares) = (0.0, 0.0)
    for value in values {
      sum += value
      squares += sum * sum
    }
    statistic = variance > 0 ? squares / (n * n * variance) : 0
    pValue = StationarityTest.probability(from: statistic)
  }

  /// The probability of a value from this one on in the limit distribution: Anderson and Darling's series.
  static func probability(from value: Double) -> Double {
    GSL.returnsErrors
    // Below this it is 1 to the last digit, and above that 0, while the terms overflow.
    if value < 0.01 { return 1 }
    if value > 20 { return 0 }
    var (below, factor) = (0.0, 1.0)
    for term in 0..<20 {
      let odd = Double(4 * term + 1)
      let argument = odd * odd / (16 * value)
      below +=
        factor * odd.squareRoot() * exp(-2 * argument)
        * gsl_sf_bessel_Knu_scaled(0.25, argument)
      factor *= (Double(term) + 0.5) / Double(term + 1)
    }
    return min(max(1 - below / (.pi * value.squareRoot()), 0), 1)
  }
}
