import CSQLite
import DiskTier
import Dispatch
import Foundation
import StoreFaults
import Synchronization
import Testing

/// Deleting a store that isn't open, and beginning anew.
@Suite struct StoreDeletionTests {
  private let folder = TemporaryFolder()

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Leaves a closed store with values of both kinds, and a database that was set aside.
  private func fill(
    _ folder: TemporaryFolder, sharing: StoreOptions.Sharing = .exclusive
  ) throws {
    let store = try HybridStore(path: folder.store, options: .testing { $0.sharing = sharing })
    for key in 0..<9 { try store.put(bytes(key), forKey: StoreStep.name(key), cost: key) }
    try store.close()
    let value = try #require(folder.files().first).dropFirst(folder.store.count)
    let copy = try folder.read(String(value))
    try folder.write(copy, to: "corrupt-7\(value)")
    try folder.write([1], to: "corrupt-7/manifest.sqlite")
    try folder.write([1], to: "trash/\(String(repeating: "0", count: 16))\(value.dropFirst(5))")
    try folder.write([1], to: "temporary/\(String(repeating: "0", count: 32))")
  }

  @Test(arguments: StoreOptions.Sharing.allCases)
  func aStoreLeavesWithItsFolder(sharing: StoreOptions.Sharing) throws {
    try fill(folder, sharing: sharing)
    #expect(folder.files("corrupt-7").count == 2 && folder.files("trash").count == 1)
    #expect(try HybridStore.delete(at: folder.store))
    #expect(!exists(folder.store))
    #expect(try HybridStore.delete(at: folder.store) == false)
    try FileManager.default.createDirectory(
      atPath: folder.store, withIntermediateDirectories: false)
    #expect(try HybridStore.delete(at: folder.store) == false)
    #expect(exists(folder.store))
    #expect(throws: StoreError.self) { try HybridStore.delete(at: "") }
  }

  /// From one call on the disk does nothing any more, as if the process had died, or only that call fails.
  @Test(arguments: [true, false])
  func theRestOfADeletionIsAStore(isDeath: Bool) throws {
    var number = 0
    var isOver = false
    var failures = 0
    while !isOver {
      let place = TemporaryFolder()
      try fill(place)
      let disk = FaultyDisk { [number] count, _ in
        count == number || isDeath && count > number
          ? .fail(errno: EIO, sqlite: SQLITE_IOERR) : nil
      }
      let comment = Comment(rawValue: "call \(number)")
      do throws(StoreError) {
        try HybridStore.delete(at: place.store, environment: disk.environment)
        if isDeath && disk.count > number {
          // A folder that is empty may stay; so may folders of the store that cannot be removed.
          #expect(place.files("") == [] || place.files("") == ["\(place.store)//lock"], comment)
        }
      } catch {
        failures += 1
        guard case .io(_, _, EIO) = error else { throw error }
      }
      isOver = disk.count <= number
      let store = try HybridStore(path: place.store, options: .testing())
      try store.put([1], forKey: "a")
      store.waitForBackgroundWork()
      #expect(try store.check(repair: true).isClean, comment)
      #expect(store.statistics.setAsides == 0, comment)
      try store.close()
      #expect(try HybridStore.delete(at: place.store), comment)
      #expect(!exists(place.store), comment)
      number += 1
    }
    #expect(number > 20 && failures > 10)
  }

