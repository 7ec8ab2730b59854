import Eviction
import UsualCaches

/// The operations of the benchmark on a cache.
protocol ThreadedCache<Key>: AnyObject, Sendable {
  associatedtype Key: BenchmarkKey
  var count: Int { get }
  func value(forKey key: Key) -> UInt64?
  func put(_ value: UInt64, forKey key: Key)
}

extension MemoryCache: ThreadedCache where Key: BenchmarkKey, Value == UInt64 {
  @inline(__always)
  func put(_ value: UInt64, forKey key: Key) { set(value, forKey: key) }
}

extension ShardedCache: ThreadedCache where Key: BenchmarkKey, Value == UInt64 {
  @inline(__always)
  func put(_ value: UInt64, forKey key: Key) { set(value, forKey: key) }
}

extension NodeCache: ThreadedCache where Key: BenchmarkKey {
  @inline(__always)
  func put(_ value: UInt64, forKey key: Key) { set(value, forKey: key) }
}

extension LockedDictionary: ThreadedCache where Key: BenchmarkKey {
  @inline(__always)
  func put(_ value: UInt64, forKey key: Key) { set(value, forKey: key) }
}

/// A cache and the threads' requests, as closures that are compiled for their types: requirements of a protocol would be
/// called with the types as arguments.
struct Subject {
  let count: () -> Int
  /// Sets these keys, the most popular last.
  let fill: (ArraySlice<UInt64>) -> Void
  let run: (_ threads: Range<Int>, Mix, _ seconds: Double) -> [Tally]

  /// One cache for all threads, or one for each.
  @inline(__always)
  init<Cache: ThreadedCache>(_ caches: [Cache], _ requests: [Requests<Cache.Key>]) {
    count = { caches.reduce(0) { $0 + $1.count } }
    fill = { numbers in
      for cache in caches {
        for number in numbers.reversed() { cache.put(number, forKey: Cache.Key(numbered: number)) }
      }
    }
    run = { threads, mix, seconds in
      together(threads: threads, seconds: seconds) { thread, isOver in
        serve(
          requests[thread % requests.count], from: caches[thread % caches.count], mix,
          until: isOver)
      }
    }
  }
}

/// Makes the cache of that name: `nodes`, `dictionary`, or a policy and what follows it after slashes: `buffered`,
/// the name of a lock, a number of shards, `sharded` for as many as a sharded cache has by default, or `apart` for a
/// cache of that capacity for each of two threads.
@inline(__always)
func makeSubject<Key: BenchmarkKey>(
  _ name: String, _ requests: [Requests<Key>], capacity: Int
) -> Subject? {
  var words = name.split(separator: "/").map(String.init)
  let policies: [String: CachePolicy] = ["lru": .lru, "sieve": .sieve, "s3fifo": .s3FIFO()]
  guard let first = words.first else { return nil }
  words.removeFirst()
  if first == "nodes" { return Subject([NodeCache<Key>(countLimit: capacity)], requests) }
  if first == "dictionary" { return Subject([LockedDictionary<Key>()], requests) }
  guard let policy = policies[first] else { return nil }
  var options = MemoryCacheOptions()
  var lock: (any CacheLock.Type)?
  var shards: Int?
  for word in words {
    if let reads = CacheReads.allCases.first(where: { "\($0)" == word }) {
      options.reads = reads
    } else if let number = Int(word) {
      shards = number
    } else if let found = LockCatalog.lock(named: word) {
      lock = found
    } else if !["sharded", "apart"].contains(word) {
      return nil
    }
  }
  if words.contains("sharded") || shards != nil {
    guard let lock else {
      let cache = ShardedCache<Key, UInt64>(
        shards: shards, countLimit: capacity, policy: policy, options: options)
      return Subject([cache], requests)
    }
    let cache = ShardedCache<Key, UInt64>(
      shards: shards, countLimit: capacity, policy: policy, lock: lock.init(), options: options)
    return Subject([cache], requests)
  }
  func single() -> MemoryCache<Key, UInt64> {
    guard let lock else {
      return MemoryCache(countLimit: capacity, policy: policy, options: options)
    }
    return MemoryCache(countLimit: capacity, policy: policy, lock: lock.init(), options: options)
  }
  return Subject(words.contains("apart") ? [single(), single()] : [single()], requests)
}
