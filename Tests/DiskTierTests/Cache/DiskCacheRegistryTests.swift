import DiskTier
import Dispatch
import Eviction
import Foundation
import Synchronization
import Testing

struct DiskCacheRegistryTests {
  private let folder = TemporaryFolder()

  @Test func aPathHasOneCacheHoweverItIsSpelled() throws {
    let cache = try DiskCache<Int, LRU>.open(path: folder.store)
    let same = try DiskCache<Int, LRU>.open(path: folder.path + "/./none/../store/")
    #expect(cache === same)
  }

  @Test func threadsThatOpenAtOnceGetOneCache() throws {
    let path = folder.store
    for _ in 0..<10 {
      let caches = Mutex<[DiskCache<Int, LRU>]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        if let cache = try? DiskCache<Int, LRU>.open(path: path) {
          caches.withLock { $0.append(cache) }
        }
      }
      let opened = caches.withLock { $0 }
      #expect(opened.count == 8)
      #expect(Set(opened.map(ObjectIdentifier.init)).count == 1)
    }
  }

  @Test func openingWaitsForTheLastUserToBeGone() throws {
    let path = folder.store
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for _ in 0..<10 {
        do {
          let cache = try DiskCache<Int, LRU>.open(path: path)
          try cache.set(thread, forKey: "a")
        } catch { Issue.record("\(error)") }
      }
    }
  }

  @Test func openingWaitsForAClosingToBeOver() throws {
    let path = folder.store
    for round in 0..<20 {
      let cache = try DiskCache<Int, LRU>.open(path: path)
      DispatchQueue.global().async { cache.close() }
      for _ in 0..<10_000 where (try? cache.count) != nil { usleep(100) }
      let opened = try DiskCache<Int, LRU>.open(path: path)
      #expect(opened !== cache)
      try opened.set(round, forKey: "a")
    }
  }

  @Test func anotherTypeOrCoderIsRefused() throws {
    let cache = try DiskCache<String, LRU>.open(path: folder.store)
    withExtendedLifetime(cache) {
      let type = #expect(throws: DiskCacheError.self) {
        try DiskCache<String, FIFO>.open(path: folder.store)
      }
      #expect(
        "\(type!)"
          == "\(cache.path): already open with another type of value or another policy; "
          + "open it alike, or close it first")
      let coder = #expect(throws: DiskCacheError.self) {
        try DiskCache<String, LRU>.open(path: folder.store, coder: .text)
      }
      #expect("\(coder!)".contains("the coder “json”"))
    }
    cache.close()
    _ = try DiskCache<String, FIFO>.open(path: folder.store)
  }

  @Test func anOpeningThatFailedLeavesThePathFree() throws {
    _ = FileManager.default.createFile(atPath: folder.store, contents: Data())
    #expect(throws: DiskCacheError.self) { try DiskCache<Int, LRU>.open(path: folder.store) }
    try FileManager.default.removeItem(atPath: folder.store)
    _ = try DiskCache<Int, LRU>.open(path: folder.store)
  }
}
