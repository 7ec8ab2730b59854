import CSQLite
import DiskTier
import Eviction
import Foundation
import StoreFaults
import Testing

/// Things that are not as they were written: rows, values' files, and the whole database.
@Suite struct StoreCorruptionTests {
  private let folder = TemporaryFolder()

  private func open(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> HybridStore {
    try HybridStore(path: folder.store, options: .testing(change))
  }

  private func fill(_ count: Int = 60) throws {
    let store = try open()
    for key in 0..<count {
      try store.put(bytes(key), forKey: StoreStep.name(key), cost: key)
    }
    try store.close()
  }

  private func sql(_ text: String) {
    var database: OpaquePointer?
    sqlite3_open("\(folder.store)/manifest.sqlite", &database)
    #expect(sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
  }

  // MARK: Values

  enum FileDamage: CaseIterable { case flipped, truncated, longer, empty }

  @Test(arguments: FileDamage.allCases)
  func aDamagedFileIsAMissAndIsRemoved(damage: FileDamage) throws {
    let store = try open()
    try store.put(bytes(fileValue), forKey: "a")
    try store.put(bytes(fileValue), forKey: "b")
    let name = String(folder.files()[0].dropFirst(folder.store.count + 1))
    var content = try folder.read(name)
    switch damage {
    case .flipped: content[4_000] ^= 1
    case .truncated: content.removeLast()
    case .longer: content.append(0)
    case .empty: content.removeAll()
    }
    try folder.write(content, to: name)
    let found = try ["a", "b"].compactMap { try store.get($0) }
    #expect(found.map(\.bytes) == [bytes(fileValue)])
    #expect(store.statistics.mismatches == 1)
    #expect(try store.count == 1)
    #expect(folder.files().count == 1)
    #expect(try store.check(repair: false).isClean)
  }

  @Test func aFileThatIsGoneIsAMiss() throws {
    let store = try open()
    try store.put(bytes(fileValue), forKey: "a")
    try FileManager.default.removeItem(atPath: folder.files()[0])
    #expect(try store.get("a") == nil)
    #expect(store.statistics.missingFiles == 1)
    #expect(try store.count == 0)
  }

  @Test func anotherKeysFileIsNoValue() throws {
    let store = try open()
    try store.put(bytes(fileValue), forKey: "a")
    try store.put(bytes(fileValue + 9), forKey: "b")
    let files = folder.files()
    try FileManager.default.removeItem(atPath: files[0])
    try FileManager.default.copyItem(atPath: files[1], toPath: files[0])
    #expect(try ["a", "b"].compactMap { try store.get($0) }.count == 1)
    #expect(store.statistics.mismatches == 1)
  }

  @Test(arguments: [
    "UPDATE entry SET value = x'00'", "UPDATE entry SET size = 1 << 60",
    "UPDATE entry SET size = -1", "UPDATE entry SET checksum = 0", "UPDATE entry SET value = NULL",
    "UPDATE entry SET file = 5", "UPDATE entry SET size = 'many'",
    "UPDATE entry SET extended = x'07'",
  ]) func aDamagedRowIsAMiss(damage: String) throws {
    var store = try open()
    try store.put(bytes(inlineValue), forKey: "a")
    try store.close()
    sql(damage)
    store = try open { $0.reconcilesOnOpen = false }
    #expect(try store.get("a") == nil)
    #expect(store.statistics.mismatches + store.statistics.missingFiles == 1)
    #expect(try store.count == 0)
    try store.put(bytes(inlineValue), forKey: "a")
    #expect(try store.get("a")?.bytes == bytes(inlineValue))
  }

  // MARK: Reconciliation and check

  /// The name of a file that no row has, in `data/00/12`.
  private let rowless = String(repeating: "0123", count: 8)

  @Test func reconciliationRemovesWhatACrashLeaves() throws {
    try fill(9)
    try folder.write([1], to: "data/00/12/\(rowless)")
    try folder.write([1], to: "temporary/\(rowless)")
    try folder.write([1], to: "trash/0123456789abcdef/00/12/\(rowless)")
    try FileManager.default.removeItem(atPath: folder.files().last!)
    let store = try open()
    store.waitForBackgroundWork()
    #expect(store.statistics.orphans == 3)
    #expect(store.statistics.missingFiles == 1)
    #expect(try store.count == 8)
    #expect(folder.files("temporary").isEmpty)
    #expect(folder.files("trash").isEmpty)
    #expect(try store.check(repair: false).isClean)
  }

  @Test func aRowWhoseKeyIsDamagedIsRemoved() throws {
    try fill(3)
    sql("UPDATE entry SET key = 'none' WHERE key = 'key 1'")
    let store = try open()
    store.waitForBackgroundWork()
    #expect(store.statistics.mismatches == 1)
    #expect(try store.count == 2)
    #expect(try store.check(repair: false).isClean)
  }

  @Test func aSharedStoreLeavesYoungFilesAlone() throws {
    try fill(9)
    try folder.write([1], to: "temporary/\(rowless)")
    var store = try open { $0.sharing = .shared }
    store.waitForBackgroundWork()
    #expect(folder.files("temporary").count == 1)
    try store.close()
    store = try open {
      $0.sharing = .shared
      $0.orphanGrace = 0
    }
    store.waitForBackgroundWork()
    #expect(folder.files("temporary").isEmpty)
  }

  @Test(arguments: StoreOptions.Sharing.allCases)
  func checkWithoutRepairChangesNothing(sharing: StoreOptions.Sharing) throws {
    try fill(40)
    sql("UPDATE entry SET checksum = 0 WHERE key = 'key 2'; UPDATE state SET count = 7")
    try folder.write([1], to: "temporary/\(rowless)")
    try FileManager.default.removeItem(atPath: try #require(folder.files().last))
    let disk = FaultyDisk()
    let store = try HybridStore(
      path: folder.store,
      options: .testing {
        $0.sharing = sharing
        $0.reconcilesOnOpen = false
        $0.orphanGrace = 0
        $0.pageCache = 0
      }, environment: disk.environment)
    func content() throws -> [String: [UInt8]] {
      try folder.files("").reduce(into: [:]) { content, path in
        content[path] = try folder.read(String(path.dropFirst(folder.store.count)))
      }
    }
    let before = try content()
    let report = try store.check(repair: false)
    #expect(report.mismatches == ["key 2"] && report.missingFiles.count == 1)
    #expect(report.orphans.count == 1 && !report.totalsAgree)
    #expect(try content() == before)
    // Even where the database turns out to be corrupt, at whatever read.
    var corrupt = 0
    var number = 0
    var isOver = false
    while !isOver {
      disk.restart { [number] count, call in
        count >= number && call.name == "read" && call.isOfManifest
          ? .fail(errno: 0, sqlite: SQLITE_CORRUPT) : nil
      }
      if try store.check(repair: false).database != [] { corrupt += 1 }
      isOver = disk.count <= number
      disk.restart()
      number += 1
    }
    #expect(corrupt > 10)
    #expect(store.statistics.setAsides == 0)
    #expect(try content() == before)
  }

  @Test func checkFindsAndRepairsEverything() throws {
    try fill(18)
    sql("UPDATE entry SET checksum = 0 WHERE key = 'key 2'; UPDATE state SET count = 7")
    let store = try open { $0.reconcilesOnOpen = false }
    try folder.write([1], to: "temporary/\(rowless)")
    try folder.write([1], to: "data/00/12/\(rowless)")
    let gone = try #require(folder.files().last)
    try FileManager.default.removeItem(atPath: gone)
    let report = try store.check(repair: false)
    #expect(report.entries == 18)
    #expect(report.mismatches == ["key 2"])
    #expect(report.missingFiles.count == 1)
    #expect(report.orphans == ["temporary/\(rowless)", "data/00/12/\(rowless)"])
    #expect(!report.totalsAgree)
    #expect(report.database.isEmpty)
    #expect(!report.isClean)
    let repaired = try store.check(repair: true)
    #expect(repaired.mismatches == report.mismatches)
    #expect(try store.check(repair: false).isClean)
    #expect(try store.count == 16)
  }

  // MARK: The database

  @Test func aDatabaseThatIsNoneIsSetAside() throws {
    try fill(9)
    try folder.write(Array("not a database, but some other text".utf8), to: "manifest.sqlite")
    nonisolated(unsafe) var told: [String] = []
    let store = try open { $0.onSetAside = { told = [$0, $1] } }
    store.waitForBackgroundWork()
    #expect(try store.count == 0)
    #expect(store.statistics.setAsides == 1)
    #expect(told.first?.hasPrefix("\(folder.store)/corrupt-") == true)
    #expect(told.last == "file is not a database")
    #expect(FileManager.default.fileExists(atPath: told[0]))
    #expect(folder.files().isEmpty)
    #expect(folder.files("\(told[0].dropFirst(folder.store.count + 1))/data").count == 3)
    try store.put([1], forKey: "a")
    #expect(try store.check(repair: false).isClean)
  }

  @Test func anEmptyFileBecomesADatabase() throws {
    try fill(1)
    try folder.write([], to: "manifest.sqlite")
    let store = try open()
    try store.put([1], forKey: "a")
    #expect(store.statistics.setAsides == 0)
  }

  @Test func anotherProgramsDatabaseIsRefusedAndLeftAlone() throws {
    try fill(1)
    try folder.write([], to: "manifest.sqlite")
    sql("CREATE TABLE other (x)")
    let before = try folder.read("manifest.sqlite")
    let error = #expect(throws: StoreError.self) { try open() }
    #expect(
      error?.description
        == "\(folder.store)/manifest.sqlite: the database belongs to another program;"
        + " choose another folder")
    #expect(try folder.read("manifest.sqlite") == before)
  }

  @Test(arguments: [1, 4]) func anotherVersionIsRefused(version: Int) throws {
    try fill(1)
    sql("PRAGMA user_version = \(version)")
    let before = try folder.read("manifest.sqlite")
    let error = #expect(throws: StoreError.self) { try open() }
    #expect(
      error?.description
        == "\(folder.store)/manifest.sqlite: the database is of version \(version), not 3;"
        + " choose another folder, or have the option incompatible begin it anew")
    #expect(try folder.read("manifest.sqlite") == before)
  }

