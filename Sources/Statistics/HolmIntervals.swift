/// Intervals of several comparisons, each with its limit, that are together wrong with the probability of one.
///
/// - Paper: S. Holm, “A simple sequentially rejective multiple test procedure”, Scandinavian Journal of
///   Statistics 6(2), 1979.
/// - Complexity: O(comparisons²) intervals.
package enum HolmIntervals {
  /// An estimate as the procedure sees it.
  package struct Comparison {
    let limit: Double
    let interval: (_ confidence: Double) -> ClosedRange<Double>

    /// An estimate that is compared with a limit.
    package init(limit: Double, interval: @escaping (_ confidence: Double) -> ClosedRange<Double>) {
      self.limit = limit
      self.interval = interval
    }
  }

  /// The confidence of each comparison's interval.
  ///
  /// A comparison that excludes its limit leaves, and the next one needs less confidence; all that are
  /// left when none does have the same.
  package static func confidences(
    of comparisons: [Comparison], confidence: Double = 0.95
  ) -> [Double] {
    var confidences = [Double](repeating: confidence, count: comparisons.count)
    var rest = Array(comparisons.indices)
    while !rest.isEmpty {
      let corrected = 1 - (1 - confidence) / Double(rest.count)
      for index in rest { confidences[index] = corrected }
      let decided = rest.firstIndex { index in
        let comparison = comparisons[index]
        return !comparison.interval(corrected).contains(comparison.limit)
      }
      guard let decided else { break }
      rest.remove(at: decided)
    }
    return confidences
  }
}
