import Eviction
import Synchronization
import Testing

/// The README's library examples, as they stand there.
@Suite struct ReadmeTests {
  @Test func cacheOfOneThousandObjects() {
    let cache = MemoryCache<Int, String>(countLimit: 1_000)
    cache.set("a value", forKey: 7)
    #expect(cache.value(forKey: 7) == "a value")
  }

  @Test func cacheOfBytesWithACallback() {
    let left = Atomic(0)
    let images = MemoryCache<Int, [UInt8]>(
      costLimit: 64 << 20, policy: .slru(protected: 0.8), admission: .size(limit: 1 << 20)
    ) { key, image, cause in
      if cause == .removed { left.add(key + image.count, ordering: .relaxed) }
    }
    images.set([1, 2, 3], forKey: 1, cost: 3)
    #expect(images.statistics.hitRatio == nil)
    #expect(!images.set([], forKey: 2, cost: 2 << 20))
    images.removeAll()
    #expect(left.load(ordering: .relaxed) == 4)
  }

  @Test func cacheOfAnApp() async throws {
    @Sendable func read(_ path: String) throws -> String { path }
    @Sendable func fetch(_ path: String) async throws -> String { path }
    let left = Atomic(0)
    var options = MemoryCacheOptions()
    options.expiration = .after(.seconds(3_600), orIdle: .seconds(600))
    options.trimInterval = .seconds(5)
    options.memoryPressure = .trim(to: 0.5)
    options.lowWaterMark = 0.8
    let pages = MemoryCache<String, String>(
      costLimit: 64 << 20, policy: .arc(), options: options,
      onRemoval: { _, _, _ in left.add(1, ordering: .relaxed) })

    pages["/"] = "home"
    pages.set("news", forKey: "/news", cost: 4, expiration: .after(.seconds(300)))
    func about() throws -> String {
      try pages.value(forKey: "/about") { try read("/about") }
    }
    let help = try await pages.value(forKey: "/help") { try await fetch("/help") }
    #expect(try about() == "/about" && help == "/help")
    #expect(pages.snapshot().count == 4)
    pages.trim(toCost: 16 << 20)
    #expect(pages.statistics.departures(.expired) == 0)
    pages.removeAll()
    #expect(left.load(ordering: .relaxed) == 4)
  }

  @Test func cacheForManyThreads() throws {
    var options = MemoryCacheOptions()
    options.reads = .buffered
    let cache = ShardedCache<Int, String>(
      shards: 16, countLimit: 100_000, policy: .arc(), lock: BigReaderLock(), options: options)
    cache.set("a value", forKey: 7)
    #expect(cache.value(forKey: 7) == "a value" && cache.shardCount == 16)
  }

  @Test func cacheBehindAFilter() throws {
    let photo = [UInt8](repeating: 0, count: 2 << 20)
    let photos = MemoryCache<Int, [UInt8]>(
      costLimit: 64 << 20, policy: .lru, admission: .size(limit: 1 << 20))
    #expect(!photos.set(photo, forKey: 1, cost: photo.count))
    #expect(photos.set([1], forKey: 1, cost: 1))
  }
}
