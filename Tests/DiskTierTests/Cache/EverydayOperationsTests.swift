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

  private func openDisk(
    _ environment: StoreEnvironment = StoreEnvironment(),
    _ configure: (inout DiskSetup) -> Void = { _ in }
  ) throws -> DiskCache<String, Int> {
    var options = DiskSetup()
    options.trimInterval = nil
    configure(&options)
    return try DiskCache<String, Int>.open(
      path: folder.store, policy: .lru, options: options, coder: .json, environment: environment)
  }

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

  @Test(.timeLimit(.minutes(10))) func inMemory() async throws {
    let memory = MemoryCache<String, Int>(countLimit: 10)
    try await use(memory)
    memory.insert(1, forKey: "b")
    memory.insert(1, forKey: "c", cost: 2, expiration: nil)
    #expect(memory.removeValue(forKey: "b") == 1 && memory.cost(forKey: "c") == 2)
    try await use(ShardedCache<String, Int>(shards: 2, countLimit: 20))
  }

  @Test(.timeLimit(.minutes(10)), arguments: StoreOptions.Sharing.allCases)
  func onDisk(sharing: StoreOptions.Sharing) async throws {
    let cache = try openDisk { $0.store.sharing = sharing }
    if sharing == .exclusive { return try await use(cache) }
    // Costs are bytes there.
    await #expect(throws: DiskCacheError.self) { try await use(cache) }
    #expect(try await cache.insert(1, forKey: "a").isInserted)
    #expect(try await !cache.insert(2, forKey: "a").isInserted)
    #expect(try await cache.removeValue(forKey: "a") == 1)
  }

  @Test(.timeLimit(.minutes(10)), arguments: writings)
  func inTiers(writing: TieredCacheOptions.Writing) async throws {
    try await use(try folder.openTiered { $0.writing = writing })
  }

  // MARK: - Against a model

  private struct Modelled {
    var value: Int
    /// In hundreds of seconds, and a half.
    var deadline: Double?
  }

  /// The operations of one kind of cache, by numbers of keys and hundreds of seconds.
  private struct Operations {
    var set: (_ value: Int, _ key: String, Expiration?) throws -> Void
    var insert: (_ value: Int, _ key: String, Expiration?) throws -> (isInserted: Bool, value: Int?)
    var removeValue: (String) throws -> Int?
    var setExpiration: (Expiration, String) throws -> Void
    var timeRemaining: (String) throws -> Duration?
    var value: (String) throws -> Int?
    var peek: (String) throws -> Int?
    /// Writes what waits, as it does not hear of the clock.
    var flush: () throws -> Void
  }

  private func compare(
    clock: MovedClock, seed: UInt64, steps: Int, open: () throws -> Operations
  ) throws {
    var random = SplitMix64(seed: seed)
    var model: [String: Modelled] = [:]
    var now = 10.0
    clock.move(to: 1_000_000_000_000)
    var cache = try open()
    func expiration() -> (Expiration?, Double?) {
      let life = Double(random.index(below: 6)) + 0.5
      if random.index(below: 2) == 0 { return (nil, nil) }
      return (.after(.seconds(100 * life)), now + life)
    }
    for step in 0..<steps {
      let key = "\(random.index(below: 6))"
      let note = "seed \(seed), step \(step), key \(key)"
      if let deadline = model[key]?.deadline, deadline < now { model[key] = nil }
      let before = model[key]
      switch random.index(below: 12) {
      case 0, 1:
        let (expiration, deadline) = expiration()
        try cache.set(step, key, expiration)
        model[key] = Modelled(value: step, deadline: deadline)
      case 2, 3:
        let (expiration, deadline) = expiration()
        let outcome = try cache.insert(step, key, expiration)
        #expect(outcome.isInserted == (before == nil), "\(note)")
        #expect(outcome.value == before?.value ?? step, "\(note)")
        model[key] = before ?? Modelled(value: step, deadline: deadline)
      case 4:
        #expect(try cache.removeValue(key) == before?.value, "\(note)")
        model[key] = nil
      case 5, 6:
        let (expiration, deadline) = expiration()
        try cache.setExpiration(expiration ?? .never, key)
        model[key]?.deadline = deadline
      case 7:
        try cache.setExpiration(.after(.zero), key)
        model[key] = nil
      case 8:
        try cache.flush()
        now += 1
        clock.move(to: Int64(now * 100_000_000_000))
      case 9: #expect(try cache.value(key) == before?.value, "\(note)")
      case 10:
        let left = try cache.timeRemaining(key)
        let expected = before?.deadline.map { ($0 - now) * 100 }
        #expect((left == nil) == (expected == nil), "\(note)")
        if let left, let expected {
          #expect(abs(left / .seconds(1) - expected) < 40, "\(note)")
        }
      default: if random.index(below: 4) == 0 { cache = try open() }
      }
      if let deadline = model[key]?.deadline, deadline < now { model[key] = nil }
      #expect(try cache.peek(key) == model[key]?.value, "\(note)")
    }
  }

  private func environment(_ clock: MovedClock) -> StoreEnvironment {
    var environment = StoreEnvironment()
    environment.entryClock = clock
    environment.now = { Int64(clock.now) }
    return environment
  }

  @Test(arguments: StoreOptions.Sharing.allCases, [1, 2, 3] as [UInt64])
  func diskDoesAsTheModel(sharing: StoreOptions.Sharing, seed: UInt64) throws {
    let clock = MovedClock()
    var latest: DiskCache<String, Int>?
    try compare(clock: clock, seed: seed, steps: 1_500) {
      latest?.close()
      let cache = try openDisk(environment(clock)) {
        $0.store.sharing = sharing
        $0.store.durability = .none
      }
      latest = cache
      return Operations(
        set: { try cache.set($0, forKey: $1, expiration: $2) },
        insert: { try cache.insert($0, forKey: $1, expiration: $2) },
        removeValue: { try cache.removeValue(forKey: $0) },
        setExpiration: { try cache.setExpiration($0, forKey: $1) },
        timeRemaining: { try cache.timeRemaining(forKey: $0) },
        value: { try cache.value(forKey: $0) }, peek: { try cache.peek($0) }, flush: {})
    }
    #expect(try latest?.check().isClean == true)
  }

  @Test(arguments: writings, [1, 2, 3] as [UInt64])
  func tiersDoAsTheModel(writing: TieredCacheOptions.Writing, seed: UInt64) throws {
    let clock = MovedClock()
    var latest: TieredCache<String, Int>?
    try compare(clock: clock, seed: seed, steps: 1_500) {
      try latest?.close()
      let disk = try openDisk(environment(clock)) { $0.store.durability = .none }
      var options = TieredSetup()
      options.memoryCountLimit = 3
      options.writing = writing
      options.memory.clock = clock.clock
      if seed == 2 { options.memory.expiration = .after(.seconds(250)) }
      if seed == 3 { options.memory.expiration = .afterIdle(.seconds(150)) }
      let cache = try TieredCache.open(disk: disk, policy: .lru, options: options)
      latest = cache
      return Operations(
        set: { try cache.set($0, forKey: $1, expiration: $2) },
        insert: { try cache.insert($0, forKey: $1, expiration: $2) },
        removeValue: { try cache.removeValue(forKey: $0) },
        setExpiration: { try cache.setExpiration($0, forKey: $1) },
        timeRemaining: { try cache.timeRemaining(forKey: $0) },
        value: { try cache.value(forKey: $0) }, peek: { try cache.peek($0) },
        flush: { try cache.flush() })
    }
    try latest?.flush()
    #expect(try latest?.disk.check().isClean == true)
  }

  // MARK: - What the policy hears

  @Test func policyDoesNotLearnOfAnInsertionThatFindsAValue() throws {
    let cache = try openDisk { $0.countLimit = 2 }
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
    let cache = try openDisk(disk.environment)
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
    let cache = try openDisk()
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
    let cache = try openDisk(disk.environment) {
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

  @Test(.timeLimit(.minutes(10))) func eachInsertionOnDiskLeavesOnce() throws {
    let cache = try openDisk { $0.store.durability = .none }
    let outcome = load(
      insert: { (try? cache.insert($0, forKey: $1).isInserted) ?? false },
      remove: { (try? cache.removeValue(forKey: $0)) ?? nil })
    check(outcome, rest: Array(try cache.values(forKeys: ["0", "1", "2"]).values))
  }

  @Test(.timeLimit(.minutes(10)), arguments: writings)
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
