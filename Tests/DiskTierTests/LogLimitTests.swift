import CSQLite
import DiskTier
import Foundation
import StoreFaults
import TestConditions
import Testing

/// The write-ahead log stays below its limit, whatever is done to the store.
@Suite struct LogLimitTests {
  /// 10^6 operations if EVICTIONLAB_THOROUGH is 1.
  private let operations = isThorough ? 1_000_000 : 4_000

  @Test(arguments: StoreOptions.Sharing.allCases)
  func theLogStaysBelowItsLimit(sharing: StoreOptions.Sharing) throws {
    let folder = TemporaryFolder()
    let disk = FaultyDisk()
    let limit = 1 << 18
    let store = try HybridStore(
      path: folder.store,
      options: .testing {
        $0.sharing = sharing
        $0.logLimit = limit
        $0.touchesPerFlush = 16
      }, environment: disk.environment)
    var largest = 0
    for number in 0..<operations {
      let key = "\(number % 97)"
      switch number % 8 {
      case 0...2: try store.put(bytes(number % 9 == 5 ? 3 : number % 9), forKey: key)
      case 3: try store.remove(["\(number % 89)", "\(number % 83)"])
      case 4: _ = try store.contains(key)
      case 5:
        try store.forEachBatch(of: 4) { _ in false }
      default: _ = try store.get(key, touching: true)
      }
      if number % 16 == 0 { largest = max(largest, folder.size("manifest.sqlite-wal")) }
    }
    #expect(largest > limit / 4, "the log was used")
    // The largest transaction here is a flush of 16 access times, on as many pages.
    #expect(largest < limit + 32 * 4_120)
    #expect(store.statistics.checkpoints > operations / 4_000)
    #expect(store.statistics.failedCheckpoints == 0)
  }

  /// A database keeps its own page size, whatever the options say.
  @Test func theLogStaysBelowItsLimitWithOtherPages() throws {
    let folder = TemporaryFolder()
    try HybridStore(path: folder.store, options: .testing { $0.pageSize = 65_536 }).close()
    let limit = 1 << 19
    let store = try HybridStore(
      path: folder.store, options: .testing { $0.logLimit = limit })
    var largest = 0
    for number in 0..<200 {
      try store.put(bytes(2), forKey: "\(number)")
      largest = max(largest, folder.size("manifest.sqlite-wal"))
    }
    #expect(largest > limit / 4, "the log was used")
    // A put changes the row of totals, a leaf and, where that is split, others.
    #expect(largest < limit + 4 * 65_560)
  }

  /// A reader in the middle keeps the log from starting anew only as long as it reads.
  @Test func anotherReadersEndLetsTheLogStartAnew() throws {
    let folder = TemporaryFolder()
    let store = try HybridStore(
      path: folder.store,
      options: .testing {
        $0.sharing = .shared
        $0.logLimit = 1 << 16
        $0.busyTimeout = 0
        $0.durability = .none
      })
    try store.put([1], forKey: "a")
    var reader: OpaquePointer?
    sqlite3_open("\(folder.store)/manifest.sqlite", &reader)
    defer { sqlite3_close(reader) }
    sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM entry", nil, nil, nil)
    for number in 0..<200 { try store.put(bytes(3), forKey: "\(number % 7)") }
    let grown = folder.size("manifest.sqlite-wal")
    #expect(grown > 1 << 17)
    sqlite3_exec(reader, "COMMIT", nil, nil, nil)
    for number in 0..<400 { try store.put(bytes(3), forKey: "\(number % 7)") }
    #expect(folder.size("manifest.sqlite-wal") < grown + (1 << 16))
  }
}
