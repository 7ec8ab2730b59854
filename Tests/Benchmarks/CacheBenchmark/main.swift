// Compares the memory cache with what a Swift program would use instead, on one key stream: interleaved
// rounds in one run, ratios with their spread.
//
//     CacheBenchmark TRACE [CAPACITY [REQUESTS [ROUNDS]]]
import Eviction
import Foundation
import Traces

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

print("\(workload.count) requests, capacity \(capacity), \(rounds) rounds: medians [spread]")
let rows =
  Field(Numbers.self, workload).run(rounds: rounds)
  + Field(Texts.self, workload).run(rounds: rounds)
  + Field(Structs.self, workload).run(rounds: rounds)
if let output = ProcessInfo.processInfo.environment["BENCHMARK_OUTPUT"] {
  let document: [String: Any] = [
    "trace": path.split(separator: "/").last.map(String.init)!,
    "requests": workload.count, "capacity": capacity, "rounds": rounds, "caches": rows,
  ]
  let data = try JSONSerialization.data(
    withJSONObject: document, options: [.prettyPrinted, .sortedKeys])
  try data.write(to: URL(fileURLWithPath: output), options: .atomic)
}
