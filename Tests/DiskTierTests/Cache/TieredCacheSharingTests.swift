import DiskTier
import Eviction
import Foundation
import Testing

/// A cache in memory over a path that several processes share: a store stands for another process.
struct TieredCacheSharingTests {
  private let folder = TemporaryFolder()

  private func open(
    _ configure: (inout TieredSetup) -> Void
  ) throws -> TieredCache<String, [UInt8]> {
    var options = DiskSetup()
    options.store.sharing = .shared
    options.expiration = .after(.seconds(1_000))
    let disk = try DiskCache<String, [UInt8]>.open(
      path: folder.store, policy: .lru, options: options, coder: .bytes)
    var tiered = TieredSetup()
    tiered.memory.clock = .precise
    configure(&tiered)
    return try TieredCache.open(disk: disk, policy: .lru, options: tiered)
  }

  @Test func memoryWithoutATimeToLiveIsRefused() {
    let error = #expect(throws: DiskCacheError.self) { try open { _ in } }
    #expect(
      "\(error!)".hasSuffix(
        ": shared by several processes, memory over it needs a time to live; or open it as exclusive"
      ))
    #expect(throws: DiskCacheError.self) {
      try open { $0.memory.expiration = .afterIdle(.seconds(1)) }
    }
  }

  @Test func writingBackIsRefused() {
    #expect(throws: DiskCacheError.self) {
      try open {
        $0.memory.expiration = .after(.seconds(1))
        $0.writing = .back(limit: 10)
      }
    }
  }

  @Test func whatAnotherProcessSetsIsReturnedWhenTheMemorysTimeIsOver() throws {
    let cache = try open { $0.memory.expiration = .after(.milliseconds(20)) }
    let other = try HybridStore(path: folder.store, options: cache.disk.options.store)
    try cache.set([1], forKey: "a")
    try other.put([2], forKey: "a")
    Thread.sleep(forTimeInterval: 0.05)
    #expect(try cache.value(forKey: "a") == [2])
    try other.put([3], forKey: "a")
    Thread.sleep(forTimeInterval: 0.05)
    #expect(try cache.value(forKey: "a") == [3])
  }
}
