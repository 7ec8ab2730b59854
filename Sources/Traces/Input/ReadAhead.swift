import Dispatch
import Parameters
import Synchronization

/// Reads another source on a thread of its own, a few blocks ahead, so that unpacking and
/// interning overlap: a packed trace then loads about as fast as through a pipe from an unpacker.
///
/// Short content never starts the thread.
package final class ReadAhead: ByteSource {
  private static let passedThrough = 1 << 20

  private let source: any ByteSource
  private var passed = 0
  private var ring: Ring?
  private var block: Ring.Block?
  private var taken = 0
  private var consumed = 0

  package init(_ source: any ByteSource) {
    self.source = source
    totalBytes = source.totalBytes
    isUnpacked = source.isUnpacked
  }

  deinit { ring?.stop() }

  package let totalBytes: Int?
  package let isUnpacked: Bool

  /// Bytes of the stored file behind what was handed over.
  package var consumedBytes: Int { ring == nil ? source.consumedBytes : consumed }

  package func read(into target: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
    guard let ring else {
      let count = try source.read(into: target)
      passed += count
      if passed >= Self.passedThrough {
        consumed = source.consumedBytes
        ring = Ring(source)
      }
      return count
    }
    if block == nil {
      let next = ring.take()
      if let failure = next.failure { throw failure }
      if next.count == 0 { return 0 }
      consumed = next.consumed
      taken = 0
      block = next
    }
    guard let block else { return 0 }
    let count = min(target.count, block.count - taken)
    target.copyMemory(
      from: UnsafeRawBufferPointer(rebasing: block.bytes[taken..<taken + count]))
    taken += count
    if taken == block.count {
      self.block = nil
      ring.giveBack()
    }
    return count
  }
}

/// Blocks that go round between the thread that fills them and the one that empties them.
///
/// Each side owns a block from the semaphore that hands it over to the one that passes it on, so
/// that nothing is shared without one.
private final class Ring: @unchecked Sendable {
  struct Block {
    let bytes: UnsafeMutableRawBufferPointer
    /// 0 is the end.
    var count = 0
    var consumed = 0
    var failure: TraceError?
  }

  private static let count = 4
  private static let blockBytes = 256 << 10

  private let source: any ByteSource
  private let blocks: UnsafeMutableBufferPointer<Block>
  private let filled = DispatchSemaphore(value: 0)
  private let empty = DispatchSemaphore(value: 0)
  private let isStopped = Atomic(false)
  /// The block that is emptied next; only the emptying thread's.
  private var next = 0

  /// Starts filling from a source, which is the thread's alone from now on.
  init(_ source: any ByteSource) {
    self.source = source
    blocks = .allocate(capacity: Self.count)
    for index in 0..<Self.count {
      let bytes = UnsafeMutableRawBufferPointer.allocate(
        byteCount: Self.blockBytes, alignment: 64)
      blocks.initializeElement(at: index, to: Block(bytes: bytes))
      empty.signal()
    }
    WorkThread.start { [self] in fill() }
  }

  deinit {
    for block in blocks { block.bytes.deallocate() }
    blocks.deinitialize()
    blocks.deallocate()
  }

  /// The next block; the last one, empty or with a failure, comes again and again.
  func take() -> Block {
    filled.wait()
    let block = blocks[next]
    if block.count == 0 { filled.signal() }
    return block
  }

  /// Passes the block that was taken on to be filled again.
  func giveBack() {
    next = (next + 1) % Self.count
    empty.signal()
  }

  /// Lets the thread end.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    empty.signal()
  }

  private func fill() {
    var index = 0
    while true {
      empty.wait()
      if isStopped.load(ordering: .acquiring) { return }
      let target = blocks[index].bytes
      var count = 0
      var failure: TraceError?
      do throws(TraceError) {
        while count < target.count {
          let more = try source.read(
            into: UnsafeMutableRawBufferPointer(rebasing: target[count...]))
          if more == 0 { break }
          count += more
        }
      } catch {
        failure = error
      }
      // What came before a failure is handed over first.
      blocks[index].count = count
      blocks[index].consumed = source.consumedBytes
      blocks[index].failure = count == 0 ? failure : nil
      filled.signal()
      index = (index + 1) % Self.count
      if count == 0 { return }
      guard let failure else { continue }
      empty.wait()
      blocks[index].count = 0
      blocks[index].failure = failure
      filled.signal()
      return
    }
  }
}
