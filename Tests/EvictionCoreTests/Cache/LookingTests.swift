import Eviction
import Synchronization
import TestConditions
import Testing

@Suite("Looking at a cache without touching it")
struct LookingTests {
  private static let policies = PolicyCatalog.policies.filter {
    !$0.information.isBound && $0.needs.isSubset(of: .knownToCaches)
  }

  /// The keys that left a cache, in their order.
  private final class Evicted: Sendable {
    private let keys = Mutex<[Int]>([])

    func add(_ key: Int) { keys.withLock { $0.append(key) } }

    func take() -> [Int] {
      keys.withLock { keys in
        defer { keys = [] }
        return keys
      }
    }
  }

  /// One of two equal caches.
  private struct Twin {
    let cache: MemoryCache<Int, Int>
    let evicted = Evicted()

    init(_ policy: CachePolicy, costLimit: Int?, seed: UInt64, clock: ManualClock) throws {
      cache = try MemoryCache.open(
        countLimit: costLimit == nil ? 50 : nil, costLimit: costLimit, costs: .given,
        policy: policy, seed: seed,
        options: clock.options(),
        onRemoval: { [evicted] key, _, cause in if cause == .size { evicted.add(key) } })
    }

    func request(_ key: Int, _ choice: UInt64, cost: Int) {
      if cache.value(forKey: key) != nil { return }
      switch choice {
      case 0: cache.remove(key)
      case 1: cache.set(key, forKey: key, cost: cost, expiration: .after(.seconds(5)))
      default: cache.set(key, forKey: key, cost: cost)
      }
    }
  }

  @Test(
    "The coldest are those that a trim evicts, in its order, and the hottest its last",
    arguments: policies.map(\.information.name))
  func evictionOrder(name: String) throws {
    let policy = try #require(Self.policies.first { $0.information.name == name })
    for seed in 0..<(isThorough ? 100 : isOptimized ? 12 : 2) as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let clock = ManualClock()
      let costLimit = seed % 3 == 0 ? 200 : nil
      let looked = try Twin(policy, costLimit: costLimit, seed: seed, clock: clock)
      let other = try Twin(policy, costLimit: costLimit, seed: seed, clock: clock)
      for _ in 0..<(isOptimized ? 20 : 8) {
        for _ in 0..<random.index(below: isOptimized ? 200 : 100) {
          let key = min(random.index(below: 200), random.index(below: 200))
          let (choice, cost) = (random.next() % 16, random.index(below: 9))
          for twin in [looked, other] { twin.request(key, choice, cost: cost) }
        }
        if random.next() % 4 == 0 { clock.advance(bySeconds: 1) }
        _ = (looked.evicted.take(), other.evicted.take())
        let number = random.index(below: 20)
        let count = looked.cache.count
        let (coldest, hottest) = (looked.cache.coldest(number), looked.cache.hottest(number))
        #expect(looked.cache.count == count)
        let rest = random.next() % 8 == 0 ? 0 : max(0, count - number)
        looked.cache.trim(toCount: rest)
        other.cache.trim(toCount: rest)
        let evicted = looked.evicted.take()
        #expect(evicted == other.evicted.take(), "looking changed the order; seed \(seed)")
        guard let coldest, let hottest else {
          Issue.record("\(name) can't tell")
          return
        }
        #expect(Array(evicted.prefix(number)) == coldest, "seed \(seed)")
        #expect(coldest.count == min(number, count) && hottest.count == coldest.count)
        if rest == 0 { #expect(evicted.reversed().prefix(number) == hottest[...], "seed \(seed)") }
      }
    }
  }

  @Test("A look at a value is no get, and leaves no trace")
  func peek() {
    let clock = ManualClock()
    let cache = MemoryCache<Int, Int>(
      countLimit: 2, policy: .lru,
      options: clock.options { $0.expiration = .afterIdle(.seconds(2)) })
    let sharded = ShardedCache<Int, Int>(shards: 1, countLimit: 2, policy: .lru)
    for key in 1...2 {
      cache.set(key, forKey: key)
      sharded.set(key, forKey: key)
    }
    #expect(cache.peek(1) == 1 && cache.peek(3) == nil && sharded.peek(1) == 1)
    #expect(cache.statistics.hits == 0 && cache.statistics.misses == 0)
    #expect(cache.coldest(1) == [1] && cache.hottest(5) == [2, 1] && cache.coldest(-1) == [])
    #expect(sharded.coldest(1) == [1])
    clock.advance(bySeconds: 1.5)
    #expect(cache.peek(1) == 1)
    clock.advance(bySeconds: 1)
    #expect(cache.peek(1) == nil && cache.coldest(2) == [] && cache.isEmpty)
    #expect(Array(cache.keys) == [])
  }

  @Test("Entries are read a few at a time, each that stays once, while others come and go")
  func entries() {
    let cache = MemoryCache<Int, Int>(countLimit: 5_000, policy: .s3FIFO())
    let sharded = ShardedCache<Int, Int>(shards: 3, countLimit: 15_000)
    for key in 0..<2_000 {
      cache.set(-key, forKey: key, cost: key)
      sharded.set(-key, forKey: key, cost: key)
    }
    for key in 0..<100 { cache.remove(key * 7) }
    #expect(Set(cache.keys) == Set(cache.snapshot().map(\.key)))
    #expect(cache.entries.allSatisfy { $0.value == -$0.key && $0.cost == $0.key })
    #expect(sharded.keys.sorted() == Array(0..<2_000))
    var seen: [Int] = []
    for key in cache.keys {
      seen.append(key)
      if key % 3 == 0 { cache.remove(key) }
      if seen.count % 10 == 0 { cache.set(1, forKey: 3_000 + seen.count) }
    }
    let stayed = cache.snapshot().map(\.key).filter { $0 < 2_000 }
    #expect(stayed.allSatisfy { key in seen.count { $0 == key } == 1 })
    for key in cache.keys where key == seen[0] { cache.removeAll() }
    #expect(Array(cache.keys).count < 2_100)
  }

  @Test("A cache names its policy, and tells what that has learned")
  func policy() throws {
    let arc = MemoryCache<Int, Int>(countLimit: 10, policy: .arc())
    #expect("\(arc.policy)" == "arc" && Array(arc.policyInternals.keys) == ["p"])
    let sharded = ShardedCache<Int, Int>(shards: 2, countLimit: 10, policy: .slru(protected: 0.5))
    #expect("\(sharded.policy)" == "slru:protected=0.5" && sharded.policyInternals == [:])
    #expect(sharded.isEmpty && sharded.hottest(3) == [])
  }

  @Test("Buffered reads count before the order is told")
  func bufferedReads() {
    var options = MemoryCacheOptions()
    options.reads = .buffered
    let cache = MemoryCache<Int, Int>(countLimit: 3, policy: .lru, options: options)
    for key in 1...3 { cache.set(key, forKey: key) }
    _ = cache.value(forKey: 1)
    #expect(cache.coldest(3) == [2, 3, 1])
  }
}
