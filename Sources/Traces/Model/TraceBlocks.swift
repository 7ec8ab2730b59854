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
    let block = try peek()
    if block != nil {
      filled.wait()
      isHeld = true
    }
    return block
  }

  /// The next block, which is still to be taken; nil at the end. No other is held.
  ///
  /// - Throws: Every kind of ``TraceError``.
  package func peek() throws(TraceError) -> TraceBlock? {
    filled.wait()
    // The end comes again and again.
    filled.signal()
    let block = blocks[nextFilled]
    if block.count > 0 { return block }
    if let failure { throw failure }
    return nil
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