  @Test func aMissingTableIsCorruption() throws {
    try fill(1)
    sql("DROP TABLE state")
    let store = try open()
    #expect(store.statistics.setAsides == 1)
    #expect(try store.count == 0)
  }

  private static func garbage(_ number: Int) -> [UInt8] {
    Array("no database, but text \(number)".utf8)
  }

  @Test(arguments: 0...2) func asManySetAsidesAreKeptAsAskedFor(kept: Int) throws {
    for round in 0..<4 {
      let store = try open { $0.setAsidesKept = kept }
      for key in 0..<9 { try store.put(bytes(key), forKey: "\(key)") }
      try store.close()
      try folder.write(Self.garbage(round), to: "manifest.sqlite")
    }
    let store = try open { $0.setAsidesKept = kept }
    store.waitForBackgroundWork()
    let files = folder.files("").filter { $0.contains("/corrupt-") }
    #expect(files.count == kept * 4, "a database and three values' files each")
    let databases = try files.filter { $0.hasSuffix("/manifest.sqlite") }.map {
      try folder.read(String($0.dropFirst(folder.store.count)))
    }
    #expect(databases == (0..<4).suffix(kept).map(Self.garbage))
    #expect(folder.files("trash").isEmpty)
    #expect(try store.check(repair: false).isClean)
  }

