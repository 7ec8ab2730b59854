import CSQLite
import DiskTier
import Dispatch
import Eviction
import Foundation
import StoreFaults
import Synchronization
import Testing

/// The callback of a cache on disk with the entries that leave it.
@Suite struct DiskRemovalTests {
  private let folder = TemporaryFolder()

  private struct Removal: Hashable, Comparable, Sendable, CustomStringConvertible {
    var key: String
    var cause: RemovalCause

    var description: String { "\(key) \(cause)" }

    init(_ key: String, _ cause: RemovalCause) { (self.key, self.cause) = (key, cause) }

    static func < (left: Removal, right: Removal) -> Bool {
      (left.key, left.cause.rawValue) < (right.key, right.cause.rawValue)
    }
  }

  /// Gathers removals.
  private final class Log: Sendable {
    private let removals = Mutex<[Removal]>([])
    var callback: @Sendable (String, RemovalCause) -> Void {
      { key, cause in self.removals.withLock { $0.append(Removal(key, cause)) } }
    }
    /// Those since the last time.
    func take() -> [Removal] {
      removals.withLock { removals in
        defer { removals = [] }
        return removals
      }
    }
  }

  private func open(
    _ policy: CachePolicy = .lru, _ environment: StoreEnvironment = StoreEnvironment(),
    onRemoval: (@Sendable (String, RemovalCause) -> Void)?,
    _ configure: (inout DiskSetup) -> Void = { _ in }
  ) throws -> DiskCache<String, Int> {
    var options = DiskSetup()
    options.trimInterval = nil
    options.store.durability = .none
    configure(&options)
    let limits = DiskCacheLimits(
      count: options.countLimit, cost: options.costLimit, policy: policy, seed: 42)
    return try DiskCache<String, Int>.open(
      path: folder.store, limits: limits, options: options.options, coder: .json,
      environment: environment, listeners: DiskCacheListeners(onRemoval: onRemoval))
  }

  @Test func aValueThatIsLoadedAnewReplacesTheOldOne() async throws {
    let log = Log()
    let cache = try open(onRemoval: log.callback)
    try await cache.set(1, forKey: "a")
    #expect(try await cache.refreshValue(forKey: "a") { 2 } == 2)
    await cache.waitForBackgroundWork()
    #expect(try await cache.peek("a") == 2)
    #expect(log.take() == [Removal("a", .replaced)])
  }

  // MARK: - As in memory

