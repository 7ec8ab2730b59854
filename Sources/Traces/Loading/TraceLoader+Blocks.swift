import Parameters

extension TraceLoader {
  /// Begins to read a trace block by block, from a file or from standard input when the path is `-`.
  ///
  /// Ids, columns and hashes are those of ``load(path:format:columns:limit:expansion:progress:)``; memory
  /// grows with the distinct keys, and not with the requests.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - name: The trace's name in messages.
  ///   - format: A specification; nil detects the format.
  ///   - columns: The columns to keep: any of sizes, times, operations, times to live, costs and key lengths.
  ///   - hasHashes: True where the hashes of keys are wanted.
  ///   - limit: The most requests to read; nil reads all.
  ///   - expansion: The most unpacked bytes, and requests, for each byte of the file as stored.
  ///   - blockRequests: The requests of a block.
  ///   - cancellation: Ends the reading: the requests that are read by then are still handed over.
  ///   - progress: Called now and then on the reading thread; it must return true.
  ///   - lost: Told at the end, on the reading thread, of what the trace lacks, where it lacks something.
  package static func blocks(
    path: String, name: String, format: String? = nil, columns: TraceColumns, hasHashes: Bool,
    limit: Int? = nil, expansion: Int = ExpansionLimit.usualRatio,
    blockRequests: Int = TraceBlocks.usualRequests, cancellation: Cancellation,
    progress: TraceProgress.Callback? = nil, lost: (@Sendable (RecordingLoss) -> Void)? = nil
  ) throws(TraceError) -> TraceBlocks {
    let reader = try format.map(TraceFormats.format)
    let blocks = TraceBlocks(
      blockRequests: blockRequests, hasHashes: hasHashes, cancellation: cancellation)
    try read(
      { () throws(TraceError) in
        try FileSource(path: path, isStopped: { cancellation.isCancelled })
      }, into: blocks, file: path, name: name, format: reader, columns: columns, limit: limit,
      expansion: ExpansionLimit(ratio: expansion), progress: progress, lost: lost)
    return blocks
  }

  /// The numbers of requests and distinct keys that a file of columns tells of itself, and a trace of one request
  /// with such columns of it as are wanted.
  ///
  /// - Returns: Nil for a file of another format, a packed one, and one that cannot be read: those are to be
  ///   counted.
  package static func told(
    byFile path: String, name: String, format: String?, columns: TraceColumns
  ) -> (requests: Int, distinct: Int, outline: Trace)? {
    try? OpenedTrace(
      FileSource(path: path), file: path, format: format.map(TraceFormats.format),
      expansion: ExpansionLimit(), progress: nil
    ).told(name: name, columns: columns)
  }

  /// Begins to read bytes in memory block by block, as if they were a file of that name.
  package static func blocks(
    bytes: [UInt8], name: String, format: String? = nil, columns: TraceColumns,
    hasHashes: Bool = false, limit: Int? = nil, blockRequests: Int
  ) throws(TraceError) -> TraceBlocks {
    let reader = try format.map(TraceFormats.format)
    let blocks = TraceBlocks(blockRequests: blockRequests, hasHashes: hasHashes)
    try read(
      { MemorySource(bytes) }, into: blocks, file: name, name: name, format: reader,
      columns: columns, limit: limit, expansion: ExpansionLimit(), progress: nil)
    return blocks
  }

  private static func read(
    _ open: @escaping () throws(TraceError) -> any ByteSource, into blocks: TraceBlocks,
    file: String, name: String, format: (any TraceFormat)?, columns: TraceColumns, limit: Int?,
    expansion: ExpansionLimit, progress: TraceProgress.Callback?,
    lost: (@Sendable (RecordingLoss) -> Void)? = nil
  ) throws(TraceError) {
    // All are the thread's alone from here on.
    nonisolated(unsafe) let (source, open, progress) = (try open(), open, progress)
    WorkThread.start {
      do throws(TraceError) {
        let opened = try OpenedTrace(
          source, file: file, format: format, expansion: expansion, progress: progress)
        try opened.read(
          into: blocks, name: name, columns: columns, limit: limit, lost: lost, again: open)
        blocks.end(nil)
      } catch {
        blocks.end(error)
      }
    }
  }
}
