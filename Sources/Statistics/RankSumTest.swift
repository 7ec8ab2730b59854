import Parameters
import Foundation

/// True if the values of one set are larger than another's, and by how much, whatever their distribution:
/// Mann and Whitney's test with the estimate of Hodges and Lehmann.
///
/// The estimate is the median of the differences of every value of the second set and every one of the first.
///
/// - Paper: H. B. Mann and D. R. Whitney, “On a test of whether one of two random variables is stochastically
///   larger than the other”, Ann. Math. Stat. 18(1), 1947.
/// - Assumes: values drawn independently; for the estimate and its interval, two distributions that differ by
///   a shift. The p-value is exact up to 40 values, ties and all, and by the normal approximation beyond, as
///   are the intervals.
/// - Does not say: anything where values of a set depend on each other, as times measured in a row do
///   (`TimingChange` is for those).
/// - Complexity: O(n³ m) up to 40 values, a millisecond; O((n + m) log (n + m)) beyond.
package struct RankSumTest: Sendable, Equatable {
  /// The estimand of the interval.
  package let estimand: Estimand
  /// Pairs in which the second set's value is the larger; equal ones count half.
  package let statistic: Double
  /// The probability that chance alone makes so uneven a number of such pairs, where the sets do not differ.
  package let pValue: Double
  /// By how much the second set's values are larger.
  package let estimate: Double
  private let first: [Double]
  private let second: [Double]

  private static let exact = 40

  /// Compares two sets.
  ///
  /// - Throws: For an empty set, and values that are not finite.
  package init(
    _ first: [Double], _ second: [Double], of estimand: Estimand
  ) throws(StatisticsError) {
    guard !first.isEmpty && !second.isEmpty else {
      throw .tooFew("values in a set", count: 0, needed: 1, remedy: "measure both sides")
    }
    try StatisticsError.checkFinite(first + second, "value")
    self.estimand = estimand
    self.first = first
    self.second = second
    estimate = PairwiseSums(second, first.map { -$0 }).median
    let ranks = Ranks.doubled(second + first)
    let sum = ranks[..<second.count].reduce(0, +)
    statistic = Double(sum - second.count * (second.count + 1)) / 2
    pValue =
      first.count + second.count <= RankSumTest.exact
      ? RankSumDistribution(draws: second.count, from: ranks).twoSided(sum)
      : RankSumTest.approximation(statistic, ranks, first.count, second.count)
  }

  /// The interval of all shifts that the sets do not speak against at this confidence, which lies between 0
  /// and 1. Nil where there are too few values for it: 95 % takes four on either side.
  package func interval(confidence: Double = 0.95) -> ClosedRange<Double>? {
    let tail = 1 - NormalDistribution.upperLevel(confidence)
    let (n, m) = (first.count, second.count)
    let rank: Int
    if n + m <= RankSumTest.exact {
      let sums = RankSumDistribution(draws: m, from: Array(1...(n + m)))
      rank = sums.lowestSum(withBelow: tail) - m * (m + 1) / 2
    } else {
      let deviation = RankSumTest.deviation(n, m, tieTerm: 0)
      let width = NormalDistribution.width(ofInterval: confidence) * deviation
      rank = Int(Double(n * m) / 2 - width)
    }
    guard rank >= 1 else { return nil }
    let shifts = PairwiseSums(second, first.map { -$0 })
    return shifts.value(ofRank: rank)...shifts.value(ofRank: shifts.count + 1 - rank)
  }

  private static func approximation(
    _ statistic: Double, _ ranks: [Int], _ n: Int, _ m: Int
  ) -> Double {
    let deviation = deviation(n, m, tieTerm: Ranks.tieTerm(ranks))
    guard deviation > 0 else { return 1 }
    // Half a pair for continuity.
    let excess = abs(statistic - Double(n * m) / 2) - 0.5
    return min(1, 2 * NormalDistribution.probability(from: excess / deviation))
  }

  private static func deviation(_ n: Int, _ m: Int, tieTerm: Double) -> Double {
    let all = Double(n + m)
    return (Double(n * m) / 12 * (all + 1 - tieTerm / (all * (all - 1)))).squareRoot()
  }
}
