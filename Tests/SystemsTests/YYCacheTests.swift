import CSQLite
import DiskTier
import EvictionCore
import Foundation
import Synchronization
import Systems
import Testing

/// YYCache's disk tier, and both tiers together; the names begin with the behaviours' ids.
@Suite struct YYCacheTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func system(
    capacity: Int? = nil, memory: String = "0.1", isSized: Bool = false, inline: Int = 20_480,
    ageLimit: Duration? = nil, clock: SystemClock = SystemClock()
  ) throws -> YYCache {
    let choice = try SystemChoice(parsing: "yycache:memory=\(memory):inline=\(inline)")
    var setup = SystemSetup(choice.arguments, capacity: capacity)
    setup.folder = folder.path
    setup.isSized = isSized
    setup.clock = clock
    return try YYCache(setup, ageLimit: ageLimit, freeSpaceFloor: 0)
  }

  private func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }

  private var valueFiles: [String] { folder.files.filter { $0.contains("/data/") } }

  @Test func d1ValuesAboveTheThresholdAreFiles() throws {
    let cache = try system()
    try cache.set(bytes(20_480), forKey: 1, cost: 1)
    #expect(valueFiles.isEmpty)
    try cache.set(bytes(20_481), forKey: 2, cost: 1)
    #expect(valueFiles.count == 1)
    cache.memory.removeAll()
    #expect(try cache.value(forKey: 1)?.count == 20_480)
    #expect(try cache.value(forKey: 2)?.count == 20_481)
  }

  @Test func d1ThresholdZeroMakesFilesOnly() throws {
    let cache = try system(inline: 0)
    try cache.set(bytes(1), forKey: 1, cost: 1)
    #expect(valueFiles.count == 1)
  }

  @Test func d2PathHasOneInstance() throws {
    let cache = try system()
    let again = try DiskCache<UInt32, [UInt8]>.open(
      path: "\(folder.path)/yycache", policy: .lru, options: cache.disk.options, coder: .bytes)
    #expect(again === cache.disk)
  }

  @Test func d3OneLockAndValuesAreCodedOutsideIt() throws {
    let cache = try system()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for key in 0..<20 as Range<UInt32> {
        try? cache.set([UInt8](repeating: 7, count: 100 + thread), forKey: key, cost: 1)
        _ = try? cache.value(forKey: key)
      }
    }
    #expect(try cache.disk.count == 20)
    #expect(try cache.disk.check().isClean)
  }

  @Test func d4TrimsEverySixtySecondsByCostAndCount() throws {
    let clock = SystemClock()
    let cache = try system(capacity: 5, clock: clock)
    for key in 0..<20 as Range<UInt32> { try cache.set(bytes(10), forKey: key, cost: 1) }
    #expect(try cache.disk.count == 20)
    clock.advance(to: 59_999_999_999)
    #expect(try cache.disk.count == 20)
    clock.advance(to: 60_000_000_000)
    #expect(try cache.disk.count == 5)
    #expect(cache.statistics.evictions == 15)
  }

  @Test func d5KeepsAnAgeLimitAndFreeSpace() throws {
    let cache = try system(ageLimit: .nanoseconds(1))
    try cache.set(bytes(10), forKey: 1, cost: 1)
    Thread.sleep(forTimeInterval: 0.01)
    try cache.trimDisk()
    #expect(try cache.disk.count == 0)
    // More than any disk has: all must leave.
    var setup = SystemSetup(YYCache.self, in: try TestFolder())
    setup.folder = folder.path + "/full"
    try FileManager.default.createDirectory(
      atPath: setup.folder, withIntermediateDirectories: true)
    let full = try YYCache(setup, ageLimit: nil, freeSpaceFloor: 1 << 60)
    try full.set(bytes(10), forKey: 1, cost: 1)
    try full.trimDisk()
    #expect(try full.disk.count == 0)
  }

  @Test func d6FileNamesAreHashes() throws {
    let cache = try system(inline: 0)
    for key in 0..<3 as Range<UInt32> { try cache.set(bytes(10), forKey: key, cost: 1) }
    #expect(valueFiles.count == 3)
    #expect(!valueFiles.contains { $0.hasSuffix("/1") })
  }

  @Test func d7ExtendedDataStandsBesideTheValue() throws {
    let cache = try system()
    try cache.disk.set(bytes(10), forKey: 1, extended: [1, 2, 3])
    #expect(try cache.disk.entry(forKey: 1)?.extended == [1, 2, 3])
  }

  @Test func d8HasSynchronousAndAsynchronousForms() async throws {
    let cache = try system()
    let disk = cache.disk
    try await disk.set(bytes(5), forKey: 9)
    let found = try await disk.value(forKey: 9)
    #expect(found == bytes(5))
  }

  @Test func d9RemoveAllReportsProgress() throws {
    let cache = try system(inline: 0)
    for key in 0..<40 as Range<UInt32> { try cache.set(bytes(10), forKey: key, cost: 2) }
    #expect(try cache.disk.count == 40)
    #expect(try cache.disk.totalCost == 80)
    let calls = Calls()
    try cache.disk.removeAll { _, _ in calls.call() }
    cache.disk.waitForBackgroundWork()
    #expect(calls.count > 0)
    #expect(try cache.disk.count == 0)
  }

  @Test func k1FolderHasADatabaseDataAndTrash() throws {
    let cache = try system(inline: 0)
    try cache.set(bytes(10), forKey: 1, cost: 1)
    let names = Set(try FileManager.default.contentsOfDirectory(atPath: cache.disk.path))
    #expect(names.isSuperset(of: ["manifest.sqlite", "data", "trash"]))
  }

  @Test func k2RowsHaveKeyFileSizeValueTimesAndExtendedData() throws {
    let cache = try system()
    try cache.set(bytes(10), forKey: 1, cost: 1)
    cache.disk.close()
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    #expect(
      sqlite3_open_v2(
        "\(cache.disk.path)/manifest.sqlite", &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
    for column in ["key", "file", "size", "value", "created", "access", "extended"] {
      var statement: OpaquePointer?
      #expect(
        sqlite3_prepare_v2(database, "SELECT \(column) FROM entry", -1, &statement, nil)
          == SQLITE_OK)
      sqlite3_finalize(statement)
    }
  }

  @Test func k4TimesNeverTieAndSizesHaveSixtyFourBits() throws {
    let cache = try system()
    for key in 0..<10 as Range<UInt32> { try cache.set(bytes(1), forKey: key, cost: 3 << 31) }
    // Set within one second, and still in order.
    try cache.disk.trim(toCount: 3)
    #expect(try (0..<10).filter { try cache.disk.contains($0) } == [7, 8, 9])
    #expect(try cache.disk.totalCost == 3 * (3 << 31))
  }

  @Test func k5RowWhoseFileIsGoneIsDeleted() throws {
    let cache = try system(inline: 0)
    try cache.set(bytes(10), forKey: 1, cost: 1)
    cache.memory.removeAll()
    for file in valueFiles { try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)") }
    #expect(try cache.value(forKey: 1) == nil)
    #expect(try cache.disk.count == 0)
  }

  @Test func k6ReadUpdatesTheAccessTime() throws {
    let cache = try system(memory: "0")
    for key in 0..<4 as Range<UInt32> { try cache.set(bytes(1), forKey: key, cost: 1) }
    cache.memory.removeAll()
    _ = try cache.value(forKey: 0)
    try cache.disk.trim(toCount: 1)
    #expect(try cache.disk.contains(0))
  }

  @Test func k7EvictsByCountAndByCost() throws {
    let cache = try system()
    for key in 0..<50 as Range<UInt32> { try cache.set(bytes(1), forKey: key, cost: 2) }
    #expect(try cache.disk.trim(toCount: 30) == 20)
    #expect(try cache.disk.trim(toCost: 20) == 20)
    #expect(try cache.disk.contains(49))
  }

  @Test func k8EvictsByAge() throws {
    let cache = try system()
    try cache.set(bytes(1), forKey: 1, cost: 1)
    Thread.sleep(forTimeInterval: 0.05)
    try cache.set(bytes(1), forKey: 2, cost: 1)
    #expect(try cache.disk.trim(toAge: .milliseconds(25)) >= 1)
    #expect(try !cache.disk.contains(1))
  }

  @Test func k9RemoveAllLeavesNoFiles() throws {
    let cache = try system(inline: 0)
    for key in 0..<10 as Range<UInt32> { try cache.set(bytes(10), forKey: key, cost: 1) }
    try cache.removeAll()
    cache.disk.waitForBackgroundWork()
    #expect(valueFiles.isEmpty && !folder.files.contains { $0.contains("/trash/") })
    #expect(try cache.value(forKey: 1) == nil)
  }

  @Test func k10LogStaysBounded() throws {
    let cache = try system()
    for step in 0..<3_000 as Range<UInt32> {
      try cache.set(bytes(2_000), forKey: step % 50, cost: 1)
    }
    let log = "\(cache.disk.path)/manifest.sqlite-wal"
    let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
    #expect(try #require(size) < 16 << 20)
  }

  @Test func k12DatabaseIsInWALModeAndAFailureWipesNothing() throws {
    let cache = try system()
    try cache.set(bytes(10), forKey: 1, cost: 1)
    #expect(folder.files.contains { $0.hasSuffix("manifest.sqlite-wal") })
    // Open as a cache of other keys: refused, and nothing lost.
    #expect(throws: DiskCacheError.self) {
      try DiskCache<String, [UInt8]>.open(
        path: cache.disk.path, policy: .lru, options: cache.disk.options, coder: .bytes)
    }
    cache.memory.removeAll()
    #expect(try cache.value(forKey: 1) == bytes(10))
  }

  @Test func y1MemoryComesFirstAndHitsOnDiskArePromoted() throws {
    let cache = try system()
    try cache.set(bytes(3), forKey: 1, cost: 1)
    #expect(cache.memory.contains(1))
    #expect(try cache.disk.contains(1))
    cache.memory.removeAll()
    #expect(try cache.value(forKey: 1) == bytes(3))
    #expect(cache.memory.contains(1))
    try cache.remove(1)
    #expect(!cache.memory.contains(1))
    #expect(try !cache.disk.contains(1))
  }
}
