/// True if values in the order of time depend on those before them: the rank version of von Neumann's ratio.
///
/// The squared steps from rank to rank, in relation to the ranks' spread: 2 where the order is chance, less
/// where neighbours are alike. A trend, a change of level, slow waves and plain correlation all make
/// neighbours alike, so that one test finds whatever spoils an interval over time.
///
/// - Paper: R. Bartels, “The rank version of von Neumann's ratio test for randomness”, JASA 77(377), 1982.
/// - Assumes: where nothing is wrong, that any order of the values is as probable as any other. The p-value
///   is by the normal approximation with the exact variance, good from ten values.
/// - Does not say: that the values are independent when it finds nothing. With 20 values it finds a shift of
///   two standard deviations in the middle nearly always, one of one deviation every other time.
/// - Complexity: O(n log n).
package struct SerialIndependenceTest: Sendable, Equatable {
  /// Values.
  package let count: Int
  /// The ratio; 2 where all values are equal.
  package let ratio: Double
  /// The probability that a random order makes the ratio as small, or smaller.
  package let pValue: Double

  /// Looks at values in their order.
  ///
  /// - Throws: For fewer than ten values, and values that are not finite.
  package init(_ values: [Double]) throws(StatisticsError) {
    guard values.count >= 10 else {
      throw .tooFew(
        "values in order", count: values.count, needed: 10, remedy: "take more, or shorter, parts")
    }
    try StatisticsError.checkFinite(values, "value")
    count = values.count
    let n = Double(count)
    let ranks = Ranks.doubled(values).map { Double($0) / 2 }
    let middle = (n + 1) / 2
    let spread = ranks.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }
    let steps = zip(ranks, ranks.dropFirst()).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    ratio = spread > 0 ? steps / spread : 2
    let variance =
      4 * (n - 2) * (5 * n * n - 2 * n - 9) / (5 * n * (n + 1) * (n - 1) * (n - 1))
    pValue = NormalDistribution.probability(upTo: (ratio - 2) / variance.squareRoot())
  }
}
