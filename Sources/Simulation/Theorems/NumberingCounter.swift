import Requests
import Results

/// A counter that numbers what comes, begins anew when the numbers are used up, and knows nothing of the future: it may be
/// handed its requests in several blocks.
protocol NumberingCounter: Counter, ~Copyable {
  var counts: RequestCounts { get set }
  /// The requests that ``Counter/count(_:)`` runs.
  var cursor: RequestCursor { get set }
  /// The objects that still fit in: none from the first eviction on, as nothing else leaves.
  var room: Int { get set }
  /// The requests that there are numbers for.
  var numbersLeft: Int { get }

  /// About the bytes that it takes, at most, for a number of distinct keys.
  static func bytes(keys: Int) -> Int

  /// An empty cache.
  ///
  /// - Parameters:
  ///   - slots: The slots to reserve at once.
  ///   - capacity: The objects that fit in.
  init(slots: Int, capacity: Int)

  /// Makes room for slots below `slots`.
  mutating func reserve(slots: Int)

  /// Gives the residents the smallest numbers, in their order.
  mutating func renumber()

  /// Runs and counts requests that there are numbers for.
  mutating func run(_ range: Range<Int>)
}

/// Requests of a run as a loop reads them: raw, valid while they are run.
struct RequestCursor {
  private var ids: UnsafePointer<UInt32>?
  private var last = -1
  /// The slots that keys may have by now.
  private(set) var slots = 0

  init() {}

  /// The numbers that a loop gives, beside those of residents: enough for renumbering to cost little.
  static func numbers(slots: Int) -> Int { min(max(16 * slots, 1 << 16), 1 << 31) }

  /// A block of requests.
  init(_ block: RequestColumns) {
    ids = block.ids
    last = block.count - 1
    slots = block.slots
  }

  /// The slot of the request at a place.
  @inline(__always)
  func slot(at place: Int) -> Int { Int(ids.unsafelyUnwrapped[place]) }

  /// The slot of a later request, as far ahead as memory takes to bring something near.
  @inline(__always)
  func coming(after place: Int) -> Int { slot(at: min(place &+ 16, last)) }
}

extension NumberingCounter where Self: ~Copyable {
  mutating func count(_ range: Range<Int>) {
    var rest = range
    while !rest.isEmpty {
      // Not one by one, where few of the last numbers are used.
      if numbersLeft < min(rest.count, 1 << 12) { renumber() }
      let part = rest.prefix(numbersLeft)
      run(part)
      rest.removeFirst(part.count)
    }
  }

  mutating func begin(_ block: RequestColumns) {
    reserve(slots: block.slots)
    cursor = RequestCursor(block)
  }

  mutating func restart() { counts = RequestCounts() }

  /// Runs and counts requests as long as all fit in.
  ///
  /// - Parameter body: Runs the request of a slot; returns true if it missed.
  /// - Returns: The first one that was not run.
  mutating func fill(_ range: Range<Int>, by body: (inout Self, _ slot: Int) -> Bool) -> Int {
    var (done, misses) = (0, 0)
    for place in range {
      if misses == room { break }
      if body(&self, cursor.slot(at: place)) { misses += 1 }
      done += 1
    }
    count(misses: misses, of: done)
    return range.lowerBound + done
  }

  /// Counts requests, given the number of those that missed: all of these came in, and those for which there was no
  /// room drove one out.
  mutating func count(misses: Int, of requests: Int) {
    let filling = min(misses, room)
    room -= filling
    counts.requests += requests
    counts.hits += requests - misses
    counts.insertions += misses
    counts.evictions += misses - filling
  }
}
