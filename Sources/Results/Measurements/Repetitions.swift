/// The figures of several repetitions of one run, and between which ends the median of ever more of them
/// lies.
///
/// Intervals are for whatever distribution, at 95 %, for the timings of this machine in this state: between
/// two of the values, which takes six of them. A figure that is the same every time, such as the hits on one
/// thread, is exact and not among them.
package struct Repetitions: Documented {
  /// A figure of every repetition.
  package struct Figure: Documented {
    /// The name: `requestsPerSecond`, `get.p99`.
    package var name = ""
    package var values: [Double] = []
    package var mean = 0.0
    /// Nil where only the mean is known, which the interval is then for.
    package var median: Double?
    /// Nil for too few repetitions.
    package var interval: ClosedRange<Double>?

    package init() {}

    package static let fields: [Field<Repetitions.Figure>] = [
      Field("mean", \.mean, "the mean of the repetitions", .timed),
      .omittable("median", \.median, "their median", .timed),
      Field(
        "interval", \.interval, "for the median of ever more, or without `median` the mean", .timed),
      Field("values", \.values, "the value of each repetition", .timed),
    ]

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

  package var count = 0
  package var figures: [Figure] = []

  package init() {}

  package static let fields: [Field<Repetitions>] = [
    Field("repetitions", \.count, "how often the run was made", .timed),
    .group(
      "intervals",
      .constant("confidence", confidence, "the confidence of intervals"),
      .others(
        than: "confidence", \.figures, of: Figure(), name: \.name, value: \.self,
        "the metric of that name: `requestsPerSecond`, `get.p99`", .timed)),
  ]

  /// The figure of that name.
  package subscript(name: String) -> Figure? { figures.first { $0.name == name } }
}
