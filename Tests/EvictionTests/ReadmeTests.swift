import Eviction
import Synchronization
import Testing

/// The README's library examples, as they stand there.
@Suite struct ReadmeTests {
  @Test func cacheOfOneThousandObjects() throws {
    let cache = try MemoryCache<Int, String, ARC>(countLimit: 1_000)
    cache.set("a value", forKey: 7)
    #expect(cache.value(forKey: 7) == "a value")
  }

  @Test func cacheOfBytesWithACallback() throws {
    let evictions = Atomic(0)
    let images = try MemoryCache<Int, [UInt8], SLRU>(costLimit: 64 << 20) { key, image in
      evictions.add(key + image.count, ordering: .relaxed)
    }
    images.set([1, 2, 3], forKey: 1, cost: 3)
    #expect(images.statistics.hitRatio == nil)
    images.set([], forKey: 2, cost: 64 << 20)
    #expect(evictions.load(ordering: .relaxed) == 4)
  }

  @Test func cacheBehindAFilter() throws {
    let photo = [UInt8](repeating: 0, count: 2 << 20)
    let photos = try MemoryCache<Int, [UInt8], LRU>(
      costLimit: 64 << 20, admission: "size:limit=1MiB")
    #expect(!photos.set(photo, forKey: 1, cost: photo.count))
    #expect(photos.set([1], forKey: 1, cost: 1))
  }
}
