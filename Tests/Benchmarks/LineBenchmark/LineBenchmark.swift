// Serves requests as the threads of several cores would, one request after the other in one thread that plays them all:
// for Tests/Benchmarks/lines.py, which reads each access to memory from `valgrind --tool=lackey`.
//
//     LineBenchmark CORES KEYS REQUESTS TURN CACHE…
//
// A cache is a policy, and after slashes `buffered`, `sharded` and the name of a lock. It has room for four fifths of the
// keys, which are drawn by Zipf's law with exponent 1, and begins full. Phases follow each other, of gets, of sets, and of
// gets with 5 % sets; each has twice that many requests, for the first half only warms the cores' caches. A core is drawn
// for each request or, if TURN is larger than 1, for about as many in a row.
//
// The answer for each cache is one line of JSON, before its first request: the addresses of the marks around requests, of
// what cores do not share, and of the locks. With one core there are no marks; then it is the nanoseconds of a request in
// each phase, the least of ten rounds. A sharded cache has the shards that it has by default in a machine with as many cores,
// if it has room for enough entries.
import CInline
import Eviction
import Parameters
import SimulatedCores

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

protocol TracedCache: AnyObject {
  /// The memory caches that it consists of.
  var parts: [MemoryCache<UInt64, UInt64>] { get }
  func value(forKey key: UInt64) -> UInt64?
  func put(_ value: UInt64, forKey key: UInt64)
}

extension MemoryCache: TracedCache where Key == UInt64, Value == UInt64 {
  var parts: [MemoryCache] { [self] }
  @inline(__always)
  func put(_ value: UInt64, forKey key: UInt64) { set(value, forKey: key) }
}

extension ShardedCache: TracedCache where Key == UInt64, Value == UInt64 {
  var parts: [Shard] {
    let shards = member("shards", of: self) as? UnsafeMutablePointer<Unmanaged<Shard>>
    return (0..<shardCount).compactMap { shards?[$0].takeUnretainedValue() }
  }
  @inline(__always)
  func put(_ value: UInt64, forKey key: UInt64) { set(value, forKey: key) }
}

/// A stored property, which other modules do not see.
func member(_ name: String, of object: AnyObject) -> Any? {
  Mirror(reflecting: object).children.first { $0.label == name }?.value
}

/// The range of the memory that was allocated for an address.
func block(_ address: UInt) -> [UInt] {
  [address, address + UInt(block_size(UnsafeRawPointer(bitPattern: address)))]
}

struct Request {
  let key: UInt64
  let core: Int32
  let isSet: Bool
}

@main
enum LineBenchmark {
  /// The sets in a hundred requests, by phase.
  static let phases = [0, 100, 5]
  static let numbers = CommandLine.arguments.dropFirst().prefix(4).compactMap { Int($0) }
  static let caches = CommandLine.arguments.dropFirst(5).map { TracedCacheKind($0) }

  static func main() {
    guard numbers.count == 4, numbers.allSatisfy({ $0 > 0 }), numbers[0] <= most_cores,
      !caches.isEmpty, !caches.contains(where: { $0 == nil })
    else {
      print("usage: LineBenchmark CORES KEYS REQUESTS TURN CACHE…")
      exit(64)
    }
    simulate_cores(Int32(numbers[0]))
    run_apart(serveAll)
  }
}

/// A function for C, which a closure of `main` would not be: that belongs to the main thread.
func serveAll() {
  let numbers = LineBenchmark.numbers
  for case let kind? in LineBenchmark.caches {
    Service(kind: kind, cores: numbers[0], keys: numbers[1], requests: numbers[2], turn: numbers[3])
      .run()
  }
}

/// The name of a cache, understood.
struct TracedCacheKind {
  let policy: CachePolicy
  var options = MemoryCacheOptions()
  var isSharded = false
  var lock: any CacheLock.Type = AdaptiveLock.self

