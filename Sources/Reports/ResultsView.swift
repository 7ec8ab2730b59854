import Rendering
import Results

/// A results document with what several sections need of it.
struct ResultsView {
  let results: ResultSet
  /// The names of policies that no cache could run.
  let bounds: Set<String>
  /// A sentence on each policy, by its name.
  let summaries: [String: String]
  /// The hit ratios of the policies at each capacity of each trace.
  let comparisons: [Standing]
  /// The policies over all of them, the best first.
  let ranking: Ranking
  /// Estimates with intervals.
  let estimates: [Estimate]
  /// The ink of each policy.
  let inks: SeriesInks
  /// True where readers name the sections that they want.
  let isPicture: Bool
  private let hasSeeds: Bool

  init(_ results: ResultSet, style: ReportStyle, isPicture: Bool = false) {
    self.results = results
    self.isPicture = isPicture
    bounds = style.bounds
    summaries = style.summaries
    let comparisons = Standing.all(of: results, bounds: bounds)
    self.comparisons = comparisons
    ranking = results.suite.flatMap { Ranking($0, comparisons) } ?? Ranking(comparisons)
    estimates = results.estimates
    hasSeeds = Set(results.measurements.map(\.seed)).count > 1
    inks = SeriesInks(of: results, ranking: ranking, highlighted: style.highlighted)
  }

  /// A line of a chart that is one run's, with its seed where there are several.
  func line(of run: Measurement, _ points: [(Double, Double)]) -> Chart.Series {
    Chart.Series(name(of: run), .line, ink: inks[run.contender], points: points)
  }

  /// The label of a run's line: the policy, with its seed where there are several.
  func name(of run: Measurement) -> String {
    hasSeeds ? "\(run.contender), seed \(run.seed)" : run.contender
  }
}
