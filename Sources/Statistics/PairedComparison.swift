import Parameters

/// Two policies compared over pairs: each with the same seed, on the same sample of keys, or on one trace of
/// a kind.
///
///     let gain = try PairedComparison(sieve.map(\.hitRatio), lru.map(\.hitRatio), of: .seeds)
///     print(gain.mean.mean, gain.mean.interval(), gain.ranks.pValue)
///
/// What pairs have in common, an easy seed or a hard trace, leaves with the difference. For pairs of windows
/// of one trace, which depend on each other, there is `StationaryMean`.
///
/// - Paper: Student, “The probable error of a mean”, Biometrika 6(1), 1908, whose example is paired; the ranks'
///   see `SignedRankTest`.
/// - Assumes: pairs drawn independently of each other from all those that the answer shall hold for. Traces at
///   hand are rarely drawn from anything, and pairs that lie in one trace are one pair.
/// - Does not say: which policy is better on one pair, nor that a difference matters.
/// - Complexity: that of `SignedRankTest`.
package struct PairedComparison: Sendable, Equatable {
  /// The mean of the differences, first less second, with Student's interval.
  package let mean: MeanInterval
  /// True if they differ, and by how much in the middle, whatever the distribution.
  package let ranks: SignedRankTest

  /// Compares pair by pair.
  ///
  /// - Throws: For fewer than two pairs, unequal numbers, and values that are not finite.
  package init(
    _ first: [Double], _ second: [Double], of estimand: Estimand
  ) throws(StatisticsError) {
    guard first.count == second.count else {
      throw .unequalCounts("values", first: first.count, second: second.count)
    }
    let differences = zip(first, second).map { $0 - $1 }
    mean = try MeanInterval(differences, of: estimand)
    ranks = try SignedRankTest(differences, of: estimand)
  }
}
