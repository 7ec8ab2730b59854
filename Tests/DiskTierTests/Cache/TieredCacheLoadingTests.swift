import CSQLite
import DiskTier
import Eviction
import Foundation
import StoreFaults
import Testing

/// Loads of a cache in two tiers.
@Suite struct TieredCacheLoadingTests {
  private let folder = TemporaryFolder()

  @Test func oneLoadServesAllWhoWait() async throws {
    let cache = try folder.openTiered()
    let loads = Counter()
    let values = try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await cache.value(forKey: "a") {
            loads.increment()
            try await Task.sleep(for: .milliseconds(20))
            return 7
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values == [Int?](repeating: 7, count: 20))
    #expect(loads.count == 1)
    #expect(try await cache.disk.value(forKey: "a") == 7)
  }

  @Test func anAbsenceIsRemembered() async throws {
    let cache = try folder.openTiered { $0.negativeTimeToLive = .seconds(1_000) }
    let loads = Counter()
    for _ in 0..<3 {
      let value = try await cache.optionalValue(forKey: "a") {
        loads.increment()
        return nil
      }
      #expect(value == nil)
    }
    #expect(loads.count == 1)
    #expect(cache.tierStatistics.negativeHits == 2)
    try await cache.set(1, forKey: "a")
    let value = try await cache.value(forKey: "a")
    #expect(value == 1)
  }

  @Test func withoutALifeAnAbsenceIsForgotten() async throws {
    let cache = try folder.openTiered()
    let loads = Counter()
    for _ in 0..<3 {
      _ = try await cache.optionalValue(forKey: "a") {
        loads.increment()
        return nil
      }
    }
    #expect(loads.count == 3)
  }

  @Test func aValueSetWhileOneIsLoadedWins() async throws {
    let cache = try folder.openTiered()
    let loaded = try await cache.value(forKey: "a") {
      try await cache.set(2, forKey: "a")
      return 1
    }
    #expect(loaded == 1)
    let memory = try await cache.value(forKey: "a")
    #expect(memory == 2)
    #expect(try await cache.disk.value(forKey: "a") == 2)
  }

  @Test func aLoadIsNotHeldByWrites() async throws {
    let faulty = FaultyDisk()
    let disk = try DiskCache<String, Int>.open(
      path: folder.store, policy: .sieve, options: DiskSetup(), coder: .json,
      environment: faulty.environment)
    var options = TieredSetup()
    options.memoryCountLimit = 1
    let cache = try TieredCache<String, Int>.open(disk: disk, policy: .lru, options: options)
    let gate = Gate()
    faulty.close(gate)
    for key in 0..<10 { #expect(try await cache.value(forKey: "\(key)") { key } == key) }
    // Memory has one of them, and the disk none.
    for key in 0..<10 { #expect(try await cache.value(forKey: "\(key)") { -1 } == key) }
    #expect(cache.disk.statistics.insertions == 0)
    #expect(cache.statistics.loads == 10)
    async let removed = blocking { try cache.remove("3") }
    async let replaced = blocking { try cache.set(40, forKey: "4") }
    gate.open()
    #expect(try await removed)
    #expect(try await replaced)
    try await cache.flush()
    #expect(try await cache.value(forKey: "3") == nil)
    #expect(try await cache.value(forKey: "4") == 40)
    #expect(try await cache.disk.value(forKey: "3") == nil)
    #expect(try await cache.disk.value(forKey: "4") == 40)
    #expect(try cache.disk.count == 9)
  }

  @Test(arguments: [TieredCacheOptions.Writing.through, .back(limit: 100), .back(limit: 1)])
  func aWriteOfALoadedValueThatFailsIsCountedAndTold(
    writing: TieredCacheOptions.Writing
  ) async throws {
    let faulty = FaultyDisk()
    let told = Told<String>()
    var setup = DiskSetup()
    setup.onFailedWrite = { key, _ in told.add(key) }
    let disk = try DiskCache<String, Int>.open(
      path: folder.store, policy: .sieve, options: setup, coder: .json,
      environment: faulty.environment)
    var options = TieredSetup()
    options.writing = writing
    let cache = try TieredCache<String, Int>.open(disk: disk, policy: .lru, options: options)
    faulty.restart { _, call in
      call.name == "write" ? .fail(errno: ENOSPC, sqlite: SQLITE_FULL) : nil
    }
    for key in ["a", "b"] { #expect(try await cache.value(forKey: key) { 1 } == 1) }
    try? await cache.flush()
    #expect(cache.tierStatistics.failedWrites >= (writing == .through ? 2 : 1))
    #expect(cache.statistics.failedWrites == told.all.count)
    #expect(told.all.contains("a"))
    // Memory has it nevertheless.
    #expect(try await cache.value(forKey: "a") == 1)
    faulty.restart()
  }

  @Test func aLoadWhoseValueCannotBeKeptSaysSo() async throws {
    let disk = try await DiskCache<String, [Double]>.open(path: folder.store, coder: .json)
    let cache = try TieredCache.open(disk: disk, countLimit: 10)
    let loads = Counter()
    await #expect(throws: DiskCacheError.timeToIdle(key: "a")) {
      try await cache.value(forKey: "a", expiration: .afterIdle(.seconds(60))) {
        loads.increment()
        return [1]
      }
    }
    #expect(loads.count == 0)
    let error = await #expect(throws: DiskCacheError.self) {
      try await cache.value(forKey: "a") { [.nan] }
    }
    #expect("\(error!)".hasPrefix("the value of “a” cannot be encoded"))
    #expect(cache.tierStatistics.memory.count == 0)
  }
}