  init?(_ name: String) {
    let words = name.split(separator: "/").map(String.init)
    guard let first = words.first,
      let policy = try? PolicyCatalog.policy(Specification(parsing: first)),
      !policy.information.isBound
    else { return nil }
    self.policy = policy
    for word in words.dropFirst() {
      if word == "buffered" {
        options.reads = .buffered
      } else if word == "sharded" {
        isSharded = true
      } else if let found = LockCatalog.lock(named: word) {
        lock = found
      } else {
        return nil
      }
    }
  }
}

struct Service {
  let kind: TracedCacheKind
  let cores: Int
  let keys: Int
  let requests: Int
  let turn: Int
  var capacity: Int { max(keys * 4 / 5, 1) }

  /// Makes the cache, and serves it.
  func run() {
    var locks: [any CacheLock] = []
    func makeLock() -> any CacheLock {
      let made = kind.lock.init()
      locks.append(made)
      // A lock may consist of others.
      locks += Mirror(reflecting: made).children.compactMap { $0.value as? any CacheLock }
      return made
    }
    if kind.isSharded {
      let cache = ShardedCache<UInt64, UInt64>(
        shards: min(32 * cores, 256, capacity), countLimit: capacity, policy: kind.policy,
        lock: makeLock(),
        seed: 1, options: kind.options)
      serve(cache, locks)
    } else {
      let cache = MemoryCache<UInt64, UInt64>(
        countLimit: capacity, policy: kind.policy, lock: makeLock(), seed: 1,
        options: kind.options)
      serve(cache, locks)
    }
  }

  @inline(__always)
  func serve(_ cache: some TracedCache, _ locks: [any CacheLock]) {
    for key in (0..<capacity).reversed() { cache.put(0, forKey: UInt64(key)) }
    let phases = LineBenchmark.phases.map(draw)
    if cores == 1 {
      let times = phases.map { requests in
        (0..<10).map { _ in time(requests, of: cache) }.min() ?? 0
      }
      return tell("{\"nanoseconds\": \(times)}\n")
    }
    let lockBlocks = locks.map { block(UInt(bitPattern: ObjectIdentifier($0))) }
    // A pointer is the first word of an `Any`.
    let coreBlocks = cache.parts.compactMap { member("core", of: $0) }
      .map { pointer in block(withUnsafeBytes(of: pointer) { $0.load(as: UInt.self) }) }
    tell(
      """
      {"requests": \(requests), "marks": \(first_mark()), "stride": \(most_cores), "end": \(last_mark()), \
      "base": \(program_base()), "apart": [\(apart_start()), \(apart_end())], \
      "locks": \(lockBlocks), "cores": \(coreBlocks)}

      """)
    for (phase, requests) in phases.enumerated() {
      for request in requests {
        begin_request(Int32(phase), request.core)
        answer(request, of: cache)
        end_request()
      }
    }
  }

  /// Writes a line at once: the tracer writes to the same pipe.
  func tell(_ line: String) {
    _ = Array(line.utf8).withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }

  @inline(__always)
  func answer(_ request: Request, of cache: some TracedCache) {
    if request.isSet {
      cache.put(1, forKey: request.key)
    } else {
      _ = cache.value(forKey: request.key)
    }
  }

  /// Nanoseconds of a request.
  @inline(__always)
  func time(_ requests: [Request], of cache: some TracedCache) -> Double {
    let start = evl_monotonic_nanoseconds()
    for request in requests { answer(request, of: cache) }
    return Double(evl_monotonic_nanoseconds() - start) / Double(requests.count)
  }

  /// The requests of a phase with that percentage of sets.
  func draw(sets: Int) -> [Request] {
    var random = SplitMix64(seed: UInt64(sets))
    var core = 0
    let logarithm = log(Double(keys))
    return (0..<2 * requests).map { _ in
      if random.index(below: turn) == 0 { core = random.index(below: cores) }
      let fraction = Double(random.index(below: 1 << 32)) / Double(1 << 32)
      let key = UInt64(exp(fraction * logarithm)) - 1
      return Request(key: key, core: Int32(core), isSet: random.index(below: 100) < sets)
    }
  }
}
