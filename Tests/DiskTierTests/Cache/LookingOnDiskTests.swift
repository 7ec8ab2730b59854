import DiskTier
import Eviction
import Synchronization
import Testing

@Suite("Looking at caches on disk")
struct LookingOnDiskTests {
  private let folder = TemporaryFolder()

  private func open(
    _ policy: CachePolicy, isShared: Bool = false
  ) throws -> DiskCache<Int, Int> {
    var options = DiskCacheOptions()
    if isShared { options.store.sharing = .shared }
    return try DiskCache<Int, Int>.open(
      path: folder.store, countLimit: 100, policy: policy, options: options, coder: .json)
  }

  private func all<Element>(_ entries: DiskEntries<Element>) async throws -> [Element] {
    var all: [Element] = []
    for try await entry in entries { all.append(entry) }
    return all
  }

  @Test(
    "The coldest are those that a trim evicts",
    arguments: [(CachePolicy.lru, true), (.fifo, true), (.lru, false), (.s3FIFO(), false)])
  func order(policy: CachePolicy, isShared: Bool) async throws {
    let cache = try open(policy, isShared: isShared)
    for key in 0..<100 { try await cache.set(-key, forKey: key) }
    for key in stride(from: 0, to: 100, by: 3) { _ = try await cache.value(forKey: key) }
    for number in [0, 1, 30] {
      let before = Set(try await all(cache.keys))
      let coldest = try #require(try await cache.coldest(number))
      #expect(try await cache.trim(toCount: before.count - number) == number)
      #expect(before.subtracting(try await all(cache.keys)) == Set(coldest))
      #expect(coldest.count == number)
    }
    let hottest = try #require(try await cache.hottest(10))
    try await cache.trim(toCount: 10)
    #expect(Set(try await all(cache.keys)) == Set(hottest))
    #expect("\(cache.policy)" == "\(policy)")
    #expect(try cache.policyInternals.isEmpty)
    try await cache.removeAll()
    #expect(try cache.isEmpty)
  }

  @Test("A look is no get; entries are read from the rows", arguments: [true, false])
  func peek(isShared: Bool) async throws {
    let cache = try open(.lru, isShared: isShared)
    for key in 0..<100 { try await cache.set(-key, forKey: key) }
    for key in 0..<50 { #expect(try await cache.peek(key) == -key) }
    #expect(try await cache.peek(100) == nil)
    #expect(cache.statistics.hits == 0 && cache.statistics.misses == 0)
    #expect(try await cache.coldest(2) == [0, 1])
    try await cache.set(1, forKey: 7, expiration: .after(.milliseconds(1)))
    try await Task.sleep(for: .milliseconds(20))
    #expect(try await cache.peek(7) == nil)
    let keys = try await all(cache.keys)
    #expect(keys.sorted() == (0..<100).filter { $0 != 7 })
    let entries = try await all(cache.entries)
    #expect(entries.map(\.key).sorted() == keys.sorted())
    #expect(entries.allSatisfy { $0.value == -$0.key && $0.cost > 0 })
    #expect(try await cache.removeEntries { $0.value > -10 } == 9)
    #expect(try await cache.set(contentsOf: [(1, 5), (200, 6)]) == 2)
    #expect(try await cache.peek(1) == 5)
    await cache.close()
    await #expect(throws: DiskCacheError.self) { _ = try await all(cache.keys) }
    await #expect(throws: DiskCacheError.self) { _ = try await cache.peek(1) }
  }

  @Test("Tiers list what either has, once", arguments: [true, false])
  func tiers(isWrittenBack: Bool) async throws {
    var options = TieredCacheOptions()
    options.writing = isWrittenBack ? .back(limit: 1_000) : .through
    let cache = try TieredCache.open(
      disk: open(.fifo), countLimit: 5, policy: .lru, options: options)
    #expect(try cache.isEmpty)
    for key in 0..<50 { try await cache.set(-key, forKey: key) }
    #expect(try await all(cache.keys).sorted() == Array(0..<50))
    let entries = try await all(cache.entries)
    #expect(entries.map(\.key).sorted() == Array(0..<50))
    #expect(entries.allSatisfy { $0.value == -$0.key })
    #expect(cache.count == 5 && cache.coldest(2) == [45, 46] && cache.hottest(1) == [49])
    #expect(try await cache.peek(45) == -45)
    #expect(try await cache.peek(0) == 0)
    #expect(try await cache.peek(50) == nil)
    #expect(cache.coldest(1) == [45] && cache.count == 5 && cache.statistics.hits == 0)
    #expect("\(cache.policy)" == "lru" && cache.policyInternals.isEmpty)
    cache.removeAllFromMemory()
    #expect(try !cache.isEmpty)
    #expect(try await cache.removeEntries { $0.value < -9 } == 40)
    try await cache.removeAll()
    #expect(try cache.isEmpty)
  }

  private struct Trouble: Error {}

  /// One call loads all that is missing, in any cache on disk.
  private func load<Failure: Error>(_ cache: some Cache<Int, Int, Failure>) async throws {
    let calls = Mutex<[[Int]]>([])
    try await cache.set(-1, forKey: 1)
    let values = try await cache.values(forKeys: [1, 2, 3, 4]) { missing in
      calls.withLock { $0.append(missing.sorted()) }
      return [2: -2, 3: -3]
    }
    #expect(values == [1: -1, 2: -2, 3: -3])
    #expect(calls.withLock { $0 } == [[2, 3, 4]])
    #expect(try await cache.peek(3) == -3)
    #expect(try await cache.values(forKeys: [1, 2]) { _ in throw Trouble() } == [1: -1, 2: -2])
    await #expect(throws: Trouble.self) {
      try await cache.values(forKeys: [5, 6]) { _ in throw Trouble() }
    }
    #expect(cache.statistics.loads == 2 && cache.statistics.failedLoads == 2)
    let hasBegun = Atomic<Bool>(false)
    let goesOn = Atomic<Bool>(false)
    async let one = cache.values(forKeys: [7, 8]) { _ in
      hasBegun.store(true, ordering: .relaxed)
      while !goesOn.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(1)) }
      return [7: -7]
    }
    while !hasBegun.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(1)) }
    async let other = cache.value(forKey: 8) { -8 }
    goesOn.store(true, ordering: .relaxed)
    #expect(try await one == [7: -7])
    #expect(try await other == -8)
  }

  @Test("One call loads all that is missing on disk", .timeLimit(.minutes(30)))
  func loadingOnDisk() async throws { try await load(open(.lru)) }

  @Test(
    "One call loads all that is missing in tiers", .timeLimit(.minutes(30)),
    arguments: [true, false])
  func loadingInTiers(isWrittenBack: Bool) async throws {
    var options = TieredCacheOptions()
    options.writing = isWrittenBack ? .back(limit: 1_000) : .through
    options.negativeTimeToLive = .seconds(100)
    try await load(
      TieredCache.open(disk: open(.lru), countLimit: 50, policy: .lru, options: options))
  }
}
