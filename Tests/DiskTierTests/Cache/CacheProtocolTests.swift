import DiskTier
import Eviction
import Foundation
import Synchronization
import Testing

@Suite("Every kind of cache")
struct CacheProtocolTests {
  private let folder = TemporaryFolder()

  /// A program over any cache: it uses every operation that all of them have.
  private func use<Failure: Error>(_ cache: some Cache<String, Int, Failure>) async throws {
    for key in ["a", "bb", "a", "bb"] {
      let length = try await cache.value(forKey: key) { key.utf8.count }
      #expect(length == key.utf8.count)
    }
    #expect(try await cache.contains("a"))
    #expect(try await cache.contains("c") == false)
    #expect(try await cache.values(forKeys: ["a", "bb", "c"]) == ["a": 1, "bb": 2])

    #expect(try await cache.set(6, forKey: "a", cost: 2, expiration: nil))
    #expect(try await cache.set(7, forKey: "a", cost: 2))
    try await cache.update(forKey: "a") { $0? += 1 }
    #expect(try await cache.value(forKey: "a") == 8)
    #expect(try await cache.insert(9, forKey: "a").value == 8)
    #expect(try await cache.insert(9, forKey: "a", cost: 2, expiration: nil).isInserted == false)
    #expect(try await cache.cost(forKey: "a") != nil)
    try await cache.setExpiration(.after(.seconds(1_000)), forKey: "a")
    #expect(try await cache.timeRemaining(forKey: "a") != nil)
    #expect(try await cache.value(forKey: "a", extendingTo: .after(.seconds(9_000))) == 8)
    #expect(try await cache.timeRemaining(forKey: "a").map { $0 > .seconds(8_000) } == true)
    #expect(try await cache.value(forKey: "e", extendingTo: .never) == nil)
    #expect(try await cache.removeValue(forKey: "a") == 8)
    #expect(try await cache.insert(9, forKey: "a").isInserted)
    #expect(try await cache.remove("a"))
    #expect(try await cache.remove("a") == false)
    #expect(try await cache.value(forKey: "a") == nil)

    let soon = Expiration.after(.milliseconds(20))
    #expect(try await cache.set(8, forKey: "c", expiration: .after(.seconds(1_000))))
    #expect(try await cache.value(forKey: "c") == 8)
    #expect(try await cache.set(9, forKey: "c", expiration: .after(.zero)) == false)
    #expect(try await cache.value(forKey: "c") == nil)
    #expect(try await cache.set(9, forKey: "c", expiration: soon))
    try await Task.sleep(for: .milliseconds(50))
    #expect(try await cache.contains("c") == false)
    #expect(try await cache.remove("c") == false)
    #expect(try await cache.value(forKey: "c", expiration: soon) { 3 } == 3)
    #expect(try await cache.value(forKey: "d", cost: 2) { 4 } == 4)
    #expect(try await cache.refreshValue(forKey: "d") { 5 } == 5)
    #expect(try await cache.refreshValue(forKey: "d", expiration: .after(.seconds(900))) { 6 } == 6)
    #expect(try await cache.value(forKey: "d") == 6)

    try await cache.removeAll()
    #expect(try await cache.set(4, forKey: "x4", tags: ["even"]))
    #expect(try await cache.set(4, forKey: "x4", tags: ["4", "even"], cost: 1, expiration: nil))
    #expect(try await cache.value(forKey: "x5") { LoadedEntry(5, tags: ["odd"]) } == 5)
    #expect(try await cache.refreshValue(forKey: "x5") { LoadedEntry(6, tags: ["even"]) } == 6)
    #expect(try await cache.tags(forKey: "x4") == ["4", "even"])
    #expect(try await cache.removeAll(tagged: "even") == 2)
    #expect(try await cache.tags(forKey: "x4") == [])
    let entries = try await cache.values(forKeys: ["x7"]) { _ in ["x7": LoadedEntry(7)] }
    #expect(entries == ["x7": 7])
    #expect(try await cache.remove("x7"))
    #expect(try await cache.set(contentsOf: [("x1", 1), ("x2", 2)], expiration: nil) == 2)
    #expect(try await cache.peek("x2") == 2)
    #expect(try await cache.peek("x3") == nil)
    #expect(try await cache.remove("x2"))
    let loaded = try await cache.values(forKeys: ["x1", "x3"]) { $0 == ["x3"] ? ["x3": 3] : [:] }
    #expect(loaded == ["x1": 1, "x3": 3])
    #expect(try await cache.removeEntries { $0.value == 3 } == 1)
    try await cache.set(2, forKey: "x2")
    #expect(try await cache.coldest(9)?.isEmpty == false)
    #expect(try await cache.hottest(0) == [])
    #expect(cache.policy.description == "lru")
    #expect(try await cache.policyInternals.isEmpty)
    #expect(try await cache.isEmpty == false)
    #expect(try await cache.removeAll(where: { $0 == "x1" }) == 1)
    #expect(try await cache.removeAll(forKeys: ["x1", "x2", "y"]) == 1)
    try await cache.removeAll()
    for key in ["a", "bb", "c"] { #expect(try await cache.contains(key) == false) }
    #expect(try await cache.count == 0)
    #expect(try await cache.isEmpty)
    let statistics = cache.statistics
    #expect(statistics.hits > 4 && statistics.misses > 4 && statistics.loads == 10)
  }

  @Test("needs no await in memory, in tasks either")
  func isSynchronousInMemory() async {
    let memory = MemoryCache<String, Int>(countLimit: 4, costLimit: 9, costs: .weighed { _ in 1 })
    memory.set(1, forKey: "a", cost: 2)
    memory.set(1, forKey: "b", expiration: .after(.seconds(9)))
    #expect(!memory.insert(2, forKey: "a").isInserted)
    #expect(!memory.insert(2, forKey: "a", cost: 2, expiration: nil).isInserted)
    memory.setExpiration(.never, forKey: "b")
    #expect(memory.timeRemaining(forKey: "b") == nil && memory.cost(forKey: "a") == 2)
    #expect(memory.totalCost == 3)
    memory.update(forKey: "a") { $0 = ($0 ?? 0) + 1 }
    #expect(memory.peek("a") == 2)
    let sharded = ShardedCache<String, Int>(
      shards: 1, countLimit: 4, costLimit: 9, costs: .weighed { _ in 1 })
    sharded.set(1, forKey: "a", cost: 2)
    sharded.set(1, forKey: "b", expiration: .after(.seconds(9)))
    #expect(!sharded.insert(2, forKey: "a").isInserted)
    sharded.setExpiration(.never, forKey: "b")
    #expect(sharded.timeRemaining(forKey: "b") == nil && sharded.cost(forKey: "a") == 2)
    sharded.removeValue(forKey: "c")
    #expect(sharded.totalCost == 3)
    sharded.update(forKey: "a") { $0 = ($0 ?? 0) + 1 }
    #expect(sharded.insert(7, forKey: "a").value == 2)
    #expect(sharded.removeValue(forKey: "a") == 2)
  }

  /// Uses a cache that holds at most four entries.
  private func fill(_ cache: some Cache<String, Int, some Error>) async throws {
    for key in 0..<40 { #expect(try await cache.set(key, forKey: "\(key)")) }
    let present = try await cache.values(forKeys: (0..<40).map { "\($0)" })
    #expect(present.count == 4 && present.allSatisfy { $0.key == "\($0.value)" })
    #expect(cache.countLimit == 4 && cache.costLimit == nil)
    #expect(try await cache.trim(toCount: 3) == 1)
    try await cache.setLimits(count: 2, cost: nil)
    #expect(try await cache.count == 2)
    #expect(try await cache.totalCost > 0)
    #expect(try await cache.trim() == 0)
    #expect(try await cache.trim(toCost: 0) == 2)
  }

  private func openDisk() throws -> DiskCache<String, Int> {
    var options = DiskSetup()
    options.countLimit = 4
    return try DiskCache<String, Int>.open(
      path: folder.store, policy: .lru, options: options, coder: .json)
  }

  @Test("does the same: one in memory, and one in shards")
  func inMemory() async throws {
    let memory = MemoryCache<String, Int>(countLimit: 4, policy: .lru)
    try await use(memory)
    try await fill(memory)
    let sharded = ShardedCache<String, Int>(shards: 2, countLimit: 4, policy: .lru)
    try await use(sharded)
    try await fill(sharded)
    // Plain functions besides.
    memory.set(1, forKey: "a")
    sharded.set(1, forKey: "a")
    #expect(memory.value(forKey: "a") == 1 && sharded.value(forKey: "a") == 1)
    #expect(memory.removeAll(where: { $0 == "a" }) == 1)
  }

  @Test("does the same: one on disk")
  func onDisk() async throws {
    let disk = try openDisk()
    try await use(disk)
    try await fill(disk)
  }

  @Test(
    "does the same: one in tiers",
    arguments: [TieredCacheOptions.Writing.through, .back(limit: 2), .back(limit: 100)])
  func inTiers(writing: TieredCacheOptions.Writing) async throws {
    var options = TieredSetup()
    options.memoryCountLimit = 2
    options.writing = writing
    let cache = try TieredCache<String, Int>.open(disk: openDisk(), policy: .lru, options: options)
    try await use(cache)
    if writing != .through { return }
    // The limits of the disk hold for values that are written.
    for key in 0..<40 { try await cache.set(key, forKey: "\(key)") }
    #expect(try await cache.values(forKeys: (0..<40).map { "\($0)" }).count == 4)
    #expect(cache.countLimit == 2 && cache.disk.countLimit == 4)
  }

  struct ImageKey: DiskKey {
    var name: [UInt8]
    var width: UInt8

    var diskBytes: [UInt8] { [width] + name }

    init(name: [UInt8], width: UInt8) { (self.name, self.width) = (name, width) }

    init?(diskBytes: [UInt8]) {
      guard let width = diskBytes.first else { return nil }
      self.init(name: Array(diskBytes.dropFirst()), width: width)
    }
  }

  /// Keys of one type live on disk, and come back as they were.
  private func keep<Key: DiskKey>(_ keys: [Key]) throws {
    let path = "\(folder.store)-\(Key.self)"
    let cache = try DiskCache<Key, Int>.open(path: path, coder: .json)
    for (index, key) in keys.enumerated() { try cache.set(index, forKey: key) }
    cache.close()
    let again = try DiskCache<Key, Int>.open(path: path, coder: .json)
    #expect(try again.values(forKeys: keys) == Dictionary(uniqueKeysWithValues: zip(keys, 0...)))
    var seen: Set<Key> = []
    #expect(try again.removeAll { seen.insert($0).inserted } == keys.count)
    #expect(seen == Set(keys))
    #expect(try again.count == 0)
  }

  @Test("on disk has keys of many types")
  func keys() throws {
    try keep(["", "a", "ä", "\u{F8FF}a", "\u{F8FF}"])
    try keep([0, -1, Int.min, .max])
    try keep([UInt64.max, 0])
    try keep((0..<3).map { _ in UUID() })
    let names: [[UInt8]] = [[], [0], [255], [0xC3, 0xA4], [0xEF, 0xA3, 0xBF, 65], Array(0...255)]
    try keep(names.flatMap { name in [0, 65, 255].map { ImageKey(name: name, width: $0) } })
  }

  @Test("in memory has keys that are only hashable")
  func hashableKeys() {
    struct Point: Hashable {
      var x: Int
      var y: Int
    }
    let points = ShardedCache<Point, Int>(shards: 2, countLimit: 100)
    let users = MemoryCache<UUID, Int>(countLimit: 100, policy: .wTinyLFU(), admission: .bloom())
    let users2 = (0..<10).map { _ in UUID() }
    for x in 0..<10 {
      #expect(points.set(x, forKey: Point(x: x, y: 1)))
      for _ in 0..<2 { users.set(x, forKey: users2[x]) }
    }
    for x in 0..<10 {
      #expect(points.value(forKey: Point(x: x, y: 1)) == x)
      #expect(points.value(forKey: Point(x: x, y: 2)) == nil)
      #expect(users.value(forKey: users2[x]) == x)
    }
  }

  @Test("on disk tells an observer of every operation, and of none that opening does")
  func observer() throws {
    final class Log: CacheObserver {
      private let events = Mutex<[CacheAccess]>([])
      func cacheDid(_ event: CacheAccess, keyHash: UInt64, cost: Int) {
        events.withLock { $0.append(event) }
      }
      func take() -> [CacheAccess] {
        events.withLock { events in
          defer { events = [] }
          return events
        }
      }
    }
    let log = Log()
    func open() throws -> DiskCache<Int, Int> {
      try DiskCache<Int, Int>.open(
        path: folder.store, countLimit: 2, policy: .lru, observer: log, coder: .json)
    }
    let cache = try open()
    #expect(try cache.value(forKey: 1) == nil)
    for key in 1...3 { try cache.set(key, forKey: key) }
    try cache.set(4, forKey: 3)
    #expect(try cache.value(forKey: 3) == 4)
    try cache.remove(2)
    #expect(
      log.take() == [.miss, .insertion, .insertion, .insertion, .update, .hit, .removal])
    cache.close()
    let again = try open()
    #expect(log.take() == [])
    #expect(try again.value(forKey: 3) == 4)
    #expect(log.take() == [.hit])
    again.close()
    var options = DiskCacheOptions()
    options.store.sharing = .shared
    #expect(throws: DiskCacheError.self) {
      try DiskCache<Int, Int>.open(
        path: folder.store, policy: .lru, observer: log, options: options, coder: .json)
    }
  }

  @Test("fails with an error of its own on a closed disk")
  func failure() throws {
    let disk = try openDisk()
    disk.close()
    #expect(throws: DiskCacheError.store(.closed(path: folder.store))) {
      try disk.value(forKey: "a")
    }
  }
}
