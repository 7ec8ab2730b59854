import CSQLite
import DiskTier
import Eviction
import Foundation
import StoreFaults
import Testing

/// Sets that throw, which leave no outdated value.
struct OutdatedValueTests {
  private let folder = TemporaryFolder()
  private let disk = FaultyDisk()

  /// A reason for a set to throw.
  enum Cause: String, CaseIterable {
    case encoding, timeToIdle, costOnASharedPath, fullDisk, fullDiskForAFile
  }

  private func open(_ cause: Cause, trims: Bool = false) throws -> DiskCache<String, [Double]> {
    var options = DiskSetup()
    options.countLimit = 10
    options.trimInterval = nil
    if cause == .costOnASharedPath { options.store.sharing = .shared }
    if cause == .fullDiskForAFile { options.store.inlineThreshold = 0 }
    return try DiskCache<String, [Double]>.open(
      path: folder.store, policy: .lru, options: options, coder: .json,
      environment: disk.environment)
  }

  private func value(_ cause: Cause) -> [Double] { cause == .encoding ? [.nan] : [2] }

  private func expiration(_ cause: Cause) -> Expiration? {
    cause == .timeToIdle ? .after(.seconds(9), orIdle: .seconds(5)) : nil
  }

  private func cost(_ cause: Cause) -> Int? { cause == .costOnASharedPath ? 5 : nil }

  private func failIfFull(_ cause: Cause) {
    if cause != .fullDisk && cause != .fullDiskForAFile { return }
    disk.restart { _, call in
      call.name == "write" ? .fail(errno: ENOSPC, sqlite: SQLITE_FULL) : nil
    }
  }

  /// A change of a key waits for a loaded value that was current a moment ago, and is just being added.
  @Test func aRemovalWaitsForAValueThatIsJustBeingAdded() throws {
    let loaded = LoadedValues()
    let key = TextKey("k")
    let store = try HybridStore(path: folder.store, options: .testing())
    try store.put([1], forKey: key.text)
    let value = try #require(try store.get(key.text))
    let (begun, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    loaded.add(value, forKey: key) {
      Thread.detachNewThread {
        begun.signal()
        loaded.remove(key)
        done.signal()
      }
      begun.wait()
      usleep(50_000)
      return true
    }
    done.wait()
    #expect(loaded[key] == nil)
  }

  @Test("F5: a set that throws leaves no outdated value", arguments: Cause.allCases)
  func aSetThatThrowsLeavesNoOutdatedValue(cause: Cause) throws {
    let cache = try open(cause)
    try cache.set([1], forKey: "k")
    failIfFull(cause)
    #expect(throws: DiskCacheError.self) {
      try cache.set(
        value(cause), forKey: "k", cost: cost(cause), expiration: expiration(cause))
    }
    #expect(try cache.value(forKey: "k") == nil)
    #expect(try cache.contains("k") == false)
    disk.restart()
    try cache.trim()
    #expect(try cache.count == 0)
    cache.close()
    #expect(try open(cause).value(forKey: "k") == nil)
  }

  @Test(arguments: Cause.allCases)
  func aSetThatThrowsInATaskLeavesNoOutdatedValue(cause: Cause) async throws {
    let cache = try open(cause)
    try await cache.set([1], forKey: "k")
    failIfFull(cause)
    await #expect(throws: DiskCacheError.self) {
      try await cache.set(
        value(cause), forKey: "k", cost: cost(cause), expiration: expiration(cause))
    }
    #expect(try await cache.value(forKey: "k") == nil)
    disk.restart()
  }

  @Test(arguments: Cause.allCases)
  func aSetThatThrowsLeavesNoOutdatedValueInEitherTier(cause: Cause) throws {
    let disk = try open(cause)
    var options = TieredCacheOptions()
    options.memory.expiration = .after(.seconds(1_000))
    let cache = try TieredCache.open(disk: disk, countLimit: 10, options: options)
    try cache.set([1], forKey: "k")
    failIfFull(cause)
    #expect(throws: DiskCacheError.self) {
      try cache.set(
        value(cause), forKey: "k", cost: cost(cause), expiration: expiration(cause))
    }
    #expect(try cache.value(forKey: "k") == nil)
    #expect(try cache.disk.value(forKey: "k") == nil)
    self.disk.restart()
  }

  /// A set that throws is newer than a load that began before it.
  @Test func aSetThatThrowsWinsOverALoad() async throws {
    let cache = try open(.encoding)
    let loaded = try await cache.value(forKey: "k") {
      _ = try? await cache.set([.nan], forKey: "k")
      return [1]
    }
    #expect(loaded == [1])
    await cache.waitForBackgroundWork()
    #expect(try await cache.value(forKey: "k") == nil)
  }

  @Test func aSetThatIsWrittenBackThrowsOnceTheDiskIsClosed() throws {
    var options = TieredCacheOptions()
    options.writing = .back(limit: 100)
    let cache = try TieredCache.open(disk: open(.encoding), countLimit: 10, options: options)
    try cache.set([1], forKey: "a")
    try cache.close()
    let closed = DiskCacheError.store(.closed(path: cache.disk.path))
    #expect(throws: closed) { try cache.set([2], forKey: "a") }
    #expect(throws: closed) { try cache.set([2], forKey: "b") }
    #expect(cache.tierStatistics.waitingWrites == 0)
    #expect(cache.tierStatistics.memory.count == 0)
    #expect(try open(.encoding).value(forKey: "a") == [1])
  }
}
