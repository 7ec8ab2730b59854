import DiskTier
import Eviction
import EvictionCore
import Testing

/// Tags of entries, over all four caches.
@Suite("Entries that have a tag leave together")
struct TaggedEntriesTests {
  private let folder = TemporaryFolder()

  private struct Modelled {
    var value: Int
    var tags: Set<String>
  }

  /// Random operations beside a dictionary, in which nothing is evicted.
  private func compare<Tagged: Cache>(
    seed: UInt64, steps: Int = 400, reopens: Bool = false, _ open: () async throws -> Tagged
  ) async throws where Tagged.Key == String, Tagged.Value == Int {
    var cache = try await open()
    var random = SplitMix64(seed: seed)
    var model: [String: Modelled] = [:]
    for step in 0..<steps {
      let note = Comment("seed \(seed), step \(step)")
      let key = "\(random.index(below: 12))"
      let tags = Set((0..<random.index(below: 4)).map { _ in "tag \(random.index(below: 5))" })
      switch random.index(below: 15) {
      case 0...3:
        #expect(try await cache.set(step, forKey: key, tags: tags), note)
        model[key] = Modelled(value: step, tags: tags)
      case 4:
        try await cache.set(step, forKey: key)
        model[key] = Modelled(value: step, tags: [])
      case 5:
        let expiration: Expiration? = random.index(below: 2) == 0 ? nil : .after(.seconds(1_000))
        try await cache.update(forKey: key, cost: nil, expiration: expiration) { value in
          value = value.map { -$0 }
        }
        model[key]?.value *= -1
      case 6:
        try await cache.remove(key)
        model[key] = nil
      case 7:
        try await cache.setExpiration(.after(.zero), forKey: key)
        model[key] = nil
      case 8, 9:
        let tag = "tag \(random.index(below: 5))"
        let tagged = model.filter { $0.value.tags.contains(tag) }
        #expect(try await cache.removeAll(tagged: tag) == tagged.count, note)
        for key in tagged.keys { model[key] = nil }
      case 10:
        let loaded = LoadedEntry(step, tags: tags)
        let value = try await cache.value(forKey: key) { loaded }
        #expect(value == model[key]?.value ?? step, note)
        model[key] = model[key] ?? Modelled(value: step, tags: tags)
      case 11:
        let loaded = LoadedEntry(step, tags: tags)
        #expect(try await cache.refreshValue(forKey: key) { loaded } == step, note)
        model[key] = Modelled(value: step, tags: tags)
      case 12:
        let keys = [key, "\(random.index(below: 12))"]
        let values = try await cache.values(forKeys: keys) { missing in
          [String: LoadedEntry<Int>](
            uniqueKeysWithValues: missing.map { ($0, LoadedEntry(step, tags: tags)) })
        }
        for key in keys {
          model[key] = model[key] ?? Modelled(value: step, tags: tags)
          #expect(values[key] == model[key]?.value, note)
        }
      case 13:
        let isKept = try await cache.insert(step, forKey: key).isInserted == (model[key] == nil)
        #expect(isKept, note)
        model[key] = model[key] ?? Modelled(value: step, tags: [])
      default:
        if reopens && random.index(below: 4) == 0 { cache = try await open() }
      }
      for number in 0..<12 {
        let key = "\(number)"
        #expect(try await cache.tags(forKey: key) == model[key]?.tags ?? [], note)
        #expect(try await cache.peek(key) == model[key]?.value, note)
      }
    }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func inMemory(seed: UInt64) async throws {
    try await compare(seed: seed) { MemoryCache<String, Int>() }
    try await compare(seed: seed) { ShardedCache<String, Int>(shards: 3) }
  }

  @Test(arguments: [StoreOptions.Sharing.exclusive, .shared], 1...3 as ClosedRange<UInt64>)
  func onDisk(sharing: StoreOptions.Sharing, seed: UInt64) async throws {
    var last: DiskCache<String, Int>?
    try await compare(seed: seed, steps: 200, reopens: true) {
      if let last { await last.close() }
      last = try folder.openDisk { $0.store.sharing = sharing }
      return try #require(last)
    }
  }

  @Test(
    arguments: [TieredCacheOptions.Writing.through, .back(limit: 5)], 1...3 as ClosedRange<UInt64>)
  func inTiers(writing: TieredCacheOptions.Writing, seed: UInt64) async throws {
    var last: TieredCache<String, Int>?
    try await compare(seed: seed, steps: 200, reopens: true) {
      if let last { try await last.close() }
      last = try folder.openTiered { $0.writing = writing }
      return try #require(last)
    }
  }

  @Test func whatIsEvictedHasNoTags() {
    let cache = MemoryCache<Int, Int>(countLimit: 10, policy: .lru)
    for key in 0..<100 { cache.set(key, forKey: key, tags: ["all", "\(key % 2)"]) }
    #expect((0..<100).filter { !cache.tags(forKey: $0).isEmpty } == Array(90..<100))
    #expect(cache.removeAll(tagged: "0") == 5)
    #expect(cache.removeAll(tagged: "all") == 5)
    #expect(cache.removeAll(tagged: "all") == 0 && cache.isEmpty)
  }

  @Test func whatExpiresHasNoTags() {
    let clock = MovedClock()
    var options = MemoryCacheOptions()
    options.clock = clock.clock
    let cache = MemoryCache<Int, Int>(options: options)
    cache.set(1, forKey: 1, tags: ["a"], expiration: .after(.seconds(1)))
    cache.set(2, forKey: 2, tags: ["a"])
    clock.move(to: 2_000_000_000)
    #expect(cache.tags(forKey: 1) == [])
    #expect(cache.removeAll(tagged: "a") == 1)
    #expect(cache.statistics.expirations == 1 && cache.statistics.removals == 1)
  }

  @Test("An entry that came from the disk has its tags in memory when its row is evicted")
  func promoted() async throws {
    let cache = try folder.openTiered()
    try await cache.set(1, forKey: "a", tags: ["t"])
    cache.removeAllFromMemory()
    #expect(try await cache.value(forKey: "a") == 1)
    try await cache.disk.remove("a")
    #expect(try await cache.tags(forKey: "a") == ["t"])
    #expect(try await cache.removeAll(tagged: "t") == 1)
    #expect(try await cache.value(forKey: "a") == nil)
  }

  @Test func anEntryOnDiskNamesItsTags() async throws {
    let cache = try folder.openDisk()
    try await cache.set(1, forKey: "a", tags: ["b", "a"])
    #expect(try await cache.entry(forKey: "a")?.tags == ["a", "b"])
    _ = try await cache.value(forKey: "b") { LoadedEntry(2, tags: ["c"]) }
    #expect(try await cache.entry(forKey: "b")?.tags == ["c"])
  }

  @Test func extendedDataIsKeptBesideTags() async throws {
    let cache = try folder.openDisk()
    let marked = Array("\0tags\0 of the caller".utf8)
    try await cache.set(1, forKey: "a", extended: marked)
    try await cache.set(2, forKey: "b", extended: [])
    try await cache.set(3, forKey: "c", tags: ["ü", ""])
    #expect(try await cache.entry(forKey: "a")?.extended == marked)
    #expect(try await cache.entry(forKey: "b")?.extended == [])
    #expect(try await cache.entry(forKey: "c")?.extended == nil)
    try await cache.set(4, forKey: "d", extended: marked, tags: ["t"])
    let both = try #require(try await cache.entry(forKey: "d"))
    #expect(both.extended == marked && both.tags == ["t"])
    #expect(try await cache.tags(forKey: "a") == [])
    #expect(try await cache.tags(forKey: "c") == ["", "ü"])
    #expect(try await cache.removeAll(tagged: "") == 1)
  }

  @Test("After a removal no entry is there that was set before")
  func threads() async throws {
    let memory = ShardedCache<String, Int>(shards: 4, countLimit: 500)
    let tiered = try folder.openTiered { $0.writing = .back(limit: 8) }
    try await invalidate(memory)
    try await invalidate(tiered)
  }

  @Test("What is being loaded does not come back after a removal by tag or key")
  func loadsUnderWay() async throws {
    try await load(MemoryCache<String, Int>())
    try await load(ShardedCache<String, Int>(shards: 2))
    try await load(try folder.openDisk())
    try await load(try TemporaryFolder().openTiered())
    try await load(try TemporaryFolder().openTiered { $0.writing = .back(limit: 8) })
  }

  private func load<Tagged: Cache>(
    _ cache: Tagged
  ) async throws where Tagged.Key == String, Tagged.Value == Int {
    try await cache.set(0, forKey: "old", tags: ["t"])
    for (key, tags, isStored): (String, Set<String>, Bool) in [
      ("a", ["s", "t"], false), ("b", ["s"], true), ("k", [], false),
    ] {
      let (begun, begins) = AsyncStream<Void>.makeStream()
      let (goes, go) = AsyncStream<Void>.makeStream()
      let load = Task {
        try await cache.value(forKey: key) {
          begins.finish()
          for await _ in goes {}
          return LoadedEntry(1, tags: tags)
        }
      }
      for await _ in begun {}
      #expect(try await cache.removeAll(tagged: "t") == (key == "a" ? 1 : 0))
      #expect(try await cache.removeAll(where: { $0 == "k" }) == 0)
      // Who comes after the removal gets nothing from before it.
      let later = Task { try await cache.value(forKey: key) { LoadedEntry(2) } }
      try await Task.sleep(for: .milliseconds(20))
      go.finish()
      #expect(try await load.value == 1)
      let expected = isStored ? 1 : 2
      #expect(try await later.value == expected, "\(type(of: cache)) \(key)")
      #expect(try await cache.peek(key) == expected, "\(type(of: cache)) \(key)")
      #expect(try await cache.tags(forKey: key).isEmpty != isStored)
    }
  }

  @Test("A value that is not written yet, and has the tag no more, stays")
  func whatHasItNoMore() async throws {
    let cache = try folder.openTiered { $0.writing = .back(limit: 1_000) }
    try await cache.set(1, forKey: "k", tags: ["t"])
    try await cache.flush()
    for number in 0..<200 { try await cache.set(number, forKey: "\(number)") }
    try await cache.set(2, forKey: "k")
    #expect(try await cache.removeAll(tagged: "t") == 0)
    #expect(try await cache.value(forKey: "k") == 2)
  }

  @Test("What a load of the lower tier brings goes with the tag, too")
  func loadsOfTheDisk() async throws {
    let cache = try folder.openTiered()
    let (begun, begins) = AsyncStream<Void>.makeStream()
    let (goes, go) = AsyncStream<Void>.makeStream()
    let load = Task {
      try await cache.disk.value(forKey: "k") {
        begins.finish()
        for await _ in goes {}
        return LoadedEntry(1, tags: ["t"])
      }
    }
    for await _ in begun {}
    #expect(try await cache.removeAll(tagged: "t") == 0)
    go.finish()
    #expect(try await load.value == 1)
    #expect(try await cache.value(forKey: "k") == nil)
  }

  @Test func aClosedCacheSaysSo() async throws {
    let cache = try folder.openDisk()
    await cache.close()
    await #expect(throws: DiskCacheError.self) { try await cache.removeAll(tagged: "t") }
  }

  private func invalidate<Tagged: Cache>(
    _ cache: Tagged
  ) async throws where Tagged.Key == String, Tagged.Value == Int {
    for round in 0..<20 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            for key in 0..<10 {
              try await cache.set(round, forKey: "\(task) \(key)", tags: ["round", "\(task)"])
            }
          }
        }
        group.addTask { _ = try await cache.removeAll(tagged: "2") }
        try await group.waitForAll()
      }
      try await cache.removeAll(tagged: "round")
      for task in 0..<4 {
        for key in 0..<10 { #expect(try await cache.peek("\(task) \(key)") == nil) }
      }
    }
  }
}
