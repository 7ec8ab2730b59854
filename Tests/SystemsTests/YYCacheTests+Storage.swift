import CSQLite
import DiskTier
import EvictionCore
import Foundation
import StoreFaults
import Synchronization
import Systems
import Testing

/// YYCache's database and its files.
extension YYCacheTests {
  @Test func k1FolderHasADatabaseDataAndTrash() throws {
    let cache = try system(inline: 0)
    try cache.set(bytes(10), forKey: 1, cost: 1)
    let names = Set(try FileManager.default.contentsOfDirectory(atPath: cache.disk.path))
    #expect(names.isSuperset(of: ["manifest.sqlite", "manifest.sqlite-wal", "data", "trash"]))
  }

  @Test func k2RowsHaveKeyFileSizeValueTimesAndExtendedData() throws {
    let clock = SystemClock()
    let cache = try system(clock: clock)
    try cache.disk.set(bytes(3), forKey: 1, extended: [1, 2])
    clock.advance(to: 5_000_000_000)
    try cache.disk.set(bytes(30_000), forKey: 2)
    _ = try cache.value(forKey: 1)
    let path = cache.disk.path
    cache.disk.close()
    func text(_ expression: String, key: Int) -> String? {
      query("SELECT \(expression) FROM entry WHERE key = '\(key)'", path)
    }
    let row = "size || '|' || hex(value) || '|' || hex(extended) || '|' || (file IS NULL)"
    #expect(text(row, key: 1) == "3|070707|0102|1")
    #expect(
      text("size || '|' || (value IS NULL) || (extended IS NULL) || (file IS NULL)", key: 2)
        == "30000|110")
    // Made at the start, read five seconds later.
    #expect(text("(access - created) / 1000000000", key: 1) == "5")
    #expect(text("(access - created) / 1000000000", key: 2) == "0")
    #expect(query("SELECT count(*) FROM sqlite_master WHERE name = 'entry_hash'", path) == "1")
  }

  /// The first column of the first row.
  private func query(_ text: String, _ path: String) -> String? {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    let flags = SQLITE_OPEN_READWRITE
    guard sqlite3_open_v2("\(path)/manifest.sqlite", &database, flags, nil) == SQLITE_OK else {
      return nil
    }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, text, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW, let found = sqlite3_column_text(statement, 0)
    else { return nil }
    return String(cString: found)
  }

  @Test func k4TimesNeverTieAndSizesHaveSixtyFourBits() throws {
    let cache = try system()
    for key in 0..<10 as Range<UInt32> { try cache.set(bytes(1), forKey: key, cost: 3 << 31) }
    // Set within one second, and still in order.
    try cache.disk.trim(toCount: 3)
    #expect(try (0..<10).filter { try cache.disk.contains($0) } == [7, 8, 9])
    #expect(try cache.disk.totalCost == 3 * (3 << 31))
    // In the rows as well.
    let path = cache.disk.path
    cache.disk.close()
    #expect(query("SELECT count(DISTINCT access) FROM entry", path) == "3")
    #expect(query("SELECT sum(cost) FROM entry", path) == "\(3 * (3 << 31))")
  }

  @Test func k5RowWhoseFileIsGoneIsDeleted() throws {
    let cache = try system(inline: 0)
    try cache.set(bytes(10), forKey: 1, cost: 1)
    cache.memory.removeAll()
    for file in valueFiles { try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)") }
    #expect(try cache.value(forKey: 1) == nil)
    #expect(try cache.disk.count == 0)
    #expect(try cache.disk.totalSize == 0)
  }

  /// Nothing can be written into the database's log any more, though the file was.
  @Test func k5FileIsDeletedWhenItsRowFails() throws {
    let faulty = FaultyDisk()
    var options = DiskCacheOptions()
    options.store.inlineThreshold = 0
    let cache = try DiskCache<UInt32, [UInt8]>.open(
      path: "\(folder.path)/full", limits: DiskCacheLimits(policy: .lru), options: options,
      coder: .bytes, environment: faulty.environment)
    try cache.set(bytes(10), forKey: 1)
    let before = valueFiles
    let placed = Calls()
    faulty.restart { _, call in
      if call.name == "rename" { placed.call() }
      return call.name == "write" && call.path.contains("manifest")
        ? .fail(errno: ENOSPC, sqlite: SQLITE_FULL) : nil
    }
    let error = #expect(throws: DiskCacheError.self) { try cache.set(bytes(10), forKey: 2) }
    #expect(error.map { "\($0)" }?.contains("no space left") == true)
    #expect(placed.count > 0 && before.count == 1 && valueFiles == before)
    faulty.restart()
    #expect(try cache.value(forKey: 1) == bytes(10))
  }

  @Test func k6ReadUpdatesTheAccessTime() throws {
    let clock = SystemClock()
    let cache = try system(memory: "0", clock: clock)
    for key in 0..<4 as Range<UInt32> { try cache.set(bytes(1), forKey: key, cost: 1) }
    cache.memory.removeAll()
    clock.advance(to: 5_000_000_000)
    _ = try cache.value(forKey: 0)
    try cache.disk.trim(toCount: 1)
    #expect(try cache.disk.contains(0))
    let path = cache.disk.path
    cache.disk.close()
    #expect(query("SELECT (access - created) / 1000000000 FROM entry", path) == "5")
  }

  @Test func k7EvictsByCountAndByCost() throws {
    let cache = try system()
    for key in 0..<50 as Range<UInt32> { try cache.set(bytes(1), forKey: key, cost: 2) }
    cache.memory.removeAll()
    for key in 0..<2 as Range<UInt32> { _ = try cache.value(forKey: key) }
    func left() throws -> [UInt32] { try (0..<50).filter { try cache.disk.contains($0) } }
    #expect(try cache.disk.trim(toCount: 30) == 20)
    #expect(try left() == [0, 1] + Array(22..<50))
    #expect(try cache.disk.trim(toCost: 50) == 5)
    #expect(try left() == [0, 1] + Array(27..<50))
    // A byte is wanted, sixteen leave.
    #expect(try cache.disk.trim(freeing: 1) == 16)
    #expect(try left() == [0, 1] + Array(43..<50))
  }

  @Test func k8EvictsByAge() throws {
    let clock = SystemClock()
    let cache = try system(clock: clock)
    try cache.set(bytes(1), forKey: 1, cost: 1)
    clock.advance(to: 1_000_000_000)
    try cache.set(bytes(1), forKey: 2, cost: 1)
    #expect(try cache.disk.trim(unusedFor: .milliseconds(500)) == 1)
    #expect(try cache.disk.contains(2))
  }

  @Test func k8EvictsByTheSizeOfValues() throws {
    let cache = try system(inline: 100)
    for size in [10, 100, 101, 1_000] { try cache.set(bytes(size), forKey: UInt32(size), cost: 1) }
    #expect(try cache.disk.trim(toValuesOf: 100) == 2)
    #expect(try [10, 100, 101, 1_000].filter { try cache.disk.contains($0) } == [10, 100])
    #expect(valueFiles.isEmpty)
  }

  @Test func k9RemoveAllLeavesNoFiles() throws {
    let cache = try system(inline: 0)
    for key in 0..<10 as Range<UInt32> { try cache.set(bytes(10), forKey: key, cost: 1) }
    try cache.removeAll()
    cache.disk.waitForBackgroundWork()
    #expect(valueFiles.isEmpty && !folder.files.contains { $0.contains("/trash/") })
    #expect(try cache.value(forKey: 1) == nil)
  }

  @Test func k9RemoveAllMovesFilesIntoTheTrashFirst() throws {
    let cache = try system(inline: 0)
    for key in 0..<10 as Range<UInt32> { try cache.set(bytes(10), forKey: key, cost: 1) }
    let left = Mutex<Int?>(nil)
    try cache.disk.removeAll { deleted, _ in
      if deleted > 0 { return }
      left.withLock { $0 = $0 ?? valueFiles.count { !$0.contains("/trash/") } }
    }
    // Before the first is reported as deleted, none is where values lie.
    #expect(left.withLock { $0 } == 0)
  }

  @Test func k10LogStaysBounded() throws {
    let cache = try system()
    for step in 0..<3_000 as Range<UInt32> {
      try cache.set(bytes(20_000), forKey: step % 50, cost: 1)
    }
    let log = "\(cache.disk.path)/manifest.sqlite-wal"
    let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
    #expect(try #require(size) < 16 << 20)
    #expect(cache.disk.storeStatistics.checkpoints > 0)
  }

  @Test func k12DatabaseIsInWALModeAndAFailureWipesNothing() throws {
    let cache = try system()
    try cache.set(bytes(10), forKey: 1, cost: 1)
    let log = try #require(folder.files.first { $0.hasSuffix("manifest.sqlite-wal") })
    #expect(FileManager.default.contents(atPath: "\(folder.path)/\(log)")?.isEmpty == false)
    #expect(cache.disk.options.store.durability == .processCrash)
    // Open as a cache of other keys: refused, and nothing lost.
    #expect(throws: DiskCacheError.self) {
      try DiskCache<String, [UInt8]>.open(
        path: cache.disk.path, policy: .lru, options: cache.disk.options, coder: .bytes)
    }
    cache.memory.removeAll()
    #expect(try cache.value(forKey: 1) == bytes(10))
  }

  @Test func k12DatabaseThatIsBusyIsNotWiped() throws {
    let path: String
    do {
      let cache = try system()
      try cache.set(bytes(10), forKey: 1, cost: 1)
      path = cache.disk.path
      cache.disk.close()
    }
    var options = DiskCacheOptions()
    options.store.busyTimeout = 0.05
    var other: OpaquePointer?
    #expect(sqlite3_open("\(path)/manifest.sqlite", &other) == SQLITE_OK)
    #expect(sqlite3_exec(other, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    #expect(throws: DiskCacheError.self) {
      try DiskCache<UInt32, [UInt8]>.open(
        path: path, policy: .lru, options: options, coder: .bytes)
    }
    #expect(sqlite3_exec(other, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(other)
    let again = try DiskCache<UInt32, [UInt8]>.open(
      path: path, policy: .lru, options: options, coder: .bytes)
    #expect(try again.value(forKey: 1) == bytes(10))
  }
}
