import CSQLite
import DiskTier
import Eviction
import Foundation
import Parameters
import StoreFaults
import TestConditions
import Testing

/// Caches whose path several processes share.
struct SharedDiskCacheTests {
  private let folder = TemporaryFolder()

  private func open<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type, environment: StoreEnvironment = StoreEnvironment(),
    _ configure: (inout DiskSetup) -> Void = { _ in }
  ) throws -> DiskCache<String, [UInt8]> {
    var options = DiskSetup()
    options.trimInterval = nil
    options.store.sharing = .shared
    configure(&options)
    return try DiskCache<String, [UInt8]>.open(
      path: folder.store, policy: CachePolicy(Policy.self), options: options, coder: .bytes,
      environment: environment)
  }

  /// What another process sets after a trim that failed is none of what the trim was to remove.
  @Test func aTrimThatFailsTakesNothingThatComesLater() throws {
    let disk = FaultyDisk()
    let cache = try open(LRU.self, environment: disk.environment) {
      $0.store.busyTimeout = 0.05
    }
    try cache.set([1], forKey: "a")
    let writer = folder.store + "/writer"
    disk.restart { _, call in
      call == .lock(path: writer) ? .fail(errno: EWOULDBLOCK, sqlite: 0) : nil
    }
    #expect(throws: DiskCacheError.self) { try cache.trim(toAge: .zero) }
    disk.restart()
    var options = StoreOptions()
    options.sharing = .shared
    let other = try HybridStore(path: folder.store, options: options)
    try other.put([2], forKey: "a")
    #expect(try cache.value(forKey: "a") == [2])
    try cache.set([3], forKey: "b")
    #expect(try other.get("a")?.bytes == [2])
    try other.close()
  }

  @Test func leastRecentlyUsedRowsLeaveFirst() throws {
    let cache = try open(LRU.self) { $0.countLimit = 3 }
    for key in ["a", "b", "c"] { try cache.set([1], forKey: key) }
    _ = try cache.value(forKey: "a")
    try cache.set([1], forKey: "d")
    #expect(try cache.contains("a"))
    #expect(try cache.contains("b") == false)
    #expect(try cache.count == 3)
  }

  /// As a process leaves them that dies between a put and the evictions for it.
  @Test func openingTrimsWhatIsOverTheLimits() throws {
    let free = try open(LRU.self)
    for key in 0..<41 { try free.set([1], forKey: "\(key)") }
    free.close()
    let cache = try open(LRU.self) { $0.countLimit = 40 }
    #expect(try cache.count == 40)
    #expect(try cache.contains("0") == false)
  }

  @Test func firstRowsLeaveFirst() throws {
    let cache = try open(FIFO.self) { $0.countLimit = 3 }
    for key in ["a", "b", "c"] { try cache.set([1], forKey: key) }
    _ = try cache.value(forKey: "a")
    try cache.set([2], forKey: "a")
    try cache.set([1], forKey: "d")
    #expect(try cache.contains("a") == false)
    #expect(try cache.contains("b"))
  }

  @Test func limitsHoldThroughManyScans() throws {
    let cache = try open(FIFO.self) {
      $0.costLimit = 20_000
      $0.store.durability = .none
    }
    for key in 0..<400 {
      try cache.set([UInt8](repeating: 1, count: 10 + key % 20), forKey: "\(key)")
      #expect(try cache.totalCost <= 20_000)
    }
    #expect(try cache.contains("399"))
    #expect(try cache.set([UInt8](repeating: 1, count: 20_001), forKey: "399") == false)
    #expect(try cache.contains("399") == false)
    try cache.trim(toCount: 7)
    #expect(try cache.check().entries == 7)
    #expect(try cache.check().isClean)
  }

  @Test func keysOfTheSameLettersInOtherBytesAreTwo() throws {
    let cache = try open(LRU.self)
    try cache.set([1], forKey: "\u{E9}")
    try cache.set([2], forKey: "e\u{301}")
    try cache.trim(toCount: 0)
    #expect(try cache.count == 0)
  }

  @Test func aFailedRemovalLeavesAloneWhatAnotherProcessPutsLater() throws {
    let disk = FaultyDisk()
    var options = DiskSetup()
    options.store.sharing = .shared
    let cache = try DiskCache<String, [UInt8]>.open(
      path: folder.store, policy: .lru, options: options, coder: .bytes,
      environment: disk.environment)
    let other = try HybridStore(path: folder.store, options: options.store)
    for key in ["a", "b"] { try cache.set([1], forKey: key) }
    disk.restart { _, call in
      call.name == "write" ? .fail(errno: ENOSPC, sqlite: SQLITE_FULL) : nil
    }
    for key in ["a", "b"] {
      #expect(throws: DiskCacheError.self) { try cache.remove(key) }
    }
    disk.restart()
    #expect(try cache.value(forKey: "a") == nil)
    #expect(try cache.contains("a") == false)
    try other.put([2], forKey: "a")
    #expect(try cache.value(forKey: "a") == [2])
    try cache.set([3], forKey: "c")
    #expect(try cache.value(forKey: "a") == [2])
    #expect(try other.contains("b") == false)
  }

  @Test func whatIsTooOldLeavesWithTheTrim() throws {
    let cache = try open(LRU.self)
    try cache.set([1], forKey: "a", expiration: .after(.nanoseconds(1)))
    try cache.set([1], forKey: "b", expiration: .after(.nanoseconds(1)))
    #expect(try cache.value(forKey: "a") == nil)
    #expect(try cache.count == 1)
    try cache.trim()
    #expect(try cache.count == 0)
    #expect(cache.statistics.expirations == 2)
  }

  @Test func policiesWithAStateOfTheirOwnAreRefused() {
    let error = #expect(throws: DiskCacheError.self) { try open(ARC.self) }
    #expect(
      "\(error!)".hasSuffix(
        ": shared by several processes, only lru and fifo can run, not arc; or open it as exclusive"
      ))
    #expect(throws: DiskCacheError.self) { try open(LRU.self) { $0.accessRecording = .never } }
    #expect(throws: DiskCacheError.self) {
      try open(LRU.self) { $0.admission = .tinyLFU() }
    }
  }

  @Test func aCostOfItsOwnIsRefused() throws {
    let cache = try open(LRU.self)
    let error = #expect(throws: DiskCacheError.self) { try cache.set([1], forKey: "a", cost: 7) }
    #expect("\(error!)".contains("costs are bytes; leave the cost out"))
  }

  @Test func anExclusivePathIsRefusedToOtherProcesses() throws {
    let cache = try DiskCache<String, [UInt8]>.open(path: folder.store, policy: .lru, coder: .bytes)
    let worker = try start(seconds: 1, seed: 1, policy: "lru")
    worker.process.waitUntilExit()
    #expect(worker.process.terminationStatus == 1)
    #expect(
      worker.errors()
        == "\(cache.path): the store is open elsewhere; close it there, or open it as shared everywhere\n"
    )
    try cache.set([1], forKey: "a")
  }

  /// `EVICTIONLAB_HAMMER_SECONDS` makes it last longer.
  @Test(arguments: ["lru", "fifo"])
  func twoProcessesDisturbEachOtherInNothing(policy: String) throws {
    let asked = ProcessInfo.processInfo.environment["EVICTIONLAB_HAMMER_SECONDS"]
    let seconds = asked.flatMap(Double.init) ?? 2
    let workers = try [1, 2].map { try start(seconds: seconds, seed: $0, policy: policy) }
    for worker in workers {
      worker.process.waitUntilExit()
      #expect(worker.errors() == "")
      #expect(worker.process.terminationStatus == 0)
    }
    let cache = try open(LRU.self)
    let report = try cache.check()
    #expect(report.isClean, "\(report)")
    #expect(report.entries <= 200)
  }

  /// Processes that are killed one after the other while one goes on: for a minute if EVICTIONLAB_THOROUGH
  /// is 1.
  @Test(arguments: ["lru", "fifo"]) func killedProcessesDisturbNobody(policy: String) throws {
    let survivor = try start(seconds: isThorough ? 60 : 1.5, seed: 0, policy: policy)
    var moments = SplitMix64(seed: 5)
    var kills = 0
    while survivor.process.isRunning {
      let victim = try start(seconds: 600, seed: kills + 1, policy: policy)
      usleep(UInt32.random(in: 20_000...250_000, using: &moments))
      kill(victim.process.processIdentifier, SIGKILL)
      victim.process.waitUntilExit()
      #expect(victim.errors() == "")
      #expect(victim.process.terminationReason == .uncaughtSignal)
      kills += 1
    }
    #expect(kills > 0)
    #expect(survivor.errors() == "")
    #expect(survivor.process.terminationStatus == 0)
    let cache = try open(LRU.self) {
      $0.countLimit = 200
      $0.store.orphanGrace = 0
    }
    cache.waitForBackgroundWork()
    try cache.set([1], forKey: "last")
    let report = try cache.check()
    #expect(report.isClean, "after \(kills) kills: \(report)")
    #expect(report.entries <= 200)
    #expect(folder.files("temporary").isEmpty)
    #expect(cache.storeStatistics.mismatches == 0)
    #expect(cache.storeStatistics.setAsides == 0)
  }

  @Test func whatThisProcessHasJustUsedDoesNotLeave() throws {
    let cache = try open(LRU.self) { $0.countLimit = 100 }
    for key in 0..<101 { try cache.set([1], forKey: "\(key)") }
    #expect(try cache.contains("0") == false)
    #expect(try cache.value(forKey: "1") == [1])
    try cache.set([1], forKey: "new")
    #expect(try cache.contains("1"))
    #expect(try cache.contains("2") == false)
  }

  private struct Worker {
    var process: Process
    var output: Pipe
    func errors() -> String {
      String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
  }

  private func start(seconds: Double, seed: Int, policy: String) throws -> Worker {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let products = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    let worker = Worker(process: Process(), output: Pipe())
    worker.process.executableURL = products.appendingPathComponent("CacheWorker")
    worker.process.arguments = [folder.store, "\(seconds)", "\(seed)", policy]
    worker.process.standardOutput = FileHandle.nullDevice
    worker.process.standardError = worker.output
    try worker.process.run()
    return worker
  }
}
