import EvictionCore
import Foundation
import Parameters
import Systems
import Testing

/// AFNetworking's and SDWebImage's caches; the names begin with the behaviours' ids.
@Suite struct ImageCacheTests {
  private func value(_ count: Int = 1) -> [UInt8] { [UInt8](repeating: 1, count: count) }

  // MARK: AFNetworking

  private func purging(_ capacity: Int?) throws -> AFImageCache {
    try AFImageCache(SystemSetup(AFImageCache.self, capacity: capacity))
  }

  @Test func a2PurgesDownToThePreferredSize() throws {
    let cache = try purging(nil)
    #expect(cache.capacity == 100_000_000 && cache.preferred == 60_000_000)
    let small = try purging(10)
    #expect(small.preferred == 6)
    for key in 0..<10 as Range<UInt32> { small.set(value(), forKey: key, cost: 1) }
    #expect(small.memoryUsage == 10 && small.statistics.evictions == 0)
    small.set(value(), forKey: 10, cost: 1)
    #expect(small.memoryUsage == 6 && small.statistics.evictions == 5)
  }

  @Test func a3CostOfAnImage() {
    #expect(AFImageCache.cost(width: 10, height: 20, scale: 2) == 10 * 20 * 4 * 4)
  }

  @Test func a4OldestAccessesLeaveFirst() throws {
    let cache = try purging(5)
    for key in 0..<5 as Range<UInt32> { cache.set(value(), forKey: key, cost: 1) }
    _ = cache.value(forKey: 0)
    cache.set(value(), forKey: 5, cost: 1)
    #expect((0..<6).filter { cache.value(forKey: $0) != nil } == [0, 4, 5])
  }

  /// A lock that counts how it is taken.
  private final class CountingLock: CacheLock, @unchecked Sendable {
    static let information = LockInformation(name: "counting", summary: "counts its takers")
    private let base = BarrierQueueLock()
    let barriers = Calls()
    let reads = Calls()

    func withLock(_ body: () -> Void) {
      barriers.call()
      base.withLock(body)
    }

    func withSharedLock(_ body: () -> Void) {
      reads.call()
      base.withSharedLock(body)
    }
  }

  @Test func a5InsertAndPurgeAreTwoBarriersAndAReadIsNone() throws {
    let lock = CountingLock()
    var setup = SystemSetup(AFImageCache.self, capacity: 5)
    setup.lock = { _ in lock }
    let cache = try AFImageCache(setup)
    // The caller does not wait for them: a reader is inside meanwhile.
    let reader = Holder { lock.withSharedLock($0) }
    cache.set(value(), forKey: 1, cost: 1)
    #expect(reader.isHolding)
    reader.letGo()
    cache.finish()
    #expect(lock.barriers.count == 2 && lock.reads.count == 1)
    _ = cache.value(forKey: 1)
    #expect(lock.barriers.count == 2 && lock.reads.count == 2)
    cache.remove(1)
    #expect(lock.barriers.count == 3)
  }

  @Test func a6KeysHaveIdentifiersAndRemovalsSayWhatWasThere() throws {
    #expect(AFImageCache.key(url: "u", identifier: "round") == "uround")
    #expect(AFImageCache.key(url: "u", identifier: nil) == "u")
    let events = SystemEvents()
    var setup = SystemSetup(AFImageCache.self, capacity: 5)
    setup.events = events
    let cache = try AFImageCache(setup)
    cache.set(value(), forKey: 1, cost: 1)
    cache.set(value(), forKey: 2, cost: 1)
    #expect(cache.removeValue(forKey: 1))
    #expect(!cache.removeValue(forKey: 1))
    events.post(.memoryPressure(.warning))
    #expect(cache.memoryUsage == 0 && !cache.removeAllValues())
  }

