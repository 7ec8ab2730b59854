import Rendering

/// A part of the page on results: one file in this folder, one line in ``ResultsSections``.
protocol ResultsSection: SendableMetatype {
  /// The section; nil where the document has nothing to show there.
  static func section(of view: ResultsView) -> PageSection?
}

/// The sections of the page on results.
package enum ResultsSections {
  /// Every section, in the order in which they stand.
  static let all: [any ResultsSection.Type] = [
    PrefixSection.self,
    RankingSection.self,
    SuiteSection.self,
    VirtualLatencySection.self,
    CurvesSection.self,
    ReductionsSection.self,
    PercentilesSection.self,
    HeatMapSection.self,
    LoadSection.self,
    ContentionSection.self,
    LatencySection.self,
    DiskSection.self,
    EstimatesSection.self,
    OverTimeSection.self,
    InternalsSection.self,
    TableSection.self,
    EnvironmentSection.self,
  ]

  /// The names of their types.
  package static var names: [String] { all.map { "\($0)" } }

  /// The identifiers of the sections that have charts, for pictures.
  package static let pictured = [
    "virtual-latency", "curves", "reductions", "percentiles", "load", "latency", "contention",
    "disk", "estimates",
    "over-time", "internals",
  ]

  /// The largest number of charts that a section shows unfolded.
  static let figureLimit = 6
}
