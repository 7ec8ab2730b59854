import Rendering
import Results
import Traces

/// The requests that miss in every cache, however large.
///
/// In a trace with operations only gets count, as ``FirstGets`` says. In a trace without operations every request does.
package struct CompulsoryMisses: TraceFigure, Equatable {
  /// Requests of the trace.
  package let requests: Int
  /// Requests that count.
  package let references: Int
  /// Those of them that miss in every cache.
  package let misses: Int

  /// The share of the counted requests that miss in every cache; nil if none is counted.
  package var ratio: Double? { references == 0 ? nil : Double(misses) / Double(references) }

  /// The word for the counted requests.
  var noun: String { references < requests ? "gets" : "requests" }

  /// Their name in a document.
  package static let keys = ["compulsoryMissRatio"]

  /// The values in a document.
  package var values: [JSON] { [.optional(ratio)] }

  /// The facts for readers.
  package var facts: [TraceFact] {
    (references < requests ? [TraceFact("gets", "\(references) of the requests")] : [])
      + (ratio.map { [TraceFact("compulsory misses", "\($0.percent) of the \(noun)")] } ?? [])
  }
}

final class CompulsoryMissAnalyser: TraceAnalyser {
  private let trace: Trace
  private var references = 0
  private var misses = 0
  private var gets = FirstGets()

  init?(_ trace: Trace, options: TraceProfile.Options) { self.trace = trace }

  func take(_ block: AnalysisBlock) {
    if let operations = trace.operations {
      gets.add(block.ids, block.part(of: operations))
    } else {
      references += block.count
      misses += block.count(0..<block.count, lastRequestedUpTo: 0)
    }
  }

  func finish(_ uses: KeyUses) -> CompulsoryMisses {
    CompulsoryMisses(
      requests: trace.requests, references: references + gets.gets, misses: misses + gets.misses)
  }
}