  /// A plain model: an array in the order of accesses.
  @Test(arguments: [(7, false), (100, false), (500, true)])
  func afnetworkingHitsAreThoseOfAPlainModel(capacity: Int, isSized: Bool) throws {
    let cache = try purging(capacity)
    var order: [(key: UInt32, cost: Int)] = []
    var random = SplitMix64(seed: 5)
    for step in 0..<5_000 {
      let key = UInt32(random.index(below: 1 + random.index(below: 300)))
      let cost = isSized ? 1 + Int(key) % 17 : 1
      let place = order.firstIndex { $0.key == key }
      #expect((cache.value(forKey: key) != nil) == (place != nil), "step \(step)")
      if let place {
        order.append(order.remove(at: place))
        continue
      }
      cache.set(value(), forKey: key, cost: cost)
      order.append((key, cost))
      var usage = order.reduce(0) { $0 + $1.cost }
      if usage <= capacity { continue }
      while usage > capacity * 6 / 10 { usage -= order.removeFirst().cost }
    }
  }

  // MARK: SDWebImage

  private func images(
    _ folder: TestFolder, capacity: Int? = nil, memory: Fraction = Fraction(1, 10),
    clock: SystemClock = SystemClock(), events: SystemEvents = SystemEvents()
  ) throws -> SDImageCache {
    var setup = SystemSetup(
      SDImageCache.self, capacity: capacity, in: folder, ["memory": .fraction(memory)])
    setup.clock = clock
    setup.events = events
    return try SDImageCache(setup)
  }

  @Test func s1CostIsPixels() {
    #expect(SDImageCache.cost(width: 10, height: 20, scale: 2) == 800)
  }

  /// A lock that counts who has asked for it, before they hold it.
  private final class AskedLock: CacheLock, @unchecked Sendable {
    static let information = LockInformation(name: "asked", summary: "counts those who ask")
    private let base = MutexLock()
    let asked = Calls()

    func withLock(_ body: () -> Void) {
      asked.call()
      base.withLock(body)
    }

    func withSharedLock(_ body: () -> Void) { withLock(body) }
  }

  @Test func s2QueriesCanBeCancelled() throws {
    let lock = AskedLock()
    var setup = SystemSetup(SDImageCache.self, capacity: 100, in: try TestFolder())
    setup.lock = { _ in lock }
    let cache = try SDImageCache(setup)
    let calls = Calls()
    lock.withLock {
      // A query that has begun and waits for the disk, and others behind it.
      let before = lock.asked.count
      let begun = cache.query(100) { _ in calls.call() }
      while lock.asked.count == before { Thread.sleep(forTimeInterval: 0.000_1) }
      begun.cancel()
      for key in 0..<50 as Range<UInt32> {
        let query = cache.query(key) { _ in calls.call() }
        query.cancel()
      }
    }
    try cache.finish()
    // Who waited, and nobody behind him.
    #expect(calls.count == 0 && lock.asked.count == 2)
    _ = cache.query(99) { value in if value == nil { calls.call() } }
    try cache.finish()
    #expect(calls.count == 1)
  }

  @Test func s2SetDoesNotWaitForTheQueueOfFiles() throws {
    let lock = AskedLock()
    let folder = try TestFolder()
    var setup = SystemSetup(SDImageCache.self, capacity: 100, in: folder)
    setup.lock = { _ in lock }
    let cache = try SDImageCache(setup)
    let other = Holder { lock.withLock($0) }
    cache.set(value(5), forKey: 1, cost: 1)
    #expect(other.isHolding && cache.value(forKey: 1) == value(5) && folder.files.isEmpty)
    other.letGo()
    try cache.finish()
    #expect(folder.files.count == 1)
  }

  @Test func s2FailureOfAWriteIsToldAtTheEnd() throws {
    let folder = try TestFolder()
    let cache = try images(folder)
    try FileManager.default.removeItem(atPath: folder.path)
    cache.set(value(5), forKey: 1, cost: 1)
    #expect(throws: SystemError.self) { try cache.finish() }
  }

