import CInline
import Traces

/// How often each key was requested so far and when last, and the trace cut into blocks.
struct KeyUses: ~Copyable {
  /// A key's requests.
  struct Use {
    /// How many there were.
    var count: UInt32 = 0
    /// The number of the last one, from 1; 0 before the first.
    var last: UInt32 = 0
  }

  /// Requests have 32-bit numbers from 1.
  static let mostRequests = Int(UInt32.max) - 1

  let trace: Trace
  /// By id.
  private let uses: UnsafeMutableBufferPointer<Use>

  init(_ trace: Trace) {
    self.trace = trace
    uses = .allocate(capacity: trace.distinct)
    uses.initialize(repeating: Use())
  }

  deinit { uses.deallocate() }

  /// Each key's requests, by id.
  subscript(id: Int) -> Use { uses[id] }

  /// The distinct keys.
  var count: Int { uses.count }

  /// Looks up each request's previous one, block by block.
  mutating func forEachBlock(_ body: (AnalysisBlock) -> Void) {
    let history = AnalysisBlock.history
    let previous = UnsafeMutablePointer<UInt32>.allocate(capacity: 2 * history)
    previous.initialize(repeating: 0, count: 2 * history)
    defer { previous.deallocate() }
    let ids = trace.ids
    ids.withUnsafeBufferPointer { ids in
      var first = 0
      while first < ids.count {
        let count = min(history, ids.count - first)
        fill(previous + history, ids: ids, first: first, count: count)
        body(
          AnalysisBlock(
            first: first, ids: UnsafeBufferPointer(rebasing: ids[first..<first + count]),
            previous: UnsafePointer(previous + history)))
        first += count
        previous.update(from: previous + history, count: history)
      }
    }
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
  /// How many requests a block has at most, and before how many requests it can look back.
  static let history = 4_096

  /// The place of the first request in the trace.
  let first: Int
  /// The keys.
  let ids: UnsafeBufferPointer<UInt32>
  /// For each request the number (from 1) of the previous one of its key, 0 if there is none; at
  /// negative indexes those of earlier requests.
  let previous: UnsafePointer<UInt32>

  /// Requests.
  var count: Int { ids.count }

  /// The block's part of a column.
  func part<Element>(of column: Column<Element>) -> UnsafeBufferPointer<Element> {
    // The trace holds the column for longer than the block lives.
    column.withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: $0[first..<first + count]) }
  }

  /// The number of the request at an index, from 1.
  @inline(__always)
  func number(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: first &+ index &+ 1) }

  /// How many distinct keys were requested between the previous request of the same key, at most
  /// ``history`` requests ago, and the one at an index: those whose own previous request is older.
  func distinctSincePrevious(_ index: Int) -> Int {
    let start = previous[index]
    let reuseTime = Int(number(index) - start)
    assert(start > 0 && reuseTime <= AnalysisBlock.history)
    // Narrow numbers side by side: the processor compares several at once.
    let between = previous + (index - reuseTime + 1)
    var distinct: UInt32 = 0
    for place in 0..<reuseTime - 1 { distinct &+= between[place] <= start ? 1 : 0 }
    return Int(distinct)
  }
}
