import DiskTier
import Eviction
import Testing

private struct Failure: Error {}

@Suite("Values on disk that are loaded anew though the cache has them", .timeLimit(.minutes(30)))
struct RefreshingOnDiskTests {
  private let folder = TemporaryFolder()
  private let clock = MovedClock()

  enum Kind: CaseIterable { case disk, tiers, tiersWithoutMemory, writeBack }

  init() { clock.move(to: 1_000_000_000_000) }

  private func advance(bySeconds seconds: Int64) {
    clock.move(to: Int64(clock.now) + seconds * 1_000_000_000)
  }

  private func openDisk(
    _ expiration: Expiration = .never, seed: UInt64? = nil, path: String? = nil
  ) throws -> DiskCache<String, Int> {
    var environment = StoreEnvironment()
    environment.entryClock = clock
    environment.now = { [clock] in Int64(clock.now) }
    var setup = DiskSetup()
    setup.expiration = expiration
    setup.trimInterval = nil
    setup.loadWaitLimit = nil
    setup.seed = seed
    return try DiskCache<String, Int>.open(
      path: path ?? folder.store, policy: .lru, options: setup, coder: .json,
      environment: environment)
  }

  private func openTiers(
    _ expiration: Expiration = .never, countLimit: Int = 100,
    writing: TieredCacheOptions.Writing = .through, negative: Duration? = nil
  ) throws -> TieredCache<String, Int> {
    var setup = TieredSetup()
    setup.memoryCountLimit = countLimit
    setup.memory.clock = clock.clock
    setup.memory.loadWaitLimit = nil
    setup.writing = writing
    setup.negativeTimeToLive = negative
    return try TieredCache.open(disk: try openDisk(expiration), policy: .lru, options: setup)
  }

  private func open(
    _ kind: Kind, _ expiration: Expiration = .never
  ) throws -> any Cache<String, Int, DiskCacheError> {
    switch kind {
    case .disk: try openDisk(expiration)
    case .tiers: try openTiers(expiration)
    case .tiersWithoutMemory: try openTiers(expiration, countLimit: 0)
    case .writeBack: try openTiers(expiration, writing: .back(limit: 10))
    }
  }

  private func waitUntil(_ holds: () async throws -> Bool) async throws {
    while try await !holds() { try await Task.sleep(for: .milliseconds(1)) }
  }

  // MARK: - Refreshes that a caller wants

