import Parameters
import Traces

/// The facts about a trace that is read block by block, before its cells are run.
package struct StreamFacts: Sendable {
  /// The requests; nil for standard input, which is read once.
  package var requests: Int?
  /// The distinct keys; nil for standard input.
  package var distinct: Int?
  /// The bytes of all distinct keys, each with the first size that a request tells; nil where they are not counted.
  package var distinctBytes: Int?

  /// True where the file numbers its keys, so that no table of them is held.
  package var isNumbered = false

  /// Facts of a stream of which nothing is known.
  package init() {}

  /// The facts that a file tells of itself, without the bytes of its keys, and a trace of one request with the same
  /// columns.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - name: The trace's name.
  ///   - format: A specification; nil detects the format.
  ///   - columns: The columns that are wanted.
  /// - Returns: Nil where the trace is to be counted.
  package static func told(
    byFile path: String, name: String, format: String?, columns: TraceColumns
  ) -> (facts: StreamFacts, outline: Trace)? {
    guard
      let told = TraceLoader.told(byFile: path, name: name, format: format, columns: columns)
    else { return nil }
    var facts = StreamFacts()
    (facts.requests, facts.distinct) = (told.requests, told.distinct)
    facts.isNumbered = true
    return (facts, told.outline)
  }

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
    var (requests, distinct) = (0, 0)
    var objects = ObjectBytes()
    var outline: Trace?
    while let block = try blocks.next() {
      outline =
        outline ?? block.outline(name: name, format: blocks.format, reasons: blocks.formatReasons)
      if let sizes = block.sizes {
        objects.add(
          UnsafeBufferPointer(start: block.ids, count: block.count),
          UnsafeBufferPointer(start: sizes, count: block.count))
      }
      requests += block.count
      distinct = block.distinct
    }
    guard let outline, !cancellation.isCancelled else { return nil }
    var facts = StreamFacts()
    (facts.requests, facts.distinct) = (requests, distinct)
    facts.distinctBytes = outline.sizes == nil ? nil : objects.total
    facts.isNumbered = blocks.isNumbered
    return (facts, outline)
  }
}
