import EvictionCore
import Requests
import Results

/// Counts what Belady's MIN does with plain gets, without a cache: hits, insertions, evictions and
/// rejections are those of the policy, to the last one.
///
/// With the future known a resident need not be told by its key: it is the one that a certain request to
/// come will ask for. So a request hits if its bit is set, its object moves to the bit of its next use,
/// and the last bit is the victim. Residents that are never used again leave first, and as it does not
/// matter which of them goes, they are only counted.
///
/// - Complexity: a few nanoseconds a request; reads the next uses from the first to the last, and nothing
///   else of the trace. Memory: 1.02 bits a request, beside the next uses.
struct MINCounter: Counter, ~Copyable {
  var counts = RequestCounts()
  private var residents: NextUseBits
  /// Residents that are never used again.
  private var unused = 0
  /// The objects that still fit in: none from the first eviction on, as nothing else leaves.
  private var room: Int
  private let nextUses: UnsafePointer<UInt32>
  private let bypasses: Bool

  static let file = #fileID

  private init(
    capacity: Int, nextUses: UnsafePointer<UInt32>, requests: Int, bypasses: Bool
  ) {
    residents = NextUseBits(requests: requests)
    room = capacity
    self.nextUses = nextUses
    self.bypasses = bypasses
  }

  /// Returns true if next uses suffice for the counts of a run.
  ///
  /// They do if each is the next request for the key: all but those that are no use because of a warm-up, and
  /// the warm-up has to be that of the run.
  static func covers(_ stream: RequestStream, _ run: RunOptions) -> Bool {
    guard let warmup = stream.nextUseWarmup else { return false }
    return warmup == 0 || warmup == run.warmup
  }

  /// Runs the whole stream.
  ///
  /// - Parameters:
  ///   - stream: Plain gets, with next uses.
  ///   - options: Capacity, warm-up and windows.
  ///   - bypasses: True if a newcomer is refused when no resident is used later than it.
  ///   - observer: Called at least every million requests with the number done; false stops the run.
  /// - Returns: The counts, or nil if `observer` stopped the run.
  static func run(
    _ stream: RequestStream, options: SimulationOptions, bypasses: Bool,
    observer: (Int) -> Bool
  ) -> RequestCounts? {
    guard let nextUses = stream.nextUses else { preconditionFailure("the optimum needs next uses") }
    let requests = stream.requests
    var loop = MINCounter(
      capacity: options.run.capacity, nextUses: nextUses, requests: requests,
      bypasses: bypasses)
    let warmup = min(options.run.warmup, requests)
    var next = 0
    if warmup > 0 && stream.nextUseWarmup != 0 {
      next = loop.fill(stream, requests: warmup)
      if !observer(next) { return nil }
      if next == warmup { loop.counts = RequestCounts() }
    }
    return loop.run(from: next, to: requests, options: options, observer: observer)
  }

  /// Runs requests whose own uses are not known, as none of them counts, until nothing more fits in: every
  /// object that was requested so far is resident.
  ///
  /// From then on hits need not be told from misses: an object that is requested again in the warm-up is
  /// resident as one of those that are never used again, or one of them leaves for it.
  ///
  /// - Returns: The requests that were run.
  private mutating func fill(_ stream: RequestStream, requests: Int) -> Int {
    var isKnown = [Bool](repeating: false, count: stream.trace.distinct)
    for index in 0..<requests {
      if room == 0 { return index }
      let key = Int(stream.ids[index])
      if isKnown[key] { unused -= 1 } else { room -= 1 }
      isKnown[key] = true
      enter(nextUses[index])
    }
    return requests
  }

  mutating func count(_ range: Range<Int>) {
    if bypasses { count(range, bypasses: true) } else { count(range, bypasses: false) }
  }

  @inline(__always)
  private mutating func count(_ range: Range<Int>, bypasses: Bool) {
    for index in range {
      let next = nextUses[index]
      if residents.contains(index) {
        counts.hits &+= 1
      } else if makeRoom(for: next, bypasses: bypasses) {
        counts.insertions &+= 1
      } else {
        counts.rejections &+= 1
        continue
      }
      enter(next)
    }
    counts.requests &+= range.count
  }

  /// The latest object's place is its next use.
  @inline(__always)
  private mutating func enter(_ next: UInt32) {
    if next == NextUses.none { unused &+= 1 } else { residents.insert(Int(next)) }
  }

  /// Makes room for an object that is used next by request `next`.
  ///
  /// - Returns: False if it is refused.
  @inline(__always)
  private mutating func makeRoom(for next: UInt32, bypasses: Bool) -> Bool {
    if room > 0 {
      room &-= 1
      return true
    }
    if bypasses && next == NextUses.none { return false }
    if unused > 0 {
      unused &-= 1
    } else {
      let farthest = residents.farthest
      if bypasses && next > farthest { return false }
      residents.remove(farthest: farthest)
    }
    counts.evictions &+= 1
    return true
  }
}
