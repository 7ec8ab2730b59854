import DiskTier
import Dispatch
import Eviction
import Foundation
import StoreFaults
import Synchronization
import Testing

struct DiskCacheLimitsTests {
  private let folder = TemporaryFolder()

  private func open<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type, in folder: TemporaryFolder? = nil,
    _ configure: (inout DiskSetup) -> Void = { _ in }
  ) throws -> DiskCache<String, [UInt8]> {
    var options = DiskSetup()
    options.trimInterval = nil
    configure(&options)
    return try DiskCache<String, [UInt8]>.open(
      path: (folder ?? self.folder).store, policy: CachePolicy(Policy.self), options: options,
      coder: .bytes)
  }

  private func value(_ size: Int) -> [UInt8] { [UInt8](repeating: 5, count: size) }

  @Test func limitsHoldWhenASetReturns() throws {
    let cache = try open(SIEVE.self) {
      $0.costLimit = 3_000
      $0.countLimit = 12
    }
    var random = SplitMix64(seed: 1)
    for _ in 0..<100 {
      try cache.set(value(random.index(below: 400)), forKey: "\(random.index(below: 40))")
      #expect(try cache.totalCost <= 3_000)
      #expect(try cache.totalSize <= 3_000 - cache.count * DiskCacheOptions.rowOverhead)
      #expect(try cache.check().entries <= 12)
    }
    #expect(cache.statistics.evictions > 50)
  }

  /// Neither keys nor extended data escape the limit: the database stays below twice of it.
  @Test(arguments: [(key: 4_096, extended: 4_096), (4_096, 0), (10, 4_096), (10, 0)])
  func theCostLimitHoldsOnTheDisk(of entry: (key: Int, extended: Int)) throws {
    let limit = 400_000
    let cache = try open(LRU.self) {
      $0.costLimit = limit
      $0.store.durability = .none
    }
    let extended = entry.extended > 0 ? value(entry.extended) : nil
    let bytes = 1 + entry.key + entry.extended + DiskCacheOptions.rowOverhead
    for number in 0..<(3 * limit / bytes) {
      let digits = "\(number)"
      let key = String(repeating: "k", count: entry.key - digits.count) + digits
      try cache.set(value(1), forKey: key, extended: extended)
    }
    #expect(try cache.totalCost == limit / bytes * bytes)
    cache.close()
    #expect(folder.size("manifest.sqlite") > limit / 2)
    #expect(folder.size("manifest.sqlite") < 2 * limit)
  }

  @Test func aFixedSeedRepeatsEveryDecision() throws {
    func survivors() throws -> [Bool] {
      let cache = try open(Random.self) {
        $0.countLimit = 20
        $0.seed = 7
      }
      defer { cache.close() }
      try cache.removeAll()
      for key in 0..<100 { try cache.set(value(1), forKey: "\(key)") }
      return try (0..<100).map { try cache.contains("\($0)") }
    }
    #expect(try survivors() == survivors())
  }

  @Test(arguments: [10, 100]) func aRowAndWhatLeavesForItAreOneTransaction(size: Int) throws {
    let cache = try open(FIFO.self) {
      $0.countLimit = 2
      $0.store.inlineThreshold = 50
    }
    for key in 0..<3 { try cache.set(value(size), forKey: "\(key)") }
    let before = cache.storeStatistics.commits
    try cache.set(value(size), forKey: "3")
    #expect(cache.storeStatistics.commits - before == (size == 10 ? 1 : 2))
    #expect(folder.files().count == (size == 10 ? 0 : 2))
    #expect(try cache.check().entries == 2)
  }

  @Test func aValueThatIsTooLargeRemovesTheOlderOne() throws {
    let cache = try open(LRU.self) { $0.costLimit = 101 + DiskCacheOptions.rowOverhead }
    #expect(try cache.set(value(100), forKey: "a"))
    #expect(try cache.set(value(101), forKey: "a") == false)
    #expect(try cache.value(forKey: "a") == nil)
    #expect(try cache.totalSize == 0)
    #expect(cache.statistics.rejections == 1)
  }

  @Test func costsCanBeGivenAndOutliveTheCache() throws {
    try open(LRU.self).set(value(1), forKey: "a", cost: 70)
    let cache = try open(LRU.self) { $0.costLimit = 100 }
    #expect(try cache.totalCost == 70)
    try cache.set(value(1), forKey: "b", cost: 31)
    #expect(try cache.contains("a") == false)
    #expect(try cache.totalCost == 31)
  }

  @Test func aLowerLimitEvictsAtOnceAndAtTheNextOpening() throws {
    let cache = try open(FIFO.self)
    for key in 0..<10 { try cache.set(value(10), forKey: "\(key)") }
    try cache.setLimits(count: 8, cost: nil)
    #expect(try cache.check().entries == 8)
    try cache.trim(toCost: 6 * (11 + DiskCacheOptions.rowOverhead))
    #expect(try cache.totalSize == 60)
    try cache.trim(toCount: 5)
    cache.close()
    let again = try open(FIFO.self) { $0.countLimit = 2 }
    #expect(try again.check().entries == 2)
    #expect(try again.contains("8"))
    #expect(try again.contains("9"))
  }

  @Test func aRestartKeepsTheOrderOfAccesses() throws {
    #expect(try keysAfterARestart(LRU.self) == ["a", "c", "d"])
    #expect(try keysAfterARestart(KeyLength.self) == ["a", "c", "d"])
  }

  /// Of a, b and c, of which a was read, and of d, which was set after a restart, those that fit.
  private func keysAfterARestart<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type
  ) throws -> [String] {
    let folder = TemporaryFolder()
    let cache = try open(policy, in: folder)
    for key in ["a", "b", "c"] { try cache.set(value(1), forKey: key) }
    _ = try cache.value(forKey: "a")
    cache.close()
    let again = try open(policy, in: folder) { $0.countLimit = 3 }
    try again.set(value(1), forKey: "d")
    return try ["a", "b", "c", "d"].filter { try again.contains($0) }
  }

  @Test(arguments: [AccessRecording.automatic, .always])
  func aRestartOfFIFOKeepsTheOrderOfInsertion(recording: AccessRecording) throws {
    let cache = try open(FIFO.self) { $0.accessRecording = recording }
    for key in ["a", "b", "c"] { try cache.set(value(1), forKey: key) }
    try cache.set(value(2), forKey: "a")
    _ = try cache.value(forKey: "a")
    cache.close()
    let again = try open(FIFO.self) { $0.countLimit = 3 }
    try again.set(value(1), forKey: "d")
    #expect(try again.contains("a") == false)
  }

  @Test func aValueIsNotReturnedWhenItsTimeIsOver() throws {
    let cache = try open(LRU.self)
    try cache.set(value(1), forKey: "a", expiration: .after(.nanoseconds(1)))
    try cache.set(value(1), forKey: "b", expiration: .after(.seconds(1_000)))
    #expect(try cache.value(forKey: "a") == nil)
    #expect(try cache.contains("a") == false)
    #expect(try cache.value(forKey: "b") != nil)
    cache.close()
    let again = try open(LRU.self)
    #expect(try again.value(forKey: "b") != nil)
    #expect(try again.count == 1)
  }

  @Test func aValueMayOutliveTheTimeThatTheOptionsGive() throws {
    let disk = try open(LRU.self) { $0.expiration = .after(.milliseconds(1)) }
    try disk.set(value(1), forKey: "a", expiration: .never)
    let tiered = try TieredCache<String, [UInt8]>.open(disk: disk, policy: .lru)
    try tiered.set(value(1), forKey: "b", expiration: .never)
    Thread.sleep(forTimeInterval: 0.05)
    for key in ["a", "b"] { #expect(try disk.contains(key)) }
  }

  @Test func aTimeToIdleIsRefused() throws {
    let disk = try open(LRU.self)
    let tiered = try TieredCache<String, [UInt8]>.open(disk: disk, policy: .lru)
    try tiered.set(value(1), forKey: "a")
    let error = #expect(throws: DiskCacheError.self) {
      try tiered.set(value(2), forKey: "a", expiration: .afterIdle(.seconds(1)))
    }
    #expect(error == .timeToIdle(key: "a"))
    #expect(
      error?.description
        == "the value of “a” has a time to idle, which a disk does not keep; give it a time to live"
    )
    #expect(try tiered.contains("a") == false)
    #expect(throws: DiskCacheError.timeToIdle(key: "a")) {
      try disk.set(value(2), forKey: "a", expiration: .after(.seconds(2), orIdle: .seconds(1)))
    }
  }

  @Test func theTrimRemovesWhatIsTooOld() throws {
    let cache = try open(LRU.self) { $0.expiration = .after(.milliseconds(1)) }
    for key in 0..<5 { try cache.set(value(1), forKey: "\(key)") }
    Thread.sleep(forTimeInterval: 0.05)
    try cache.trim()
    #expect(try cache.check().entries == 0)
    let statistics = cache.statistics
    #expect(statistics.expirations + statistics.rejections == 5)
  }

  @Test func theCacheTrimsItself() throws {
    let cache = try open(LRU.self) {
      $0.ageLimit = .milliseconds(1)
      $0.trimInterval = .milliseconds(5)
    }
    try cache.set(value(1), forKey: "a")
    for _ in 0..<1_000 where try cache.totalSize > 0 { Thread.sleep(forTimeInterval: 0.01) }
    #expect(try cache.totalSize == 0)
  }

  @Test func trimmingToAnAgeLooksAtWhenValuesWerePut() throws {
    let cache = try open(SIEVE.self)
    for key in 0..<3 { try cache.set(value(1), forKey: "\(key)") }
    #expect(try cache.trim(toAge: .seconds(100)) == 0)
    #expect(try cache.trim(toAge: .zero) == 3)
    #expect(try cache.count == 0)
  }

  @Test func anAgeLimitThatIsOverAtTheNextOpeningEmptiesTheCache() throws {
    try open(LRU.self).set(value(1), forKey: "a")
    let cache = try open(LRU.self) { $0.ageLimit = .nanoseconds(1) }
    #expect(try cache.check().entries == 0)
  }

  @Test func freeSpaceIsKeptByEvictingAndThenRefusing() throws {
    let roomy = try open(LRU.self) { $0.freeSpaceFloor = 1 }
    for key in 0..<40 { #expect(try roomy.set(value(100), forKey: "\(key)")) }
    #expect(try roomy.trim(freeing: 350) >= 350)
    #expect(try roomy.count == 24)
    roomy.close()
    let full = try open(LRU.self) { $0.freeSpaceFloor = .max }
    #expect(try full.set(value(1), forKey: "a") == false)
    #expect(try full.count == 0)
  }

  /// What removes many entries lets others write in between.
  @Test(arguments: ["setLimits", "toCount", "toCost", "freeing"])
  func aLongTrimLetsOthersWriteInBetween(way: String) throws {
    let disk = FaultyDisk()
    var options = DiskSetup()
    options.store.durability = .none
    options.trimInterval = nil
    let cache = try DiskCache<String, [UInt8]>.open(
      path: folder.store, policy: .fifo, options: options, coder: .bytes,
      environment: disk.environment)
    for key in 0..<5_000 { try cache.set(value(100), forKey: "\(key)") }
    let countAtSet = Atomic(0)
    let hasSet = DispatchSemaphore(value: 0)
    let hasBegun = Atomic(false)
    disk.restart { _, call in
      if call.name == "write", !hasBegun.exchange(true, ordering: .relaxed) {
        let hasStarted = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          hasStarted.signal()
          if (try? cache.set([1], forKey: "new")) != nil {
            countAtSet.store((try? cache.count) ?? 0, ordering: .relaxed)
          }
          hasSet.signal()
        }
        // Until it waits for the trim.
        hasStarted.wait()
        Thread.sleep(forTimeInterval: 0.1)
      }
      return nil
    }
    let cost = 101 + DiskCacheOptions.rowOverhead
    switch way {
    case "setLimits": try cache.setLimits(count: 10, cost: nil)
    case "toCount": #expect(try cache.trim(toCount: 10) >= 4_989)
    case "toCost": try cache.trim(toCost: 10 * cost)
    default: #expect(try cache.trim(freeing: 499_000) >= 499_000)
    }
    #expect(hasSet.wait(timeout: .now() + 60) == .success)
    disk.restart()
    #expect(countAtSet.load(ordering: .relaxed) > 1_000)
    #expect(try cache.count <= 11)
    #expect(try cache.check().entries == (try cache.count))
  }

  @Test func aNegativeLimitIsAnErrorAndChangesNothing() async throws {
    let cache = try open(LRU.self) { $0.countLimit = 5 }
    let limits: [(Int?, Int?, String)] = [(-1, nil, "countLimit"), (nil, -1, "costLimit")]
    for (count, cost, name) in limits {
      let error = await #expect(throws: DiskCacheError.self) {
        try await cache.setLimits(count: count, cost: cost)
      }
      #expect(
        error.map { "\($0)" } == "\(name): must be 0 or more, or nil for no limit; is -1")
    }
    #expect(cache.countLimit == 5 && cache.costLimit == nil)
  }

  @Test func aTrimToNoCostLeavesNothing() throws {
    let cache = try open(LRU.self)
    for key in 0..<9 { try cache.set(value(1), forKey: "\(key)", cost: key % 2) }
    #expect(try cache.trim(toCost: 0) == 9)
    #expect(try cache.count == 0)
  }
}
