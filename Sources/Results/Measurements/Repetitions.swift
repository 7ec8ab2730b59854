/// The figures of several repetitions of one run, and between which ends the median of ever more of them
/// lies.
///
/// Intervals are for whatever distribution, at 95 %, for the timings of this machine in this state: between
/// two of the values, which takes six of them. A figure that is the same every time, such as the hits on one
/// thread, is exact and not among them.
package struct Repetitions: Sendable, Equatable {
  /// A figure of every repetition.
  package struct Figure: Sendable, Equatable {
    /// The name: `requestsPerSecond`, `get.p99`.
    package var name: String
    /// Its values, in the order of the repetitions.
    package var values: [Double]
    /// Their mean.
    package var mean: Double
    /// Their median; nil where only the mean is known, which the interval is then for.
    package var median: Double?
    /// The 95 % confidence interval of the median; nil for too few repetitions.
    package var interval: ClosedRange<Double>?

    /// A figure with these facts.
    package init(
      name: String, values: [Double], mean: Double, median: Double? = nil,
      interval: ClosedRange<Double>?
    ) {
      self.name = name
      self.values = values
      self.mean = mean
      self.median = median
      self.interval = interval
    }

    /// Half of the interval's width; nil without one.
    package var halfWidth: Double? { interval.map { ($0.upperBound - $0.lowerBound) / 2 } }

    /// Half of the interval's width over the median, or the mean; nil where that is 0.
    package var relativeWidth: Double? {
      let center = median ?? mean
      return center == 0 ? nil : halfWidth.map { $0 / center }
    }
  }

  /// The confidence of an interval.
  package static let confidence = 0.95

  /// The number of times that the run was made.
  package var count: Int
  /// The metrics that differed from one to the other.
  package var figures: [Figure]

  /// Repetitions with these figures.
  package init(count: Int, figures: [Figure]) {
    self.count = count
    self.figures = figures
  }

  /// The figure of that name.
  package subscript(name: String) -> Figure? { figures.first { $0.name == name } }
}
