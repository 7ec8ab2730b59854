import DiskTier
import Foundation
import StoreFaults
import Synchronization
import Testing

/// Paths that lead to a store, and protection that keeps others out of it.
@Suite struct StoreFolderTests {
  private let folder = TemporaryFolder()
  private var store: String { folder.path + "/a/b/store" }

  private func open(_ durability: Durability, _ disk: FaultyDisk) throws -> HybridStore {
    try HybridStore(
      path: store, options: .testing { $0.durability = durability }, environment: disk.environment)
  }

  /// Anyone who made the folders may have died before they were synced, or have promised less.
  @Test func foldersThatWereThereAreSyncedWhereThatIsPromised() throws {
    let synced = Mutex<[String]>([])
    let disk = FaultyDisk { _, call in
      if call.name == "sync" { synced.withLock { $0.append(call.path) } }
      return nil
    }
    let parents = [folder.path, folder.path + "/a", folder.path + "/a/b"]
    try open(.processCrash, disk).close()
    #expect(synced.withLock { Set($0).isDisjoint(with: parents) })
    try open(.powerLoss, disk).close()
    #expect(synced.withLock { Set($0).isSuperset(of: parents + ["/"]) })
  }

  @Test func aFolderThatNobodyCanSyncIsNoError() throws {
    let parent = folder.path
    let disk = FaultyDisk { _, call in
      call.name == "open" && call.path == parent ? .fail(errno: EACCES, sqlite: 0) : nil
    }
    try FileManager.default.createDirectory(
      atPath: parent + "/a", withIntermediateDirectories: false)
    try open(.powerLoss, disk).close()
    // A new one must be synced.
    try FileManager.default.removeItem(atPath: parent + "/a")
    #expect(
      throws: StoreError.io(path: parent, action: "open a folder", code: EACCES)
    ) { try open(.powerLoss, disk) }
    disk.restart { _, call in
      call.name == "sync" && call.path == parent ? .fail(errno: EIO, sqlite: 0) : nil
    }
    #expect(throws: StoreError.io(path: parent, action: "sync a folder", code: EIO)) {
      try open(.powerLoss, disk)
    }
  }

  @Test func aLockThatFailsIsNoOtherProcess() throws {
    let place = store
    let disk = FaultyDisk { _, call in
      call == .lock(path: place + "/lock") ? .fail(errno: ENOLCK, sqlite: 0) : nil
    }
    let error = #expect(throws: StoreError.self) { try open(.processCrash, disk) }
    #expect(
      error?.description
        == "\(store)/lock: cannot take the lock: no locks available; check the disk and the path")
    let interruptions = Mutex(3)
    disk.restart { _, call in
      if call != .lock(path: place + "/lock") { return nil }
      let isInterrupted = interruptions.withLock { left in
        left -= 1
        return left >= 0
      }
      return isInterrupted ? .fail(errno: EINTR, sqlite: 0) : nil
    }
    try open(.processCrash, disk).close()
    #expect(interruptions.withLock { $0 } < 0)
  }

  @Test func aWritersLockThatFailsIsNoBusyProcess() throws {
    let disk = FaultyDisk()
    let shared = try HybridStore(
      path: store, options: .testing { $0.sharing = .shared }, environment: disk.environment)
    let place = store
    disk.restart { _, call in
      call == .lock(path: place + "/writer") ? .fail(errno: ENOLCK, sqlite: 0) : nil
    }
    #expect(throws: StoreError.io(path: place + "/writer", action: "take the lock", code: ENOLCK)) {
      try shared.put([1], forKey: "a")
    }
    disk.restart()
    try shared.put([1], forKey: "a")
    #expect(try shared.get("a")?.bytes == [1])
  }
}