  @Test(arguments: StoreOptions.Sharing.allCases)
  func aStoreThatIsOpenIsNotDeleted(sharing: StoreOptions.Sharing) throws {
    let store = try HybridStore(path: folder.store, options: .testing { $0.sharing = sharing })
    try store.put(bytes(fileValue), forKey: "a")
    #expect(throws: StoreError.inUse(path: folder.store)) {
      try HybridStore.delete(at: folder.store)
    }
    #expect(try store.get("a")?.bytes == bytes(fileValue))
    #expect(try store.check(repair: false).isClean)
    try store.close()
    #expect(try HybridStore.delete(at: folder.store))
  }

  @Test func aDatabaseOfAnotherProgramIsNotDeleted() throws {
    try fill(folder)
    for suffix in ["", "-wal", "-shm"] { unlink("\(folder.store)/manifest.sqlite\(suffix)") }
    var database: OpaquePointer?
    sqlite3_open("\(folder.store)/manifest.sqlite", &database)
    sqlite3_exec(database, "CREATE TABLE other (x)", nil, nil, nil)
    sqlite3_close(database)
    let error = #expect(throws: StoreError.self) { try HybridStore.delete(at: folder.store) }
    #expect("\(try #require(error))".contains("the database belongs to another program"))
    #expect(exists("\(folder.store)/manifest.sqlite") && !folder.files().isEmpty)
  }

  /// Of those who open and those who delete one has the folder at a time, and no one else's is deleted.
  @Test(.timeLimit(.minutes(30))) func openingsAndDeletionsExcludeEachOther() throws {
    let path = folder.store
    let problems = Mutex<[String]>([])
    let done = Mutex((opened: 0, deleted: 0))
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var step = 0
      while done.withLock({ $0.opened < 150 }) && problems.withLock({ $0.isEmpty }) {
        step += 1
        do {
          if thread % 2 == 0 {
            if try HybridStore.delete(at: path) { done.withLock { $0.deleted += 1 } }
            continue
          }
          let store = try HybridStore(path: path, options: .testing { $0.durability = .none })
          for key in 0..<3 { try store.put(bytes(fileValue + step), forKey: "\(key)") }
          for key in 0..<3 where try store.get("\(key)")?.bytes != bytes(fileValue + step) {
            problems.withLock { $0.append("\(key) is lost") }
          }
          if store.statistics.losses > 0 { problems.withLock { $0.append("the folder is lost") } }
          try store.close()
          done.withLock { $0.opened += 1 }
        } catch StoreError.inUse {
          continue
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(problems.withLock { $0 } == [])
    #expect(done.withLock { $0.deleted } > 0)
  }

  // MARK: - Caches

  @Test func aCacheOfAnotherFormatOrDamagedBeginsAnew() async throws {
    let path = folder.store
    let texts = try await DiskCache<String, String>.open(path: path, coder: .text)
    try await texts.set("text", forKey: "a")
    #expect(throws: DiskCacheError.store(.inUse(path: texts.path))) {
      try DiskCache<String, Int>.delete(at: path, environment: StoreEnvironment())
    }
    #expect(try await texts.value(forKey: "a") == "text")
    await texts.close()
    await #expect(throws: DiskCacheError.self) {
      try await DiskCache<String, Int>.open(path: path, coder: .json)
    }
    let numbers = try await DiskCache<String, Int>.openAnew(path: path, coder: .json)
    #expect(try numbers.count == 0)
    try await numbers.set(1, forKey: "a")
    await numbers.close()
    try folder.write([UInt8](repeating: 7, count: 10_000), to: "manifest.sqlite")
    #expect(try await DiskCache<String, Int>.delete(at: path))
    #expect(!exists(path))
    #expect(try await DiskCache<String, Int>.delete(at: path) == false)
    let again = try await DiskCache<String, Int>.openAnew(path: path, countLimit: 5, coder: .json)
    #expect(again.countLimit == 5 && again.storeStatistics.setAsides == 0)
  }

  @Test(.timeLimit(.minutes(30))) func threadsOpenAndDeleteOnePath() throws {
    let path = folder.store
    let problems = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for step in 0..<50 {
        do {
          if thread == 0 {
            try DiskCache<String, Int>.delete(at: path)
          } else {
            let cache = try DiskCache<String, Int>.open(path: path, coder: .json)
            try cache.set(step, forKey: "\(thread)")
            if try cache.value(forKey: "\(thread)") != step {
              problems.withLock { $0.append("\(step) is lost") }
            }
          }
        } catch DiskCacheError.store(.inUse) {
          if thread != 0 { problems.withLock { $0.append("in use") } }
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(problems.withLock { $0 } == [])
  }
}
