import Eviction
import Parameters
import Requests
import Results

/// Counts what ``LFU`` does with plain gets: objects of each low frequency in a log of their own, all others in one,
/// by their last requests.
///
/// Which of the others is the least frequent is asked when no object of a low frequency is left. Then twice as many
/// frequencies are low, so that this happens no more often than a frequency can be doubled.
///
/// - Complexity: some nanoseconds a request; amortized O(1). Memory: 8 bytes a distinct key, and 33 to 66 an object.
struct FrequencyLoop: ArrivalLoop, ~Copyable {
  var counts = RequestCounts()
  var arrivals = Arrivals()
  var room: Int
  /// By frequency the low ones, and at 0 all others. An object's owner is its frequency.
  private var logs: SlotLogs
  /// No log of a lower frequency has an object.
  private var least = 1

  /// Not few objects: what is low may become the requests that there are for each, and a log for each takes memory.
  static func covers(_ run: RunOptions) -> Bool {
    (1 << 9...SlotLogs.mostObjects).contains(run.capacity)
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
      // Not one of the low frequencies, where a newcomer takes another's place.
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
          while least < lows && handle.count(of: least) == 0 { least &+= 1 }
          if least == lows {
            spread()
            (handle, lows) = (logs.handle, logs.count)
          }
          handle.removeFirst(of: least)
        }
        misses &+= 1
        handle.append(slot, to: 1, owner: 1)
        least = 1
      }
    }
    count(misses: misses, of: range.count)
  }

  /// Makes more frequencies low: at least that of one object, where all have higher ones than before.
  private mutating func spread() {
    let lowest = logs.handle.lowestOwner(in: 0)
    logs.addLogs(upTo: 2 * max(lowest, logs.count))
    let lows = logs.count
    logs.handle.distribute(0) { $0 < lows ? $0 : 0 }
    least = lowest
  }
}
