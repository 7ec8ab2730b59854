import DiskTier
import Dispatch
import Eviction
import Foundation
import Synchronization
import Testing

struct DiskCacheRegistryTests {
  private let folder = CacheFolder()

  @Test func aPathHasOneCacheHoweverItIsSpelled() throws {
    let cache = try DiskCache<Int, LRU>.open(path: folder.path)
    let same = try DiskCache<Int, LRU>.open(
      path: folder.path + "/../" + (folder.path as NSString).lastPathComponent)
    #expect(cache === same)
  }

  @Test func threadsThatOpenAtOnceGetOneCache() throws {
    for _ in 0..<10 {
      let caches = Mutex<[DiskCache<Int, LRU>]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        if let cache = try? DiskCache<Int, LRU>.open(path: folder.path) {
          caches.withLock { $0.append(cache) }
        }
      }
      let opened = caches.withLock { $0 }
      #expect(opened.count == 8)
      #expect(Set(opened.map(ObjectIdentifier.init)).count == 1)
    }
  }

  @Test func openingWaitsForTheLastUserToBeGone() throws {
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for _ in 0..<10 {
        do {
          let cache = try DiskCache<Int, LRU>.open(path: folder.path)
          try cache.set(thread, forKey: "a")
        } catch { Issue.record("\(error)") }
      }
    }
  }

  @Test func anotherTypeOrCoderIsRefused() throws {
    let cache = try DiskCache<String, LRU>.open(path: folder.path)
    try withExtendedLifetime(cache) {
      let type = #expect(throws: DiskCacheError.self) {
        try DiskCache<String, FIFO>.open(path: folder.path)
      }
      #expect(
        "\(type!)"
          == "\(cache.path): already open with another type of value or another policy; "
          + "open it alike, or close it first")
      let coder = #expect(throws: DiskCacheError.self) {
        try DiskCache<String, LRU>.open(path: folder.path, coder: .text)
      }
      #expect("\(coder!)".contains("the coder “json”"))
    }
    cache.close()
    _ = try DiskCache<String, FIFO>.open(path: folder.path)
  }

  @Test func anOpeningThatFailedLeavesThePathFree() throws {
    FileManager.default.createFile(atPath: folder.path, contents: Data())
    #expect(throws: DiskCacheError.self) { try DiskCache<Int, LRU>.open(path: folder.path) }
    try FileManager.default.removeItem(atPath: folder.path)
    _ = try DiskCache<Int, LRU>.open(path: folder.path)
  }
}
