import DiskTier
import Eviction
import Foundation
import Testing

/// Entries that were put while the clock was ahead, and the clock is right again.
struct DiskCacheClockTests {
  private let folder = TemporaryFolder()
  private let clock = SettableClock()

  private static let day: Int64 = 86_400

  private func open(
    _ sharing: StoreOptions.Sharing = .exclusive, _ configure: (inout DiskSetup) -> Void = { _ in }
  ) throws -> DiskCache<String, Int> {
    var options = DiskSetup()
    options.trimInterval = nil
    options.store.sharing = sharing
    configure(&options)
    return try DiskCache<String, Int>.open(
      path: folder.store, policy: .lru, options: options, coder: .json,
      environment: clock.environment)
  }

  @Test(
    "F7: entries from the future do not outlive their limits",
    arguments: StoreOptions.Sharing.allCases, [true, false])
  func entriesFromTheFutureDoNotOutliveTheirLimits(
    sharing: StoreOptions.Sharing, hasAgeLimit: Bool
  ) throws {
    func open() throws -> DiskCache<String, Int> {
      try self.open(sharing) { if hasAgeLimit { $0.ageLimit = .seconds(10) } }
    }
    clock.set(aheadBy: Self.day)
    let ahead = try open()
    for key in ["a", "b"] {
      try ahead.set(1, forKey: key, expiration: hasAgeLimit ? nil : .after(.seconds(10)))
      #expect(try ahead.value(forKey: key) == 1)
    }
    ahead.close()
    clock.set(aheadBy: 0)
    let cache = try open()
    #expect(try cache.value(forKey: "a") == nil)
    #expect(try cache.contains("b") == false)
    try cache.trim()
    #expect(try cache.check().entries == 0)
    try cache.set(2, forKey: "a")
    #expect(try cache.value(forKey: "a") == 2)
  }

  @Test(arguments: StoreOptions.Sharing.allCases)
  func nothingExpiresEarly(sharing: StoreOptions.Sharing) throws {
    func open() throws -> DiskCache<String, Int> {
      try self.open(sharing) { $0.ageLimit = .seconds(1_000) }
    }
    var cache = try open()
    try cache.set(1, forKey: "a")
    for seconds in [0, 300, 600, 900] {
      clock.set(aheadBy: Int64(seconds))
      cache.close()
      cache = try open()
      #expect(try cache.value(forKey: "a") == 1)
      #expect(try cache.trim() == 0)
    }
    clock.set(aheadBy: 1_100)
    cache.close()
    cache = try open()
    #expect(try cache.value(forKey: "a") == nil)
  }

  @Test(arguments: StoreOptions.Sharing.allCases)
  func withoutALimitAnEntryFromTheFutureStays(sharing: StoreOptions.Sharing) throws {
    clock.set(aheadBy: Self.day)
    let ahead = try open(sharing)
    try ahead.set(1, forKey: "a")
    ahead.close()
    clock.set(aheadBy: 0)
    let cache = try open(sharing)
    #expect(try cache.value(forKey: "a") == 1)
    #expect(try cache.trim() == 0)
    // A trim to an age removes what may be older.
    #expect(try cache.trim(toAge: .seconds(1)) == 1)
    #expect(try cache.count == 0)
  }

  @Test func inOneProcessAnIndexKnowsTheTimeThatIsLeft() throws {
    let cache = try open { $0.ageLimit = .seconds(1_000) }
    clock.set(aheadBy: 3_600)
    try cache.set(1, forKey: "a")
    try cache.set(2, forKey: "b", expiration: .after(.seconds(500)))
    try cache.set(3, forKey: "c", expiration: .after(.milliseconds(20)))
    clock.set(aheadBy: 0)
    #expect(try cache.trim() == 0)
    #expect(try cache.value(forKey: "a") == 1)
    #expect(try cache.value(forKey: "b") == 2)
    Thread.sleep(forTimeInterval: 0.06)
    #expect(try cache.value(forKey: "c") == nil)
    #expect(try cache.count == 2)
  }

  @Test(arguments: [TieredCacheOptions.Writing.through, .back(limit: 100)])
  func inTiersNothingOutlivesItsLimits(writing: TieredCacheOptions.Writing) throws {
    var options = TieredCacheOptions()
    options.writing = writing
    let cache = try TieredCache.open(disk: open(), countLimit: 10, options: options)
    clock.set(aheadBy: 3_600)
    try cache.set(1, forKey: "a", expiration: .after(.seconds(1)))
    clock.set(aheadBy: 0)
    cache.removeAllFromMemory()
    // Brought to memory with the time that is left.
    #expect(try cache.value(forKey: "a") == 1)
    try cache.flush()
    #expect(cache.tierStatistics.promotions == 1)
    Thread.sleep(forTimeInterval: 1.1)
    #expect(try cache.value(forKey: "a") == nil)
    #expect(try cache.disk.value(forKey: "a") == nil)
  }
}
