import DiskTier
import EvictionCore
import Foundation
import Synchronization
import Systems
import Testing

/// YYCache's disk tier, and both tiers together; the names begin with the behaviours' ids.
@Suite struct YYCacheTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  func system(
    capacity: Int? = nil, memory: String = "0.1", isSized: Bool = false, inline: Int = 20_480,
    ageLimit: Duration? = nil, clock: SystemClock = SystemClock()
  ) throws -> YYCache {
    let choice = try SystemChoice(parsing: "yycache:memory=\(memory):inline=\(inline)")
    var setup = SystemSetup(choice.arguments, capacity: capacity)
    setup.folder = folder.path
    setup.isSized = isSized
    setup.clock = clock
    return try YYCache(setup, ageLimit: ageLimit, freeSpaceFloor: 0)
  }

  func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }

  var valueFiles: [String] { folder.files.filter { $0.contains("/data/") } }

  @Test func d1ValuesAboveTheThresholdAreFiles() throws {
    let cache = try system()
    try cache.set(bytes(20_480), forKey: 1, cost: 1)
    #expect(valueFiles.isEmpty)
    try cache.set(bytes(20_481), forKey: 2, cost: 1)
    #expect(valueFiles.count == 1)
    cache.memory.removeAll()
    #expect(try cache.value(forKey: 1)?.count == 20_480)
    #expect(try cache.value(forKey: 2)?.count == 20_481)
  }

  @Test func d1ThresholdZeroMakesFilesOnly() throws {
    let cache = try system(inline: 0)
    try cache.set(bytes(1), forKey: 1, cost: 1)
    #expect(valueFiles.count == 1)
  }

  @Test func d2PathHasOneInstance() throws {
    let cache = try system()
    let again = try DiskCache<UInt32, [UInt8]>.open(
      path: "\(folder.path)/yycache", policy: .lru, options: cache.disk.options, coder: .bytes)
    #expect(again === cache.disk)
  }

  @Test func d3OneLockAndValuesAreCodedOutsideIt() throws {
    let cache = try system()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for key in 0..<20 as Range<UInt32> {
        try? cache.set([UInt8](repeating: 7, count: 100 + thread), forKey: key, cost: 1)
        _ = try? cache.value(forKey: key)
      }
    }
    #expect(try cache.disk.count == 20)
    #expect(try cache.disk.check().isClean)
  }

  /// While a value is coded, another thread uses the cache.
  @Test func d3NoLockIsHeldWhileAValueIsCoded() throws {
    let place = Mutex<DiskCache<UInt32, [UInt8]>?>(nil)
    let (done, late) = (Calls(), Calls())
    let isNested = Atomic(false)
    let useMeanwhile: @Sendable () -> Void = {
      guard let cache = place.withLock({ $0 }),
        !isNested.exchange(true, ordering: .relaxed)
      else { return }
      let end = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = try? cache.set([2], forKey: 2)
        _ = try? cache.value(forKey: 2)
        end.signal()
      }
      (end.wait(timeout: .now() + 3) == .success ? done : late).call()
      isNested.store(false, ordering: .relaxed)
    }
    let coder = ValueCoder<[UInt8]>(
      name: "busy",
      encode: {
        useMeanwhile()
        return $0
      },
      decode: {
        useMeanwhile()
        return $0
      })
    let cache = try DiskCache<UInt32, [UInt8]>.open(
      path: folder.path + "/busy", policy: .lru, coder: coder)
    place.withLock { $0 = cache }
    defer { place.withLock { $0 = nil } }
    try cache.set([1], forKey: 1)
    #expect(try cache.value(forKey: 1) == [1])
    #expect(done.count == 2 && late.count == 0)
  }

  @Test func d4TrimsEverySixtySecondsByCostAndCount() throws {
    let clock = SystemClock()
    let cache = try system(capacity: 5, clock: clock)
    for key in 0..<20 as Range<UInt32> { try cache.set(bytes(10), forKey: key, cost: 1) }
    #expect(try cache.disk.count == 20)
    clock.advance(to: 59_999_999_999)
    #expect(try cache.disk.count == 20)
    clock.advance(to: 60_000_000_000)
    #expect(try cache.disk.count == 5)
    #expect(cache.statistics.evictions == 15)
  }

  @Test func d4CostsAreLimitedWhereTheTraceHasSizes() throws {
    let clock = SystemClock()
    let cache = try system(capacity: 50, isSized: true, clock: clock)
    for key in 0..<20 as Range<UInt32> { try cache.set(bytes(10), forKey: key, cost: 10) }
    clock.advance(to: 60_000_000_000)
    #expect(try cache.disk.totalCost == 50)
    #expect(cache.statistics.evictions == 15)
  }

  @Test func d4AgesGoByTheSystemsClock() throws {
    let clock = SystemClock()
    let cache = try system(ageLimit: .seconds(100), clock: clock)
    for key in 0..<3 as Range<UInt32> { try cache.set(bytes(10), forKey: key, cost: 1) }
    clock.advance(to: 59_000_000_000)
    cache.memory.removeAll()
    _ = try cache.value(forKey: 1)
    clock.advance(to: 99_000_000_000)
    #expect(try cache.disk.count == 3)
    clock.advance(to: 120_000_000_000)
    // Read after 59 seconds, which counts.
    #expect(try (0..<3).filter { try cache.disk.contains($0) } == [1])
    clock.advance(to: 180_000_000_000)
    #expect(try cache.disk.count == 0)
  }

  /// Old entries that are too many as well leave for their number, those that are too old for their age.
  @Test func d5OrderIsCountThenAgeThenFreeSpace() throws {
    let clock = SystemClock()
    let choice = try SystemChoice(parsing: "yycache")
    var setup = SystemSetup(choice.arguments, capacity: 5)
    setup.folder = folder.path
    setup.clock = clock
    let cache = try YYCache(setup, ageLimit: .seconds(1), freeSpaceFloor: 1 << 60)
    for key in 0..<20 as Range<UInt32> { try cache.set(bytes(10), forKey: key, cost: 1) }
    clock.advance(to: 2_000_000_000)
    try cache.trimDisk()
    let statistics = cache.disk.statistics
    #expect(statistics.evictions == 15 && statistics.expirations == 5)
    #expect(cache.statistics.evictions == 20)
  }

  @Test func d5KeepsAnAgeLimitAndFreeSpace() throws {
    let clock = SystemClock()
    let cache = try system(ageLimit: .nanoseconds(1), clock: clock)
    try cache.set(bytes(10), forKey: 1, cost: 1)
    clock.advance(to: 1_000)
    try cache.trimDisk()
    #expect(try cache.disk.count == 0)
    // More than any disk has: all must leave.
    var setup = SystemSetup(YYCache.self, in: try TestFolder())
    setup.folder = folder.path + "/full"
    try FileManager.default.createDirectory(
      atPath: setup.folder, withIntermediateDirectories: true)
    let full = try YYCache(setup, ageLimit: nil, freeSpaceFloor: 1 << 60)
    try full.set(bytes(10), forKey: 1, cost: 1)
    try full.trimDisk()
    #expect(try full.disk.count == 0)
  }

  @Test func d6FileNamesAreHashes() throws {
    let cache = try system(inline: 0)
    for key in 0..<3 as Range<UInt32> { try cache.set(bytes(10), forKey: key, cost: 1) }
    #expect(valueFiles.count == 3)
    /// The part of a name that follows from the key.
    func hashes(_ files: [String]) -> Set<Substring> {
      Set(files.compactMap { $0.split(separator: "/").last?.prefix(16) })
    }
    let names = hashes(valueFiles)
    #expect(names.count == 3 && names.allSatisfy { UInt64($0, radix: 16) != nil })
    // Other values of the same keys have the same hashes.
    for key in 0..<3 as Range<UInt32> { try cache.set(bytes(20), forKey: key, cost: 1) }
    #expect(hashes(valueFiles) == names)
  }

  @Test func d6EncodesAndDecodesAsItIsTold() throws {
    let coder = ValueCoder<[UInt8]>(
      name: "backwards", encode: { $0.reversed() }, decode: { $0.reversed() })
    var options = DiskCacheOptions()
    options.store.inlineThreshold = 0
    let cache = try DiskCache<UInt32, [UInt8]>.open(
      path: folder.path + "/coded", policy: .lru, options: options, coder: coder)
    try cache.set([1, 2, 3], forKey: 1)
    #expect(try cache.value(forKey: 1) == [1, 2, 3])
    let file = try #require(valueFiles.first)
    #expect(FileManager.default.contents(atPath: "\(folder.path)/\(file)") == Data([3, 2, 1]))
  }

  @Test func d7ExtendedDataStandsBesideTheValue() throws {
    let cache = try system()
    try cache.disk.set(bytes(10), forKey: 1, extended: [1, 2, 3])
    #expect(try cache.disk.entry(forKey: 1)?.extended == [1, 2, 3])
  }

  @Test func d8HasSynchronousAndAsynchronousForms() async throws {
    let cache = try system()
    let disk = cache.disk
    try await disk.set(bytes(5), forKey: 9)
    let found = try await disk.value(forKey: 9)
    #expect(found == bytes(5))
  }

  @Test func d9RemoveAllReportsProgress() throws {
    let cache = try system(inline: 0)
    for key in 0..<40 as Range<UInt32> { try cache.set(bytes(10), forKey: key, cost: 2) }
    #expect(try cache.disk.count == 40)
    #expect(try cache.disk.totalCost == 80)
    let calls = Calls()
    try cache.disk.removeAll { _, _ in calls.call() }
    cache.disk.waitForBackgroundWork()
    #expect(calls.count > 0)
    #expect(try cache.disk.count == 0)
  }

  @Test func y1MemoryComesFirstAndHitsOnDiskArePromoted() throws {
    let cache = try system()
    try cache.set(bytes(3), forKey: 1, cost: 1)
    #expect(cache.memory.contains(1))
    #expect(try cache.disk.contains(1))
    cache.memory.removeAll()
    #expect(try cache.value(forKey: 1) == bytes(3))
    #expect(cache.memory.contains(1))
    // The disk is not asked for what is in memory.
    let reads = cache.disk.statistics.hits
    #expect(try cache.value(forKey: 1) == bytes(3))
    #expect(cache.disk.statistics.hits == reads)
    try cache.remove(1)
    #expect(!cache.memory.contains(1))
    #expect(try !cache.disk.contains(1))
  }
}
