import DiskTier
import Dispatch
import Eviction
import Foundation
import Synchronization
import Testing

private struct Refusal: Error {}

/// Changes of a value in one step, on disk and in tiers.
@Suite struct DiskCacheUpdatingTests {
  private let folder = TemporaryFolder()

  private func openTiers(_ writing: TieredCacheOptions.Writing) throws -> TieredCache<String, Int> {
    try folder.openTiered { $0.writing = writing }
  }

  private static let writings = [
    TieredCacheOptions.Writing.through, .back(limit: 2), .back(limit: 100),
  ]

  // MARK: - One after the other

  /// The same with every kind of cache.
  private func use(_ cache: some Cache<String, Int, some Error>) async throws {
    try await cache.update(forKey: "a") { $0 = ($0 ?? 0) + 1 }
    #expect(try await cache.value(forKey: "a") == 1)
    try await cache.update(forKey: "a") { $0 = $0 ?? 9 }
    #expect(try await cache.value(forKey: "a") == 1)
    try await cache.update(forKey: "b") { if let value = $0 { $0 = value + 1 } }
    #expect(try await cache.contains("b") == false)
    await #expect(throws: Refusal.self) {
      try await cache.update(forKey: "a") { value -> Void in
        value = 2
        throw Refusal()
      }
    }
    #expect(try await cache.value(forKey: "a") == 1)
    let last = try await cache.update(forKey: "a", cost: nil, expiration: nil) { value -> Int? in
      defer { value = nil }
      return value
    }
    #expect(last == 1)
    #expect(try await cache.contains("a") == false)
    try await cache.update(forKey: "a", cost: nil, expiration: .after(.zero)) { $0 = 1 }
    #expect(try await cache.contains("a") == false)
    // By many tasks, whose turns hold up no thread.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<2_000 {
        group.addTask { try await cache.update(forKey: "\(number % 3)") { $0 = ($0 ?? 0) + 1 } }
      }
      try await group.waitForAll()
    }
    let counts = try await cache.values(forKeys: ["0", "1", "2"])
    #expect(counts == ["0": 667, "1": 667, "2": 666])
  }

  @Test(.timeLimit(.minutes(30))) func inMemory() async throws {
    try await use(MemoryCache<String, Int>(countLimit: 10))
    try await use(ShardedCache<String, Int>(shards: 2, countLimit: 20))
  }

  @Test(.timeLimit(.minutes(30))) func onDisk() async throws {
    try await use(try folder.openDisk())
  }

  @Test(.timeLimit(.minutes(30)), arguments: writings)
  func inTiers(writing: TieredCacheOptions.Writing) async throws {
    try await use(try openTiers(writing))
  }

  @Test func updatedValueIsOnTheDisk() throws {
    let cache = try folder.openDisk()
    try cache.update(forKey: "a") { $0 = 1 }
    cache.close()
    let again = try folder.openDisk()
    #expect(try again.value(forKey: "a") == 1)
  }

  @Test func updatedValueKeepsTheTimeThatItHasLeftAndItsExtendedData() throws {
    let clock = SettableClock()
    let cache = try folder.openDisk(clock.environment)
    try cache.set(1, forKey: "a", extended: [7], expiration: .after(.seconds(100)))
    let expires = try #require(try cache.entry(forKey: "a")?.metadata.expires)
    clock.set(aheadBy: 60)
    try cache.update(forKey: "a") { $0 = 2 }
    let entry = try #require(try cache.entry(forKey: "a"))
    #expect(entry.value == 2 && entry.extended == [7])
    #expect(abs(try #require(entry.metadata.expires) - expires) < 1_000_000_000)
    try cache.update(forKey: "a", expiration: .never) { $0 = 3 }
    #expect(try cache.entry(forKey: "a")?.metadata.expires == nil)
    #expect(throws: DiskCacheError.timeToIdle(key: "a")) {
      try cache.update(forKey: "a", expiration: .afterIdle(.seconds(1))) { $0 = 4 }
    }
    #expect(try cache.value(forKey: "a") == 3)
  }

  @Test(arguments: writings)
  func updatedValueInTiersKeepsTheTimeThatItHasLeft(writing: TieredCacheOptions.Writing) throws {
    let cache = try openTiers(writing)
    try cache.set(1, forKey: "a", expiration: .after(.seconds(100)))
    try cache.set(1, forKey: "b")
    for key in ["a", "b"] { try cache.update(forKey: key) { $0 = 2 } }
    try cache.flush()
    let entry = try #require(try cache.disk.entry(forKey: "a"))
    #expect(entry.value == 2)
    let left = try #require(entry.metadata.expires) - entry.metadata.created
    #expect(left > 0 && left <= 100_000_000_000)
    #expect(try cache.disk.entry(forKey: "b")?.metadata.expires == nil)
  }

  @Test func unchangedValueIsNotWritten() throws {
    let cache = try folder.openDisk()
    try cache.set(1, forKey: "a")
    let created = try cache.entry(forKey: "a")?.metadata.created
    #expect(try cache.update(forKey: "a") { $0 ?? 0 } == 1)
    #expect(try cache.entry(forKey: "a")?.metadata.created == created)
    #expect(cache.statistics.replacements == 0)
  }

  @Test func valueThatCannotBeEncodedLeavesNone() throws {
    let disk = try DiskCache<String, Double>.open(path: folder.store, policy: .lru, coder: .json)
    try disk.set(1, forKey: "a")
    #expect(throws: DiskCacheError.self) { try disk.update(forKey: "a") { $0 = .nan } }
    #expect(try disk.value(forKey: "a") == nil)
    let tiers = try TieredCache.open(disk: disk, countLimit: 4)
    try tiers.set(1, forKey: "a")
    #expect(throws: DiskCacheError.self) { try tiers.update(forKey: "a") { $0 = .nan } }
    #expect(try tiers.value(forKey: "a") == nil)
  }

  @Test func refusedValueIsNotStoredAndTheFormerOneIsGone() throws {
    let cache = try folder.openDisk { $0.costLimit = 1_000 }
    try cache.set(1, forKey: "a")
    try cache.update(forKey: "a", cost: 1_001) { $0 = 2 }
    #expect(try cache.contains("a") == false)
  }

  // MARK: - Others meanwhile

  private struct Changes: Sendable {
    let set: @Sendable (Int) -> Void
    let remove: @Sendable () -> Void
    let removeAll: @Sendable () -> Void
    /// A load of the key alone, and one of several keys.
    let loads: [@Sendable (Int) -> Void]
    let evict: @Sendable () -> Void
    let value: @Sendable () throws -> Int?
    let update: @Sendable (_ body: (inout Int?) -> Void) throws -> Void
  }

  private static func interfere(_ cache: Changes) throws {
    /// Runs `change` in another thread while the closure runs the first time.
    func seen(during change: @escaping @Sendable () -> Void) throws -> [Int?] {
      var seen: [Int?] = []
      try cache.update { value in
        if seen.isEmpty {
          let done = DispatchSemaphore(value: 0)
          Thread.detachNewThread {
            change()
            done.signal()
          }
          done.wait()
        }
        seen.append(value)
        value = (value ?? 0) + 1
      }
      return seen
    }
    cache.set(1)
    #expect(try seen { cache.set(10) } == [1, 10])
    #expect(try seen { cache.remove() } == [11, nil])
    #expect(try seen { cache.removeAll() } == [1, nil])
    #expect(try seen { cache.evict() } == [1, nil])
    #expect(try seen {} == [1])
    #expect(try cache.value() == 2)
    for load in cache.loads {
      cache.remove()
      let loaded = Mutex<Int?>(nil)
      let body: @Sendable () -> Void = {
        load(100)
        loaded.withLock { $0 = (try? cache.value()) ?? nil }
      }
      #expect(try seen(during: body) == [nil])
      #expect(loaded.withLock { $0 } == nil)
      #expect(try cache.value() == 1)
    }
    // What the closure itself sets or removes comes after it.
    try cache.update { value in
      cache.set(7)
      value = 8
    }
    #expect(try cache.value() == 7)
    try cache.update { value in
      cache.remove()
      value = 8
    }
    #expect(try cache.value() == nil)
  }

  /// Waits for a task, on a thread that is none of the pool's.
  private static func run(_ body: @escaping @Sendable () async throws -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
      try? await body()
      done.signal()
    }
    done.wait()
  }

  @Test(.timeLimit(.minutes(30)))
  func closureRunsAgainOnWhatAnotherThreadHasSetOnDisk() async throws {
    let cache = try folder.openDisk()
    let changes = Changes(
      set: { _ = try? cache.set($0, forKey: "a") }, remove: { _ = try? cache.remove("a") },
      removeAll: { try? cache.removeAll() },
      loads: [
        { value in Self.run { _ = try await cache.value(forKey: "a") { value } } },
        { value in Self.run { _ = try await cache.values(forKeys: ["a"]) { _ in ["a": value] } } },
      ],
      evict: { _ = try? cache.trim(toCount: 0) }, value: { try cache.value(forKey: "a") },
      update: { body in try cache.update(forKey: "a", body) })
    // A load needs a thread of the pool.
    try await blocking { try Self.interfere(changes) }
  }

  @Test(.timeLimit(.minutes(30)), arguments: writings)
  func closureRunsAgainOnWhatAnotherThreadHasSetInTiers(
    writing: TieredCacheOptions.Writing
  ) async throws {
    let cache = try openTiers(writing)
    let changes = Changes(
      set: { _ = try? cache.set($0, forKey: "a") }, remove: { _ = try? cache.remove("a") },
      removeAll: { try? cache.removeAll() },
      loads: [
        { value in Self.run { _ = try await cache.value(forKey: "a") { value } } },
        { value in Self.run { _ = try await cache.values(forKeys: ["a"]) { _ in ["a": value] } } },
      ],
      evict: {
        try? cache.flush()
        cache.removeAllFromMemory()
        _ = try? cache.disk.trim(toCount: 0)
      }, value: { try cache.value(forKey: "a") },
      update: { body in try cache.update(forKey: "a", body) })
    // A load needs a thread of the pool.
    try await blocking { try Self.interfere(changes) }
  }

  @Test func closureRunsAgainOnWhatAnotherProcessHasSet() throws {
    let cache = try folder.openDisk { $0.store.sharing = .shared }
    let other = try HybridStore(path: folder.store, options: cache.options.store)
    try cache.set(1, forKey: "a")
    var seen: [Int?] = []
    try cache.update(forKey: "a") { value in
      if seen.isEmpty { _ = try other.put(Array("5".utf8), forKey: "a") }
      seen.append(value)
      value = (value ?? 0) + 1
    }
    #expect(seen == [1, 5])
    #expect(try cache.value(forKey: "a") == 6)
  }

  #if os(macOS) || os(Linux)
    @Test func updateOfTheSameKeyWithinAnUpdateTraps() async {
      let trap = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let folder = TemporaryFolder()
        let cache = try await DiskCache<String, Int>.open(path: folder.store, coder: .json)
        try await cache.update(forKey: "a") { $0 = try cache.update(forKey: "a") { $0 } }
      }
      let message = String(decoding: trap?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("waits for itself"))
    }

    @Test func aNegativeCostTrapsWithItsKeyAndNumber() async {
      let onDisk = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let folder = TemporaryFolder()
        let cache = try await DiskCache<String, Int>.open(path: folder.store, coder: .json)
        try await cache.set(1, forKey: "a", cost: -7)
      }
      let inTiers = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let folder = TemporaryFolder()
        let disk = try await DiskCache<String, Int>.open(path: folder.store, coder: .json)
        try await TieredCache.open(disk: disk, countLimit: 1).set(1, forKey: "a", cost: -7)
      }
      for trap in [onDisk, inTiers] {
        let message = String(decoding: trap?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("a cost is 0 or more; that of “a” is -7"), "\(message)")
      }
    }
  #endif

  // MARK: - Many threads

  private func load(
    update: @escaping @Sendable (String, (inout Int?) -> Int) -> Int,
    set: @escaping @Sendable (String) -> Void
  ) -> (added: Int, taken: Int) {
    let outcome = Mutex((added: 0, taken: 0))
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var (added, taken) = (0, 0)
      for step in 0..<400 {
        let key = "\((thread * 7 + step * step) % 4)"
        if step % 5 == 0 {
          taken += update(key) { value in
            defer { value = nil }
            return value ?? 0
          }
        } else {
          added += update(key) { value in
            value = (value ?? 0) + 1
            return 1
          }
        }
        // Of another key, beside them.
        if step % 10 == 0 { set("\(thread) \(step)") }
      }
      outcome.withLock { [added, taken] in
        $0.added += added
        $0.taken += taken
      }
    }
    return outcome.withLock { $0 }
  }

  @Test(.timeLimit(.minutes(30))) func nothingIsLostOnDisk() throws {
    let cache = try folder.openDisk { $0.store.durability = .none }
    let (added, taken) = load(
      update: { key, body in (try? cache.update(forKey: key) { body(&$0) }) ?? -1_000_000 },
      set: { _ = try? cache.set(1, forKey: $0) })
    #expect(try cache.values(forKeys: (0..<4).map { "\($0)" }).values.reduce(taken, +) == added)
  }

  @Test(.timeLimit(.minutes(30)), arguments: writings)
  func nothingIsLostInTiers(writing: TieredCacheOptions.Writing) throws {
    let cache = try openTiers(writing)
    let (added, taken) = load(
      update: { key, body in (try? cache.update(forKey: key) { body(&$0) }) ?? -1_000_000 },
      set: { _ = try? cache.set(1, forKey: $0) })
    #expect(try cache.values(forKeys: (0..<4).map { "\($0)" }).values.reduce(taken, +) == added)
  }
}
