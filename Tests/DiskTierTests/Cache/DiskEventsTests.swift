import DiskTier
import Eviction
import Testing

@Suite("Events of caches on disk and in tiers")
struct DiskEventsTests {
  private let folder = TemporaryFolder()

  private struct Refused: Error {}

  /// The events that wait, as texts; all caches that send are gone.
  private func texts(_ events: CacheEvents<String, Int>) async -> [String] {
    var texts: [String] = []
    for await event in events {
      switch event {
      case .removed(let key, let value, let cause):
        texts.append("\(key) \(value.map { "\($0)" } ?? "-") \(cause)")
      case .loaded(let key, let value): texts.append("\(key) \(value) loaded")
      case .loadFailed(let key, _): texts.append("\(key) failed")
      case .dropped(let count): texts.append("\(count) dropped")
      }
    }
    return texts
  }

  private func use(_ cache: some Cache<String, Int, some Error>) async throws {
    try await cache.set(1, forKey: "a")
    try await cache.set(2, forKey: "a")
    #expect(try await cache.value(forKey: "b") { 3 } == 3)
    await #expect(throws: Refused.self) {
      try await cache.value(forKey: "c") { () async throws -> Int in throw Refused() }
    }
    _ = try await cache.values(forKeys: ["d"]) { _ in ["d": 4] }
    await #expect(throws: Refused.self) {
      try await cache.values(forKeys: ["e"]) { _ async throws -> [String: Int] in throw Refused() }
    }
    #expect(try await cache.refreshValue(forKey: "f") { 5 } == 5)
    #expect(try await cache.remove("a"))
  }

  private let expected = [
    "a - replaced", "b 3 loaded", "c failed", "d 4 loaded", "e failed", "f 5 loaded", "a - removed",
  ]

  @Test func onDisk() async throws {
    let events = CacheEvents<String, Int>()
    do {
      let cache = try await DiskCache<String, Int>.open(
        path: folder.store, coder: .json, events: events)
      try await use(cache)
      let others = CacheEvents<String, Int>()
      await #expect(
        throws: DiskCacheError.openOtherwise(path: cache.path, difference: "events of its own")
      ) {
        try await DiskCache<String, Int>.open(path: folder.store, coder: .json, events: others)
      }
      await cache.close()
    }
    #expect(await texts(events) == expected)
  }

  @Test(arguments: [TieredCacheOptions.Writing.through, .back(limit: 8)])
  func inTiers(writing: TieredCacheOptions.Writing) async throws {
    let events = CacheEvents<String, Int>()
    do {
      var options = TieredCacheOptions()
      options.writing = writing
      let disk = try await DiskCache<String, Int>.open(path: folder.store, coder: .json)
      let cache = try TieredCache.open(
        disk: disk, countLimit: 2, options: options, events: events)
      try await use(cache)
      try await cache.close()
    }
    #expect(await texts(events) == expected)
  }
}
