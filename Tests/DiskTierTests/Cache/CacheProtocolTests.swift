import DiskTier
import Eviction
import Foundation
import Testing

@Suite("Every kind of cache")
struct CacheProtocolTests {
  private let folder = TemporaryFolder()

  /// A get, and the set that follows a miss.
  private func length<Failure: Error>(
    of key: String, in cache: some Cache<String, Int, Failure>
  ) throws(Failure) -> Int {
    if let length = try cache.value(forKey: key) { return length }
    try cache.set(key.utf8.count, forKey: key)
    return key.utf8.count
  }

  /// Uses a cache in every way that all caches have.
  private func use(_ cache: some Cache<String, Int, some Error>) throws {
    for key in ["a", "bb", "a", "bb"] { #expect(try length(of: key, in: cache) == key.utf8.count) }
    #expect(try cache.contains("a"))
    #expect(try cache.contains("c") == false)

    #expect(try cache.set(7, forKey: "a", cost: 2))
    #expect(try cache.value(forKey: "a") == 7)
    #expect(try cache.remove("a"))
    #expect(try cache.remove("a") == false)
    #expect(try cache.value(forKey: "a") == nil)

    #expect(try cache.set(8, forKey: "c", cost: nil, expiration: .after(.seconds(1_000))))
    #expect(try cache.value(forKey: "c") == 8)
    #expect(try cache.set(9, forKey: "c", cost: nil, expiration: .after(.zero)) == false)
    #expect(try cache.value(forKey: "c") == nil)
    #expect(try cache.set(9, forKey: "c", cost: nil, expiration: .after(.milliseconds(20))))
    Thread.sleep(forTimeInterval: 0.05)
    #expect(try cache.contains("c") == false)
    #expect(try cache.remove("c") == false)
    #expect(try cache.value(forKey: "c") == nil)
    try cache.removeAll()
    for key in ["a", "bb", "c"] { #expect(try cache.contains(key) == false) }
    #expect(try length(of: "a", in: cache) == 1)
  }

  /// Uses a cache that holds at most four entries.
  private func fill(_ cache: some Cache<String, Int, some Error>) throws {
    for key in 0..<40 { #expect(try cache.set(key, forKey: "\(key)")) }
    let present = try (0..<40).filter { try cache.contains("\($0)") }
    #expect(present.count == 4)
    for key in present { #expect(try cache.value(forKey: "\(key)") == key) }
  }

  private func openDisk() throws -> DiskCache<String, Int> {
    var options = DiskCacheOptions()
    options.countLimit = 4
    return try DiskCache<String, Int>.open(path: folder.store, policy: .lru, options: options)
  }

  @Test("does the same: one in memory, and one in shards")
  func inMemory() throws {
    let memory = MemoryCache<String, Int>(countLimit: 4, policy: .lru)
    try use(memory)
    try fill(memory)
    let sharded = ShardedCache<String, Int>(shards: 2, countLimit: 4, policy: .lru)
    try use(sharded)
    try fill(sharded)
    // Without `try`: it cannot fail.
    #expect(length(of: "abc", in: memory) == 3)
  }

  @Test("does the same: one on disk")
  func onDisk() throws {
    let disk = try openDisk()
    try use(disk)
    try fill(disk)
  }

  @Test(
    "does the same: one in tiers",
    arguments: [TieredCacheOptions.Writing.through, .back(limit: 2), .back(limit: 100)])
  func inTiers(writing: TieredCacheOptions.Writing) throws {
    var options = TieredCacheOptions()
    options.memoryCountLimit = 2
    options.writing = writing
    let cache = try TieredCache<String, Int>.open(disk: openDisk(), policy: .lru, options: options)
    try use(cache)
    // The limits of the disk hold for values that are written.
    if writing == .through { try fill(cache) }
  }

  @Test("fails with an error of its own on a closed disk")
  func failure() throws {
    let disk = try openDisk()
    disk.close()
    #expect(throws: DiskCacheError.store(.closed(path: folder.store))) {
      try length(of: "a", in: disk)
    }
  }
}
