import CSQLite
import DiskTier
import Dispatch
import Eviction
import Foundation
import StoreFaults
import Testing

struct TieredCacheTests {
  private let folder = TemporaryFolder()

  /// A cache that writes back to a disk without space.
  private func openFull(limit: Int) throws -> TieredCache<String, Int> {
    let full = FaultyDisk()
    var options = TieredSetup()
    options.writing = .back(limit: limit)
    let disk = try DiskCache<String, Int>.open(
      path: folder.store, policy: .sieve, options: DiskSetup(), coder: .json,
      environment: full.environment)
    full.restart { _, call in
      call.name == "write" ? .fail(errno: ENOSPC, sqlite: SQLITE_FULL) : nil
    }
    return try TieredCache.open(disk: disk, policy: .lru, options: options)
  }

  private func openDisk() throws -> DiskCache<String, Int> {
    try .open(path: folder.store, coder: .json)
  }

  @Test func aHitOnDiskIsPromoted() throws {
    let cache = try folder.openTiered()
    try cache.set(1, forKey: "a")
    cache.removeAllFromMemory()
    #expect(try cache.value(forKey: "a") == 1)
    #expect(try cache.value(forKey: "a") == 1)
    let statistics = cache.tierStatistics
    #expect(statistics.disk.hits == 1)
    #expect(statistics.promotions == 1)
    #expect(statistics.memory.hits == 1)
  }

