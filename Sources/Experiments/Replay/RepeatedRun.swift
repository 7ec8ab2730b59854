import CacheReplay
import Results
import Runner
import Statistics

/// The repetitions of one cell.
///
/// Only the histograms of all of them are kept, merged; else a repetition is a few metrics.
struct RepeatedRun: Sendable {
  /// The first repetition, with the histograms of all.
  private var sum: ReplayOutcome?
  private var runs: [Repetition] = []

  /// The facts and metrics of one repetition.
  private struct Repetition {
    let facts: ReplayFacts
    let figures: [(name: String, value: Double)]
  }

  mutating func add(_ outcome: ReplayOutcome) {
    runs.append(Repetition(facts: outcome.facts, figures: RepeatedRun.figures(of: outcome)))
    sum.merge(outcome) { $0.add($1) }
  }

  /// The histograms of all repetitions. There is at least one.
  var merged: ReplayOutcome {
    guard let sum else { preconditionFailure("nothing was run yet") }
    return sum
  }

  /// Everything that was timed, by name.
  var histograms: [(name: String, histogram: DurationHistogram)] { merged.histograms }

  /// The repetition of median length: a run that happened, whose counts belong together.
  var typical: ReplayFacts {
    let sorted = runs.map(\.facts).sorted { $0.seconds < $1.seconds }
    return sorted[(sorted.count - 1) / 2]
  }

  /// The repetitions.
  var count: Int { runs.count }

  /// The time of the repetitions for one instrument.
  var secondsSpent: Double {
    runs.reduce(0) { $0 + max($1.facts.seconds, $1.facts.timedSeconds) }
  }

  /// True if the intervals are so narrow that more repetitions would hardly move the medians.
  var isNarrow: Bool {
    guard let repetitions else { return false }
    func isWithin(_ width: Double?, _ limit: Double) -> Bool { width.map { $0 <= limit } ?? false }
    return isWithin(repetitions["requestsPerSecond"]?.relativeWidth, 0.02)
      && isWithin(repetitions["contendedRatio"]?.halfWidth, 0.01)
      && (repetitions["response.p99"].map { isWithin($0.relativeWidth, 0.05) } ?? true)
  }

  /// The median time of a repetition.
  var seconds: Double { median(of: \.seconds) ?? 0 }

  /// The median throughput of a repetition.
  var requestsPerSecond: Double { median(of: \.requestsPerSecond) ?? 0 }

  /// The median over the repetitions; nil where it is not known of most of them.
  func median(of figure: (ReplayFacts) -> Double?) -> Double? {
    let values = runs.compactMap { figure($0.facts) }
    if 2 * values.count <= runs.count { return nil }
    return try? QuantileInterval(values, 0.5, of: .timings).value
  }

  /// The metrics that differ between repetitions; nil for a single one.
  var repetitions: Repetitions? {
    guard runs.count > 1, let first = runs.first else { return nil }
    let figures = first.figures.compactMap { figure -> Repetitions.Figure? in
      let values = runs.compactMap { repetition in
        repetition.figures.first { $0.name == figure.name }?.value
      }
      // What was not there every time is no figure, and what is always the same is exact.
      guard values.count == runs.count else { return nil }
      if figure.name == "hitRatio" && Set(values).count == 1 { return nil }
      return Repetitions.Figure(figure.name, values)
    }
    return Repetitions {
      $0.count = runs.count
      $0.figures = figures
    }
  }

  private static func figures(of outcome: ReplayOutcome) -> [(name: String, value: Double)] {
    var figures = [(name: "requestsPerSecond", value: outcome.facts.requestsPerSecond)]
    if outcome.counts.requests > 0 {
      let ratio = Double(outcome.counts.hits) / Double(outcome.counts.requests)
      figures.append((name: "hitRatio", value: ratio))
    }
    figures.append((name: "contendedRatio", value: outcome.contention.contendedRatio))
    let latency = outcome.latency
    let times = [
      ("get", latency.get), ("hit", latency.hit), ("miss", latency.miss), ("set", latency.set),
      ("fill", latency.fill), ("response", outcome.response?.whole),
      ("service", outcome.service?.whole), ("idle", outcome.idle),
    ]
    for case (let name, let summary?) in times {
      figures += [
        ("\(name).p50", Double(summary.p50)), ("\(name).p99", Double(summary.p99)),
        ("\(name).p999", Double(summary.p999)),
      ]
    }
    return figures
  }
}

extension Repetitions.Figure {
  /// A figure that was measured several times; nil for no values.
  package init?(_ name: String, _ values: [Double]) {
    guard let median = try? QuantileInterval(values, 0.5, of: .timings) else { return nil }
    self.init()
    self.name = name
    self.values = values
    mean = values.reduce(0, +) / Double(values.count)
    self.median = median.value
    interval = median.interval(confidence: Repetitions.confidence)
  }
}
