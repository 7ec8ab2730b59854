import Parameters
import Foundation

/// True if paired values differ, and by how much, whatever their distribution: Wilcoxon's signed ranks with
/// the estimate of Hodges and Lehmann.
///
/// The estimate is the median of the means of all pairs of differences. One wild difference moves it hardly,
/// and three in ten may be wild before it breaks down.
///
/// - Paper: F. Wilcoxon, “Individual comparisons by ranking methods”, Biometrics Bulletin 1(6), 1945;
///   J. L. Hodges and E. L. Lehmann, “Estimates of location based on rank tests”, Ann. Math. Stat. 34(2), 1963.
/// - Assumes: differences drawn independently, of distributions that are symmetric about one centre. The
///   p-value is exact up to 100 differences, ties and all; beyond, and for its intervals there, by the normal
///   approximation. Differences of zero have no sign and leave the test, but not the estimate.
/// - Does not say: anything of the mean, where the differences are skewed.
/// - Complexity: O(n³) up to 100 differences, which is a millisecond; O(n log n) beyond.
package struct SignedRankTest: Sendable, Equatable {
  /// The estimand of the interval.
  package let estimand: Estimand
  /// Differences.
  package let count: Int
  /// The sum of the ranks, by magnitude, of the positive differences.
  package let statistic: Double
  /// The probability that chance alone makes the ranks of one sign that heavy, or heavier, where there is no
  /// difference.
  package let pValue: Double
  /// The median of the means of all pairs of differences.
  package let estimate: Double
  private let differences: [Double]

  private static let exact = 100

  /// Looks at differences, each of one pair.
  ///
  /// - Throws: For no differences, and values that are not finite.
  package init(_ differences: [Double], of estimand: Estimand) throws(StatisticsError) {
    guard !differences.isEmpty else {
      throw .tooFew("pairs", count: 0, needed: 1, remedy: "measure some")
    }
    try StatisticsError.checkFinite(differences, "difference")
    self.estimand = estimand
    self.differences = differences
    count = differences.count
    estimate = PairwiseSums(within: differences).median / 2
    let signed = differences.filter { $0 != 0 }
    let ranks = Ranks.doubled(signed.map(abs))
    let positive = zip(signed, ranks).reduce(0) { $0 + ($1.0 > 0 ? $1.1 : 0) }
    statistic = Double(positive) / 2
    pValue =
      signed.count <= SignedRankTest.exact
      ? RankSumDistribution(coinsFor: ranks).twoSided(positive)
      : SignedRankTest.approximation(statistic, ranks)
  }

  /// The interval of all centres that the differences do not speak against at this confidence, which lies
  /// between 0 and 1. Nil where there are too few differences for it: 95 % takes six.
  package func interval(confidence: Double = 0.95) -> ClosedRange<Double>? {
    let tail = 1 - NormalDistribution.upperLevel(confidence)
    let rank: Int
    if count <= SignedRankTest.exact {
      rank = RankSumDistribution(coinsFor: Array(1...count)).lowestSum(withBelow: tail)
    } else {
      let (mean, deviation) = SignedRankTest.moments(count, tieTerm: 0)
      rank = Int(mean - NormalDistribution.width(ofInterval: confidence) * deviation)
    }
    guard rank >= 1 else { return nil }
    let sums = PairwiseSums(within: differences)
    return (sums.value(ofRank: rank) / 2)...(sums.value(ofRank: sums.count + 1 - rank) / 2)
  }

  private static func approximation(_ statistic: Double, _ ranks: [Int]) -> Double {
    let (mean, deviation) = moments(ranks.count, tieTerm: Ranks.tieTerm(ranks))
    return min(1, 2 * NormalDistribution.probability(from: abs(statistic - mean) / deviation))
  }

  private static func moments(_ count: Int, tieTerm: Double) -> (mean: Double, deviation: Double) {
    let n = Double(count)
    let variance = (n * (n + 1) * (2 * n + 1) - tieTerm / 2) / 24
    return (n * (n + 1) / 4, variance.squareRoot())
  }
}