  @Test(arguments: [CachePolicy.lru, .fifo, .sieve, .arc(), .standard])
  func removalsAreThoseOfACacheInMemory(policy: CachePolicy) throws {
    let (ofDisk, ofMemory) = (Log(), Log())
    let disk = try open(policy, onRemoval: ofDisk.callback) {
      $0.countLimit = 12
      $0.costLimit = 60
    }
    let memory = try MemoryCache<String, Int>.open(
      countLimit: 12, costLimit: 60, costs: .given, policy: policy, seed: 42,
      onRemoval: { key, _, cause in ofMemory.callback(key, cause) })
    var random = SplitMix64(seed: 5)
    var causes: Set<RemovalCause> = []
    for step in 0..<3_000 {
      let key = "\(random.index(below: 30))"
      let cost = random.index(below: 40) == 0 ? 61 : random.index(below: 9)
      let operation = random.index(below: 16)
      switch operation {
      case 0...4:
        #expect(
          try disk.set(step, forKey: key, cost: cost) == memory.set(step, forKey: key, cost: cost))
      case 5, 6:
        let outcome = try disk.insert(step, forKey: key, cost: cost)
        #expect(outcome == memory.insert(step, forKey: key, cost: cost))
      case 7...9: #expect(try disk.value(forKey: key) == memory.value(forKey: key))
      case 10: #expect(try disk.remove(key) == memory.remove(key))
      case 11: #expect(try disk.removeValue(forKey: key) == memory.removeValue(forKey: key))
      case 12:
        try disk.update(forKey: key, cost: cost) { $0 = $0 == nil ? step : nil }
        memory.update(forKey: key, cost: cost) { $0 = $0 == nil ? step : nil }
      case 13:
        try disk.setExpiration(.after(.zero), forKey: key)
        memory.setExpiration(.after(.zero), forKey: key)
      case 14:
        let count = random.index(below: 14)
        #expect(try disk.trim(toCount: count) == memory.trim(toCount: count))
      default:
        switch random.index(below: 6) {
        case 0:
          try disk.removeAll()
          memory.removeAll()
        case 1:
          _ = try disk.set(step, forKey: key, cost: 1, expiration: .after(.zero))
          memory.set(step, forKey: key, cost: 1, expiration: .after(.zero))
        case 2:
          try disk.setLimits(count: 10, cost: 50)
          memory.setLimits(count: 10, cost: 50)
        default:
          try disk.setLimits(count: 12, cost: 60)
          memory.setLimits(count: 12, cost: 60)
        }
      }
      let removals = ofDisk.take().sorted()
      causes.formUnion(removals.map(\.cause))
      try #require(
        removals == ofMemory.take().sorted(),
        "\(policy), step \(step), key \(key), cost \(cost), operation \(operation)")
    }
    #expect(causes == [.size, .expired, .replaced, .removed])
  }

  /// Each value that was set leaves once, or is there at the end.
  @Test(.timeLimit(.minutes(30)), arguments: StoreOptions.Sharing.allCases, [3, 1_000])
  func everyValueLeavesOnce(sharing: StoreOptions.Sharing, threshold: Int) throws {
    let (sets, removals) = (Counter(), Counter())
    func open() throws -> DiskCache<String, Int> {
      try self.open(onRemoval: { _, _ in removals.increment() }) {
        $0.countLimit = 20
        $0.store.sharing = sharing
        $0.store.inlineThreshold = threshold
      }
    }
    for round in 0..<3 {
      let cache = try open()
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        var random = SplitMix64(seed: UInt64(10 * round + thread))
        for step in 0..<300 {
          let key = "\(random.index(below: 40))"
          switch random.index(below: 8) {
          case 0: _ = try? cache.remove(key)
          case 1: _ = try? cache.removeValue(forKey: key)
          case 2: _ = try? cache.trim(toCount: 5 + random.index(below: 20))
          case 3:
            if (try? cache.insert(step, forKey: key))?.isInserted == true {
              sets.increment()
            }
          case 4: _ = try? cache.value(forKey: key)
          default:
            if (try? cache.set(10_000 + step, forKey: key)) == true {
              sets.increment()
            }
          }
        }
      }
      cache.close()
      let again = try open()
      let rest = try again.count
      #expect(sets.count == removals.count + rest)
      #expect(try again.check().entries == rest)
      again.close()
    }
    try open().removeAll()
    #expect(sets.count == removals.count)
  }

  // MARK: - What only a disk has

  @Test(arguments: StoreOptions.Sharing.allCases)
  func whatOpeningAndTrimsRemoveIsReported(sharing: StoreOptions.Sharing) throws {
    let clock = MovedClock()
    clock.move(to: 1_000_000_000_000)
    var environment = StoreEnvironment()
    environment.entryClock = clock
    environment.now = { Int64(clock.now) }
    let log = Log()
    func open(countLimit: Int?) throws -> DiskCache<String, Int> {
      try self.open(.fifo, environment, onRemoval: log.callback) {
        $0.countLimit = countLimit
        $0.store.sharing = sharing
      }
    }
    var cache = try open(countLimit: nil)
    for key in ["a", "b", "c"] { try cache.set(1, forKey: key) }
    try cache.set(1, forKey: "d", expiration: .after(.seconds(10)))
    try cache.set(1, forKey: "e", expiration: .after(.seconds(100)))
    cache.close()
    #expect(log.take() == [])
    clock.move(to: 1_020_000_000_000)
    cache = try open(countLimit: sharing == .shared ? 4 : 3)
    if sharing == .shared { #expect(try cache.trim() == 1) }
    #expect(log.take().sorted() == [Removal("a", .size), Removal("d", .expired)])
    clock.move(to: 1_200_000_000_000)
    #expect(try cache.value(forKey: "e") == nil)
    try cache.trim()
    #expect(log.take() == [Removal("e", .expired)])
    try cache.trim(toAge: .seconds(150))
    #expect(log.take().sorted() == [Removal("b", .expired), Removal("c", .expired)])
  }

  @Test func aSetThatFailsAndLostValuesAreDiscarded() throws {
    let disk = FaultyDisk()
    let log = Log()
    var cache: DiskCache<String, Int>? = try open(
      .lru, disk.environment, onRemoval: log.callback, { $0.store.inlineThreshold = 0 })
    for key in ["a", "b", "c"] { try cache?.set(1, forKey: key) }
    let paths = folder.files()
    disk.restart { _, call in
      call.name == "write" && call.path.contains("temporary")
        ? .fail(errno: EIO, sqlite: SQLITE_IOERR) : nil
    }
    #expect(throws: DiskCacheError.self) { try cache?.set(2, forKey: "a") }
    disk.restart()
    #expect(log.take() == [Removal("a", .discarded)])
    // The store itself removes a's meanwhile.
    for path in paths { try? FileManager.default.removeItem(atPath: path) }
    #expect(try cache?.value(forKey: "b") == nil)
    #expect(log.take() == [Removal("b", .discarded)])
    #expect(try cache?.check(repair: true).missingFiles == ["c"])
    #expect(log.take() == [Removal("c", .discarded)])
    try cache?.set(1, forKey: "d")
    try FileManager.default.removeItem(atPath: folder.store)
    try cache?.set(1, forKey: "e")
    #expect(log.take() == [Removal("d", .discarded)])
    cache = nil
    #expect(log.take() == [])
  }

  @Test func anErrorOfARemovalReportsItWhenTheRowIsGone() throws {
    let disk = FaultyDisk()
    let log = Log()
    let cache = try open(.lru, disk.environment, onRemoval: log.callback)
    try cache.set(1, forKey: "a")
    disk.restart { _, call in call.name == "write" ? .fail(errno: EIO, sqlite: SQLITE_IOERR) : nil }
    #expect(throws: DiskCacheError.self) { try cache.trim(toCount: 0) }
    #expect(try cache.contains("a") == false && log.take() == [])
    disk.restart()
    try cache.trim()
    #expect(log.take() == [Removal("a", .size)])
    // One that gets another value before has left by the limit, and is no replaced one.
    try cache.set(1, forKey: "a")
    disk.restart { _, call in call.name == "write" ? .fail(errno: EIO, sqlite: SQLITE_IOERR) : nil }
    #expect(throws: DiskCacheError.self) { try cache.trim(toCount: 0) }
    disk.restart()
    try cache.set(2, forKey: "a")
    #expect(log.take() == [Removal("a", .size)])
    #expect(try cache.value(forKey: "a") == 2)
  }

  @Test func theCallbackMayUseTheCache() throws {
    // Each removal makes the next: so many of them would not fit on the stack.
    let known = Told<DiskCache<String, Int>>()
    let reported = Counter()
    let opened = try open(onRemoval: { key, cause in
      guard let number = Int(key), let cache = known.all.first else { return }
      reported.increment()
      _ = try? cache.set(number, forKey: "\(number + 2_000)")
      if number < 1_999 { _ = try? cache.remove("\(number + 1)") }
    })
    known.add(opened)
    for number in 0..<2_000 { try opened.set(number, forKey: "\(number)") }
    try opened.remove("0")
    #expect(reported.count == 2_000)
    #expect(try opened.count == 2_000)
    opened.close()
  }

  @Test func otherKeysComeBackAsTheyWere() async throws {
    let keys = Told<UUID>()
    let cache = try await DiskCache<UUID, Int>.open(
      path: folder.store, coder: .json, onRemoval: { key, _ in keys.add(key) })
    let id = UUID()
    try await cache.set(1, forKey: id)
    try await cache.remove(id)
    #expect(keys.all == [id])
    #expect(try await cache.value(forKey: id) { 2 } == 2)
    try await cache.flush()
    try await cache.removeAll()
    #expect(keys.all == [id, id])
  }

  @Test func whatAnotherProcessRemovesIsNotReported() throws {
    let log = Log()
    let cache = try open(onRemoval: log.callback) { $0.store.sharing = .shared }
    for key in ["a", "b"] { try cache.set(1, forKey: key) }
    let other = try HybridStore(path: folder.store, options: cache.options.store)
    try other.remove("a")
    try cache.remove("a")
    try cache.remove("b")
    #expect(log.take() == [Removal("b", .removed)])
  }
}
