import Parameters
import Traces

/// A trace that is read block by block, and the facts about it that are known before its cells are run.
package struct StreamedTrace: Sendable {
  /// Begins to read a trace.
  package typealias Reading = @Sendable () throws(TraceError) -> TraceBlocks

  /// The file, as messages call it.
  package let file: String
  /// A trace of one request with the same columns.
  package let outline: Trace
  /// The requests; nil for standard input, which is read once.
  package var requests: Int?
  /// The distinct keys; nil for standard input.
  package var distinct: Int?
  /// The bytes of all distinct keys, each with the first size that a request tells; nil where they are not counted.
  package var distinctBytes: Int?
  /// True where the file numbers its keys, so that no table of them is held.
  package var isNumbered = false
  /// Begins to read it.
  let read: Reading

  /// A trace of which nothing is known before its end.
  ///
  /// - Parameters:
  ///   - blocks: The trace, whose reading has begun.
  ///   - name: Its name.
  /// - Returns: Nil if the work was stopped before the first request.
  package init?(_ blocks: TraceBlocks, name: String) throws(TraceError) {
    guard let first = try blocks.peek() else { return nil }
    file = name
    outline = first.outline(name: name, format: blocks.format, reasons: blocks.formatReasons)
    read = { blocks }
  }

  /// A trace of which a file tells the requests and the keys, but not the bytes of its keys.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - name: The trace's name.
  ///   - format: A specification; nil detects the format.
  ///   - columns: The columns that are wanted.
  ///   - read: Begins to read it.
  /// - Returns: Nil where the trace is to be counted.
  package init?(
    toldBy file: String, name: String, format: String?, columns: TraceColumns,
    read: @escaping Reading
  ) {
    guard
      let told = TraceLoader.told(byFile: file, name: name, format: format, columns: columns)
    else { return nil }
    (outline, requests, distinct) = (told.outline, told.requests, told.distinct)
    isNumbered = true
    (self.file, self.read) = (file, read)
  }

  /// A trace that is read to its end to count it.
  ///
  /// - Parameters:
  ///   - blocks: The trace.
  ///   - file: The file.
  ///   - name: Its name.
  ///   - cancellation: Stops the work.
  ///   - read: Begins to read it again.
  /// - Returns: Nil if the work was stopped meanwhile.
  /// - Complexity: O(requests).
  package init?(
    counting blocks: TraceBlocks, of file: String, name: String, cancellation: Cancellation,
    read: @escaping Reading
  ) throws(TraceError) {
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
    (self.outline, self.requests, self.distinct) = (outline, requests, distinct)
    distinctBytes = outline.sizes == nil ? nil : objects.total
    isNumbered = blocks.isNumbered
    (self.file, self.read) = (file, read)
  }
}

/// A file that held other requests when it was read again.
package struct ChangedTrace: Error, CustomStringConvertible {
  let file: String
  let before: Int
  let now: Int

  /// One line: what has changed, and what to do.
  package var description: String {
    "\(file): held \(before) requests, and now \(now); run the sweep again when it no longer changes"
  }
}
