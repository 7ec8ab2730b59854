import Rendering
import Results
import Traces

/// The lifetimes of objects.
package struct Expiry: TraceFigure, Equatable {
  /// The share of the requests whose object expires.
  package let ratio: Double
  /// The distribution over these requests, in nanoseconds; nil if nothing expires.
  package let summary: DistributionSummary?

  /// Their names in a document.
  package static let keys = ["expiryRatio", "ttls"]

  /// The values in a document.
  package var values: [JSON] { [.number(ratio), summary.map { .object($0.members) } ?? .null] }

  /// The facts for readers.
  package var facts: [TraceFact] {
    [TraceFact("expiry", "\(ratio.percent) of the requests have a time to live")]
  }

  /// In seconds.
  package var distributions: [TraceDistribution] {
    summary.map { [TraceDistribution("time to live, s", $0, unit: 1e9)] } ?? []
  }
}

final class ExpiryAnalyser: TraceAnalyser {
  private let column: Column<Int64>
  private var times = ValueDistribution()

  init?(_ trace: Trace, options: TraceProfile.Options) {
    guard let column = trace.ttls else { return nil }
    self.column = column
  }

  func take(_ block: AnalysisBlock) {
    let values = block.part(of: column)
    times.record(values.count) { values[$0] > 0 ? UInt64(values[$0]) : nil }
  }

  func finish(_ uses: KeyUses) -> Expiry {
    Expiry(ratio: Double(times.count) / Double(column.count), summary: times.summary)
  }
}
