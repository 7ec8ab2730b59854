import DiskTier
import Eviction
import Foundation
import StoreFaults
import Testing

/// Folders that are deleted, moved or replaced, wholly or in part, under an open cache.
@Suite struct LostFolderTests {
  private typealias Bytes = DiskCache<String, [UInt8]>

  enum Loss: CaseIterable {
    case folder, content, temporary, data, database, log, moved, emptied, otherDatabase

    /// True if the rows are lost, too.
    var losesRows: Bool { self != .temporary && self != .data }
  }

  private let folder = TemporaryFolder()
  private let row = [UInt8](repeating: 1, count: 10)
  private let file = [UInt8](repeating: 2, count: 50_000)

  private func open(
    _ sharing: StoreOptions.Sharing, _ environment: StoreEnvironment = StoreEnvironment()
  ) throws -> Bytes {
    var options = DiskSetup()
    options.trimInterval = nil
    options.store.sharing = sharing
    return try Bytes.open(
      path: folder.store, policy: .lru, options: options, coder: .bytes, environment: environment)
  }

  private func lose(_ loss: Loss) throws {
    let files = FileManager.default
    let store = folder.store
    switch loss {
    case .folder: try files.removeItem(atPath: store)
    case .content:
      for name in try files.contentsOfDirectory(atPath: store) {
        try files.removeItem(atPath: "\(store)/\(name)")
      }
    case .temporary: try files.removeItem(atPath: store + "/temporary")
    case .data: try files.removeItem(atPath: store + "/data")
    case .database: try files.removeItem(atPath: store + "/manifest.sqlite")
    case .log: try files.removeItem(atPath: store + "/manifest.sqlite-wal")
    case .moved: try files.moveItem(atPath: store, toPath: store + ".moved")
    case .emptied:
      try files.moveItem(atPath: store, toPath: store + ".moved")
      try files.createDirectory(atPath: store, withIntermediateDirectories: false)
    case .otherDatabase:
      try files.removeItem(atPath: store)
      let other = try HybridStore(path: store)
      try other.put([9], forKey: "other")
      try other.close()
    }
  }

  /// Puts entries, and loses them once the folder has settled: a change just after another may have the same time.
  private func lostCache(_ loss: Loss, _ sharing: StoreOptions.Sharing) throws -> Bytes {
    let cache = try open(sharing)
    for number in 0..<5 {
      try cache.set(row, forKey: "row \(number)")
      try cache.set(file, forKey: "file \(number)")
    }
    usleep(60_000)
    try cache.set(row, forKey: "row 0")
    try lose(loss)
    return cache
  }

  @Test(
    "F4: what is set after a loss is there after a restart", arguments: Loss.allCases,
    StoreOptions.Sharing.allCases)
  func whatIsSetAfterALossIsThereAfterARestart(
    _ loss: Loss, _ sharing: StoreOptions.Sharing
  ) throws {
    let cache = try lostCache(loss, sharing)
    #expect(try cache.set(row, forKey: "new row"))
    #expect(try cache.set(file, forKey: "new file"))
    #expect(cache.storeStatistics.losses == (loss.losesRows ? 1 : 0))
    if loss.losesRows {
      #expect(try cache.value(forKey: "row 1") == nil)
      #expect(try cache.count == (loss == .otherDatabase ? 3 : 2))
    }
    #expect(cache.statistics.insertions >= 12, "statistics are kept")
    cache.close()
    let reopened = try open(sharing)
    #expect(try reopened.value(forKey: "new row") == row)
    #expect(try reopened.value(forKey: "new file") == file)
    reopened.waitForBackgroundWork()
    #expect(try reopened.check(repair: true).lost == [])
    #expect(try reopened.check().isClean)
  }

  @Test(arguments: Loss.allCases, StoreOptions.Sharing.allCases)
  func aLossIsNoticedByAGetSoon(_ loss: Loss, _ sharing: StoreOptions.Sharing) throws {
    let cache = try lostCache(loss, sharing)
    let key = loss.losesRows ? "row 0" : "file 0"
    if loss == .temporary { return }
    // It takes half a second; the machine may be busy.
    for _ in 0..<100 where try cache.value(forKey: key) != nil { usleep(100_000) }
    #expect(try cache.value(forKey: key) == nil)
    #expect(try cache.set(row, forKey: "new"))
    #expect(try cache.value(forKey: "new") == row)
  }

