import Rendering
import Results
import Traces

/// The requests that miss in every cache, however large.
///
/// A request of a trace with operations counts when it looks its object up (`get`, `read`) or is a
/// block's `write`. It is compulsory when the object was never requested or written before, or was
/// deleted since. In a trace without operations every first request is one.
package struct CompulsoryMisses: TraceFigure, Equatable {
  /// Requests that count.
  package let references: Int
  /// Those of them that miss in every cache.
  package let misses: Int

  /// The share of the counted requests that miss in every cache; nil if none is counted.
  package var ratio: Double? { references == 0 ? nil : Double(misses) / Double(references) }

  /// Their name in a document.
  package static let keys = ["compulsoryMissRatio"]

  /// The values in a document.
  package var values: [JSON] { [.optional(ratio)] }

  /// The facts for readers.
  package var facts: [TraceFact] {
    ratio.map { [TraceFact("compulsory misses", "\($0.percent) of the requests")] } ?? []
  }
}

final class CompulsoryMissAnalyser: TraceAnalyser {
  private let trace: Trace
  private var references = 0
  private var misses = 0
  /// By id, where there are operations: whether a cache without limit holds the object.
  private var isResident: [Bool]

  init?(_ trace: Trace, options: TraceProfile.Options) {
    self.trace = trace
    isResident = trace.operations == nil ? [] : Array(repeating: false, count: trace.distinct)
  }

  func take(_ block: AnalysisBlock) {
    guard let operations = trace.operations else {
      references += block.count
      misses += block.count(0..<block.count, lastRequestedUpTo: 0)
      return
    }
    for (index, operation) in block.part(of: operations).enumerated() {
      let id = Int(block.ids[index])
      switch operation.role {
      case .reference:
        references += 1
        if !isResident[id] { misses += 1 }
        isResident[id] = true
      case .update: isResident[id] = true
      case .removal: isResident[id] = false
      case .renewal: break
      }
    }
  }

  func finish(_ uses: KeyUses) -> CompulsoryMisses {
    CompulsoryMisses(references: references, misses: misses)
  }
}