  @Test func whatMemoryEvictsIsStillOnDisk() throws {
    let cache = try folder.openTiered()
    for key in 0..<10 { try cache.set(key, forKey: "\(key)") }
    #expect(cache.tierStatistics.memory.count == 4)
    for key in 0..<10 { #expect(try cache.value(forKey: "\(key)") == key) }
  }

  @Test func writingThroughReachesTheDiskAtOnce() throws {
    let cache = try folder.openTiered()
    try cache.set(1, forKey: "a")
    #expect(try cache.disk.value(forKey: "a") == 1)
    try cache.remove("a")
    #expect(try cache.disk.value(forKey: "a") == nil)
    #expect(try cache.value(forKey: "a") == nil)
  }

  @Test func writingBackKeepsTheLatestAndLosesNothing() throws {
    let cache = try folder.openTiered { $0.writing = .back(limit: 1_000) }
    for round in 0..<20 {
      for key in 0..<10 { try cache.set(100 * round + key, forKey: "\(key)") }
    }
    cache.removeAllFromMemory()
    for key in 0..<10 { #expect(try cache.value(forKey: "\(key)") == 1_900 + key) }
    try cache.flush()
    let statistics = cache.tierStatistics
    #expect(statistics.waitingWrites == 0)
    #expect(
      statistics.savedWrites + statistics.disk.insertions + statistics.disk.replacements == 200)
    for key in 0..<10 { #expect(try cache.disk.value(forKey: "\(key)") == 1_900 + key) }
  }

  @Test func writingBackWaitsWhenTooMuchWaits() throws {
    let cache = try folder.openTiered { $0.writing = .back(limit: 3) }
    for key in 0..<50 {
      try cache.set(key, forKey: "\(key)")
      #expect(cache.tierStatistics.waitingWrites <= 3)
    }
  }

  @Test func loadingWaitsWhenTooMuchWaits() async throws {
    // Values are loaded much faster than they are written.
    let slow = ValueCoder<Int>(
      name: "slow",
      encode: { value in
        Thread.sleep(forTimeInterval: 0.002)
        return [UInt8(value)]
      }, decode: { Int($0[0]) })
    var options = TieredSetup()
    options.writing = .back(limit: 3)
    let disk = try await DiskCache<String, Int>.open(path: folder.store, coder: slow)
    let cache = try TieredCache<String, Int>.open(disk: disk, policy: .lru, options: options)
    for key in 0..<50 {
      let value = try await cache.value(forKey: "\(key)") { key }
      #expect(value == key)
      #expect(cache.tierStatistics.waitingWrites <= 3)
    }
    try await cache.flush()
    #expect(try disk.count == 50)
  }

  @Test func writingBackOutlivesTheCache() throws {
    do {
      let cache = try folder.openTiered { $0.writing = .back(limit: 1_000) }
      for key in 0..<50 { try cache.set(key, forKey: "\(key)") }
    }
    let disk = try DiskCache<String, Int>.open(path: folder.store, policy: .sieve, coder: .json)
    for _ in 0..<1_000 where try disk.count < 50 { Thread.sleep(forTimeInterval: 0.01) }
    #expect(try disk.count == 50)
  }

  @Test func aRemovalIsNotUndoneByAWriteThatWaited() throws {
    let cache = try folder.openTiered { $0.writing = .back(limit: 1_000) }
    for key in 0..<20 {
      try cache.set(key, forKey: "\(key)")
      try cache.remove("\(key)")
    }
    try cache.flush()
    #expect(try cache.disk.count == 0)
    try cache.set(1, forKey: "a")
    try cache.removeAll()
    try cache.flush()
    #expect(try cache.value(forKey: "a") == nil)
  }

  @Test func whatADiskRefusesToWriteBackWaits() throws {
    let cache = try openFull(limit: 1_000)
    try cache.set(1, forKey: "a")
    #expect(throws: DiskCacheError.self) { try cache.flush() }
    #expect(cache.tierStatistics.waitingWrites == 1)
    #expect(cache.tierStatistics.failedWrites > 0)
    cache.removeAllFromMemory()
    #expect(try cache.value(forKey: "a") == 1)
  }

  @Test func aSetThatFailsLeavesNoValue() throws {
    let cache = try folder.openTiered()
    try cache.set(1, forKey: "a")
    cache.disk.close()
    #expect(throws: DiskCacheError.self) { try cache.set(2, forKey: "a") }
    #expect(cache.tierStatistics.memory.count == 0)
  }

  /// A get that reads the disk while a set is under way must not bring what it read to memory.
  @Test func aGetDuringASetBringsNothingOutdated() throws {
    let isSetting = DispatchSemaphore(value: 0)
    let hasRead = DispatchSemaphore(value: 0)
    let coder = ValueCoder<Int>(
      name: "slow",
      encode: { value in
        if value == 2 {
          isSetting.signal()
          _ = hasRead.wait(timeout: .now() + 10)
        }
        return [UInt8(value)]
      },
      decode: { bytes in
        if bytes == [1] { hasRead.signal() }
        return Int(bytes[0])
      })
    let disk = try DiskCache<String, Int>.open(path: folder.store, policy: .sieve, coder: coder)
    let cache = try TieredCache<String, Int>.open(disk: disk, policy: .lru)
    try cache.set(1, forKey: "a")
    cache.removeAllFromMemory()
    let reader = DispatchWorkItem {
      isSetting.wait()
      _ = try? cache.value(forKey: "a")
    }
    DispatchQueue.global().async(execute: reader)
    try cache.set(2, forKey: "a")
    reader.wait()
    #expect(try cache.value(forKey: "a") == 2)
  }

  @Test func aGetThatLoadsNothingIsSparedTheErrorOfALoad() async throws {
    struct NoConnection: Error {}
    let cache = try folder.openTiered()
    let started = Counter()
    let ended = Counter()
    let load = Task {
      try await cache.value(forKey: "a") {
        started.increment()
        while ended.count == 0 { await Task.yield() }
        throw NoConnection()
      }
    }
    while started.count == 0 { await Task.yield() }
    async let found: Result<Int?, DiskCacheError> = withCheckedContinuation { waiting in
      DispatchQueue.global().async {
        waiting.resume(
          returning: Result { () throws(DiskCacheError) in try cache.value(forKey: "a") })
      }
    }
    try await Task.sleep(for: .milliseconds(50))
    ended.increment()
    let value = try await found.get()
    #expect(value == nil)
    await #expect(throws: NoConnection.self) { try await load.value }
  }

  /// A load that nobody waits for any more, and that does not notice, is out of date.
  @Test func anAbandonedLoadOverwritesNothing() async throws {
    let cache = try folder.openTiered()
    let started = Counter()
    let ended = Counter()
    let task = Task {
      try await cache.value(forKey: "a") {
        started.increment()
        while ended.count == 0 { await Task.yield() }
        return 1
      }
    }
    while started.count == 0 { await Task.yield() }
    task.cancel()
    _ = try? await task.value
    try await cache.set(2, forKey: "a")
    ended.increment()
    for _ in 0..<100 where cache.disk.statistics.insertions + cache.disk.statistics.replacements < 2
    {
      try await Task.sleep(for: .milliseconds(2))
    }
    let value = try await cache.value(forKey: "a")
    #expect(value == 2)
    #expect(cache.disk.statistics.insertions == 1)
  }

  @Test func anAgeLimitOfTheDiskHoldsInMemory() async throws {
    var options = DiskSetup()
    options.ageLimit = .nanoseconds(1)
    let disk = try DiskCache<String, Int>.open(
      path: folder.store, policy: .sieve, options: options, coder: .json)
    var tiered = TieredSetup()
    tiered.memory.clock = .precise
    let cache = try TieredCache<String, Int>.open(disk: disk, policy: .lru, options: tiered)
    try await cache.set(1, forKey: "a")
    let old = try await cache.value(forKey: "a")
    #expect(old == nil)
    let loaded = try await cache.value(forKey: "b") { 2 }
    #expect(loaded == 2)
    let again = try await cache.value(forKey: "b")
    #expect(again == nil)
  }

  @Test func aSetThatFailsForAnotherKeyLeavesNoValueEither() throws {
    let cache = try openFull(limit: 1)
    try cache.set(1, forKey: "a")
    #expect(throws: DiskCacheError.self) { try cache.set(2, forKey: "a") }
    #expect(cache.tierStatistics.waitingWrites == 0)
    #expect(cache.tierStatistics.memory.count == 0)
  }

  @Test func whatCannotBeEncodedKeepsNothingElseFromTheDisk() throws {
    let disk = try DiskCache<String, [Double]>.open(
      path: folder.store, policy: .sieve, coder: .json)
    var options = TieredSetup()
    options.writing = .back(limit: 1_000)
    let cache = try TieredCache<String, [Double]>.open(disk: disk, policy: .lru, options: options)
    try cache.set([1], forKey: "a")
    try cache.flush()
    try cache.set([.nan], forKey: "a")
    try cache.set([2], forKey: "b")
    try cache.flush()
    #expect(try disk.value(forKey: "a") == nil)
    #expect(try disk.value(forKey: "b") == [2])
    #expect(cache.tierStatistics.waitingWrites == 0)
    #expect(cache.tierStatistics.failedWrites == 1)
  }

  @Test func closingTheDiskWritesWhatWaits() throws {
    let cache = try folder.openTiered { $0.writing = .back(limit: 1_000) }
    for key in 0..<500 { try cache.set(key, forKey: "\(key)") }
    cache.disk.close()
    #expect(cache.tierStatistics.waitingWrites == 0)
    let again = try folder.openTiered()
    for key in 0..<500 { #expect(try again.value(forKey: "\(key)") == key) }
  }

  @Test func closingSaysWhatCouldNotBeWritten() throws {
    let cache = try openFull(limit: 1_000)
    try cache.set(1, forKey: "a")
    #expect(throws: DiskCacheError.self) { try cache.close() }
    #expect(cache.tierStatistics.waitingWrites == 1)
    #expect(throws: DiskCacheError.store(.closed(path: cache.disk.path))) {
      try cache.set(2, forKey: "b")
    }
  }

  @Test(arguments: [(100, 1), (4_000, nil), (4_000, 10)] as [(Int, Int?)])
  func absencesAreWithinTheCostLimit(_ memory: (limit: Int, cost: Int?)) async throws {
    var options = TieredSetup()
    options.memoryCostLimit = memory.limit
    options.negativeTimeToLive = .seconds(1_000)
    options.negativeCost = memory.cost
    let cache = try TieredCache<String, Int>.open(
      disk: openDisk(), policy: .lru, options: options,
      memoryCost: { _ in 8 })
    for key in 100..<600 {
      let value = try await cache.optionalValue(forKey: "\(key)") { nil }
      #expect(value == nil)
    }
    let cost = memory.cost ?? 3 + TieredCacheOptions.absenceOverhead
    #expect(cache.tierStatistics.memory.count == memory.limit / cost)
  }

  @Test func timesToLiveHoldInBothTiers() throws {
    let cache = try folder.openTiered { $0.memory.clock = .precise }
    try cache.set(1, forKey: "a", expiration: .after(.nanoseconds(1)))
    #expect(try cache.value(forKey: "a") == nil)
    try cache.set(1, forKey: "b", expiration: .after(.seconds(1_000)))
    cache.removeAllFromMemory()
    #expect(try cache.value(forKey: "b") == 1)
  }

  @Test func optionsOutOfTheirRangesAreErrors() throws {
    let disk = try openDisk()
    func problem(_ configure: (inout TieredCacheOptions) -> Void, countLimit: Int? = nil) -> String
    {
      var options = TieredCacheOptions()
      configure(&options)
      do {
        _ = try TieredCache.open(disk: disk, countLimit: countLimit, options: options)
        return ""
      } catch { return "\(error)" }
    }
    #expect(
      problem({ _ in }, countLimit: -1)
        == "countLimit: must be 0 or more, or nil for no limit; is -1")
    let unknown = #expect(throws: DiskCacheError.self) {
      try TieredCache.open(disk: disk, costLimit: 100)
    }
    #expect(
      unknown?.description
        == "costLimit: needs memoryCost:, which says what a value costs in memory")
    #expect(problem { $0.negativeCost = 0 } == "negativeCost: must be 1 or more; is 0")
    #expect(problem { $0.writing = .back(limit: 0) }.hasPrefix("writing: at least 1 value"))
    #expect(problem { $0.memory.entryRatio = 1.5 }.hasPrefix("entryRatio: must be a ratio"))
    #expect(problem { $0.memory.ageLimit = .seconds(-1) }.hasPrefix("ageLimit: must be 0 seconds"))
    #expect(problem { $0.memory.trimInterval = .zero }.hasPrefix("trimInterval: must be more"))
    #expect(problem { _ in } == "")
  }
}
