import DiskTier
import Foundation
import StoreFaults
import Synchronization
import Testing

/// What other processes do to the folders of a shared store: other stores in this process stand for them.
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
