import CInline
import EvictionCore
import Requests
import Results

/// Counts what LRU does with plain gets at several capacities in one pass, as ``LRUCounter`` does at each.
///
/// All caches hold the first objects of the same ``RecencyOrder``: a larger one all that a smaller one holds (R. L. Mattson
/// et al., “Evaluation techniques for storage hierarchies”, IBM Systems Journal 9(2), 1970). A cache is the number of its
/// last object, and a request misses where that is greater than its object's number.
///
/// - Complexity: a few nanoseconds a request, and some for each cache that misses it. Memory: 6 bytes a distinct key.
struct LRUStackCounter: ~Copyable {
  /// The distinct capacities, ascending.
  private let capacities: [Int]
  private var order: RecencyOrder
  /// The number of the next request.
  private var next: UInt32 = 1
  /// The number of distinct keys so far.
  private var distinct = 0
  /// The number of full caches, which are the smallest.
  private var full = 0
  /// By full cache, the number of its last object.
  private var lasts: SlotArray<UInt32>
  /// By the number of caches that missed, the number of requests since the warm-up.
  private var requests: SlotArray<Int>
  /// The number of distinct keys in the warm-up.
  private var distinctInWarmup = 0

  private init(slots: Int, capacities: [Int]) {
    self.capacities = capacities
    order = RecencyOrder(slots: slots)
    lasts = SlotArray(repeating: 0, slots: capacities.count)
    requests = SlotArray(repeating: 0, slots: capacities.count + 1)
  }

  /// Runs a whole stream.
  ///
  /// - Parameters:
  ///   - stream: Plain gets.
  ///   - runs: Capacities, and the same warm-up for all.
  ///   - observer: Called at least every million requests with the number done; false stops the run.
  /// - Returns: The counts of each run, or nil if `observer` stopped them.
  static func run(
    _ stream: RequestStream, _ runs: [RunOptions], observer: (Int) -> Bool
  ) -> [RequestCounts]? {
    assert(
      runs.allSatisfy { $0.capacity > 0 && $0.warmup == runs[0].warmup },
      "runs of a pass differ in their capacities only")
    var loop = LRUStackCounter(
      slots: stream.trace.distinct, capacities: Set(runs.map(\.capacity)).sorted())
    let cursor = RequestCursor(RequestColumns(stream))
    let warmup = min(runs.first?.warmup ?? 0, stream.requests)
    var next = 0
    while next < stream.requests {
      // A request takes as long as those of all the runs.
      let end = min(next + 1 << 15, next < warmup ? warmup : stream.requests)
      loop.run(next..<end, of: cursor)
      next = end
      if next == warmup { loop.endWarmup() }
      if !observer(next) { return nil }
    }
    return runs.map { loop.counts(capacity: $0.capacity) }
  }

  private mutating func endWarmup() {
    requests.removeAll()
    distinctInWarmup = distinct
  }

  private func counts(capacity: Int) -> RequestCounts {
    var counts = RequestCounts()
    for misses in 0...capacities.count {
      let some = requests[Slot(misses)]
      counts.requests += some
      // The smallest caches miss.
      if misses == 0 || capacities[misses - 1] < capacity { counts.hits += some }
    }
    counts.insertions = counts.requests - counts.hits
    counts.evictions =
      counts.insertions - (min(distinct, capacity) - min(distinctInWarmup, capacity))
    return counts
  }

  private mutating func run(_ range: Range<Int>, of cursor: RequestCursor) {
    var rest = range
    while !rest.isEmpty {
      // Not one by one, where few of the last numbers are used.
      if order.end - Int(next) < min(rest.count, 1 << 12) { renumber(slots: cursor.slots) }
      let part = rest.prefix(order.end - Int(next))
      runNumbered(part, of: cursor)
      rest.removeFirst(part.count)
    }
  }

  /// Runs requests that there are numbers for.
  private mutating func runNumbered(_ range: Range<Int>, of cursor: RequestCursor) {
    let numbers = UnsafeMutablePointer(mutating: order.numbers.records)
    let words = UnsafeMutablePointer(mutating: order.words.records)
    let lasts = UnsafeMutablePointer(mutating: lasts.records)
    let requests = UnsafeMutablePointer(mutating: requests.records)
    // Read once: a store might be one to these.
    var (next, full) = (next, full)
    for place in range {
      evl_prefetch(numbers + cursor.coming(after: place))
      let slot = cursor.slot(at: place)
      let number = numbers[slot]
      numbers[slot] = next
      next &+= 1
      words[Int(number &>> 6)] &= ~(1 &<< UInt64(number & 63))
      var misses = 0
      while misses < full && number <= lasts[misses] {
        let isHit = number == lasts[misses]
        lasts[misses] = LRUStackCounter.following(number: lasts[misses], in: words)
        if isHit { break }
        misses &+= 1
      }
      if number == 0 {
        misses = capacities.count
        distinct &+= 1
        if full < capacities.count && distinct == capacities[full] {
          lasts[full] = LRUStackCounter.following(number: 0, in: words)
          full &+= 1
        }
      }
      requests[misses] &+= 1
    }
    (self.next, self.full) = (next, full)
  }

  /// The next number of the set.
  @inline(__always)
  private static func following(
    number: UInt32, in words: UnsafeMutablePointer<UInt64>
  ) -> UInt32 {
    var word = Int(number &>> 6)
    var bits = words[word] & (~1 &<< UInt64(number & 63))
    while bits == 0 {
      word &+= 1
      bits = words[word]
    }
    return UInt32(truncatingIfNeeded: word &<< 6 | bits.trailingZeroBitCount)
  }

  private mutating func renumber(slots: Int) {
    next = order.renumber(slots: slots, from: 0, next: next)
    for cache in 0..<full { lasts[Slot(cache)] = UInt32(distinct - capacities[cache] + 1) }
  }
}
