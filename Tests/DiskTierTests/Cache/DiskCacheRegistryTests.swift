import DiskTier
import Dispatch
import Eviction
import Foundation
import Synchronization
import Testing

struct DiskCacheRegistryTests {
  private let folder = TemporaryFolder()

  @Test func aPathHasOneCacheHoweverItIsSpelled() throws {
    let cache = try DiskCache<String, Int>.open(path: folder.store, policy: .lru, coder: .json)
    let same = try DiskCache<String, Int>.open(
      path: folder.path + "/./none/../store/", policy: .lru, coder: .json)
    #expect(cache === same)
  }

  @Test func threadsThatOpenAtOnceGetOneCache() throws {
    let path = folder.store
    for _ in 0..<10 {
      let caches = Mutex<[DiskCache<String, Int>]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        if let cache = try? DiskCache<String, Int>.open(path: path, policy: .lru, coder: .json) {
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
          let cache = try DiskCache<String, Int>.open(path: path, policy: .lru, coder: .json)
          try cache.set(thread, forKey: "a")
        } catch { Issue.record("\(error)") }
      }
    }
  }

  @Test func openingWaitsForAClosingToBeOver() throws {
    let path = folder.store
    for round in 0..<20 {
      let cache = try DiskCache<String, Int>.open(path: path, policy: .lru, coder: .json)
      DispatchQueue.global().async { cache.close() }
      for _ in 0..<10_000 where (try? cache.count) != nil { usleep(100) }
      let opened = try DiskCache<String, Int>.open(path: path, policy: .lru, coder: .json)
      #expect(opened !== cache)
      try opened.set(round, forKey: "a")
    }
  }

  @Test func anotherTypeOrCoderIsRefused() throws {
    let cache = try DiskCache<String, String>.open(path: folder.store, policy: .lru, coder: .json)
    withExtendedLifetime(cache) {
      let type = #expect(throws: DiskCacheError.self) {
        try DiskCache<String, String>.open(path: folder.store, policy: .fifo, coder: .json)
      }
      #expect(
        "\(type!)"
          == "\(cache.path): already open with the policy lru; open it alike, or close it first")
      let coder = #expect(throws: DiskCacheError.self) {
        try DiskCache<String, String>.open(path: folder.store, policy: .lru, coder: .text)
      }
      #expect("\(coder!)".contains("the coder “json”"))
    }
    cache.close()
    _ = try DiskCache<String, String>.open(path: folder.store, policy: .fifo, coder: .json)
  }

  @Test func anOpeningThatFailedLeavesThePathFree() throws {
    _ = FileManager.default.createFile(atPath: folder.store, contents: Data())
    #expect(throws: DiskCacheError.self) {
      try DiskCache<String, Int>.open(path: folder.store, policy: .lru, coder: .json)
    }
    try FileManager.default.removeItem(atPath: folder.store)
    _ = try DiskCache<String, Int>.open(path: folder.store, policy: .lru, coder: .json)
  }
}
