import DiskTier
import Dispatch
import Eviction
import Foundation
import Synchronization
import Testing

/// The callback of a cache in tiers with the entries that have left both.
@Suite struct TieredRemovalTests {
  private let folder = TemporaryFolder()

  private static let writings = EverydayOperationsTests.writings

  /// A removal, as text: the key and the cause.
  private final class Log: Sendable {
    private let removals = Mutex<[String]>([])
    var callback: @Sendable (String, RemovalCause) -> Void {
      { key, cause in self.removals.withLock { $0.append("\(key) \(cause)") } }
    }
    /// Those since the last time, in the order of their texts: at least `count`, for which a thread in the background may
    /// be waited for.
    func take(_ count: Int = 0) -> [String] {
      for _ in 0..<2_000 where removals.withLock({ $0.count < count }) { usleep(5_000) }
      return removals.withLock { removals in
        defer { removals = [] }
        return removals.sorted()
      }
    }
  }

  private func open(
    _ writing: TieredCacheOptions.Writing = .through, memory: Int = 2, disk diskLimit: Int? = nil,
    environment: StoreEnvironment = StoreEnvironment(), clock: MovedClock? = nil,
    onRemoval: (@Sendable (String, RemovalCause) -> Void)?
  ) throws -> TieredCache<String, Int> {
    var setup = DiskSetup()
    setup.trimInterval = nil
    setup.store.durability = .none
    setup.countLimit = diskLimit
    setup.costLimit = 100_000
    let disk = try DiskCache<String, Int>.open(
      path: folder.store, policy: .lru, options: setup, coder: .json, environment: environment)
    var options = TieredCacheOptions()
    options.writing = writing
    options.memory.loadWaitLimit = nil
    if let clock { options.memory.clock = clock.clock }
    return try TieredCache<String, Int>.open(
      disk: disk, countLimit: memory, policy: .lru, options: options, onRemoval: onRemoval)
  }

  @Test(arguments: writings)
  func aValueThatIsLoadedAnewReplacesTheOldOne(writing: TieredCacheOptions.Writing) async throws {
    let log = Log()
    let cache = try open(writing, onRemoval: log.callback)
    try await cache.set(1, forKey: "a")
    #expect(try await cache.refreshValue(forKey: "a") { 2 } == 2)
    try await cache.flush()
    #expect(log.take(1) == ["a replaced"])
    #expect(try await cache.peek("a") == 2)
  }

  @Test(arguments: writings)
  func anEntryLeavesWhenItIsInNeitherTier(writing: TieredCacheOptions.Writing) throws {
    let log = Log()
    let cache = try open(writing, onRemoval: log.callback)
    for key in ["a", "b", "c", "d"] { try cache.set(1, forKey: key) }
    // In memory are c and d, on the disk or on the way there are all.
    #expect(log.take() == [])
    try cache.flush()
    #expect(try cache.disk.trim(toCount: 1) == 3)
    #expect(log.take(2) == ["a size", "b size"])
    #expect(try cache.value(forKey: "c") == 1)
    // c is in memory alone, d on the disk too.
    cache.trim(toCount: 0)
    #expect(log.take(1) == ["c size"])
    #expect(try cache.value(forKey: "d") == 1)
    try cache.disk.trim(toCount: 0)
    #expect(log.take() == [])
    cache.removeAllFromMemory()
    #expect(log.take(1) == ["d removed"])
  }

