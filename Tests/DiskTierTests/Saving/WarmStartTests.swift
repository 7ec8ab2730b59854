import DiskTier
import Eviction
import EvictionCore
import Parameters
import StoreFaults
import Testing

/// A cache that was restored, against the one that was saved, which goes on.
@Suite("A cache goes on from a file as if it had never stopped")
struct WarmStartTests {
  let folder = TemporaryFolder()
  var path: String { "\(folder.path)/saved" }

  typealias Numbers = MemoryCache<Int, Int>

  /// Hits, and the value or nil of each get, of requests that set what they miss.
  private func run(_ cache: some InMemoryCache<Int, Int>, _ keys: [Int]) -> [Bool] {
    keys.map { key in
      if let value = cache.value(forKey: key) { return value == key }
      cache.set(key, forKey: key, cost: 1 + key % 7, missCost: 1, expiration: nil)
      return false
    }
  }

  static let policies = PolicyCatalog.policies.filter {
    !$0.information.isBound && $0.needs.isSubset(of: .knownToCaches)
  }.map(\.information.name)

  @Test("with the same hits and the same order, whatever the policy", arguments: policies)
  func everyPolicy(name: String) throws {
    let capacity = 500
    let policy = try PolicyCatalog.policy(named: name)
    for isSized in [false, true] {
      let clock = MovedClock()
      var options = MemoryCacheOptions()
      options.clock = clock.clock
      clock.move(to: 1_000_000_000)
      func open(seed: UInt64?) throws -> Numbers {
        try Numbers.open(
          countLimit: isSized ? nil : capacity, costLimit: isSized ? 4 * capacity : nil,
          costs: .given, policy: policy, seed: seed, options: options)
      }
      var requests = Requests(seed: 7)
      let first = try open(seed: nil)
      _ = run(first, requests.next(40 * capacity))
      try first.save(to: path, coder: .json)
      let second = try open(seed: SavedCache.seed(at: path))
      try second.restore(from: path, coder: .json)
      #expect(second.count == first.count)
      #expect(second.totalCost == first.totalCost)
      #expect(second.coldest(.max) == first.coldest(.max))
      #expect(second.policyInternals == first.policyInternals)
      let next = requests.next(10 * capacity)
      let (expected, found) = (run(first, next), run(second, next))
      #expect(expected == found, "sized: \(isSized)")
      #expect(found.contains(true) && found.contains(false))
      #expect(second.coldest(.max) == first.coldest(.max))
    }
  }

  @Test(
    "with what admission filters have learned",
    arguments: ["tinylfu", "bloom", "probability", "size-probability", "adaptsize:interval=1000"])
  func everyFilter(name: String) throws {
    func open(seed: UInt64?) throws -> Numbers {
      try Numbers.open(
        costLimit: 1_000, costs: .given, policy: .lru,
        admission: CacheAdmission(try Specification(parsing: name)), seed: seed)
    }
    var requests = Requests(seed: 3)
    let first = try open(seed: 5)
    _ = run(first, requests.next(20_000))
    try first.save(to: path, coder: .json)
    let second = try open(seed: SavedCache.seed(at: path))
    try second.restore(from: path, coder: .json)
    let next = requests.next(5_000)
    #expect(run(first, next) == run(second, next))
  }

