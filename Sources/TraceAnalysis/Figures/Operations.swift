import Results
import Traces

/// The operations of the requests.
package struct Operations: TraceFigure, Equatable {
  /// The requests of each operation that occurs, in the operations' order.
  package let counts: [Count]

  /// An operation's requests.
  package struct Count: Sendable, Equatable {
    /// The operation.
    package let operation: TraceOperation
    /// The number of requests.
    package let requests: Int
  }

  /// Their name in a document.
  package static let keys = ["operations"]

  /// The values in a document: requests by operation.
  package var values: [JSON] {
    [.object(counts.map { JSON.Member("\($0.operation)", .integer($0.requests)) })]
  }

  /// The facts for readers.
  package var facts: [TraceFact] {
    let total = Double(counts.reduce(0) { $0 + $1.requests })
    let shares = counts.map { "\($0.operation) \((Double($0.requests) / total).percent)" }
    return [TraceFact("operations", shares.joined(separator: ", "))]
  }
}

final class OperationAnalyser: TraceAnalyser {
  private let column: Column<TraceOperation>
  private var counts = [Int](repeating: 0, count: 256)

  init?(_ trace: Trace, options: TraceProfile.Options) {
    guard let column = trace.operations else { return nil }
    self.column = column
  }

  func take(_ block: AnalysisBlock) {
    for operation in block.part(of: column) { counts[Int(operation.rawValue)] += 1 }
  }

  func finish(_ uses: KeyUses) -> Operations {
    Operations(
      counts: TraceOperation.allCases.compactMap { operation in
        let requests = counts[Int(operation.rawValue)]
        return requests == 0 ? nil : Operations.Count(operation: operation, requests: requests)
      })
  }
}