  @Test(arguments: writings)
  func aChangeIsReportedOnce(writing: TieredCacheOptions.Writing) throws {
    let log = Log()
    let cache = try open(writing, onRemoval: log.callback)
    for isFlushed in [true, false] {
      func step(_ count: Int, _ body: () throws -> Void) throws -> [String] {
        try body()
        if isFlushed { try cache.flush() }
        return log.take(count)
      }
      #expect(try step(0) { try cache.set(1, forKey: "a") } == [])
      #expect(try step(1) { try cache.set(2, forKey: "a") } == ["a replaced"])
      #expect(try step(0) { try cache.insert(3, forKey: "a") } == [])
      #expect(try step(1) { try cache.update(forKey: "a") { $0 = 4 } } == ["a replaced"])
      #expect(try step(1) { try cache.update(forKey: "a") { $0 = nil } } == ["a removed"])
      #expect(try step(0) { try cache.remove("a") } == [])
      #expect(try step(0) { try cache.insert(5, forKey: "a") } == [])
      #expect(try step(1) { try cache.removeValue(forKey: "a") } == ["a removed"])
      #expect(try step(0) { try cache.set(6, forKey: "a") } == [])
      // One that waits to be written is seen to be over then.
      let expired = try step(1) {
        try cache.set(7, forKey: "a", expiration: .after(.zero))
        try cache.flush()
      }
      #expect(expired == ["a expired"])
      #expect(try step(0) { try cache.set(8, forKey: "a") } == [])
      #expect(
        try step(1) { try cache.setExpiration(.after(.zero), forKey: "a") } == ["a expired"])
      #expect(throws: DiskCacheError.self) {
        try cache.set(8, forKey: "b")
        try cache.set(9, forKey: "b", expiration: .afterIdle(.seconds(1)))
      }
      #expect(log.take(1) == ["b discarded"])
      let keys = ["a", "b", "c", "d"]
      #expect(try step(0) { for key in keys { try cache.set(1, forKey: key) } } == [])
      #expect(try step(4) { try cache.removeAll() } == keys.map { "\($0) removed" })
    }
  }

  @Test(arguments: writings)
  func aValueThatTheDiskRefusesLeavesWithTheMemory(writing: TieredCacheOptions.Writing) throws {
    let log = Log()
    let cache = try open(writing, onRemoval: log.callback)
    #expect(try cache.set(1, forKey: "a", cost: 200_000))
    #expect(try cache.set(2, forKey: "a", cost: 200_000))
    try cache.flush()
    #expect(log.take(1) == ["a replaced"])
    for key in ["b", "c"] { try cache.set(1, forKey: key) }
    #expect(log.take(1) == ["a size"])
    #expect(try cache.set(1, forKey: "d", cost: 200_000))
    try cache.flush()
    cache.removeAllFromMemory()
    #expect(log.take(1) == ["d removed"])
  }

  @Test(arguments: writings)
  func anEntryExpiresOnce(writing: TieredCacheOptions.Writing) throws {
    let clock = MovedClock()
    clock.move(to: 1_000_000_000_000)
    var environment = StoreEnvironment()
    environment.entryClock = clock
    environment.now = { Int64(clock.now) }
    let log = Log()
    let cache = try open(
      writing, environment: environment, clock: clock, onRemoval: log.callback)
    for key in ["a", "b", "c", "d"] {
      try cache.set(1, forKey: key, expiration: .after(.seconds(100)))
    }
    try cache.flush()
    clock.move(to: 1_200_000_000_000)
    for key in ["a", "d"] { #expect(try cache.value(forKey: key) == nil) }
    try cache.set(1, forKey: "a")
    try cache.flush()
    try cache.disk.trim()
    cache.trim()
    #expect(log.take(4) == ["a", "b", "c", "d"].map { "\($0) expired" })
    try cache.remove("a")
    #expect(log.take(1) == ["a removed"])
  }

  @Test(arguments: writings)
  func loadedValuesLeaveOnce(writing: TieredCacheOptions.Writing) async throws {
    let log = Log()
    let cache = try open(writing, onRemoval: log.callback)
    for key in ["a", "b", "c"] { #expect(try await cache.value(forKey: key) { 1 } == 1) }
    #expect(try await cache.value(forKey: "d", cost: 200_000) { 1 } == 1)
    try await cache.flush()
    #expect(log.take() == [])
    try await cache.set(1, forKey: "e")
    try await cache.set(1, forKey: "f")
    #expect(log.take(1) == ["d size"])
    for key in ["a", "b", "c"] { try await cache.remove(key) }
    #expect(log.take(3) == ["a removed", "b removed", "c removed"])
  }

  @Test func whatIsRemovedPastTheTiersIsReported() throws {
    let log = Log()
    let cache = try open(onRemoval: log.callback)
    for key in ["a", "b", "c"] { try cache.set(1, forKey: key) }
    for key in ["a", "c"] { try cache.disk.remove(key) }
    #expect(log.take(1) == ["a removed"])
    #expect(try cache.value(forKey: "c") == 1)
    try cache.remove("c")
    #expect(log.take(1) == ["c removed"])
  }

  /// After each step, what is there is compared with what was there before.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func removalsAreWhatIsThereNoMore(seed: UInt64) throws {
    let log = Log()
    let cache = try open(memory: 3, disk: 5, onRemoval: log.callback)
    var random = SplitMix64(seed: seed)
    let keys = (0..<10).map { "\($0)" }
    var before: Set<String> = []
    for step in 0..<2_000 {
      let key = keys[random.index(below: keys.count)]
      let cost = random.index(below: 4) == 0 ? 200_000 : 1
      var replaced: [String] = []
      let operation = random.index(below: 14)
      switch operation {
      case 0...3:
        let isStored = try cache.set(step, forKey: key, cost: cost)
        if isStored && before.contains(key) { replaced = [key] }
      case 4: try cache.insert(step, forKey: key, cost: cost)
      case 5:
        try cache.update(forKey: key, cost: cost) { $0 = step }
        if before.contains(key) { replaced = [key] }
      case 6: try cache.remove(key)
      case 7: try cache.removeValue(forKey: key)
      case 8: try cache.setExpiration(.after(.zero), forKey: key)
      case 9: _ = try cache.value(forKey: key)
      case 10: cache.trim(toCount: random.index(below: 4))
      case 11: try cache.disk.trim(toCount: random.index(below: 6))
      case 12: if random.index(below: 4) == 0 { cache.removeAllFromMemory() }
      default: if random.index(below: 20) == 0 { try cache.removeAll() }
      }
      let after = Set(try keys.filter { try cache.contains($0) })
      var expected = replaced
      expected += before.subtracting(after)
      let removals = log.take()
      try #require(
        removals.map { String($0.prefix(1)) } == expected.sorted(),
        "seed \(seed), step \(step), key \(key), operation \(operation): \(removals)")
      #expect(removals.count { $0.hasSuffix("replaced") } == replaced.count)
      before = after
    }
  }

  /// The same with loads, and with values that are written back.
  @Test(.timeLimit(.minutes(30)), arguments: writings)
  func removalsAreWhatIsThereNoMoreAfterLoads(writing: TieredCacheOptions.Writing) async throws {
    let log = Log()
    let cache = try open(writing, memory: 3, disk: 5, onRemoval: log.callback)
    var random = SplitMix64(seed: 7)
    let keys = (0..<10).map { "\($0)" }
    var before: Set<String> = []
    for step in 0..<800 {
      let key = keys[random.index(below: keys.count)]
      let cost = random.index(below: 4) == 0 ? 200_000 : 1
      var expected: [String] = []
      let operation = random.index(below: 8)
      switch operation {
      case 0...2: _ = try await cache.value(forKey: key, cost: cost) { step }
      case 3:
        _ = try await cache.values(forKeys: keys.prefix(random.index(below: 4))) { missing in
          Dictionary(uniqueKeysWithValues: missing.map { ($0, step) })
        }
      case 4:
        let isStored = try await cache.set(step, forKey: key, cost: cost)
        if isStored && before.contains(key) { expected = [key] }
      case 5: _ = try await cache.removeValue(forKey: key)
      case 6: _ = try await cache.disk.trim(toCount: random.index(below: 6))
      default: cache.trim(toCount: random.index(below: 4))
      }
      try await cache.flush()
      var after: Set<String> = []
      for key in keys where try await cache.contains(key) { after.insert(key) }
      expected += before.subtracting(after)
      let removals = log.take(expected.count)
      try #require(
        removals.map { String($0.prefix(1)) } == expected.sorted(),
        "step \(step), key \(key), operation \(operation): \(removals)")
      before = after
    }
  }

  /// Each value that was set leaves once, or is there at the end.
  @Test(.timeLimit(.minutes(30)), arguments: writings)
  func everyValueLeavesOnce(writing: TieredCacheOptions.Writing) throws {
    let (sets, removals) = (Counter(), Counter())
    let cache = try open(
      writing, memory: 6, disk: 12, onRemoval: { _, _ in removals.increment() })
    let keys = (0..<24).map { "\($0)" }
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for step in 0..<1_000 {
        let key = keys[random.index(below: keys.count)]
        let cost = random.index(below: 4) == 0 ? 200_000 : 1
        switch random.index(below: 12) {
        case 0: _ = try? cache.remove(key)
        case 1: _ = try? cache.removeValue(forKey: key)
        case 2: _ = try? cache.disk.trim(toCount: random.index(below: 12))
        case 3: cache.trim(toCount: random.index(below: 6))
        case 4: try? cache.setExpiration(.after(.zero), forKey: key)
        case 5:
          if (try? cache.insert(step, forKey: key, cost: cost))?.isInserted == true {
            sets.increment()
          }
        case 6...8: _ = try? cache.value(forKey: key)
        default: if (try? cache.set(step, forKey: key, cost: cost)) == true { sets.increment() }
        }
      }
    }
    try cache.flush()
    let rest = try keys.count { try cache.contains($0) }
    // A thread in the background may just be reporting.
    for _ in 0..<2_000 where sets.count != removals.count + rest { usleep(5_000) }
    #expect(sets.count == removals.count + rest)
    try cache.removeAll()
    #expect(sets.count == removals.count)
  }
}
