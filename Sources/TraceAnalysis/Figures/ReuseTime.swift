import Results
import Traces

/// After how many requests a key is requested again.
package struct ReuseTime: TraceFigure, Equatable {
  /// The distribution over all requests but the first of each key; nil if no key is requested twice.
  /// A key that is requested twice in a row has a reuse time of 1.
  package let summary: DistributionSummary?

  /// Their name in a document.
  package static let keys = ["reuseTime"]

  /// The values in a document.
  package var values: [JSON] { [summary.map { .object($0.members) } ?? .null] }

  /// The distributions for readers.
  package var distributions: [TraceDistribution] {
    summary.map { [TraceDistribution("reuse time, requests", $0)] } ?? []
  }
}

final class ReuseTimeAnalyser: TraceAnalyser {
  private var times = ValueDistribution()

  init?(_ trace: Trace, options: TraceProfile.Options) {}

  func take(_ block: AnalysisBlock) {
    times.record(block.count) { index in
      let previous = block.previous[index]
      return previous > 0 ? UInt64(block.number(index) &- previous) : nil
    }
  }

  func finish(_ uses: KeyUses) -> ReuseTime { ReuseTime(summary: times.summary) }
}
