import CInline
import Foundation
import Synchronization

/// The kind of a round's requests.
struct Mix {
  /// Sets, in a hundred requests.
  var sets: UInt8 = 0
  /// Each get that misses is followed by a set.
  var fillsMisses = false

  /// `miss`, or the percentage of sets.
  init?(_ text: Substring) {
    if text == "miss" {
      fillsMisses = true
    } else if let percentage = UInt8(text), percentage <= 100 {
      sets = percentage
    } else {
      return nil
    }
  }
}

/// The operations of one thread in a round.
struct Tally {
  var operations = 0
  var gets = 0
  var hits = 0
  var seconds = 0.0
  /// Nanoseconds of a get in each block of requests, the clock's own included.
  var samples: [UInt64] = []
}

/// Requests between two looks at the clock and at the end of a round; a thread's requests are whole blocks.
let block = 64

/// Serves a thread's requests, from the first on when they end, until `isOver`.
@inline(__always)
func serve<Cache: ThreadedCache>(
  _ requests: borrowing Requests<Cache.Key>, from cache: Cache, _ mix: Mix,
  until isOver: borrowing Atomic<Bool>
) -> Tally {
  var tally = Tally()
  tally.samples.reserveCapacity(1 << 17)
  let count = requests.keys.count
  var place = 0
  let start = evl_monotonic_nanoseconds()
  repeat {
    let end = place + block
    var isSampled = tally.samples.count < 1 << 17
    while place < end {
      let key = requests.keys[place]
      if requests.rolls[place] < mix.sets {
        cache.put(UInt64(place), forKey: key)
      } else {
        let asked = isSampled ? evl_monotonic_nanoseconds() : 0
        let isFound = cache.value(forKey: key) != nil
        if isSampled {
          tally.samples.append(evl_monotonic_nanoseconds() - asked)
          isSampled = false
        }
        tally.gets += 1
        if isFound {
          tally.hits += 1
        } else if mix.fillsMisses {
          cache.put(UInt64(place), forKey: key)
        }
      }
      place += 1
    }
    tally.operations += block
    if place == count { place = 0 }
  } while !isOver.load(ordering: .relaxed)
  tally.seconds = Double(evl_monotonic_nanoseconds() - start) / 1e9
  return tally
}

/// Runs `body` in a thread for each of these numbers; they start together and end after these seconds.
func together(
  threads: Range<Int>, seconds: Double,
  _ body: @escaping @Sendable (Int, borrowing Atomic<Bool>) -> Tally
) -> [Tally] {
  final class Round: Sendable {
    let ready = Atomic(0)
    let isOver = Atomic(false)
    let tallies = Mutex<[Tally]>([])

    func awaitReadiness(of threads: Int) {
      while ready.load(ordering: .relaxed) < threads { sched_yield() }
    }
  }
  let round = Round()
  let group = DispatchGroup()
  for number in threads {
    group.enter()
    Thread {
      round.ready.add(1, ordering: .relaxed)
      round.awaitReadiness(of: threads.count)
      let tally = body(number, round.isOver)
      round.tallies.withLock { $0.append(tally) }
      group.leave()
    }.start()
  }
  round.awaitReadiness(of: threads.count)
  Thread.sleep(forTimeInterval: seconds)
  round.isOver.store(true, ordering: .relaxed)
  group.wait()
  return round.tallies.withLock { $0 }
}

/// A round's tallies as one line of JSON.
func summary(_ tallies: [Tally]) -> String {
  let samples = tallies.flatMap(\.samples).sorted()
  func percentile(_ part: Double) -> UInt64 {
    samples.isEmpty ? 0 : samples[min(Int(part * Double(samples.count)), samples.count - 1)]
  }
  return """
    {"seconds": \(tallies.map(\.seconds).max()!), "operations": \(tallies.map(\.operations)), \
    "gets": \(tallies.reduce(0) { $0 + $1.gets }), "hits": \(tallies.reduce(0) { $0 + $1.hits }), \
    "p50": \(percentile(0.5)), "p99": \(percentile(0.99)), "p999": \(percentile(0.999))}
    """
}
