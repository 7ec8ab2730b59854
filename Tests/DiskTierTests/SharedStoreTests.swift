import CSQLite
import DiskTier
import Foundation
import StoreFaults
import Synchronization
import Testing

/// Actions of other processes on the folders of a shared store: other stores in this process stand for them.
@Suite struct SharedStoreTests {
  private let folder = TemporaryFolder()

  private static func options(_ durability: Durability = .processCrash) -> StoreOptions {
    .testing {
      $0.sharing = .shared
      $0.durability = durability
    }
  }

  /// A process may die after it has put the folder of files out of the way, before it has made a new one.
  @Test func aFolderThatIsGoneIsMadeAgain() throws {
    let store = try HybridStore(path: folder.store, options: Self.options())
    try FileManager.default.removeItem(atPath: folder.store + "/data")
    try store.put(bytes(fileValue), forKey: "a")
    #expect(try store.get("a")?.bytes == bytes(fileValue))
  }

  /// Folders that this process has synced are no longer those that are there.
  @Test func foldersThatAnotherProcessReplacedAreSyncedAgain() throws {
    let synced = Mutex<[String]>([])
    let disk = FaultyDisk { _, call in
      if call.name == "sync" { synced.withLock { $0.append(call.path) } }
      return nil
    }
    let store = try HybridStore(
      path: folder.store, options: Self.options(.powerLoss), environment: disk.environment)
    let other = try HybridStore(path: folder.store, options: Self.options(.powerLoss))
    try store.put(bytes(fileValue), forKey: "a")
    try other.removeAll()
    synced.withLock { $0 = [] }
    try store.put(bytes(fileValue), forKey: "a")
    let value = try #require(folder.files().first)
    let inner = (value as NSString).deletingLastPathComponent
    let outer = (inner as NSString).deletingLastPathComponent
    for path in [inner, outer, folder.store + "/data", folder.store] {
      #expect(synced.withLock { $0.contains(path) }, "\(path)")
    }
  }

  /// A store that was just made lasts as long as what is in it.
  @Test func theFolderAboveANewStoreIsSynced() throws {
    let synced = Mutex<[String]>([])
    let disk = FaultyDisk { _, call in
      if call.name == "sync" { synced.withLock { $0.append(call.path) } }
      return nil
    }
    _ = try HybridStore(
      path: folder.store + "/below", options: Self.options(.powerLoss),
      environment: disk.environment)
    #expect(synced.withLock { $0.contains(folder.path) && $0.contains(folder.store) })
  }

  /// Opens a store whose next reads find it corrupt, while another has it open, so that it cannot be set aside.
  private func corruptStore(
    _ disk: FaultyDisk, onWayBack fault: @escaping @Sendable (_ attempt: Int) -> DiskFault?
  ) throws -> HybridStore {
    var options = Self.options()
    options.busyTimeout = 0.05
    options.pageCache = 0
    let store = try HybridStore(
      path: folder.store, options: options, environment: disk.environment)
    for key in 0..<200 { try store.put(bytes(3), forKey: "\(key)") }
    // Else the reconciliation that opening started may be the one to find it corrupt.
    store.waitForBackgroundWork()
    let attempts = Mutex(0)
    let lock = folder.store + "/lock"
    disk.restart { _, call in
      if call.name == "read" && call.isOfManifest { return .fail(errno: 0, sqlite: SQLITE_CORRUPT) }
      if call != .lock(path: lock) { return nil }
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      // The first is the one for the exclusive lock.
      return attempt == 1 ? nil : fault(attempt - 1)
    }
    return store
  }

  @Test func aLockThatIsInterruptedOnTheWayBackIsTakenAgain() throws {
    let disk = FaultyDisk()
    let store = try corruptStore(disk) {
      $0 <= 3 ? .fail(errno: [EINTR, EWOULDBLOCK][$0 % 2], sqlite: 0) : nil
    }
    let other = try HybridStore(path: folder.store, options: Self.options())
    let error = #expect(throws: StoreError.self) {
      for key in 0..<200 { _ = try store.get("\(key)") }
    }
    guard case .corrupt = error else { throw error! }
    disk.restart()
    #expect(try store.get("3")?.bytes == bytes(3))
    try other.close()
    #expect(throws: StoreError.inUse(path: folder.store)) {
      try HybridStore(path: folder.store, options: .testing())
    }
  }

  @Test func aStoreThatLosesItsLockIsClosed() throws {
    let disk = FaultyDisk()
    let store = try corruptStore(disk) { _ in .fail(errno: EWOULDBLOCK, sqlite: 0) }
    let other = try HybridStore(path: folder.store, options: Self.options())
    #expect(throws: StoreError.inUse(path: folder.store)) {
      for key in 0..<200 { _ = try store.get("\(key)") }
    }
    disk.restart()
    #expect(throws: StoreError.closed(path: folder.store)) { try store.get("3") }
    #expect(throws: StoreError.closed(path: folder.store)) { try store.put([1], forKey: "3") }
    #expect(try other.get("3")?.bytes == bytes(3))
    try other.close()
    #expect(try HybridStore(path: folder.store, options: .testing()).count == 200)
  }

  /// A network's file system may have no memory that processes share; one process needs none.
  @Test func aFileSystemWithoutSharedMemoryIsRefusedToSeveralProcesses() throws {
    let disk = FaultyDisk(sharesMemory: false)
    let error = #expect(throws: StoreError.self) {
      try HybridStore(
        path: folder.store, options: Self.options(), environment: disk.environment)
    }
    #expect(error == .unshareable(path: folder.store + "/manifest.sqlite"))
    let store = try HybridStore(
      path: folder.store, options: .testing(), environment: disk.environment)
    try store.put([1], forKey: "a")
    #expect(folder.size("manifest.sqlite-wal") > 0)
  }

  /// A row that another process replaces while it is looked at has not lost its file.
  @Test func aValueThatIsReplacedDuringReconciliationIsNotMissing() throws {
    let other = try HybridStore(path: folder.store, options: Self.options())
    try other.put(bytes(fileValue), forKey: "a")
    let isReplaced = Mutex(false)
    let disk = FaultyDisk { _, call in
      guard call.name == "look", call.path.contains("/data/") else { return nil }
      let isFirst = isReplaced.withLock { isReplaced in
        defer { isReplaced = true }
        return !isReplaced
      }
      if isFirst { _ = try? other.put(bytes(fileValue + 9), forKey: "a") }
      return nil
    }
    let store = try HybridStore(
      path: folder.store, options: Self.options(), environment: disk.environment)
    store.waitForBackgroundWork()
    #expect(isReplaced.withLock { $0 })
    #expect(store.statistics.missingFiles == 0)
    #expect(try store.get("a")?.bytes == bytes(fileValue + 9))
  }

  @Test func accessesGoOnAfterThoseOfTheLatestProcess() throws {
    let later = Int64(4_000_000_000_000_000_000)
    var environment = StoreEnvironment()
    environment.now = { later }
    let first = try HybridStore(
      path: folder.store, options: Self.options(), environment: environment)
    try first.put([1], forKey: "a")
    try first.close()
    let second = try HybridStore(path: folder.store, options: Self.options())
    #expect(try second.put([1], forKey: "b").metadata.access > later)
  }
}
