import DiskTier
import Dispatch
import Eviction
import Foundation
import StoreFaults
import Synchronization
import Testing

/// Insertions, removals that return the value, expirations that change, and looks at cost and time: on disk and in
/// tiers as in memory.
@Suite struct EverydayOperationsTests {
  private let folder = TemporaryFolder()

  static let writings = [TieredCacheOptions.Writing.through, .back(limit: 2), .back(limit: 100)]

  // MARK: - The same everywhere

  private func use(_ cache: some Cache<String, Int, some Error>) async throws {
    let first = try await cache.insert(1, forKey: "a", cost: 5, expiration: .after(.seconds(500)))
    #expect(first.isInserted && first.value == 1)
    let second = try await cache.insert(2, forKey: "a")
    #expect(!second.isInserted && second.value == 1)
    #expect(try await cache.value(forKey: "a") == 1)
    let left = try #require(try await cache.timeRemaining(forKey: "a"))
    #expect(left > .seconds(400) && left <= .seconds(500))
    try await cache.setExpiration(.after(.seconds(50)), forKey: "a")
    let less = try #require(try await cache.timeRemaining(forKey: "a"))
    #expect(less > .zero && less <= .seconds(50))
    try await cache.setExpiration(.never, forKey: "a")
    try await cache.setExpiration(.never, forKey: "b")
    #expect(try await cache.contains("b") == false)
    #expect(try await cache.timeRemaining(forKey: "b") == nil)
    #expect(try await cache.cost(forKey: "b") == nil)
    #expect(try await cache.removeValue(forKey: "a") == 1)
    #expect(try await cache.removeValue(forKey: "a") == nil)
    let refused = try await cache.insert(3, forKey: "a", cost: nil, expiration: .after(.zero))
    #expect(!refused.isInserted && refused.value == nil)
    let third = try await cache.insert(3, forKey: "a")
    #expect(third.isInserted && third.value == 3)
    #expect(try await cache.timeRemaining(forKey: "a") == nil)
    try await cache.setExpiration(.after(.zero), forKey: "a")
    #expect(try await cache.value(forKey: "a") == nil)
    #expect(try await cache.contains("a") == false)
    // Of many tasks that insert, one does, and all get its value.
    typealias Outcome = (isInserted: Bool, value: Int?)
    let values = try await withThrowingTaskGroup(of: Outcome.self) { group in
      for number in 0..<50 { group.addTask { try await cache.insert(number, forKey: "a") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values.count { $0.isInserted } == 1 && Set(values.map(\.value)).count == 1)
    #expect(try await cache.value(forKey: "a") == values[0].value)
  }

  @Test(.timeLimit(.minutes(30))) func inMemory() async throws {
    let memory = MemoryCache<String, Int>(countLimit: 10)
    try await use(memory)
    memory.insert(1, forKey: "b")
    memory.insert(1, forKey: "c", cost: 2, expiration: nil)
    #expect(memory.removeValue(forKey: "b") == 1 && memory.cost(forKey: "c") == 2)
    try await use(ShardedCache<String, Int>(shards: 2, countLimit: 20))
  }

  @Test(.timeLimit(.minutes(30)), arguments: StoreOptions.Sharing.allCases)
  func onDisk(sharing: StoreOptions.Sharing) async throws {
    let cache = try folder.openDisk { $0.store.sharing = sharing }
    if sharing == .exclusive { return try await use(cache) }
    // Costs are bytes there.
    await #expect(throws: DiskCacheError.self) { try await use(cache) }
    #expect(try await cache.insert(1, forKey: "a").isInserted)
    #expect(try await !cache.insert(2, forKey: "a").isInserted)
    #expect(try await cache.removeValue(forKey: "a") == 1)
  }

  @Test(.timeLimit(.minutes(30)), arguments: writings)
  func inTiers(writing: TieredCacheOptions.Writing) async throws {
    try await use(try folder.openTiered { $0.writing = writing })
  }

  // MARK: - The policy

  @Test func policyDoesNotLearnOfAnInsertionThatFindsAValue() throws {
    let cache = try folder.openDisk { $0.countLimit = 2 }
    for key in ["a", "b"] { #expect(try cache.insert(1, forKey: key).isInserted) }
    #expect(try cache.insert(2, forKey: "a").value == 1)
    try cache.setExpiration(.after(.seconds(9)), forKey: "a")
    #expect(try cache.cost(forKey: "a") == 1 + 1 + DiskCacheOptions.rowOverhead)
    #expect(try cache.coldest(1) == ["a"])
    #expect(cache.statistics.hits == 0 && cache.statistics.insertions == 2)
    #expect(try cache.insert(3, forKey: "c").isInserted)
    #expect(try cache.peek("a") == nil)
    #expect(try cache.removeValue(forKey: "b") == 1)
    #expect(cache.statistics.removals == 1 && cache.statistics.hits == 0)
  }

  @Test func costInTiersIsThatOnTheDisk() throws {
    let cache = try folder.openTiered { $0.writing = .back(limit: 100) }
    try cache.insert(1, forKey: "a", cost: 7)
    try cache.flush()
    #expect(try cache.cost(forKey: "a") == 7)
    #expect(cache.totalCost == 1)
    #expect(try cache.cost(forKey: "b") == nil)
  }

  // MARK: - Values that cannot be encoded or decoded

  @Test func valueThatCannotBeEncodedIsNoErrorWhereThereIsOne() throws {
    let cache = try DiskCache<String, Double>.open(path: folder.store, policy: .lru, coder: .json)
    #expect(throws: DiskCacheError.self) { try cache.insert(.nan, forKey: "a") }
    #expect(try cache.insert(1, forKey: "a").isInserted)
    #expect(try cache.insert(.nan, forKey: "a").value == 1)
    #expect(throws: DiskCacheError.timeToIdle(key: "a")) {
      try cache.insert(2, forKey: "a", expiration: .afterIdle(.seconds(1)))
    }
    #expect(throws: DiskCacheError.timeToIdle(key: "a")) {
      try cache.setExpiration(.afterIdle(.seconds(1)), forKey: "a")
    }
    #expect(try cache.value(forKey: "a") == 1)
  }

  @Test func valueThatCannotBeDecodedIsNone() throws {
    let isWrong = Mutex(false)
    let coder = ValueCoder<Int>(
      name: "number", encode: { [UInt8($0)] },
      decode: { bytes in
        if isWrong.withLock({ $0 }) { throw CocoaError(.coderReadCorrupt) }
        return Int(bytes[0])
      })
    let cache = try DiskCache<String, Int>.open(path: folder.store, policy: .lru, coder: coder)
    for key in ["a", "b"] { try cache.set(1, forKey: key) }
    isWrong.withLock { $0 = true }
    #expect(try cache.insert(2, forKey: "a").isInserted)
    #expect(try cache.removeValue(forKey: "b") == nil)
    isWrong.withLock { $0 = false }
    #expect(try cache.value(forKey: "a") == 2 && cache.value(forKey: "b") == nil)
    #expect(cache.undecodableValues == 2)
  }

  // MARK: - Values that wait to be written

  @Test func loadedValueThatWaitsIsThere() async throws {
    let disk = FaultyDisk()
    let cache = try folder.openDisk(disk.environment)
    let gate = Gate()
    disk.close(gate)
    for key in ["a", "b", "c"] { #expect(try await cache.value(forKey: key) { 1 } == 1) }
    try await blocking {
      #expect(try cache.timeRemaining(forKey: "b") == nil)
      gate.open()
      #expect(try cache.insert(2, forKey: "a").value == 1)
      try cache.setExpiration(.after(.seconds(9)), forKey: "b")
      #expect(try cache.removeValue(forKey: "c") == 1)
    }
    try await cache.flush()
    #expect(try await cache.timeRemaining(forKey: "b") != nil)
    #expect(try await cache.value(forKey: "a") == 1)
    #expect(try await cache.contains("c") == false)
    let report = try await cache.check()
    #expect(report.isClean && report.entries == 2)
  }

  @Test func expirationThatChangesDuringAnUpdateStays() throws {
    let cache = try folder.openDisk()
    try cache.set(1, forKey: "a")
    try cache.update(forKey: "a") { value in
      try cache.setExpiration(.after(.seconds(100)), forKey: "a")
      value = 2
    }
    #expect(try cache.value(forKey: "a") == 2)
    #expect(try cache.timeRemaining(forKey: "a") != nil)
  }

  // MARK: - Several processes

  /// Another process puts a value between the look at the row and the write.
  @Test(arguments: [true, false], [3, 1_000])
  func anInsertionOfAnotherProcessWins(isTiered: Bool, threshold: Int) throws {
    let disk = FaultyDisk()
    let cache = try folder.openDisk(disk.environment) {
      $0.store.sharing = .shared
      $0.store.inlineThreshold = threshold
    }
    var options = TieredCacheOptions()
    options.memory.expiration = .after(.seconds(1_000))
    let tiers = try TieredCache.open(disk: cache, countLimit: 9, options: options)
    func insert(_ value: Int, _ key: String) throws -> (isInserted: Bool, value: Int?) {
      isTiered ? try tiers.insert(value, forKey: key) : try cache.insert(value, forKey: key)
    }
    let other = try HybridStore(path: folder.store, options: cache.options.store)
    let writes = Counter()
    disk.restart { _, call in
      if call.name == "lock" && call.path.hasSuffix("/writer") && writes.count == 0 {
        writes.increment()
        _ = try? other.put(Array("77777".utf8), forKey: "a")
      }
      return nil
    }
    #expect(try insert(11_111, "a") == (false, 77_777))
    #expect(writes.count == 1)
    disk.restart()
    #expect(try insert(11_111, "b") == (true, 11_111))
    #expect(try cache.value(forKey: "a") == 77_777)
    #expect(try tiers.value(forKey: "a") == 77_777)
    // One whose time is over is none.
    try cache.setExpiration(.after(.milliseconds(1)), forKey: "b")
    usleep(5_000)
    tiers.removeAllFromMemory()
    #expect(try insert(22_222, "b") == (true, 22_222))
    let report = try cache.check()
    #expect(report.isClean && report.entries == 2)
  }

  // MARK: - Many threads

  /// Values are inserted and removed by threads: each that was inserted leaves once.
  private func load(
    insert: @escaping @Sendable (Int, String) -> Bool, remove: @escaping @Sendable (String) -> Int?
  ) -> (inserted: Set<Int>, removed: [Int]) {
    let outcome = Mutex((inserted: Set<Int>(), removed: [Int]()))
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var inserted: Set<Int> = []
      var removed: [Int] = []
      for step in 0..<500 {
        let key = "\((thread * 7 + step * step) % 3)"
        let value = thread * 1_000 + step
        if insert(value, key) { inserted.insert(value) }
        if step % 3 == 0, let value = remove(key) { removed.append(value) }
      }
      outcome.withLock { [inserted, removed] in
        $0.inserted.formUnion(inserted)
        $0.removed += removed
      }
    }
    return outcome.withLock { $0 }
  }

  private func check(
    _ outcome: (inserted: Set<Int>, removed: [Int]), rest: [Int]
  ) {
    #expect(outcome.removed.count > 10)
    #expect((outcome.removed + rest).sorted() == outcome.inserted.sorted())
  }

  @Test(.timeLimit(.minutes(30))) func eachInsertionOnDiskLeavesOnce() throws {
    let cache = try folder.openDisk { $0.store.durability = .none }
    let outcome = load(
      insert: { (try? cache.insert($0, forKey: $1).isInserted) ?? false },
      remove: { (try? cache.removeValue(forKey: $0)) ?? nil })
    check(outcome, rest: Array(try cache.values(forKeys: ["0", "1", "2"]).values))
  }

  @Test(.timeLimit(.minutes(30)), arguments: writings)
  func eachInsertionInTiersLeavesOnce(writing: TieredCacheOptions.Writing) throws {
    let cache = try folder.openTiered {
      $0.writing = writing
      $0.memoryCountLimit = 2
    }
    let outcome = load(
      insert: { (try? cache.insert($0, forKey: $1).isInserted) ?? false },
      remove: { (try? cache.removeValue(forKey: $0)) ?? nil })
    check(outcome, rest: Array(try cache.values(forKeys: ["0", "1", "2"]).values))
  }
}
