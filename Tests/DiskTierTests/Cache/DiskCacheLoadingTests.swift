import CSQLite
import DiskTier
import Eviction
import Foundation
import StoreFaults
import Testing

/// Values that a cache on disk loads: returned at once, and written soon after.
struct DiskCacheLoadingTests {
  private let folder = TemporaryFolder()
  private let disk = FaultyDisk()

  private func open(
    _ configure: (inout DiskSetup) -> Void = { _ in }
  ) throws -> DiskCache<String, [UInt8]> {
    var options = DiskSetup()
    options.trimInterval = nil
    configure(&options)
    return try DiskCache<String, [UInt8]>.open(
      path: folder.store, policy: .lru, options: options, coder: .bytes,
      environment: disk.environment)
  }

  private static let failing: FaultyDisk.Fault = { _, call in
    call.name == "write" ? .fail(errno: ENOSPC, sqlite: SQLITE_FULL) : nil
  }

  @Test func aLoadIsNotHeldByWrites() async throws {
    let cache = try open()
    let gate = Gate()
    disk.close(gate)
    let value = try await cache.value(forKey: "a") { [1] }
    #expect(value == [1])
    // It is found, though it is not written.
    for _ in 0..<3 { #expect(try await cache.value(forKey: "a") { [9] } == [1]) }
    #expect(try await cache.contains("a"))
    #expect(try await cache.entry(forKey: "a")?.metadata.size == 1)
    #expect(cache.statistics.insertions == 0)
    #expect(cache.statistics.loads == 1)
    gate.open()
    try await cache.flush()
    #expect(cache.statistics.insertions == 1)
    #expect(try cache.count == 1)
    #expect(try await cache.value(forKey: "a") == [1])
  }

  /// Whatever changes a key after a load of it has returned wins over the write that still waits.
  @Test(arguments: StoreOptions.Sharing.allCases)
  func aChangeAfterALoadWins(sharing: StoreOptions.Sharing) async throws {
    let cache = try open { $0.store.sharing = sharing }
    let gate = Gate()
    disk.close(gate)
    // It holds the writers.
    async let first = blocking { try cache.set([0], forKey: "first") }
    for _ in 0..<1_000 where gate.count == 0 { try await Task.sleep(for: .milliseconds(5)) }
    guard sharing == .exclusive else {
      // A load on a shared path looks at the rows.
      gate.open()
      #expect(try await first)
      for key in ["a", "b", "c"] { #expect(try await cache.value(forKey: key) { [1] } == [1]) }
      #expect(try await cache.remove("a"))
      try await cache.set([2], forKey: "b")
      return try await expectChanges(cache)
    }
    for key in ["a", "b", "c"] { #expect(try await cache.value(forKey: key) { [1] } == [1]) }
    async let removed = blocking { try cache.remove("a") }
    async let replaced = blocking { try cache.set([2], forKey: "b") }
    try await Task.sleep(for: .milliseconds(20))
    gate.open()
    #expect(try await first)
    #expect(try await removed)
    #expect(try await replaced)
    try await expectChanges(cache)
  }

  private func expectChanges(_ cache: DiskCache<String, [UInt8]>) async throws {
    await cache.waitForBackgroundWork()
    #expect(try await cache.value(forKey: "a") == nil)
    #expect(try await cache.value(forKey: "b") == [2])
    #expect(try await cache.value(forKey: "c") == [1])
    try await cache.removeAll()
    #expect(try cache.count == 0)
  }

  @Test func aRemovalOfAllWinsOverLoadedValues() async throws {
    let cache = try open()
    for round in 0..<50 {
      for key in 0..<5 {
        #expect(try await cache.value(forKey: "\(key)") { [UInt8(round)] } == [UInt8(round)])
      }
      if round % 2 == 0 {
        try await cache.removeAll()
      } else {
        #expect(try await cache.removeAll(where: { _ in true }) == 5)
      }
      for key in 0..<5 { #expect(try await cache.value(forKey: "\(key)") == nil) }
    }
    #expect(try await cache.check().entries == 0)
  }

  @Test func manyLoadersAndWritersLeaveDirectoryAndRowsAlike() async throws {
    let cache = try open { $0.countLimit = 20 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          var random = SplitMix64(seed: UInt64(task))
          for _ in 0..<200 {
            let key = "\(random.index(below: 40))"
            switch random.index(below: 6) {
            case 0: try await cache.remove(key)
            case 1: try await cache.set([UInt8(key)!], forKey: key)
            default:
              let value = try await cache.value(forKey: key) { [UInt8(key)!] }
              #expect(value == [UInt8(key)!])
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let report = try await cache.check()
    #expect(report.isClean)
    #expect(report.entries == (try cache.count))
    #expect(report.entries <= 20)
  }

  @Test func closingWritesWhatWasLoaded() async throws {
    for isAsynchronous in [true, false] {
      let cache = try open()
      for key in 0..<50 { #expect(try await cache.value(forKey: "\(key)") { [7] } == [7]) }
      if isAsynchronous { await cache.close() } else { try await blocking { cache.close() } }
      let again = try open()
      #expect(try again.count == 50)
      try await again.removeAll()
      await again.close()
    }
  }

  @Test func withoutABacklogALoadWaitsForItsWrite() async throws {
    let cache = try open { $0.loadBacklog = 0 }
    for key in 0..<20 {
      _ = try await cache.value(forKey: "\(key)") { [1] }
      #expect(cache.statistics.insertions == key + 1)
    }
  }

  @Test func aWriteThatFailsIsCountedAndTold() async throws {
    let told = Told<String>()
    let cache = try open { $0.onFailedWrite = { told.add("\($0): \($1)") } }
    disk.restart(Self.failing)
    #expect(try await cache.value(forKey: "a") { [1] } == [1])
    await cache.waitForBackgroundWork()
    #expect(cache.statistics.failedWrites == 1)
    #expect(told.all.count == 1)
    #expect(told.all[0].hasPrefix("a: ") && told.all[0].contains("no space left"))
    #expect(try await cache.value(forKey: "a") == nil)
    disk.restart()
    #expect(try await cache.value(forKey: "a") { [2] } == [2])
    await cache.waitForBackgroundWork()
    #expect(cache.statistics.failedWrites == 1)
    #expect(try await cache.value(forKey: "a") == [2])
  }

  @Test func aLoadedValueOfNoTimeIsNotFound() async throws {
    let cache = try open()
    let gate = Gate()
    disk.close(gate)
    let value = try await cache.value(forKey: "a", expiration: .after(.zero)) { [1] }
    #expect(value == [1])
    #expect(try await cache.value(forKey: "a") == nil)
    #expect(try await cache.contains("a") == false)
    gate.open()
    await cache.waitForBackgroundWork()
    #expect(try cache.count == 0)
  }

  @Test("F6: a load whose value cannot be kept says so")
  func aLoadWhoseValueCannotBeKeptSaysSo() async throws {
    let cache = try open()
    let idle = Expiration.afterIdle(.seconds(60))
    for _ in 0..<3 {
      await #expect(throws: DiskCacheError.timeToIdle(key: "k")) {
        try await cache.value(forKey: "k", expiration: idle) { [1] }
      }
    }
    #expect(cache.statistics.loads == 0)
    let numbers = try await DiskCache<String, [Double]>.open(
      path: folder.path + "/numbers", policy: .lru, coder: .json)
    let error = await #expect(throws: DiskCacheError.self) {
      try await numbers.value(forKey: "k") { [.nan] }
    }
    #expect("\(error!)".hasPrefix("the value of “k” cannot be encoded"))
    #expect(numbers.statistics.loads == 1)
    await cache.close()
    let shared = try open { $0.store.sharing = .shared }
    await #expect(throws: DiskCacheError.self) {
      try await shared.value(forKey: "k", cost: 5) { [1] }
    }
    #expect(shared.statistics.loads == 0)
  }
}
