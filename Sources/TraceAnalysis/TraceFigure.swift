import Rendering
import Results
import Traces

/// Something that is said of a trace: what a document, a table and a page show of it.
package protocol TraceFigure: Sendable {
  /// The members of the document that it fills, in their order.
  static var keys: [String] { get }

  /// The values of these members.
  var values: [JSON] { get }

  /// The facts for readers, as labels and values.
  var facts: [TraceFact] { get }

  /// The distributions over the requests or keys.
  var distributions: [TraceDistribution] { get }

  /// The charts.
  var charts: [Chart] { get }
}

extension TraceFigure {
  /// None.
  package var facts: [TraceFact] { [] }
  /// None.
  package var distributions: [TraceDistribution] { [] }
  /// None.
  package var charts: [Chart] { [] }
}

/// One line of a report: `distinct keys  186880`.
package struct TraceFact: Sendable, Equatable {
  /// The label.
  package let label: String
  /// Its value, unit included.
  package let text: String

  init(_ label: String, _ text: String) {
    self.label = label
    self.text = text
  }
}

/// One line of a report's table of quantiles.
package struct TraceDistribution: Sendable, Equatable {
  /// The label of the distributed value, unit included.
  package let label: String
  /// The summary.
  package let summary: DistributionSummary
  /// The divisor that shows a value in the label's unit.
  package let unit: Double

  init(_ label: String, _ summary: DistributionSummary, unit: Double = 1) {
    self.label = label
    self.summary = summary
    self.unit = unit
  }
}

/// Makes one figure of a trace: one file in `Figures`, one line in ``TraceAnalysers``.
protocol TraceAnalyser: AnyObject, SendableMetatype {
  associatedtype Figure: TraceFigure

  /// An analyser of this trace; nil if the trace has no column for it.
  init?(_ trace: Trace, options: TraceProfile.Options)

  /// Takes the next requests. Called once for each block, in their order.
  func take(_ block: AnalysisBlock)

  /// The figure, after the last block.
  func finish(_ uses: KeyUses) -> Figure
}

extension TraceAnalyser {
  static func make(_ trace: Trace, options: TraceProfile.Options) -> (any TraceAnalyser)? {
    Self(trace, options: options)
  }

  static var keys: [String] { Figure.keys }
}

/// The catalog of figures.
enum TraceAnalysers {
  /// Every analyser, in the order in which reports show their figures.
  static let all: [any TraceAnalyser.Type] = [
    VolumeAnalyser.self,
    RequestPeriodAnalyser.self,
    CompulsoryMissAnalyser.self,
    PopularityAnalyser.self,
    WorkingSetAnalyser.self,
    ReuseTimeAnalyser.self,
    ReuseDistanceAnalyser.self,
    ScanAnalyser.self,
    RequestOrderAnalyser.self,
    DriftAnalyser.self,
    SizeAnalyser.self,
    OperationAnalyser.self,
    ExpiryAnalyser.self,
    PromptAnalyser.self,
  ]
}
