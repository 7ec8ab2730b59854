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

  /// The fraction of the requests, of those whose key came before, that tell another size than the request before; nil
  /// where no key comes again.
  package let changeRatio: Double?

  /// Their names in a document.
  package static let keys = ["sizes", "sizeChangeRatio"]

  /// The values in a document.
  package var values: [JSON] {
    [.object(summary.members + [curve.member]), .optional(changeRatio)]
  }

  /// The facts for readers: nothing where each key has one size.
  package var facts: [TraceFact] {
    guard let changeRatio, changeRatio > 0 else { return [] }
    return [
      TraceFact(
        "sizes change",
        "in \(changeRatio.percent) of the requests whose key came before; a hit keeps the size, "
          + "with resize=true it brings one")
    ]
  }

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
  private var (repeats, changes) = (0, 0)

  init?(_ trace: Trace, options: TraceProfile.Options) {
    guard let column = trace.sizes, column.contains(where: { $0 != Trace.unknownSize }) else {
      return nil
    }
    self.column = column
  }

  func take(_ block: AnalysisBlock) {
    let values = block.part(of: column)
    sizes.record(values.count) { values[$0] == Trace.unknownSize ? nil : values[$0] }
    column.withUnsafeBufferPointer { all in
      for index in 0..<block.count where block.previous[index] > 0 {
        let before = all[Int(block.previous[index]) - 1]
        if before == Trace.unknownSize { continue }
        repeats += 1
        if before != values[index] { changes += 1 }
      }
    }
  }

  func finish(_ uses: KeyUses) -> SizeDistribution {
    guard let summary = sizes.summary else { preconditionFailure("a trace has requests") }
    return SizeDistribution(
      summary: summary, curve: sizes.curve,
      changeRatio: repeats == 0 ? nil : Double(changes) / Double(repeats))
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
