import Rendering
import Results
import Traces

/// The loss of a choice of keys that is made once: the requests of the second half for the tenth of the keys
/// that was most popular in the first, against those for the tenth that is most popular in the second.
package struct Drift: TraceFigure, Equatable {
  /// The change of popularity along a trace.
  package enum Stability: String, Sendable, CaseIterable {
    /// Popular keys stay popular: less than a fifth is lost.
    case stable
    /// Popular keys change: half is lost, or more.
    case drifting
  }

  /// The lost fraction: 0 where popular keys stay popular, 1 where none does; nil for a single request.
  package let loss: Double?

  /// The kind of change; nil for neither.
  package var stability: Stability? {
    loss.flatMap { $0 < 0.2 ? .stable : $0 >= 0.5 ? .drifting : nil }
  }

  /// Its name in a document.
  package static let keys = ["drift"]

  /// The value in a document.
  package var values: [JSON] { [.optional(loss)] }

  /// The fact for readers.
  package var facts: [TraceFact] {
    loss.map { loss in
      [
        TraceFact(
          "drift",
          "\(loss.percent) of the requests for the most popular tenth of the keys, if it is chosen by "
            + "the first half" + (stability.map { ": \($0.rawValue)" } ?? ""))
      ]
    } ?? []
  }
}

final class DriftAnalyser: TraceAnalyser {
  private let half: Int
  /// The requests of the first half, by id.
  private var counts: [UInt32]

  init?(_ trace: Trace, options: TraceProfile.Options) {
    half = trace.requests / 2
    counts = Array(repeating: 0, count: trace.distinct)
  }

  func take(_ block: AnalysisBlock) {
    counts.withUnsafeMutableBufferPointer { counts in
      for index in 0..<max(0, min(block.count, half - block.first)) {
        counts[Int(block.ids[index])] &+= 1
      }
    }
  }

  func finish(_ uses: KeyUses) -> Drift {
    guard half > 0 else { return Drift(loss: nil) }
    let chosen = max(1, counts.count / 10)
    let later = counts.indices.map { uses[$0].count - counts[$0] }
    // Among equals the first to appear is chosen.
    let order = counts.indices.sorted { (counts[$0], $1) > (counts[$1], $0) }
    let kept = order.prefix(chosen).reduce(0) { $0 + Int(later[$1]) }
    let best = later.sorted(by: >).prefix(chosen).reduce(0) { $0 + Int($1) }
    return Drift(loss: 1 - Double(kept) / Double(best))
  }
}
