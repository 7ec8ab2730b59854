import Dispatch
import Parameters

/// The blocks of a trace that is read on a thread of its own: however long it is, three of them are in memory.
///
///     let blocks = TraceLoader.blocks(of: FileSource(path: "-"), file: "-", …)
///     while let block = try blocks.next() { … }
///
/// Each side owns a block from the semaphore that hands it over to the one that passes it on, so that
/// nothing is shared without one. Blocks are taken by one thread, until ``next()`` returns nil or throws.
package final class TraceBlocks: @unchecked Sendable {
  /// The requests of a block; the last one may hold fewer.
  package static let usualRequests = 1 << 20
  private static let count = 3

  /// The requests of a block.
  let blockRequests: Int
  /// True where the hashes of keys are handed over.
  let hasHashes: Bool

  private let blocks: [TraceBlock]
  private let filled = DispatchSemaphore(value: 0)
  // A semaphore must not end below the value that it began with.
  private let empty = DispatchSemaphore(value: 0)
  /// Ends the reading soon: the requests that are read by then are still handed over.
  let cancellation: Cancellation
  /// The block that is filled next; only the reading thread's.
  private var nextEmpty = 0
  /// The block that is taken next, and whether one is held; only the taking thread's.
  private var nextFilled = 0
  private var isHeld = false
  /// The facts about the file; read after the first block was taken.
  private var formatName = ""
  private var reason: FormatReason?
  private var failure: TraceError?

  init(blockRequests: Int, hasHashes: Bool, cancellation: Cancellation = Cancellation()) {
    precondition(blockRequests > 0, "a block holds a request")
    self.blockRequests = blockRequests
    self.hasHashes = hasHashes
    self.cancellation = cancellation
    blocks = (0..<Self.count).map { _ in TraceBlock() }
    for _ in blocks { empty.signal() }
  }

  /// The name of the format; known when the first block is taken.
  package var format: String { formatName }

  /// The reason for the format; known when the first block is taken.
  package var formatReasons: [FormatReason] { reason.map { [$0] } ?? [] }

  /// True where the file numbers its keys, so that no table of them is held; known when the first block is taken.
  package private(set) var isNumbered = false

  /// Takes the next block and gives back the one before; nil at the end.
  ///
  /// - Throws: Every kind of ``TraceError``, once all blocks before are taken.
  package func next() throws(TraceError) -> TraceBlock? {
    if isHeld {
      isHeld = false
      nextFilled = (nextFilled + 1) % Self.count
      empty.signal()
    }
    filled.wait()
    let block = blocks[nextFilled]
    if block.count == 0 {
      // The end comes again and again.
      filled.signal()
      if let failure { throw failure }
      return nil
    }
    isHeld = true
    return block
  }

  /// Names the format, before any block is filled.
  func begin(format: String, reason: FormatReason, isNumbered: Bool) {
    formatName = format
    self.reason = reason
    self.isNumbered = isNumbered
  }

  /// Hands a block over that `fill` fills, as soon as one is empty; none where it throws.
  func handOver<Failure: Error>(
    _ fill: (TraceBlock) throws(Failure) -> Void
  ) throws(Failure) {
    empty.wait()
    do throws(Failure) {
      try fill(blocks[nextEmpty])
    } catch {
      empty.signal()
      throw error
    }
    nextEmpty = (nextEmpty + 1) % Self.count
    filled.signal()
  }

  /// Returns true if the requests that were read before an error are handed over: the reading was stopped.
  func keepsWhatWasRead(before error: TraceError, requests: Int) -> Bool {
    error.kind == .cancelled && cancellation.isCancelled && requests > 0
  }

  /// Tells that no block follows, and why.
  func end(_ failure: TraceError?) {
    empty.wait()
    self.failure = failure
    blocks[nextEmpty].count = 0
    filled.signal()
  }
}

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
  package static func blocks(
    path: String, name: String, format: String? = nil, columns: TraceColumns, hasHashes: Bool,
    limit: Int? = nil, expansion: Int = ExpansionLimit.usualRatio,
    blockRequests: Int = TraceBlocks.usualRequests, cancellation: Cancellation,
    progress: TraceProgress.Callback? = nil
  ) throws(TraceError) -> TraceBlocks {
    let reader = try format.map(TraceFormats.format)
    let blocks = TraceBlocks(
      blockRequests: blockRequests, hasHashes: hasHashes, cancellation: cancellation)
    try read(
      { () throws(TraceError) in
        try FileSource(path: path, isStopped: { cancellation.isCancelled })
      }, into: blocks, file: path, name: name, format: reader, columns: columns, limit: limit,
      expansion: ExpansionLimit(ratio: expansion), progress: progress)
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
    expansion: ExpansionLimit, progress: TraceProgress.Callback?
  ) throws(TraceError) {
    // All are the thread's alone from here on.
    nonisolated(unsafe) let (source, open, progress) = (try open(), open, progress)
    WorkThread.start {
      do throws(TraceError) {
        let opened = try OpenedTrace(
          source, file: file, format: format, expansion: expansion, progress: progress)
        try opened.read(
          into: blocks, name: name, columns: columns, limit: limit, again: open)
        blocks.end(nil)
      } catch {
        blocks.end(error)
      }
    }
  }
}
