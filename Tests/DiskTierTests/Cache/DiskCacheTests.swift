import DiskTier
import Dispatch
import Eviction
import Foundation
import Testing

private struct Page: Codable, Equatable, Sendable {
  var title: String
  var links: [Int]
}

struct DiskCacheTests {
  private let folder = TemporaryFolder()

  private func open<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type, _ configure: (inout DiskSetup) -> Void = { _ in }
  ) throws -> DiskCache<String, [UInt8]> {
    var options = DiskSetup()
    options.trimInterval = nil
    configure(&options)
    return try DiskCache<String, [UInt8]>.open(
      path: folder.store, policy: CachePolicy(Policy.self), options: options, coder: .bytes)
  }

  @Test func typedValuesOutliveTheCache() throws {
    let page = Page(title: "a", links: [1, 2])
    do {
      let cache = try DiskCache<String, Page>.open(path: folder.store, policy: .lru, coder: .json)
      try cache.set(page, forKey: "page", extended: [7])
      #expect(try cache.value(forKey: "page") == page)
    }
    let cache = try DiskCache<String, Page>.open(path: folder.store, policy: .lru, coder: .json)
    let entry = try cache.entry(forKey: "page")
    #expect(entry?.value == page)
    #expect(entry?.extended == [7])
    #expect(try cache.value(forKey: "other") == nil)
    #expect(cache.statistics.hits == 1)
    #expect(cache.statistics.misses == 1)
  }

  @Test func valuesBecomeBytesByTheChosenCoder() throws {
    let text = try DiskCache<String, String>.open(path: folder.store, policy: .lru, coder: .text)
    try text.set("ä", forKey: "a")
    #expect(try text.entry(forKey: "a")?.metadata.size == 2)
    text.close()
    var options = DiskCacheOptions()
    options.store.format = "text"
    let data = try DiskCache<String, Data>.open(
      path: folder.store, policy: .lru, options: options, coder: .data)
    #expect(try data.value(forKey: "a") == Data([0xC3, 0xA4]))
  }

  @Test func whatCannotBeDecodedIsAMissAndLeaves() throws {
    try open(LRU.self) { $0.store.format = "json" }.set([1, 2, 3], forKey: "a")
    let cache = try DiskCache<String, Page>.open(path: folder.store, policy: .lru, coder: .json)
    #expect(try cache.value(forKey: "a") == nil)
    #expect(cache.undecodableValues == 1)
    #expect(try cache.count == 0)
    #expect(try cache.contains("a") == false)
  }

  @Test func whatCannotBeEncodedIsAnErrorThatNamesTheKey() throws {
    let cache = try DiskCache<String, [Double]>.open(path: folder.store, policy: .lru, coder: .json)
    let error = #expect(throws: DiskCacheError.self) { try cache.set([.nan], forKey: "a") }
    #expect("\(error!)".hasPrefix("the value of “a” cannot be encoded: "))
  }

  @Test func aRemovedKeyIsGone() throws {
    let cache = try open(SIEVE.self)
    try cache.set([1], forKey: "a")
    #expect(try cache.remove("a"))
    #expect(try cache.remove("a") == false)
    #expect(try cache.value(forKey: "a") == nil)
    #expect(try cache.totalSize == 0)
  }

  @Test func removingAllReportsItsProgress() throws {
    let cache = try open(LRU.self) { $0.store.inlineThreshold = 10 }
    for key in 0..<20 { try cache.set([UInt8](repeating: 1, count: 100), forKey: "\(key)") }
    var last: (Int, Int)?
    try cache.removeAll { last = ($0, $1) }
    #expect(last?.0 == 20 && last?.1 == 20)
    #expect(try cache.count == 0)
    #expect(try cache.value(forKey: "3") == nil)
    try cache.set([1], forKey: "3")
    #expect(try cache.value(forKey: "3") == [1])
  }

  @Test func asynchronousCallsDoTheSame() async throws {
    let cache = try open(S3FIFO.self) { $0.countLimit = 10 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for key in 0..<50 {
        group.addTask {
          _ = try await cache.set([UInt8(key)], forKey: "\(key)")
          let value = try await cache.value(forKey: "\(key)")
          #expect(value == nil || value == [UInt8(key)])
        }
      }
      try await group.waitForAll()
    }
    #expect(try cache.count == 10)
    try await cache.removeAll()
    let isThere = try await cache.contains("49")
    #expect(!isThere)
    #expect(try await cache.check().isClean)
  }

  @Test func aDamagedValueIsAMissAndItsRoomIsFree() throws {
    let cache = try open(FIFO.self) { $0.store.inlineThreshold = 0 }
    try cache.set([UInt8](repeating: 1, count: 100), forKey: "a")
    for file in folder.files() { try Data([1, 2]).write(to: URL(fileURLWithPath: file)) }
    #expect(try cache.value(forKey: "a") == nil)
    #expect(cache.storeStatistics.mismatches == 1)
    #expect(try cache.count == 0)
  }

  @Test func aClosedCacheSaysSo() throws {
    let cache = try open(LRU.self)
    try cache.set([1], forKey: "a")
    cache.close()
    let error = #expect(throws: DiskCacheError.self) { try cache.value(forKey: "a") }
    #expect("\(error!)" == "\(cache.path): the store is closed; open it again")
  }

  @Test func afterASetThatFailedThereIsNoOutdatedValue() throws {
    let cache = try open(LRU.self) { $0.store.inlineThreshold = 0 }
    try cache.set([1], forKey: "a")
    let temporary = folder.store + "/temporary"
    try FileManager.default.removeItem(atPath: temporary)
    _ = FileManager.default.createFile(atPath: temporary, contents: Data())
    #expect(throws: DiskCacheError.self) { try cache.set([2], forKey: "a") }
    #expect(try cache.value(forKey: "a") == nil)
    #expect(try cache.count == 0)
    try FileManager.default.removeItem(atPath: temporary)
    try FileManager.default.createDirectory(
      atPath: temporary, withIntermediateDirectories: false)
    try cache.set([3], forKey: "a")
    #expect(try cache.value(forKey: "a") == [3])
  }

  @Test func manyThreadsLeaveDirectoryAndRowsAlike() throws {
    let cache = try open(ARC.self) {
      $0.countLimit = 20
      $0.store.inlineThreshold = 64
    }
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for _ in 0..<250 {
        let key = "\(random.index(below: 60))"
        switch random.index(below: 8) {
        case 0: _ = try? cache.remove(key)
        case 1, 2:
          let value = [UInt8](repeating: UInt8(key)!, count: 1 + random.index(below: 128))
          _ = try? cache.set(value, forKey: key)
        default:
          let value = try? cache.value(forKey: key)
          if let value, value.contains(where: { $0 != UInt8(key)! }) {
            Issue.record("\(key) has another key's value")
          }
        }
      }
    }
    let report = try cache.check()
    #expect(report.isClean)
    #expect(report.entries == (try cache.count))
    #expect(report.entries <= 20)
  }
}