  @Test("in shards")
  func shards() throws {
    var requests = Requests(seed: 11)
    let first = ShardedCache<Int, Int>(shards: 8, countLimit: 800, policy: .arc(), seed: 4)
    _ = run(first, requests.next(20_000))
    try first.save(to: path, coder: .json)
    let second = ShardedCache<Int, Int>(
      shards: 8, countLimit: 800, policy: .arc(), seed: SavedCache.seed(at: path))
    try second.restore(from: path, coder: .json)
    let next = requests.next(5_000)
    #expect(run(first, next) == run(second, next))
    let inUse = ShardedCache<Int, Int>(shards: 8, countLimit: 800, policy: .arc(), seed: 4)
    inUse.set(1, forKey: 1)
    #expect(throws: SavedCacheError.isNotEmpty(path: path)) {
      try inUse.restore(from: path, coder: .json)
    }
    #expect(inUse.snapshot().map(\.key) == [1])
    let others = ShardedCache<Int, Int>(shards: 4, countLimit: 800, policy: .arc(), seed: 4)
    #expect(
      throws: SavedCacheError.differs(path: path, what: "shards", saved: "8", here: "4")
    ) { try others.restore(from: path, coder: .json) }
  }

  @Test("within its own limits, lower or higher")
  func otherLimits() throws {
    let first = Numbers(countLimit: 100, policy: .lru)
    for key in 0..<100 { first.set(key, forKey: key) }
    try first.save(to: path, coder: .json)
    let lower = Numbers(countLimit: 10, policy: .lru, seed: SavedCache.seed(at: path))
    try lower.restore(from: path, coder: .json)
    #expect(lower.coldest(.max) == Array(90..<100))
    let higher = Numbers(countLimit: 1_000, policy: .lru, seed: SavedCache.seed(at: path))
    try higher.restore(from: path, coder: .json)
    for key in 100..<1_000 { higher.set(key, forKey: key) }
    #expect(higher.count == 1_000 && higher.coldest(1) == [0])
  }

  @Test("without a limit, and with both")
  func anyLimits() throws {
    for (count, cost) in [(nil, nil), (50, 120)] as [(Int?, Int?)] {
      func open(seed: UInt64?) -> Numbers {
        Numbers(countLimit: count, costLimit: cost, costs: .given, policy: .slru(), seed: seed)
      }
      var requests = Requests(seed: 2)
      let first = open(seed: 1)
      _ = run(first, requests.next(3_000))
      try first.save(to: path, coder: .json)
      let second = open(seed: 1)
      try second.restore(from: path, coder: .json)
      let next = requests.next(1_000)
      #expect(run(first, next) == run(second, next))
    }
  }

  @Test("with the time that its entries have left, less the time that nothing ran")
  func times() throws {
    let (clock, later) = (MovedClock(), MovedClock())
    let wall = MovedClock()
    var environment = StoreEnvironment()
    environment.now = { Int64(wall.now) }
    let second = Int64(1_000_000_000)
    func open(_ clock: MovedClock) -> Numbers {
      var options = MemoryCacheOptions()
      options.clock = clock.clock
      options.tracksAges = true
      return Numbers(countLimit: 10, policy: .lru, seed: 1, options: options)
    }
    clock.move(to: 100 * second)
    wall.move(to: 5_000 * second)
    let first = open(clock)
    first.set(1, forKey: 1)
    first.set(2, forKey: 2, expiration: .after(.seconds(10)))
    first.set(3, forKey: 3, expiration: .after(.seconds(100)))
    first.set(4, forKey: 4, expiration: .afterIdle(.seconds(30)))
    try SavedCache.save([first], to: path, coder: .json, environment: environment)
    // Another machine's clock, and a minute less 40 seconds later.
    later.move(to: 7 * second)
    wall.move(to: 5_020 * second)
    let restored = open(later)
    try SavedCache.restore([restored], from: path, coder: .json, environment: environment)
    #expect(restored.peek(2) == nil)
    #expect(restored.timeRemaining(forKey: 1) == nil)
    #expect(restored.timeRemaining(forKey: 3) == .seconds(80))
    #expect(restored.timeRemaining(forKey: 4) == .seconds(10))
    _ = restored.value(forKey: 4)
    #expect(restored.timeRemaining(forKey: 4) == .seconds(30))
    later.move(to: 88 * second)
    #expect(restored.value(forKey: 3) == nil)
    #expect(restored.count == 1)
    restored.trim(toAge: .seconds(150))
    #expect(restored.count == 1)
    restored.trim(toAge: .seconds(50))
    #expect(restored.count == 0)
  }
}

/// Zipf-like keys with scans in between.
private struct Requests {
  private var random: SplitMix64
  private var scanned = 1_000_000
  private var step = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func next(_ count: Int) -> [Int] {
    (0..<count).map { _ in
      step += 1
      if step % 2_000 < 300 {
        scanned += 1
        return scanned
      }
      return random.index(below: 1 + random.index(below: 1 + random.index(below: 4_000)))
    }
  }
}
