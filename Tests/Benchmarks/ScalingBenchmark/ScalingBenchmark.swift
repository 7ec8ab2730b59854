// How the throughput of a cache grows with threads, by its locks, shards and reads: get 95 %, set 5 % of a
// Zipf stream, interleaved rounds in one run, medians with their range.
//
//     ScalingBenchmark [ROUNDS [REQUESTS]]
import Eviction
import Foundation

/// Keys by Zipf's law with exponent 1, by inversion of its continuous form: near enough for a load.
struct Workload {
  static let keys = 1_000_000
  static let capacity = 100_000
  let ids: [UInt32]
  let isSet: [Bool]

  init(requests: Int) {
    var generator = SplitMix64(seed: 42)
    ids = (0..<requests).map { _ in
      let uniform = Double(generator.next() >> 11) / 0x1p53
      return UInt32(min(pow(Double(Workload.keys), uniform), Double(Workload.keys)) - 1)
    }
    isSet = (0..<requests).map { _ in generator.index(below: 20) == 0 }
  }
}

/// What the benchmark does to a cache.
protocol Contender: AnyObject, Sendable {
  func value(forKey key: UInt64) -> UInt64?
  func set(_ value: UInt64, forKey key: UInt64, cost: Int, missCost: Double) -> Bool
}

extension MemoryCache: Contender where Key == UInt64, Value == UInt64, Policy: ~Copyable {}
extension ShardedCache: Contender where Key == UInt64, Value == UInt64, Policy: ~Copyable {}

struct Round {
  var nanoseconds: [Double] = []
  var hitRatio: [Double] = []
}

enum Bench {
  /// Every thread makes all requests, from a place of its own; returns seconds and the hit ratio.
  static func run<Cache: Contender>(
    _ cache: Cache, _ workload: Workload, threads: Int
  ) -> (seconds: Double, hitRatio: Double) {
    let count = workload.ids.count
    nonisolated(unsafe) var hits = [Int](repeating: 0, count: 64 * threads)
    func pass() -> Double {
      let group = DispatchGroup()
      let start = ContinuousClock.now
      hits.withUnsafeMutableBufferPointer { hits in
        nonisolated(unsafe) let hits = hits
        for thread in 0..<threads {
          group.enter()
          Thread {
            var found = 0
            var place = thread * count / threads
            for _ in 0..<count {
              let key = UInt64(workload.ids[place])
              if workload.isSet[place] {
                _ = cache.set(key, forKey: key, cost: 1, missCost: 1)
              } else if cache.value(forKey: key) != nil {
                found += 1
              } else {
                _ = cache.set(key, forKey: key, cost: 1, missCost: 1)
              }
              place += 1
              if place == count { place = 0 }
            }
            hits[64 * thread] = found
            group.leave()
          }.start()
        }
        group.wait()
      }
      return (ContinuousClock.now - start) / .seconds(1)
    }
    _ = pass()
    let seconds = pass()
    let gets = workload.isSet.reduce(0) { $0 + ($1 ? 0 : 1) } * threads
    return (seconds, Double(hits.reduce(0, +)) / Double(gets))
  }
}

typealias Subject = (
  name: String, run: (Workload, Int) throws -> (seconds: Double, hitRatio: Double)
)

func subject(
  shards: Int?, lock: any CacheLock.Type, reads: CacheReads
) -> Subject {
  var options = MemoryCacheOptions()
  options.reads = reads
  let chosen = options
  let name = lock.information.name
  return (
    "\(shards.map { "sharded:\($0):" } ?? "")\(name), \(reads)",
    { workload, threads in
      if let shards {
        return Bench.run(
          try ShardedCache<UInt64, UInt64, LRU>(
            shards: shards, countLimit: Workload.capacity, lock: { lock.init() }, options: chosen),
          workload, threads: threads)
      }
      return Bench.run(
        try MemoryCache<UInt64, UInt64, LRU>(
          countLimit: Workload.capacity, lock: lock.init(), options: chosen),
        workload, threads: threads)
    }
  )
}

@main
enum ScalingBenchmark {
  static func main() throws {
    let numbers = CommandLine.arguments.dropFirst().compactMap(Int.init)
    let rounds = numbers.first ?? 5
    let workload = Workload(requests: numbers.dropFirst().first ?? 2_000_000)
    var subjects: [Subject] = []
    for lock in [MutexLock.self, ReadWriteLock.self, BigReaderLock.self] as [any CacheLock.Type] {
      for shards in [nil, 16] as [Int?] {
        for reads in CacheReads.allCases {
          subjects.append(subject(shards: shards, lock: lock, reads: reads))
        }
      }
    }
    let threads = [1, 2]
    var results = [[Round]](
      repeating: [Round](repeating: Round(), count: threads.count), count: subjects.count)
    for _ in 0..<rounds {
      for (index, subject) in subjects.enumerated() {
        for (place, count) in threads.enumerated() {
          let (seconds, hitRatio) = try subject.run(workload, count)
          results[index][place].nanoseconds.append(
            seconds * 1e9 / Double(count * workload.ids.count))
          results[index][place].hitRatio.append(hitRatio)
        }
      }
    }
    print("LRU, \(Workload.capacity) of \(Workload.keys) keys, \(rounds) rounds; ns a request")
    for (subject, rounds) in zip(subjects, results) {
      let one = rounds[0].nanoseconds.sorted()
      let two = rounds[1].nanoseconds.sorted()
      let scaling = zip(rounds[0].nanoseconds, rounds[1].nanoseconds).map { $0 / $1 }.sorted()
      func median(_ values: [Double]) -> Double { values[values.count / 2] }
      print(
        String(
          format: "%@: 1 thread %.1f (%.1f–%.1f), 2 threads %.1f (%.1f–%.1f), × %.2f (%.2f–%.2f), "
            + "hits %.3f %% and %.3f %%",
          subject.name, median(one), one.first ?? 0, one.last ?? 0, median(two), two.first ?? 0,
          two.last ?? 0, median(scaling), scaling.first ?? 0, scaling.last ?? 0,
          100 * median(rounds[0].hitRatio.sorted()), 100 * median(rounds[1].hitRatio.sorted())))
    }
  }
}
