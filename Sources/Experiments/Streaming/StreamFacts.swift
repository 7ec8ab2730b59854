import Parameters
import Traces

/// The facts about a trace that is read block by block, before its cells are run.
package struct StreamFacts: Sendable {
  /// The requests; nil for standard input, which is read once.
  package var requests: Int?
  /// The distinct keys; nil for standard input.
  package var distinct: Int?
  /// The bytes of all distinct keys, each with the size of its first request; nil where they are not counted.
  package var distinctBytes: Int?

  /// Facts of a stream of which nothing is known.
  package init() {}

  /// Reads a trace to its end and counts; nil if the work was stopped meanwhile.
  ///
  /// - Parameters:
  ///   - blocks: The trace.
  ///   - name: Its name.
  ///   - cancellation: Stops the work.
  /// - Returns: The facts, and a trace of one request with the same columns.
  /// - Complexity: O(requests).
  package static func counted(
    _ blocks: TraceBlocks, name: String, cancellation: Cancellation
  ) throws(TraceError) -> (facts: StreamFacts, outline: Trace)? {
    var (requests, distinct, bytes) = (0, 0, 0)
    var outline: Trace?
    while let block = try blocks.next() {
      outline = outline ?? block.outline(name: name, format: blocks.format)
      if let sizes = block.sizes {
        for index in 0..<block.count where Int(block.ids[index]) == distinct {
          let (sum, overflows) = bytes.addingReportingOverflow(Int(clamping: sizes[index]))
          bytes = overflows ? .max : sum
          distinct += 1
        }
      }
      requests += block.count
      distinct = block.distinct
    }
    guard let outline, !cancellation.isCancelled else { return nil }
    var facts = StreamFacts()
    (facts.requests, facts.distinct) = (requests, distinct)
    facts.distinctBytes = outline.sizes == nil ? nil : bytes
    return (facts, outline)
  }
}
