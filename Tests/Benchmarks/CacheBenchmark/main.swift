// Compares the memory cache with what a Swift program would use instead, on one key stream: interleaved
// rounds in one run, ratios with their spread.
//
//     CacheBenchmark TRACE [CAPACITY [REQUESTS [ROUNDS]]]
import AllocationCounter
import Eviction
import Foundation
import Traces

/// What one contender did in one round.
struct Round {
  var nanosecondsPerRequest: Double
  var hitRatio: Double
  /// Allocations per request in the second half, when the cache is long full.
  var allocationsPerRequest: Double
}

extension Workload {
  init(_ trace: Trace, capacity: Int) {
    ids = Array(trace.ids)
    keys = (0..<UInt64(trace.distinct)).map(SplitMix64.mix)
    objects = keys.map(BoxedNumber.init)
    self.capacity = capacity
  }

  func run<Cache: Contender>(_ type: Cache.Type) -> Round {
    let cache = Cache(capacity: capacity)
    var hits = 0
    var allocations: UInt64 = 0
    let start = DispatchTime.now().uptimeNanoseconds
    for (index, id) in ids.enumerated() {
      if index == ids.count / 2 { allocations = allocations_of_this_thread() }
      if cache.get(Int(id), of: self) {
        hits += 1
      } else {
        cache.set(Int(id), of: self)
      }
    }
    let elapsed = DispatchTime.now().uptimeNanoseconds - start
    allocations = allocations_of_this_thread() - allocations
    return Round(
      nanosecondsPerRequest: Double(elapsed) / Double(ids.count),
      hitRatio: Double(hits) / Double(ids.count),
      allocationsPerRequest: Double(allocations) / Double(ids.count - ids.count / 2))
  }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func text(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first else {
  print("usage: CacheBenchmark TRACE [CAPACITY [REQUESTS [ROUNDS]]]")
  exit(64)
}
let numbers = arguments.dropFirst().compactMap { Int($0) }
let capacity = numbers.first ?? 100_000
let requests = numbers.dropFirst().first ?? 2_000_000
let rounds = numbers.dropFirst(2).first ?? 7

// A process with one thread gets cheaper mutexes from the C library than any program that needs one.
Thread { while true { sleep(1_000) } }.start()

let workload = Workload(try TraceLoader.load(path: path, limit: requests), capacity: capacity)
let contenders: [(name: String, run: () -> Round)] = [
  (SlotCache.name, { workload.run(SlotCache.self) }),
  (FoundationCache.name, { workload.run(FoundationCache.self) }),
  (NodeCache.name, { workload.run(NodeCache.self) }),
  (LockedDictionary.name, { workload.run(LockedDictionary.self) }),
]
var results = [[Round]](repeating: [], count: contenders.count)
for _ in 0..<rounds {
  for (number, contender) in contenders.enumerated() { results[number].append(contender.run()) }
}

var rows: [[String: Any]] = []
print("\(workload.ids.count) requests, capacity \(capacity), \(rounds) rounds: medians [spread]")
for (number, contender) in contenders.enumerated() {
  let times = results[number].map(\.nanosecondsPerRequest)
  let ratios = zip(times, results[0]).map { $0 / $1.nanosecondsPerRequest }
  let last = results[number][rounds - 1]
  let allocations = allocations_are_counted() ? text(last.allocationsPerRequest, 3) : "–"
  print(
    "\(contender.name): \(text(median(times), 1)) ns a request, "
      + "\(text(median(ratios), 2))× [\(text(ratios.min()!, 2)), \(text(ratios.max()!, 2))], "
      + "hit ratio \(text(last.hitRatio, 4)), \(allocations) allocations a request")
  rows.append([
    "name": contender.name, "nanosecondsPerRequest": median(times),
    "timesOfFirst": median(ratios), "spread": [ratios.min()!, ratios.max()!],
    "hitRatio": last.hitRatio,
    "allocationsPerRequest": allocations_are_counted() ? last.allocationsPerRequest : NSNull(),
  ])
}
if let output = ProcessInfo.processInfo.environment["BENCHMARK_OUTPUT"] {
  let document: [String: Any] = [
    "schema": "evictionlab.benchmark/1", "trace": path.split(separator: "/").last.map(String.init)!,
    "requests": workload.ids.count, "capacity": capacity, "rounds": rounds, "caches": rows,
  ]
  let data = try JSONSerialization.data(
    withJSONObject: document, options: [.prettyPrinted, .sortedKeys])
  try data.write(to: URL(fileURLWithPath: output), options: .atomic)
}
