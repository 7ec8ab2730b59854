// How the throughput of a cache grows from one thread to two, by its locks, shards and reads: 95 % gets and
// 5 % sets by Zipf's law, in a cache that holds nearly all that is asked for. Interleaved rounds in one run,
// medians with their quartiles.
//
// On a machine that does other work, two threads get more of it than one. So each round also runs two
// threads with a cache each: what two threads that share nothing do there and then. What is shared is read
// more slowly than what a core has to itself, even if nobody writes: the smaller the cache, the more that shows.
//
//     ScalingBenchmark [ROUNDS [REQUESTS [NAME [KEYS]]]]
import Eviction
import Foundation

/// A thread's requests.
struct Workload: Sendable {
  let ids: [UInt32]
  let isSet: [Bool]

  /// Keys by Zipf's law with exponent 1, by inversion of its continuous form: near enough for a load.
  init(requests: Int, keys: Int, seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    ids = (0..<requests).map { _ in
      let uniform = Double(generator.next() >> 11) / 0x1p53
      return UInt32(min(pow(Double(keys), uniform), Double(keys)) - 1)
    }
    isSet = (0..<requests).map { _ in generator.index(below: 20) == 0 }
  }
}

/// The operations of the benchmark on a cache.
protocol Contender: AnyObject, Sendable {
  func value(forKey key: UInt64) -> UInt64?
  func set(
    _ value: UInt64, forKey key: UInt64, cost: Int?, missCost: Double, expiration: Expiration?
  ) -> Bool
}

extension MemoryCache: Contender where Key == UInt64, Value == UInt64 {}
extension ShardedCache: Contender where Key == UInt64, Value == UInt64 {}

/// A closure that serves a thread's requests and counts the hits.
typealias Server = @Sendable (Workload) -> Int

/// The loop over the requests, compiled for each type of cache.
@inline(__always)
func server(_ cache: some Contender) -> Server {
  { workload in
    var hits = 0
    for place in workload.ids.indices {
      let key = UInt64(workload.ids[place])
      if !workload.isSet[place] && cache.value(forKey: key) != nil {
        hits += 1
      } else {
        _ = cache.set(key, forKey: key, cost: 1, missCost: 1, expiration: nil)
      }
    }
    return hits
  }
}

/// A cache to be timed.
struct Subject {
  let name: String
  /// Makes a cache of that capacity.
  let make: (Int) throws -> Server

  @inline(__always)
  init<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type, shards: Int?, lock: any CacheLock.Type, reads: CacheReads
  ) {
    var options = MemoryCacheOptions()
    options.reads = reads
    name =
      "\(Policy.information.name) \(shards.map { "sharded:\($0):" } ?? "")"
      + "\(lock.information.name) \(reads)"
    make = { [options] capacity in
      if let shards {
        return server(
          ShardedCache<UInt64, UInt64>(
            shards: shards, countLimit: capacity, policy: CachePolicy(Policy.self),
            lock: lock.init(), options: options))
      }
      return server(
        MemoryCache<UInt64, UInt64>(
          countLimit: capacity, policy: CachePolicy(Policy.self), lock: lock.init(),
          options: options))
    }
  }

  static var all: [Subject] {
    let locks: [any CacheLock.Type] = [MutexLock.self, BigReaderLock.self]
    return locks.flatMap { lock in
      [nil, 16, 64].flatMap { shards in
        CacheReads.allCases.flatMap { reads in
          [
            Subject(LRU.self, shards: shards, lock: lock, reads: reads),
            Subject(SIEVE.self, shards: shards, lock: lock, reads: reads),
          ]
        }
      }
    }
  }
}

/// The measurements of a subject.
struct Figures {
  /// Nanoseconds a request: of one thread, of two with one cache, of two with a cache each.
  var one: [Double] = []
  var two: [Double] = []
  var apart: [Double] = []
  var hitRatios: [Double] = []
}

/// Runs one thread for each workload, on its cache, and returns the nanoseconds that all took for a
/// request, and the hit ratio of the gets.
func run(_ caches: [Server], _ workloads: [Workload]) -> (time: Double, hitRatio: Double) {
  nonisolated(unsafe) var hits = [Int](repeating: 0, count: 16 * caches.count)
  let group = DispatchGroup()
  let start = ContinuousClock.now
  hits.withUnsafeMutableBufferPointer { hits in
    nonisolated(unsafe) let hits = hits
    for (number, cache) in caches.enumerated() {
      group.enter()
      let workload = workloads[number]
      Thread {
        hits[16 * number] = cache(workload)
        group.leave()
      }.start()
    }
    group.wait()
  }
  let seconds = (ContinuousClock.now - start) / .seconds(1)
  let used = workloads.prefix(caches.count)
  let gets = used.reduce(0) { $0 + $1.isSet.reduce(0) { $0 + ($1 ? 0 : 1) } }
  let requests = used.reduce(0) { $0 + $1.ids.count }
  return (seconds * 1e9 / Double(requests), Double(hits.reduce(0, +)) / Double(gets))
}

@main
enum ScalingBenchmark {
  static func main() throws {
    let numbers = CommandLine.arguments.dropFirst().prefix(2).compactMap(Int.init)
    let rounds = numbers.first ?? 11
    let requests = numbers.dropFirst().first ?? 500_000
    let part = CommandLine.arguments.dropFirst(3).first ?? ""
    let keys = CommandLine.arguments.dropFirst(4).first.flatMap { Int($0) } ?? 1_000_000
    let capacity = keys / 5 * 4
    let workloads = [1, 2].map { Workload(requests: requests, keys: keys, seed: $0) }
    // Other requests, which bring what is asked for often into the processors' caches.
    let warming = [4, 5].map { Workload(requests: requests, keys: keys, seed: $0) }
    let filling = [Workload(requests: 4 * keys, keys: keys, seed: 3)]
    let subjects = Subject.all.filter { part.isEmpty || $0.name.contains(part) }
    var figures = [Figures](repeating: Figures(), count: subjects.count)
    for _ in 0..<rounds {
      for (index, subject) in subjects.enumerated() {
        let caches = [try subject.make(capacity), try subject.make(capacity)]
        for cache in caches { _ = run([cache], filling) }
        func timed(_ caches: [Server]) -> (time: Double, hitRatio: Double) {
          _ = run(caches, warming)
          return run(caches, workloads)
        }
        figures[index].one.append(timed([caches[0]]).time)
        figures[index].apart.append(timed(caches).time)
        let shared = timed([caches[0], caches[0]])
        figures[index].two.append(shared.time)
        figures[index].hitRatios.append(shared.hitRatio)
      }
    }
    print("\(capacity) of \(keys) keys, \(rounds) rounds; ns a request")
    for (subject, figures) in zip(subjects, figures) { report(subject.name, figures) }
  }

  private static func report(_ name: String, _ figures: Figures) {
    func text(_ values: [Double], _ digits: Int) -> String {
      let sorted = values.sorted()
      return String(
        format: "%.*f [%.*f, %.*f]", digits, sorted[sorted.count / 2], digits,
        sorted[sorted.count / 4], digits, sorted[sorted.count * 3 / 4])
    }
    let scaling = zip(figures.one, figures.two).map { $0 / $1 }
    let share = zip(figures.apart, figures.two).map { $0 / $1 }
    print(
      "\(name): one thread \(text(figures.one, 0)), two \(text(figures.two, 0)), "
        + "apart \(text(figures.apart, 0)); two are × \(text(scaling, 2)) one, "
        + "× \(text(share, 2)) two apart; hits "
        + text(figures.hitRatios.map { 100 * $0 }, 3) + " %")
  }
}
