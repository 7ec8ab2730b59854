import Rendering
import Results

/// A part of the page on results: one file in this folder, one line in ``ResultsSections``.
protocol ResultsSection: SendableMetatype {
  /// The section; nil where the document has nothing to show there.
  static func section(of view: ResultsView) -> PageSection?
}

/// A results document with what several sections need of it.
struct ResultsView {
  let results: ResultSet
  /// The names of policies that no cache could run.
  let bounds: Set<String>
  /// What policies hit at each capacity of each trace.
  let comparisons: [Standing]
  /// What the runs stand for, with intervals.
  let estimates: [Estimate]
  /// How each policy is drawn.
  let inks: SeriesInks
  private let hasSeeds: Bool

  init(_ results: ResultSet, style: ReportStyle) {
    self.results = results
    bounds = style.bounds
    comparisons = Standing.all(of: results, bounds: bounds)
    estimates = results.estimates
    hasSeeds = Set(results.measurements.map(\.seed)).count > 1
    inks = SeriesInks(of: results, comparisons: comparisons, highlighted: style.highlighted)
  }

  /// A line of a chart that is one run's, with its seed where there are several.
  func line(of run: Measurement, _ points: [(Double, Double)]) -> Chart.Series {
    Chart.Series(name(of: run), .line, ink: inks[run.contender], points: points)
  }

  /// What a run's line is called: the policy, with its seed where there are several.
  func name(of run: Measurement) -> String {
    hasSeeds ? "\(run.contender), seed \(run.seed)" : run.contender
  }
}

/// The sections of the page on results.
package enum ResultsSections {
  /// Every section, in the order in which they stand.
  static let all: [any ResultsSection.Type] = [
    CurvesSection.self,
    TableSection.self,
    EstimatesSection.self,
    HeatMapSection.self,
    OverTimeSection.self,
    InternalsSection.self,
    LatencySection.self,
    ContentionSection.self,
    EnvironmentSection.self,
  ]

  /// The names of their types.
  package static var names: [String] { all.map { "\($0)" } }

  /// More charts than this in one section are shown only when asked for.
  static let figureLimit = 6
}