  @Test(arguments: Loss.allCases, StoreOptions.Sharing.allCases)
  func openingAgainReturnsALivingCache(_ loss: Loss, _ sharing: StoreOptions.Sharing) throws {
    let cache = try lostCache(loss, sharing)
    let again = try open(sharing)
    #expect(again === cache)
    #expect(try again.value(forKey: "row 0") == (loss.losesRows ? nil : row))
    #expect(try again.check(repair: true).entries >= 0)
    #expect(try again.check().lost == [])
  }

  @Test(arguments: Loss.allCases, StoreOptions.Sharing.allCases)
  func aCheckTellsOfALoss(_ loss: Loss, _ sharing: StoreOptions.Sharing) throws {
    let folder = TemporaryFolder()
    let store = try HybridStore(path: self.folder.store, options: .testing { $0.sharing = sharing })
    _ = folder
    try store.put(row, forKey: "row")
    #expect(try store.check(repair: false).lost == [])
    try lose(loss)
    let report = try store.check(repair: false)
    #expect(report.lost != [] && !report.isClean)
    _ = try store.check(repair: true)
    #expect(try store.check(repair: false).lost == [])
    #expect(try store.check(repair: true).isClean)
  }

  @Test(arguments: StoreOptions.Sharing.allCases)
  func removingEverythingMakesTheFolderAgain(_ sharing: StoreOptions.Sharing) throws {
    let cache = try lostCache(.folder, sharing)
    try cache.removeAll()
    #expect(folder.exists("manifest.sqlite"))
    #expect(try cache.set(file, forKey: "file"))
    #expect(try cache.check().isClean)
  }

  /// Others' things in the folder's place are an error, and are left alone.
  @Test func aFolderOfOthersInItsPlaceIsRefused() throws {
    let cache = try lostCache(.emptied, .exclusive)
    try folder.write([1], to: "thesis.tex")
    for _ in 0..<2 {
      #expect(throws: DiskCacheError.self) { try cache.set(row, forKey: "a") }
      #expect(throws: DiskCacheError.self) { try open(.exclusive) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.store) == ["thesis.tex"])
    try FileManager.default.removeItem(atPath: folder.store)
    #expect(try cache.set(row, forKey: "a"))
  }

  /// A process that writes a value's file while the folder is deleted makes a part of it again.
  @Test func theRemainderOfADeletedStoreIsAStoreAgain() throws {
    try FileManager.default.createDirectory(
      atPath: folder.store + "/data/3f", withIntermediateDirectories: true)
    try HybridStore(path: folder.store).close()
    try FileManager.default.removeItem(atPath: folder.store)
    let store = try HybridStore(path: folder.store)
    try store.put(file, forKey: "file")
    try store.close()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.store)
    where name != "data" {
      try FileManager.default.removeItem(atPath: "\(folder.store)/\(name)")
    }
    let again = try HybridStore(path: folder.store)
    again.waitForBackgroundWork()
    #expect(folder.files() == [])
    try again.close()
    // Its log may be left as well.
    for name in ["lock", "manifest.sqlite"] {
      try FileManager.default.removeItem(atPath: "\(folder.store)/\(name)")
    }
    for name in ["lock", "writer", "manifest.sqlite-wal", "manifest.sqlite-shm"] {
      try folder.write([], to: name)
    }
    try HybridStore(path: folder.store).close()
    // Anything else in it, and it is no store.
    for name in ["lock", "manifest.sqlite"] {
      try FileManager.default.removeItem(atPath: "\(folder.store)/\(name)")
    }
    try folder.write([1], to: "data/3f/00/letter")
    #expect(throws: StoreError.self) { try HybridStore(path: folder.store) }
  }

  /// A set looks once more at the folder, and a get not at all: only the watch does, every half second.
  @Test func aGetThatHitsMakesNoCall() throws {
    let disk = FaultyDisk()
    let cache = try open(.exclusive, disk.environment)
    try cache.set(row, forKey: "row")
    usleep(60_000)
    try cache.set(row, forKey: "row")
    disk.restart()
    for _ in 0..<20_000 { #expect(try cache.value(forKey: "row") == row) }
    #expect(disk.count == 0)
    #expect(disk.looks < 200)
    disk.restart()
    for _ in 0..<1_000 { try cache.set(row, forKey: "row") }
    #expect(disk.looks < 1_200)
  }
}
