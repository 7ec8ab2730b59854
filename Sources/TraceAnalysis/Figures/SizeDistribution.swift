import Rendering
import Results
import Traces

/// The sizes of the objects, counted once for each request; those are left out whose object's size no request has told
/// yet.
package struct SizeDistribution: TraceFigure {
  /// The distribution over all requests, in bytes.
  package let summary: DistributionSummary
  /// Sizes, and the shares of the requests for objects that are no larger.
  package let curve: [(value: Int, share: Double)]

  /// Their name in a document.
  package static let keys = ["sizes"]

  /// The values in a document.
  package var values: [JSON] { [.object(summary.members + [curve.member])] }

  /// The distributions for readers.
  package var distributions: [TraceDistribution] { [TraceDistribution("size, bytes", summary)] }

  /// The cumulative distribution.
  package var charts: [Chart] {
    [
      Chart(
        title: "Sizes", x: .bytes("size"), y: .linear("share of the requests"),
        series: [Chart.Series("at most so large", .steps, points: curve.points(from: 1))])
    ]
  }
}

final class SizeAnalyser: TraceAnalyser {
  private let column: Column<UInt64>
  private var sizes = ValueDistribution()

  init?(_ trace: Trace, options: TraceProfile.Options) {
    guard let column = trace.sizes, column.contains(where: { $0 != Trace.unknownSize }) else {
      return nil
    }
    self.column = column
  }

  func take(_ block: AnalysisBlock) {
    let values = block.part(of: column)
    sizes.record(values.count) { values[$0] == Trace.unknownSize ? nil : values[$0] }
  }

  func finish(_ uses: KeyUses) -> SizeDistribution {
    guard let summary = sizes.summary else { preconditionFailure("a trace has requests") }
    return SizeDistribution(summary: summary, curve: sizes.curve)
  }
}

extension [(value: Int, share: Double)] {
  /// `"curve": [[value, share], …]`.
  var member: JSON.Member {
    JSON.Member("curve", .array(map { .array([.integer($0.value), .number($0.share)]) }))
  }

  /// Points for a logarithmic axis, on which what is below `least` stands there.
  func points(from least: Int) -> [(Double, Double)] {
    map { (Double(Swift.max($0.value, least)), $0.share) }
  }
}
