import Rendering
import Results
import Traces

/// Requests in the order of an earlier time: what repeats itself, as a loop does.
package struct RequestOrder: TraceFigure, Equatable {
  /// The kind of order along a trace.
  package enum Repetition: String, Sendable, CaseIterable {
    /// At least half of the requests are in the order of the last time.
    case repeating
  }

  /// The share of the requests whose key came after the previous request's key the last time, too, and is
  /// another one.
  ///
  /// A loop over the same keys has 1 after its first round, however long it is; where requests are drawn
  /// independently, it is as small as the popularity of keys.
  package let inOrderRatio: Double

  /// The kind; nil where less than half of the requests are in order.
  package var repetition: Repetition? { inOrderRatio >= 0.5 ? .repeating : nil }

  /// Its name in a document.
  package static let keys = ["inOrderRatio"]

  /// The value in a document.
  package var values: [JSON] { [.number(inOrderRatio)] }

  /// The fact for readers.
  package var facts: [TraceFact] {
    [
      TraceFact(
        "in order",
        "\(inOrderRatio.percent) of the requests are for the key that came next the last time"
          + (repetition.map { ": \($0.rawValue)" } ?? ""))
    ]
  }
}

final class RequestOrderAnalyser: TraceAnalyser {
  private let requests: Int
  /// The key after the latest earlier request of each key, by id.
  private var next: [UInt32]
  private var inOrder = 0
  private var before: UInt32?

  init?(_ trace: Trace, options: TraceProfile.Options) {
    requests = trace.requests
    next = Array(repeating: .max, count: trace.distinct)
  }

  func take(_ block: AnalysisBlock) {
    next.withUnsafeMutableBufferPointer { next in
      var (inOrder, previous) = (0, before)
      for id in block.ids {
        if let previous {
          inOrder += next[Int(previous)] == id && id != previous ? 1 : 0
          next[Int(previous)] = id
        }
        previous = id
      }
      self.inOrder += inOrder
      before = previous
    }
  }

  func finish(_ uses: KeyUses) -> RequestOrder {
    RequestOrder(inOrderRatio: Double(inOrder) / Double(requests))
  }
}
