import Eviction
import Parameters
import Requests
import Results

/// Counts what ``LFU`` does with plain gets: objects of each low frequency in a log of their own, all others in one,
/// by their last requests.
///
/// Which of the others is the least frequent is asked when no object of a low frequency is left. Then more frequencies
/// are low, twice that of one object, so that this happens no more often than a frequency can be doubled. From
/// ``mostLows`` on it is asked each time, which takes a newcomer that was requested as many times.
///
/// - Complexity: some nanoseconds a request; amortized O(1). Memory: 8 bytes a distinct key, and at most about 66 an object.
struct FrequencyLoop: ArrivalLoop, ~Copyable {
  var counts = RequestCounts()
  var arrivals = Arrivals()
  var room: Int
  /// By frequency the low ones, and at 0 all others. An object's owner is its frequency.
  private var logs: SlotLogs
  /// No log of a lower frequency has an object.
  private var least = 1

  /// The low frequencies, at most: each takes a log.
  private static var mostLows: Int { 1 << 12 }

  static let parameters: Set = ["ghosts", "history", "ties"]

  static func covers(_ run: RunOptions) -> Bool {
    (1...SlotLogs.mostObjects).contains(run.capacity)
      && run.arguments.text("ties") == "lru" && run.arguments.text("history") == "stay"
  }

  init(slots: Int, run: RunOptions) {
    room = run.capacity
    logs = SlotLogs(count: 4, slots: slots)
  }

  static func bytes(keys: Int, _ run: RunOptions) -> Int {
    SlotLogs.bytes(slots: keys, objects: run.capacity)
  }

  mutating func reserve(slots: Int) { logs.reserve(slots: slots) }

  mutating func count(_ range: Range<Int>) {
    logs.shrink()
    let arrivals = arrivals
    var handle = logs.handle
    var lows = logs.count
    var misses = 0
    for place in arrivals.places(of: range) {
      handle.prefetch(arrivals.coming(after: place))
      let slot = arrivals.slot(at: place)
      let frequency = handle.owner(of: slot)
      // A newcomer, or an object of none of the low frequencies.
      if misses >= room && handle.count(of: 1) > 0
        && UInt(bitPattern: frequency &- 1) >= lows &- 1
      {
        let missed = frequency == 0 ? 1 : 0
        handle.renew(
          slot, in: 0, owner: min(frequency &+ 1, SlotLogs.largestOwner), orReplaceFirstOf: 1,
          owner: 1, missed: missed)
        misses &+= missed
      } else if frequency >= lows {
        handle.renew(slot, in: 0, owner: min(frequency &+ 1, SlotLogs.largestOwner))
      } else if frequency > 0 {
        handle.take(slot, outOf: frequency)
        let next = frequency &+ 1
        handle.append(slot, to: next < lows ? next : 0, owner: next)
      } else {
        if misses >= room {
          evict()
          (handle, lows) = (logs.handle, logs.count)
        }
        misses &+= 1
        handle.append(slot, to: 1, owner: 1)
        least = 1
      }
    }
    count(misses: misses, of: range.count)
  }

  private mutating func evict() {
    while least < logs.count && logs.handle.count(of: least) == 0 { least += 1 }
    if least == logs.count { spread() }
    if least < logs.count {
      logs.handle.removeFirst(of: least)
    } else {
      logs.handle.removeFirst(of: 0, owner: least)
    }
  }

  /// Makes more frequencies low, where all objects have higher ones: at least that of one object, if it may be.
  private mutating func spread() {
    least = logs.handle.lowestOwner(in: 0)
    let lows = min(2 * max(least, logs.count), FrequencyLoop.mostLows)
    if lows == logs.count { return }
    logs.addLogs(upTo: lows)
    logs.handle.distribute(0) { $0 < lows ? $0 : 0 }
  }
}
