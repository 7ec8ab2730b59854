import Parameters

/// The inline threshold that experiments on disk speak for, and where files become faster.
package struct DiskRecommendation: Sendable, Equatable {
  /// From which size on files are faster for an operation.
  package struct Crossover: Sendable, Equatable {
    /// `read`, `coldRead`, `write` or `replace`.
    package var operation: String
    /// The median over the rounds, in bytes: 0 if files are always faster, nil if never, among the sizes seen.
    package var size: Double?
    /// The smallest and the largest of the rounds'.
    package var low: Double?
    /// See ``low``.
    package var high: Double?

    package init(operation: String, size: Double?, low: Double?, high: Double?) {
      self.operation = operation
      self.size = size
      self.low = low
      self.high = high
    }
  }

  /// The trace.
  package var trace: String
  /// The bytes of a database page.
  package var pageSize: Int
  /// The store's promise, by name.
  package var durability: String
  /// The number of rounds that chose a threshold.
  package var rounds: Int
  /// The threshold with the smallest time for the trace's reads and writes, in bytes.
  package var inlineThreshold: Int
  /// The smallest and the largest that single rounds chose.
  package var interval: ClosedRange<Int>
  /// The sizes from which files are faster, for each operation that was seen in both places.
  package var crossovers: [Crossover]

  package init(
    trace: String, pageSize: Int, durability: String, rounds: Int, inlineThreshold: Int,
    interval: ClosedRange<Int>, crossovers: [Crossover]
  ) {
    self.trace = trace
    self.pageSize = pageSize
    self.durability = durability
    self.rounds = rounds
    self.inlineThreshold = inlineThreshold
    self.interval = interval
    self.crossovers = crossovers
  }

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

extension DiskRecommendation: Documented {
  package static let blank = DiskRecommendation(
    trace: "", pageSize: 0, durability: "", rounds: 0, inlineThreshold: 0, interval: 0...0,
    crossovers: [])
  package static let fields: [Field<DiskRecommendation>] = [
    Field("trace", \.trace, .exact, "the trace's name"),
    Field("pageSize", \.pageSize, .exact, "a database page, in bytes"),
    Field("durability", \.durability, .exact, "the promise of the store"),
    Field("rounds", \.rounds, .from(1), .exact, "the rounds that chose a threshold"),
    Field(
      "inlineThreshold", \.inlineThreshold, .timed, "the threshold with the least time, in bytes"),
    Field("interval", \.interval, .timed, "the thresholds of single rounds"),
    .derived(
      "coverage", \.coverage, .timed, "the confidence that `interval` holds the median round's"),
    Field("crossovers", \.crossovers, "where files become faster"),
    .derived("text", \.text, .timed, "the recommendation in words"),
  ]
}

extension DiskRecommendation.Crossover: Documented {
  package static let blank = DiskRecommendation.Crossover(
    operation: "", size: nil, low: nil, high: nil)
  package static let fields: [Field<DiskRecommendation.Crossover>] = [
    Field("operation", \.operation, .exact, "`read`, `coldRead`, `write` or `replace`"),
    Field(
      "size", \.size, .timed, "the median of the rounds, in bytes: 0 for always, `null` for never"),
    Field("low", \.low, .timed, "the smallest of the rounds"),
    Field("high", \.high, .timed, "the largest of the rounds"),
  ]
}