  @Test func s3MemoryThenDiskThenPromotion() throws {
    let folder = try TestFolder()
    let events = SystemEvents()
    let cache = try images(folder, events: events)
    cache.set(value(10), forKey: 1, cost: 1)
    events.post(.memoryPressure(.warning))
    #expect(cache.value(forKey: 1) == value(10))
    // From memory now: the file is not needed.
    for file in folder.files {
      try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)")
    }
    #expect(cache.value(forKey: 1) == value(10))
  }

  @Test func s4FileNameIsAHashOfTheKey() throws {
    let folder = try TestFolder()
    let cache = try images(folder)
    cache.set(value(), forKey: 1, cost: 1)
    try cache.finish()
    #expect(folder.files == [SDImageCache.fileName(of: 1)])
    #expect(SDImageCache.fileName(of: 1) != SDImageCache.fileName(of: 2))
    #expect(SDImageCache.fileName(of: 1).count == 32)
  }

  @Test func s5WeekWithoutAModificationIsTheEnd() throws {
    let clock = SystemClock()
    let cache = try images(try TestFolder(), clock: clock)
    cache.set(value(), forKey: 1, cost: 1)
    clock.advance(to: 1_000_000_000)
    cache.set(value(), forKey: 2, cost: 1)
    let week = SDImageCache.maximumAge.nanoseconds
    clock.advance(to: week)
    // Reading is no modification.
    _ = cache.value(forKey: 1)
    cache.terminate()
    #expect(cache.statistics.count == 2)
    clock.advance(to: week + 1)
    cache.terminate()
    #expect(cache.statistics.count == 1)
  }

  @Test func s6WithinTheLimitNothingLeaves() throws {
    let cache = try images(try TestFolder(), capacity: 10)
    for key in 0..<10 as Range<UInt32> { cache.set(value(), forKey: key, cost: 1) }
    cache.terminate()
    #expect(cache.statistics.count == 10)
  }

  @Test func s7OldestLeaveUntilBelowHalfOfTheLimit() throws {
    let folder = try TestFolder()
    let cache = try images(folder, capacity: 10)
    for key in 0..<11 as Range<UInt32> { cache.set(value(), forKey: key, cost: 1) }
    // Modified again.
    cache.set(value(), forKey: 0, cost: 1)
    cache.terminate()
    #expect(cache.statistics.count == 4 && cache.statistics.evictions == 7)
    #expect(Set(folder.files) == Set([0, 8, 9, 10].map(SDImageCache.fileName)))
  }

  @Test func s8RunsInTheBackgroundAndPressureClearsMemoryOnly() throws {
    let events = SystemEvents()
    let folder = try TestFolder()
    let cache = try images(folder, capacity: 4, memory: Fraction(1, 2), events: events)
    for key in 0..<6 as Range<UInt32> { cache.set(value(), forKey: key, cost: 1) }
    events.post(.memoryPressure(.critical))
    #expect(cache.statistics.count == 6)
    events.post(.background)
    #expect(cache.statistics.count == 1)
    cache.set(value(), forKey: 9, cost: 1)
    try cache.finish()
    for file in folder.files {
      try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)")
    }
    #expect(cache.value(forKey: 9) == value())
    events.post(.memoryPressure(.critical))
    #expect(cache.value(forKey: 9) == nil)
  }

  /// A plain model: files in the order of their modification; the memory is empty.
  @Test(arguments: [7, 100])
  func sdwebimageHitsAreThoseOfAPlainModel(capacity: Int) throws {
    let events = SystemEvents()
    let cache = try images(try TestFolder(), capacity: capacity, events: events)
    var order: [UInt32] = []
    var random = SplitMix64(seed: 6)
    for step in 0..<2_000 {
      let key = UInt32(random.index(below: 1 + random.index(below: 300)))
      let isHit = order.contains(key)
      #expect((cache.value(forKey: key) != nil) == isHit, "step \(step)")
      if !isHit {
        cache.set(value(), forKey: key, cost: 1)
        order.append(key)
      }
      events.post(.memoryPressure(.warning))
      guard step % 100 == 99 else { continue }
      events.post(.background)
      if order.count > capacity {
        while 2 * order.count >= capacity { order.removeFirst() }
      }
    }
  }
}