  @Test("replace the old value; gets find that meanwhile", arguments: Kind.allCases)
  func replacement(kind: Kind) async throws {
    let cache = try open(kind)
    try await cache.set(10, forKey: "a")
    let (started, landing) = (Counter(), Counter())
    async let refreshed = cache.refreshValue(forKey: "a") {
      started.increment()
      while landing.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
      return 20
    }
    try await waitUntil { started.count > 0 }
    #expect(try await cache.value(forKey: "a") == 10)
    #expect(try await cache.value(forKey: "a") { 30 } == 10)
    #expect(try await cache.values(forKeys: ["a"]) { _ in [:] } == ["a": 10])
    landing.increment()
    #expect(try await refreshed == 20)
    #expect(try await cache.value(forKey: "a") == 20)
    await #expect(throws: Failure.self) {
      try await cache.refreshValue(forKey: "a") { throw Failure() }
    }
    #expect(try await cache.value(forKey: "a") == 20)
    #expect(cache.statistics.loads == 1 && cache.statistics.failedLoads == 1)
    #expect(try await cache.refreshValue(forKey: "b") { 1 } == 1)
    #expect(try await cache.value(forKey: "b") == 1)
  }

  @Test("are on the disk afterwards")
  func persistence() async throws {
    let cache = try openTiers()
    try await cache.set(1, forKey: "a")
    try await cache.refreshValue(forKey: "a", expiration: .after(.seconds(9))) { 2 }
    try await cache.close()
    let disk = try openDisk()
    #expect(try await disk.value(forKey: "a") == 2)
    advance(bySeconds: 9)
    #expect(try await disk.value(forKey: "a") == nil)
  }

  @Test("leave what was set, removed or updated meanwhile", arguments: Kind.allCases)
  func outOfDate(kind: Kind) async throws {
    let cache = try open(kind)
    for rest in [3, nil, 4] {
      try await cache.set(1, forKey: "a")
      let value = try await cache.refreshValue(forKey: "a") {
        switch rest {
        case 3?: try await cache.set(3, forKey: "a")
        case nil: try await cache.remove("a")
        default: try await cache.update(forKey: "a") { $0 = 4 }
        }
        return 2
      }
      #expect(value == 2)
      #expect(try await cache.value(forKey: "a") == rest)
    }
  }

  @Test("are loaded once for many callers", arguments: Kind.allCases)
  func once(kind: Kind) async throws {
    let cache = try open(kind)
    try await cache.set(1, forKey: "a")
    let (calls, loads) = (Counter(), Counter())
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 {
        group.addTask {
          calls.increment()
          return try await cache.refreshValue(forKey: "a") {
            loads.increment()
            while calls.count < 20 { try await Task.sleep(for: .milliseconds(1)) }
            try await Task.sleep(for: .milliseconds(20))
            return 2
          }
        }
      }
      for try await value in group { #expect(value == 2) }
    }
    #expect(loads.count < 20)
  }

  // MARK: - Values that are to be refreshed

  private let expiration = Expiration.after(.seconds(600), refreshAfter: .seconds(60))

  @Test("are returned at once, and loaded anew", arguments: [Kind.disk, .tiers, .writeBack])
  func inTheBackground(kind: Kind) async throws {
    let cache = try open(kind, expiration)
    #expect(try await cache.value(forKey: "a") { 1 } == 1)
    advance(bySeconds: 59)
    #expect(try await cache.value(forKey: "a") { 2 } == 1)
    advance(bySeconds: 1)
    #expect(try await cache.value(forKey: "a") { throw Failure() } == 1)
    try await waitUntil { cache.statistics.failedLoads == 1 }
    #expect(try await cache.value(forKey: "a") { 3 } == 1)
    try await Task.sleep(for: .milliseconds(5))
    #expect(cache.statistics.loads == 1, "the source has a pause")
    // From here on, a load before may still be on its last steps.
    try await waitUntil {
      advance(bySeconds: 1)
      return try await cache.value(forKey: "a") { 4 } == 4
    }
    #expect(try await cache.values(forKeys: ["a", "b"]) { _ in ["b": 5] } == ["a": 4, "b": 5])
    try await waitUntil {
      advance(bySeconds: 60)
      let values = try await cache.values(forKeys: ["a", "b"]) { keys in
        Dictionary(uniqueKeysWithValues: keys.map { ($0, 6) })
      }
      return values == ["a": 6, "b": 6]
    }
    // The time to live holds. The last call may have begun a load, whose value is newer; and a value that waits to be
    // written lives by a clock that no test moves.
    try await waitUntil {
      try await (cache as? TieredCache<String, Int>)?.flush()
      advance(bySeconds: 600)
      return try await cache.peek("a") == nil
    }
  }

  @Test("have times of their own in tiers, which another expiration changes")
  func perEntry() async throws {
    let cache = try openTiers()
    try await cache.set(1, forKey: "a")
    try await cache.setExpiration(expiration, forKey: "a")
    #expect(try await cache.insert(1, forKey: "b", expiration: expiration).isInserted)
    try await cache.set(1, forKey: "c", expiration: expiration)
    try await cache.setExpiration(.never, forKey: "c")
    try await cache.set(1, forKey: "d", expiration: expiration)
    try await cache.set(1, forKey: "e")
    try await cache.update(forKey: "e", cost: nil, expiration: expiration) { $0 = 1 }
    advance(bySeconds: 60)
    for key in ["a", "b", "c", "d", "e"] { #expect(try await cache.value(forKey: key) { 2 } == 1) }
    try await waitUntil { cache.statistics.loads == 4 }
    try await waitUntil {
      try await cache.values(forKeys: ["a", "b", "c", "d", "e"])
        == ["a": 2, "b": 2, "c": 1, "d": 2, "e": 2]
    }
  }

  @Test("are known by the age of their rows, after a restart as well", arguments: [false, true])
  func restart(hasTiers: Bool) async throws {
    let first = try openDisk()
    try await first.set(1, forKey: "a", expiration: .after(.seconds(600)))
    await first.close()
    advance(bySeconds: 60)
    let cache: any Cache<String, Int, DiskCacheError> = hasTiers ? try openTiers() : try openDisk()
    #expect(try await cache.value(forKey: "a") { 2 } == 1)
    #expect(cache.statistics.loads == 0, "neither the load nor the cache has a time")
    let other = hasTiers ? "b" : "a"
    if hasTiers { try await (cache as? TieredCache<String, Int>)?.disk.set(1, forKey: "b") }
    advance(bySeconds: 60)
    #expect(try await cache.value(forKey: other, expiration: expiration) { 3 } == 1)
    try await waitUntil { try await cache.peek(other) == 3 }
  }

  @Test("are removed if a load finds nothing any more")
  func absence() async throws {
    let cache = try openTiers(expiration, negative: .seconds(5))
    for isRemembered in [true, false] {
      let cache = isRemembered ? cache : try openTiers(expiration)
      try await cache.set(1, forKey: "a")
      advance(bySeconds: 60)
      #expect(try await cache.optionalValue(forKey: "a") { nil } == 1)
      try await waitUntil { try await !cache.contains("a") }
      #expect(try await cache.disk.value(forKey: "a") == nil)
      // Without memory of what is absent, only the load itself, on its last steps, may still answer.
      try await waitUntil {
        try await cache.optionalValue(forKey: "a") { 2 } == (isRemembered ? nil : 2)
      }
      #expect(try await cache.optionalValue(forKey: "a") { 3 } == (isRemembered ? nil : 2))
    }
  }

  @Test("may fail in greater number than the cache remembers")
  func manyFailures() async throws {
    let cache = try openDisk(.init(refreshAfter: .seconds(60)))
    let keys = (0..<1_500).map { "\($0)" }
    try await cache.set(contentsOf: keys.map { ($0, 1) })
    advance(bySeconds: 60)
    for _ in 0..<2 {
      let values = try await cache.values(forKeys: keys) { _ in throw Failure() }
      #expect(values.count == 1_500)
    }
    try await waitUntil { cache.statistics.failedLoads >= 1_500 }
    // A load that fails may still be under way.
    try await waitUntil {
      advance(bySeconds: 61)
      return try await cache.value(forKey: "7") { 2 } == 2
    }
  }

  // MARK: - Jitter

  @Test("have lives that differ, none longer than its time to live, and repeat with a seed")
  func jitter() async throws {
    func ends(seed: UInt64, path: String) throws -> [Int64?] {
      let cache = try openDisk(.after(.seconds(100), jitter: 0.3), seed: seed, path: path)
      for key in 0..<200 { try setBlocking(key, in: cache) }
      return try (0..<200).map { try expiry(of: $0, in: cache) }
    }
    let ends = try [(1, "/a"), (1, "/b"), (2, "/c")].map {
      try ends(seed: $0.0, path: folder.path + $0.1)
    }
    #expect(ends[0] == ends[1] && ends[0] != ends[2])
    let now = Int64(clock.now)
    let lives = ends[0].map { Double(($0 ?? 0) - now) / 1e9 }
    #expect(lives.allSatisfy { $0 > 70 && $0 <= 100 } && Set(lives).count == 200)
    #expect(lives.count { $0 > 85 } > 60 && lives.count { $0 < 85 } > 60)
    let exact = try openDisk(.after(.seconds(100)), path: folder.path + "/d")
    try setBlocking(1, in: exact)
    #expect(try expiry(of: 1, in: exact) == now + 100_000_000_000)
  }

  private func expiry(of key: Int, in cache: DiskCache<String, Int>) throws -> Int64? {
    try cache.entry(forKey: "\(key)")?.metadata.expires
  }

  private func setBlocking(_ key: Int, in cache: DiskCache<String, Int>) throws {
    try cache.set(key, forKey: "\(key)")
  }

  @Test("have the same lives in both tiers")
  func jitterInTiers() async throws {
    let cache = try openTiers(.after(.seconds(100), jitter: 0.5))
    let start = Int64(clock.now)
    var ends: [(key: String, time: Int64)] = []
    for key in 0..<20 {
      let name = "\(key)"
      if key % 2 == 0 {
        try await cache.set(key, forKey: name)
      } else {
        _ = try await cache.value(forKey: name) { key }
      }
      let end = try await cache.disk.entry(forKey: name)?.metadata.expires ?? 0
      #expect(end > start + 50_000_000_000 && end <= start + 100_000_000_000)
      ends.append((name, end))
    }
    for end in ends.sorted(by: { $0.time < $1.time }) {
      clock.move(to: end.time - 1)
      #expect(try await cache.contains(end.key))
      let hits = cache.tierStatistics.memory.hits
      #expect(try await cache.value(forKey: end.key) != nil)
      #expect(cache.tierStatistics.memory.hits == hits + 1)
      clock.move(to: end.time)
      #expect(try await cache.value(forKey: end.key) == nil)
    }
  }
}
