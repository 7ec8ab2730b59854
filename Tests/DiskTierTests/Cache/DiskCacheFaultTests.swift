import CSQLite
import DiskTier
import Eviction
import Foundation
import Parameters
import StoreFaults
import Synchronization
import Testing

/// Behaviour of a disk cache when the disk, a row, a value or a filter fails.
struct DiskCacheFaultTests {
  private let folder = TemporaryFolder()

  private func open<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type, _ environment: StoreEnvironment = StoreEnvironment(),
    _ configure: (inout DiskSetup) -> Void = { _ in }
  ) throws -> DiskCache<String, [UInt8]> {
    var options = DiskSetup()
    options.trimInterval = nil
    configure(&options)
    return try DiskCache<String, [UInt8]>.open(
      path: folder.store, policy: CachePolicy(Policy.self), options: options, coder: .bytes,
      environment: environment)
  }

  private static let failing: FaultyDisk.Fault = { _, call in
    call.name == "write" ? .fail(errno: ENOSPC, sqlite: SQLITE_FULL) : nil
  }

  // MARK: The disk

  @Test func aRemovalThatFailsIsMadeUpFor() throws {
    let disk = FaultyDisk()
    let cache = try open(LRU.self, disk.environment)
    try cache.set([1], forKey: "a")
    disk.restart(Self.failing)
    #expect(throws: DiskCacheError.self) { try cache.remove("a") }
    disk.restart()
    #expect(try cache.value(forKey: "a") == nil)
    try cache.set([2], forKey: "b")
    #expect(try cache.check().entries == 1)
  }

  @Test func aPutThatFailsEvictsAllTheSame() throws {
    let disk = FaultyDisk()
    let cache = try open(FIFO.self, disk.environment) { $0.countLimit = 2 }
    for key in ["a", "b"] { try cache.set([1], forKey: key) }
    disk.restart(Self.failing)
    #expect(throws: DiskCacheError.self) { try cache.set([1], forKey: "c") }
    #expect(try cache.count == 1)
    #expect(try cache.value(forKey: "a") == nil)
    #expect(try cache.value(forKey: "b") == [1])
    disk.restart()
    try cache.set([1], forKey: "d")
    #expect(try cache.check().entries == 2)
  }

  @Test func whatCouldNotBeRemovedLeavesAtTheLatestWithTheCache() throws {
    let disk = FaultyDisk()
    let cache = try open(LRU.self, disk.environment)
    try cache.set([1], forKey: "a")
    disk.restart(Self.failing)
    #expect(throws: DiskCacheError.self) { try cache.set([2], forKey: "a") }
    #expect(try cache.value(forKey: "a") == nil)
    disk.restart()
    cache.close()
    #expect(try open(LRU.self).value(forKey: "a") == nil)
  }

  @Test func aRemoveAllThatFailsChangesNothing() throws {
    let disk = FaultyDisk()
    let cache = try open(SIEVE.self, disk.environment)
    for key in 0..<9 { try cache.set([1], forKey: "\(key)") }
    disk.restart { _, call in
      call.name == "remove" ? .fail(errno: EIO, sqlite: SQLITE_IOERR) : nil
    }
    #expect(throws: DiskCacheError.self) { try cache.removeAll() }
    disk.restart()
    #expect(try cache.count == 9)
    #expect(try cache.value(forKey: "3") == [1])
    try cache.removeAll()
    #expect(try cache.check().entries == 0)
  }

  @Test func aReadOfWhatIsTooOldIsAMissOnAFullDisk() throws {
    let disk = FaultyDisk()
    let cache = try open(LRU.self, disk.environment) { $0.store.sharing = .shared }
    try cache.set([1], forKey: "a", expiration: .after(.nanoseconds(1)))
    disk.restart(Self.failing)
    #expect(try cache.value(forKey: "a") == nil)
    disk.restart()
  }

  @Test func removingManyIsManyTransactions() throws {
    let cache = try open(FIFO.self) { $0.store.durability = .none }
    for key in 0..<1_500 { try cache.set([1], forKey: "\(key)") }
    let before = cache.storeStatistics.commits
    try cache.trim(toCount: 10)
    #expect(cache.storeStatistics.commits - before == 3)
    #expect(try cache.check().entries == 10)
  }

  @Test func spaceInTheDatabaseIsNotFreedTwice() throws {
    var environment = StoreEnvironment()
    environment.freeSpace = { _ in 0 }
    let free = try open(LRU.self) { $0.store.durability = .none }
    for key in 0..<60 { try free.set([UInt8](repeating: 1, count: 10_000), forKey: "\(key)") }
    free.close()
    let cache = try open(LRU.self, environment) { $0.freeSpaceFloor = 100_000 }
    for key in 60..<65 {
      #expect(try cache.set([UInt8](repeating: 1, count: 10_000), forKey: "\(key)"))
    }
    // Sixteen make room for more than what is missing, once.
    #expect(try cache.count == 49)
  }

  @Test func aCacheThatLeftForTheFreeSpaceGivesItBack() throws {
    var environment = StoreEnvironment()
    environment.freeSpace = { _ in 0 }
    let cache = try open(LRU.self, environment) { $0.store.durability = .none }
    for key in 0..<100 { try cache.set([UInt8](repeating: 1, count: 9_000), forKey: "\(key)") }
    cache.close()
    let full = try open(LRU.self, environment) { $0.freeSpaceFloor = 1 << 40 }
    #expect(try full.set([1], forKey: "a") == false)
    #expect(try full.count == 0)
    full.close()
    #expect(folder.size("manifest.sqlite") < 50_000)
  }

  // MARK: The database

  @Test func theDirectoryForgetsADatabaseThatWasSetAside() throws {
    let disk = FaultyDisk()
    let cache = try open(ARC.self, disk.environment) {
      $0.countLimit = 300
      $0.store.pageCache = 0
      $0.store.mappedBytes = 0
    }
    for key in 0..<200 { try cache.set([UInt8](repeating: 1, count: 1_500), forKey: "\(key)") }
    for key in 0..<200 where cache.storeStatistics.setAsides == 0 {
      disk.restart { _, call in
        call.name == "read" ? .fail(errno: EIO, sqlite: SQLITE_CORRUPT) : nil
      }
      _ = try? cache.value(forKey: "\(key)")
    }
    disk.restart()
    #expect(cache.storeStatistics.setAsides > 0)
    #expect(try cache.value(forKey: "0") == nil)
    #expect(try cache.count == 0)
    #expect(try cache.totalCost == 0)
    try cache.set([2], forKey: "0")
    #expect(try cache.value(forKey: "0") == [2])
    #expect(try cache.check().entries == (try cache.count))
  }

  /// Whatever happens to the database's bytes: no crash, no wrong value, and a cache within its limits.
  @Test(arguments: Array(0..<16) as [UInt64], StoreOptions.Sharing.allCases)
  func noDamageToTheDatabaseStopsACache(seed: UInt64, sharing: StoreOptions.Sharing) throws {
    func configure(_ options: inout DiskSetup) {
      options.store.sharing = sharing
      options.store.durability = .none
      options.countLimit = 80
      options.costLimit = 40_000
    }
    let filled = try open(FIFO.self, StoreEnvironment(), configure)
    for key in 0..<80 {
      try filled.set([UInt8](repeating: UInt8(key), count: 1 + 10 * key), forKey: "\(key)")
    }
    filled.close()
    var generator = SplitMix64(seed: seed)
    var database = try folder.read("manifest.sqlite")
    for _ in 0..<(1 + seed * 4) {
      let place = Int.random(in: 100..<database.count, using: &generator)
      database[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    }
    try folder.write(database, to: "manifest.sqlite")
    let cache = try open(FIFO.self, StoreEnvironment(), configure)
    for key in 0..<90 {
      if let value = try cache.value(forKey: "\(key)") {
        #expect(value.allSatisfy { $0 == UInt8(key) })
      }
      try cache.set([UInt8](repeating: UInt8(key), count: 10), forKey: "\(key)")
    }
    _ = try cache.check(repair: true)
    try cache.set([1], forKey: "new")
    #expect(try cache.check().isClean)
    #expect(try cache.count <= 80)
  }

  @Test func aRowOfANegativeCostIsNoEntry() throws {
    let store = try HybridStore(path: folder.store)
    try store.put([1], forKey: "a", cost: -1)
    try store.put([2], forKey: "b", cost: .max)
    try store.put([3], forKey: "c", cost: .max)
    try store.close()
    let cache = try open(LRU.self)
    #expect(try cache.value(forKey: "a") == nil)
    #expect(try cache.check().entries == (try cache.count))
  }

  // MARK: Values, filters, times

  @Test func aValueSetWhileAnotherCouldNotBeDecodedStays() throws {
    let opened = Mutex<DiskCache<String, Int>?>(nil)
    let coder = ValueCoder<Int>(
      name: "setting", encode: { [UInt8($0)] },
      decode: { bytes in
        if bytes != [0] { return Int(bytes[0]) }
        try opened.withLock { $0 }?.set(7, forKey: "a")
        throw CancellationError()
      })
    let cache = try DiskCache<String, Int>.open(path: folder.store, policy: .lru, coder: coder)
    opened.withLock { $0 = cache }
    defer { opened.withLock { $0 = nil } }
    try cache.set(0, forKey: "a")
    #expect(try cache.value(forKey: "a") == nil)
    #expect(try cache.value(forKey: "a") == 7)
  }

  @Test(arguments: ["bloom", "probability:p=0.001", "tinylfu"])
  func whatWasAdmittedOnceComesBack(filter: String) throws {
    let cache = try open(LRU.self) { $0.countLimit = 50 }
    for key in 0..<50 { try cache.set([1], forKey: "\(key)") }
    cache.close()
    let again = try open(LRU.self) {
      $0.countLimit = 50
      $0.admission = (try? Specification(parsing: filter)).map { CacheAdmission($0) }
      // A Bloom filter takes some newcomers for known ones; which, depends on the seed.
      $0.seed = 7
    }
    #expect(try again.count == 50)
    #expect(try again.check().entries == 50)
    // From now on the filter decides.
    if filter != "tinylfu" { #expect(try again.set([1], forKey: "new") == false) }
  }

  @Test func aTimeThatIsOverBeforeTheRowIsThereLeavesNoRow() throws {
    let disk = FaultyDisk()
    let cache = try open(FIFO.self, disk.environment) {
      $0.countLimit = 1
      $0.store.inlineThreshold = 0
    }
    try cache.set([1], forKey: "a")
    // The row of “a” leaves after “b” was admitted, and before its row is written.
    disk.restart { _, call in
      if call.name == "write" {
        Thread.sleep(forTimeInterval: 0.2)
        _ = try? cache.count
      }
      return nil
    }
    try cache.set([2], forKey: "b", expiration: .after(.milliseconds(100)))
    disk.restart()
    #expect(try cache.count == 0)
    #expect(try cache.check().entries == 0)
  }

  @Test func anyTimeIsATimeToLive() throws {
    let cache = try open(LRU.self)
    let long = Duration.seconds(9_223_372_036) + .milliseconds(900)
    #expect(try cache.set([1], forKey: "a", expiration: .after(long)))
    #expect(try cache.value(forKey: "a") == [1])
    #expect(try cache.set([1], forKey: "a", expiration: .after(.zero - long)) == false)
    #expect(try cache.trim(toAge: long) == 0)
    #expect(try cache.value(forKey: "a") == nil)
  }

  @Test func aClosedCacheSaysSoOfAnyKey() throws {
    let cache = try open(LRU.self)
    cache.close()
    let closed = DiskCacheError.store(.closed(path: cache.path))
    #expect(throws: closed) { try cache.value(forKey: "none") }
    #expect(throws: closed) { try cache.contains("none") }
    #expect(throws: closed) { try cache.set([1], forKey: "none") }
    #expect(throws: closed) { try cache.remove("none") }
    #expect(throws: closed) { try cache.removeAll() }
    #expect(throws: closed) { try cache.trim(toCount: 1) }
    #expect(throws: closed) { try cache.trim() }
    #expect(throws: closed) { try cache.count }
    #expect(throws: closed) { try cache.totalCost }
  }
}
