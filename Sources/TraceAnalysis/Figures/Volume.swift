import Rendering
import Results
import Traces

/// The requested volume.
package struct Volume: TraceFigure, Equatable {
  /// Requests, whatever they do.
  package let requests: Int
  /// Distinct keys.
  package let distinct: Int
  /// Bytes that all requests together ask for; nil without sizes.
  package let bytes: Int?
  /// Bytes of the distinct keys, each with the first size that a request tells; nil without sizes.
  package let distinctBytes: Int?
  /// Keys that are requested once.
  package let oneHitWonders: Int

  /// The share of the distinct keys that are requested once.
  package var oneHitWonderRatio: Double { Double(oneHitWonders) / Double(distinct) }

  /// Their names in a document.
  package static let keys = ["requests", "distinct", "bytes", "oneHitWonderRatio", "distinctBytes"]

  /// The values in a document.
  package var values: [JSON] {
    [
      .integer(requests), .integer(distinct), .optional(bytes), .number(oneHitWonderRatio),
      .optional(distinctBytes),
    ]
  }

  /// The facts for readers.
  package var facts: [TraceFact] {
    [TraceFact("requests", "\(requests)"), TraceFact("distinct keys", "\(distinct)")]
      + (bytes.map { [TraceFact("bytes requested", "\($0)")] } ?? [])
      + (distinctBytes.map { [TraceFact("distinct bytes", "\($0)")] } ?? [])
      + [TraceFact("one-hit wonders", "\(oneHitWonderRatio.percent) of the keys, requested once")]
  }
}

final class VolumeAnalyser: TraceAnalyser {
  private let trace: Trace
  private var bytes: UInt64 = 0
  private var objects = ObjectBytes()

  init?(_ trace: Trace, options: TraceProfile.Options) { self.trace = trace }

  func take(_ block: AnalysisBlock) {
    guard let sizes = trace.sizes else { return }
    let part = block.part(of: sizes)
    for size in part where size != Trace.unknownSize { bytes &+= size }
    objects.add(block.part(of: trace.ids), part)
  }

  func finish(_ uses: KeyUses) -> Volume {
    var oneHitWonders = 0
    for id in 0..<uses.count where uses[id].count == 1 { oneHitWonders += 1 }
    // The bytes of a trace are fewer than 2⁶³: loading it has made sure.
    return Volume(
      requests: trace.requests, distinct: trace.distinct,
      bytes: trace.sizes == nil ? nil : Int(clamping: bytes),
      distinctBytes: trace.sizes == nil ? nil : objects.total,
      oneHitWonders: oneHitWonders)
  }
}
