import CSQLite
import DiskTier
import Foundation
import Parameters
import StoreFaults
import Testing

/// Databases of earlier versions: every entry is there afterwards, and if it fails, before.
@Suite struct MigrationTests {
  private let folder = TemporaryFolder()
  private let values = [0: inlineValue, 1: fileValue, 2: 0, 3: fileValue + 9]

  /// Version 1, where the hash was the row's number.
  private static let downgrade = """
    BEGIN;
    ALTER TABLE entry RENAME TO later;
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY,
      size INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      file INTEGER,
      access INTEGER NOT NULL,
      insertion INTEGER NOT NULL,
      created INTEGER NOT NULL,
      expires INTEGER,
      cost INTEGER NOT NULL,
      key TEXT NOT NULL,
      extended BLOB,
      value BLOB
    );
    INSERT INTO entry SELECT hash, size, checksum, file, access, insertion, created, expires, cost,
      key, extended, value FROM later;
    DROP TABLE later;
    PRAGMA user_version = 1;
    COMMIT;
    """

  /// Makes a store of version 1, and returns what it holds.
  private func makeEarlierStore() throws -> [String: StoredValue] {
    let store = try HybridStore(path: folder.store, options: .testing())
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      try StoreStep.put(key: key, value: value).run(on: store)
    }
    let held = try held(by: store)
    try store.close()
    var database: OpaquePointer?
    sqlite3_open("\(folder.store)/manifest.sqlite", &database)
    var downgrade = Self.downgrade
    for (key, value) in held {
      let checksum = Self.checksum(of: value, key: key)
      downgrade += "UPDATE entry SET checksum = \(checksum) WHERE key = '\(key)';"
    }
    #expect(sqlite3_exec(database, downgrade, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    return held
  }

  /// The checksum of version 1.
  private static func checksum(of value: StoredValue, key: String) -> Int64 {
    var seed = Array(key.utf8).withUnsafeBytes(XXHash64.checksum)
    if let extended = value.extended {
      seed = extended.withUnsafeBytes { XXHash64.checksum(of: $0, seed: seed) }
    }
    return Int64(
      bitPattern: value.bytes.withUnsafeBytes { XXHash64.checksum(of: $0, seed: seed) })
  }

  private func held(by store: HybridStore) throws -> [String: StoredValue] {
    var held: [String: StoredValue] = [:]
    for key in values.keys.map(StoreStep.name) { held[key] = try store.get(key) }
    return held
  }

  @Test(arguments: StoreOptions.Sharing.allCases)
  func everyEntryOfAnEarlierVersionIsKept(sharing: StoreOptions.Sharing) throws {
    let before = try makeEarlierStore()
    #expect(before.count == values.count)
    for _ in 0..<2 {
      let store = try HybridStore(path: folder.store, options: .testing { $0.sharing = sharing })
      store.waitForBackgroundWork()
      #expect(try held(by: store) == before)
      #expect(try ExpectedValues(values: values).problems(of: store, keys: 10) == [])
      #expect(store.statistics.setAsides == 0)
      try store.close()
    }
  }

  @Test func aMigrationThatFailsLosesNothing() throws {
    let before = try makeEarlierStore()
    let earlier = try folder.read("manifest.sqlite")
    var number = 0
    var isDone = false
    while !isDone {
      try folder.write(earlier, to: "manifest.sqlite")
      let disk = FaultyDisk { [number] count, call in
        count >= number && call.name == "write" ? .fail(errno: ENOSPC, sqlite: SQLITE_FULL) : nil
      }
      do throws(StoreError) {
        let store = try HybridStore(
          path: folder.store, options: .testing { $0.reconcilesOnOpen = false },
          environment: disk.environment)
        isDone = true
        try? store.close()
      } catch {
        guard case .full = error else { throw error }
      }
      let store = try HybridStore(path: folder.store, options: .testing())
      #expect(try held(by: store) == before, "from call \(number)")
      #expect(store.statistics.setAsides == 0)
      try store.close()
      number += 1
    }
    #expect(number > 5)
  }

  @Test func whoHasAnEarlierVersionOpenIsNotDisturbed() throws {
    _ = try makeEarlierStore()
    let other = open("\(folder.store)/lock", O_RDWR)
    #expect(flock(other, LOCK_SH) == 0)
    let options = StoreOptions.testing { $0.sharing = .shared }
    let error = #expect(throws: StoreError.self) {
      try HybridStore(path: folder.store, options: options)
    }
    #expect(
      error?.description
        == "\(folder.store)/manifest.sqlite: cannot bring the database to version 2:"
        + " another process keeps it busy; try again or raise busyTimeout")
    close(other)
    #expect(try HybridStore(path: folder.store, options: options).count == values.count)
  }

  @Test func anEarlierVersionThatLacksAColumnIsCorrupt() throws {
    _ = try makeEarlierStore()
    var database: OpaquePointer?
    sqlite3_open("\(folder.store)/manifest.sqlite", &database)
    #expect(
      sqlite3_exec(database, "ALTER TABLE entry DROP COLUMN cost", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    let store = try HybridStore(path: folder.store, options: .testing())
    #expect(store.statistics.setAsides == 1)
    #expect(try store.count == 0)
  }
}
