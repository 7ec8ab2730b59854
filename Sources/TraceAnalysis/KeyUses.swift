import CInline
import Traces

/// The count and the latest request of each key so far, and the trace cut into blocks.
final class KeyUses {
  /// A key's requests.
  struct Use {
    /// The number of requests.
    var count: UInt32 = 0
    /// The number of the last one, from 1; 0 before the first.
    var last: UInt32 = 0
  }

  /// Requests have 32-bit numbers from 1.
  static let mostRequests = Int(UInt32.max) - 1

  private let trace: Trace
  /// By id.
  private let uses: UnsafeMutableBufferPointer<Use>
  /// The previous requests that the blocks record, behind that of the block before: one block is filled while
  /// the other is read.
  private let buffers: [UnsafeMutablePointer<UInt32>]
  private static let bufferCount = AnalysisBlock.history + AnalysisBlock.capacity
  /// The number of blocks.
  private var blocks = 0

  init(_ trace: Trace) {
    self.trace = trace
    uses = .allocate(capacity: trace.distinct)
    uses.initialize(repeating: Use())
    buffers = (0..<2).map { _ in .allocate(capacity: KeyUses.bufferCount) }
    for buffer in buffers { buffer.initialize(repeating: 0, count: KeyUses.bufferCount) }
  }

  deinit {
    uses.deallocate()
    for buffer in buffers { buffer.deallocate() }
  }

  /// Each key's requests, by id.
  subscript(id: Int) -> Use { uses[id] }

  /// The distinct keys.
  var count: Int { uses.count }

  /// The next requests, each with the previous one of its key; nil at the end. Valid until the call after
  /// the next one.
  func nextBlock() -> AnalysisBlock? {
    let first = blocks * AnalysisBlock.capacity
    let count = min(AnalysisBlock.capacity, trace.requests - first)
    guard count > 0 else { return nil }
    let (buffer, before) = (buffers[blocks % 2], buffers[(blocks + 1) % 2])
    buffer.update(from: before + AnalysisBlock.capacity, count: AnalysisBlock.history)
    let previous = buffer + AnalysisBlock.history
    trace.ids.withUnsafeBufferPointer { fill(previous, ids: $0, first: first, count: count) }
    blocks += 1
    return AnalysisBlock(first: first, count: count, ids: trace.ids, previous: previous)
  }

  private func fill(
    _ previous: UnsafeMutablePointer<UInt32>, ids: UnsafeBufferPointer<UInt32>, first: Int,
    count: Int
  ) {
    let ahead = 16
    guard let uses = uses.baseAddress else { return }
    for index in 0..<count {
      let request = first &+ index
      if request &+ ahead < ids.count { evl_prefetch(uses + Int(ids[request &+ ahead])) }
      let use = uses + Int(ids[request])
      previous[index] = use.pointee.last
      use.pointee = Use(
        count: use.pointee.count &+ 1, last: UInt32(truncatingIfNeeded: request &+ 1))
    }
  }
}

/// Consecutive requests, valid while they are taken.
struct AnalysisBlock {
  /// The number of requests that a block has at most: enough for a handful of threads to be worth waking.
  static let capacity = 1 << 15
  /// Before how many requests it can look back.
  static let history = 4_096

  /// The place of the first request in the trace.
  let first: Int
  /// The keys.
  let ids: UnsafeBufferPointer<UInt32>
  /// For each request the number (from 1) of the previous one of its key, 0 if there is none; at
  /// negative indexes those of earlier requests.
  let previous: UnsafePointer<UInt32>

  init(first: Int, count: Int, ids: Column<UInt32>, previous: UnsafePointer<UInt32>) {
    self.first = first
    self.ids = AnalysisBlock.part(of: ids, first, count)
    self.previous = previous
  }

  /// Requests.
  var count: Int { ids.count }

  /// The block's part of a column.
  func part<Element>(of column: Column<Element>) -> UnsafeBufferPointer<Element> {
    AnalysisBlock.part(of: column, first, count)
  }

  private static func part<Element>(
    of column: Column<Element>, _ first: Int, _ count: Int
  ) -> UnsafeBufferPointer<Element> {
    // The trace holds the column for longer than the block lives.
    column.withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: $0[first..<first + count]) }
  }

  /// The number of the request at an index, from 1.
  @inline(__always)
  func number(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: first &+ index &+ 1) }

  /// Returns the number of distinct keys requested between the previous request of the same key, at most
  /// ``history`` requests ago, and the one at an index: those whose own previous request is older.
  func distinctSincePrevious(_ index: Int) -> Int {
    let start = previous[index]
    let reuseTime = Int(number(index) - start)
    assert(start > 0 && reuseTime <= AnalysisBlock.history)
    return count(index - reuseTime + 1..<index, lastRequestedUpTo: start)
  }

  /// Returns the number of the requests at some indexes whose previous one is at most at a number; 0 counts
  /// first requests.
  func count(_ indexes: Range<Int>, lastRequestedUpTo number: UInt32) -> Int {
    var count: UInt32 = 0
    var index = indexes.lowerBound
    // Narrow numbers, and no check within: the processor compares several at once.
    while index < indexes.upperBound {
      count &+= previous[index] <= number ? 1 : 0
      index &+= 1
    }
    return Int(count)
  }
}
