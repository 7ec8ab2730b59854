import CGSL
import Parameters

/// The mean of differences between pairs, with a bootstrap interval.
///
/// Pairs are drawn with replacement, and the quantiles are moved out for small samples, whose percentiles make
/// intervals that are too short.
///
/// - Paper: B. Efron, “Bootstrap methods: another look at the jackknife”, Annals of Statistics 7(1), 1979; the
///   quantiles as T. C. Hesterberg, “What teachers should know about the bootstrap”, The American Statistician
///   69(4), 2015.
/// - Assumes: pairs measured independently of each other.
/// - Does not say: anything of another machine.
/// - Complexity: O(replicates × pairs).
package struct PairedBootstrap: Sendable, Equatable {
  /// The mean difference.
  package let value: Double
  /// The number of pairs.
  package let count: Int
  private let replicates: [Double]

  /// Draws the replicates.
  ///
  /// - Throws: For fewer than two differences, and values that are not finite.
  package init(
    _ differences: [Double], replicates: Int = 10_000, seed: Int
  ) throws(StatisticsError) {
    guard differences.count >= 2 else {
      throw .tooFew("pairs", count: differences.count, needed: 2, remedy: "measure more")
    }
    try StatisticsError.checkFinite(differences, "difference")
    let random = GSLRandom(seed: seed)
    let count = differences.count
    self.count = count
    value = gsl_stats_mean(differences, 1, count)
    self.replicates = (0..<replicates).map { _ in
      (0..<count).reduce(0) { sum, _ in sum + differences[random.index(below: count)] }
        / Double(count)
    }.sorted()
  }

  /// An interval that holds the mean with this confidence, which lies between 0 and 1.
  package func interval(confidence: Double = 0.95) -> ClosedRange<Double> {
    let freedom = Double(count - 1)
    let width =
      StudentDistribution.width(ofInterval: confidence, degreesOfFreedom: freedom)
      * (Double(count) / freedom).squareRoot()
    return quantile(-width)...quantile(width)
  }

  private func quantile(_ width: Double) -> Double {
    gsl_stats_quantile_from_sorted_data(
      replicates, 1, replicates.count, NormalDistribution.probability(upTo: width))
  }
}
