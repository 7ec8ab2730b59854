// What recording and a live miss-ratio curve cost the cache that they observe: interleaved rounds in one
// run, ratios with their spread.
//
//     RecordingBenchmark [REQUESTS [ROUNDS [WORK]]]
//
// Each round's cache is filled first by the same requests, untimed: the memory of a new one would be most of what is
// measured. WORK is what the thread does beside the cache for a request, in steps of some nanoseconds; with 6, about ten
// million requests a second come.
import CInline
import Eviction
import EvictionCore
import Foundation
import Recording
import Synchronization
import Traces

/// An observer that does nothing: what the call alone costs.
final class Silence: CacheObserver {
  func cacheDid(_ event: CacheAccess, keyHash: UInt64, cost: Int) {}
}

/// An observer that does nothing, beside a thread that spins and touches no other memory: the cost of a busy
/// second core.
final class BusySilence: CacheObserver {
  private let isOver = Atomic(false)

  init() {
    Thread.detachNewThread { [self] in
      while !isOver.load(ordering: .relaxed) {}
    }
  }

  func end() { isOver.store(true, ordering: .relaxed) }

  func cacheDid(_ event: CacheAccess, keyHash: UInt64, cost: Int) {}
}

struct Contender {
  let name: String
  let observer: () throws -> (any CacheObserver)?
}

let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let requests = numbers.first ?? 2_000_000
let rounds = numbers.dropFirst().first ?? 25
let work = numbers.dropFirst(2).first ?? 6
let file = FileManager.default.temporaryDirectory.appendingPathComponent("recording.evtrace").path

// A process with one thread gets cheaper mutexes from the C library than any program that needs one.
Thread { while true { sleep(1_000) } }.start()

let trace = try TraceGenerators.trace("zipf:alpha=1.0:keys=1e6:requests=\(requests)")
let keys = trace.ids.map { SplitMix64.mix(UInt64($0)) }

/// Nanoseconds of this thread a request: a get, and a set on a miss.
func run(_ observer: (any CacheObserver)?) throws -> Double {
  let cache = MemoryCache<UInt64, UInt64>(countLimit: 100_000, policy: .lru, observer: observer)
  for key in keys where cache.value(forKey: key) == nil { cache.set(key, forKey: key) }
  // A recorder takes what is left of that.
  usleep(50_000)
  var worked: UInt64 = 1
  let start = evl_thread_nanoseconds()
  for key in keys {
    if cache.value(forKey: key) == nil { cache.set(key, forKey: key) }
    for _ in 0..<work { worked = SplitMix64.mix(worked) }
  }
  let end = evl_thread_nanoseconds()
  precondition(worked != 0, "a bijection takes only 0 to 0")
  return Double(end - start) / Double(keys.count)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func text(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

let contenders = [
  Contender(name: "not recorded", observer: { nil }),
  Contender(name: "observed by nobody", observer: { Silence() }),
  Contender(name: "observed by nobody, beside a busy thread", observer: { BusySilence() }),
  Contender(name: "recorded", observer: { try TraceRecorder(path: file) }),
  Contender(
    name: "one key in a hundred recorded",
    observer: {
      var options = TraceRecorder.Options()
      options.sampledKeys = 0.01
      return try TraceRecorder(path: file, options: options)
    }),
  Contender(name: "live miss-ratio curve", observer: { LiveMissRatioCurve() }),
  Contender(name: "not recorded, again", observer: { nil }),
]
var times = [[Double]](repeating: [], count: contenders.count)
var dropped = [Int](repeating: 0, count: contenders.count)
for _ in 0..<rounds {
  for (number, contender) in contenders.enumerated() {
    let observer = try contender.observer()
    times[number].append(try run(observer))
    (observer as? BusySilence)?.end()
    if let recorder = observer as? TraceRecorder {
      dropped[number] += try recorder.finish().dropped
    }
  }
}
try? FileManager.default.removeItem(atPath: file)

print("\(requests) requests, capacity 100000, \(rounds) rounds: medians [spread]")
for (number, contender) in contenders.enumerated() {
  let ratios = zip(times[number], times[0]).map { $0 / $1 }.sorted()
  print(
    "\(contender.name): \(text(median(times[number]), 1)) ns a request, "
      + "\(text(median(ratios), 3))× [\(text(ratios[0], 3)), \(text(ratios[rounds - 1], 3))], "
      + "\(dropped[number]) events dropped")
}