  /// The process may die between any two calls of setting aside.
  @Test func aSetAsideThatWasInterruptedKeepsTheValuesFiles() throws {
    var number = 0
    var isOver = false
    while !isOver {
      let place = TemporaryFolder()
      let first = try HybridStore(path: place.store, options: .testing())
      for key in 0..<9 { try first.put(bytes(fileValue), forKey: "\(key)") }
      try first.close()
      try place.write(Array("no database".utf8), to: "manifest.sqlite")
      let disk = FaultyDisk { [number] count, _ in
        count >= number ? .fail(errno: EIO, sqlite: SQLITE_IOERR) : nil
      }
      _ = try? HybridStore(
        path: place.store, options: .testing(), environment: disk.environment)
      isOver = disk.count <= number
      let store = try HybridStore(path: place.store, options: .testing())
      store.waitForBackgroundWork()
      let kept = place.files("").filter { $0.contains("/corrupt-") && $0.contains("/data/") }
      #expect(kept.count == 9, "call \(number)")
      #expect(try store.check(repair: false).isClean)
      number += 1
    }
    #expect(number > 20)
  }

  /// Whatever happens to the database's bytes: no crash, no wrong value, and a store that works.
  @Test(arguments: Array(0..<24) as [UInt64])
  func noDamageToTheDatabaseGivesAWrongValue(seed: UInt64) throws {
    try fill()
    var generator = SplitMix64(seed: seed)
    var database = try folder.read("manifest.sqlite")
    switch seed % 4 {
    case 0: database.removeLast(Int.random(in: 1..<database.count, using: &generator))
    case 1: database.append(contentsOf: [UInt8](repeating: 7, count: 5_000))
    default:
      for _ in 0..<(seed % 4 == 2 ? 1 : 40) {
        let place = Int.random(in: 0..<database.count, using: &generator)
        database[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
    }
    try folder.write(database, to: "manifest.sqlite")
    do {
      let store = try open()
      let held = try ExpectedValues.held(by: store, keys: 60)
      // A flipped cost names another value; bytes are right or a miss.
      for (key, _) in held.values {
        if let found = try store.get(StoreStep.name(key)) { #expect(found.bytes == bytes(key)) }
      }
      _ = try store.check(repair: true)
      try store.put([9], forKey: "new")
      #expect(try store.get("new")?.bytes == [9])
      try store.close()
    } catch let error as StoreError {
      // A flipped application id or version makes it another program's.
      guard case .foreign = error else { throw error }
    }
  }
}
