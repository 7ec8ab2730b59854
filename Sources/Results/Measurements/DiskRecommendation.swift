import Parameters

/// The inline threshold that experiments on disk speak for, and where files become faster.
package struct DiskRecommendation: Documented {
  /// From which size on files are faster for an operation.
  package struct Crossover: Documented {
    package var operation = ""
    /// Nil if never, among the sizes seen.
    package var size: Double?
    package var low: Double?
    package var high: Double?

    package init() {}

    package static let fields: [Field<DiskRecommendation.Crossover>] = [
      Field("operation", \.operation, "`read`, `coldRead`, `write` or `replace`", .exact),
      Field(
        "size", \.size, "the median of the rounds, in bytes: 0 for always, `null` for never", .timed
      ),
      Field("low", \.low, "the smallest of the rounds", .timed),
      Field("high", \.high, "the largest of the rounds", .timed),
    ]
  }

  package var trace = ""
  package var pageSize = 0
  package var durability = ""
  package var rounds = 0
  package var inlineThreshold = 0
  package var interval: ClosedRange<Int> = 0...0
  package var crossovers: [Crossover] = []

  package init() {}

  package static let fields: [Field<DiskRecommendation>] = [
    Field("trace", \.trace, "the trace's name", .exact),
    Field("pageSize", \.pageSize, "a database page, in bytes", .exact),
    Field("durability", \.durability, "the promise of the store", .exact),
    Field("rounds", \.rounds, "the rounds that chose a threshold", .exact, as: .from(1)),
    Field(
      "inlineThreshold", \.inlineThreshold, "the threshold with the least time, in bytes", .timed),
    Field("interval", \.interval, "the thresholds of single rounds", .timed),
    .derived(
      "coverage", \.coverage, "the confidence that `interval` holds the median round's", .timed),
    Field("crossovers", \.crossovers, "where files become faster"),
    .derived("text", \.text, "the recommendation in words", .timed),
  ]

  /// The probability that such an interval contains the median of all rounds that could be run.
  package var coverage: Double { 1 - pow(2, 1 - Double(rounds)) }
}

extension DiskRecommendation {
  /// The recommendation in words.
  package var text: String {
    let percent = Int((coverage * 100).rounded(.down))
    let places = crossovers.map { crossover in
      let name = crossover.operation == "coldRead" ? "cold read" : crossover.operation
      return "\(name) \(Self.text(crossover.size)) "
        + "(\(Self.text(crossover.low)) to \(Self.text(crossover.high)))"
    }
    return "An inline threshold of \(inlineThreshold) bytes is the fastest here "
      + "(\(interval.lowerBound) to \(interval.upperBound), \(rounds) rounds, \(percent) %), with "
      + "pages of \(pageSize) bytes and durability \(durability). Files are faster from: "
      + places.joined(separator: ", ") + "."
  }

  private static func text(_ size: Double?) -> String {
    size.map { String(printing: "%.1f KiB", $0 / 1_024) } ?? "never"
  }
}
