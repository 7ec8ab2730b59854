import DiskTier
import Eviction
import Foundation
import TestConditions
import Testing

/// A disk cache decides as a cache in memory does.
struct DiskCachePolicyTests {
  private func compare<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type, isSized: Bool, accessRecording: AccessRecording = .automatic
  ) throws {
    let folder = TemporaryFolder()
    var options = DiskSetup()
    options.trimInterval = nil
    options.store.durability = .none
    options.store.inlineThreshold = 64
    options.countLimit = isSized ? nil : 20
    options.costLimit = isSized ? 1_000 : nil
    options.accessRecording = accessRecording
    options.seed = 42
    let disk = try DiskCache<String, [UInt8]>.open(
      path: folder.store, policy: CachePolicy(Policy.self), options: options, coder: .bytes)
    let memory = MemoryCache<TextKey, [UInt8]>(
      countLimit: options.countLimit, costLimit: options.costLimit, costs: .given,
      policy: CachePolicy(Policy.self), seed: 42)
    var random = SplitMix64(seed: 7)
    for step in 0..<400 {
      let skewed = random.index(below: 1 + random.index(below: 80))
      let key = TextKey("key \(skewed)")
      if random.index(below: 40) == 0 {
        let wasThere = memory.removeValue(forKey: key) != nil
        #expect(try disk.remove(key.text) == wasThere)
        continue
      }
      let expected = memory.value(forKey: key)
      #expect(try disk.value(forKey: key.text) == expected, "step \(step)")
      if expected != nil && random.index(below: 10) > 0 { continue }
      let value = [UInt8](repeating: UInt8(truncatingIfNeeded: step), count: (skewed * 7) % 120)
      let cost = isSized ? value.count : 1
      let isStored = memory.set(value, forKey: key, cost: cost)
      #expect(try disk.set(value, forKey: key.text, cost: cost) == isStored)
    }
    #expect(disk.statistics.hits == memory.statistics.hits)
    #expect(disk.statistics.misses == memory.statistics.misses)
    #expect(disk.statistics.evictions == memory.statistics.evictions)
    #expect(try disk.count == memory.count)
    let report = try disk.check()
    #expect(report.isClean)
    #expect(report.entries == memory.count)
  }

  @Test(arguments: [false, true])
  func hitsAreThoseOfMemory(isSized: Bool) throws {
    try compare(LRU.self, isSized: isSized)
    try compare(FIFO.self, isSized: isSized)
    try compare(SIEVE.self, isSized: isSized)
    try compare(S3FIFO.self, isSized: isSized)
    try compare(CLOCK.self, isSized: isSized)
    try compare(ARC.self, isSized: isSized)
    try compare(LFU.self, isSized: isSized)
    try compare(WTinyLFU.self, isSized: isSized)
    try compare(LRU.self, isSized: isSized, accessRecording: .never)
  }

  @Test func entriesStayUnderAPolicyThatAdmitsOnlyWhatIsRequestedAgain() throws {
    let folder = TemporaryFolder()
    func open(_ policy: String) throws -> DiskCache<String, [UInt8]> {
      try DiskCache.open(
        path: folder.store, countLimit: 20, policy: PolicyCatalog.policy(named: policy),
        coder: .bytes)
    }
    let first = try open("lru")
    for key in 0..<20 { try first.set([1], forKey: "\(key)") }
    first.close()
    for policy in ["k-lru", "k-lru:k=4", "k-lru:ghosts=2", "lru"] {
      let cache = try open(policy)
      #expect(try cache.count == 20, "\(policy)")
      #expect(try cache.value(forKey: "7") == [1], "\(policy)")
      cache.close()
    }
  }

  @Test func aPolicyThatOnlySimulationsCanRunIsRefused() {
    let folder = TemporaryFolder()
    let error = #expect(throws: DiskCacheError.self) {
      _ = try DiskCache<String, Int>.open(
        path: folder.store, policy: CachePolicy(OPT.self), coder: .json)
    }
    #expect("\(error!)" == "opt: is a bound, which exists in simulation only")
    #expect(!FileManager.default.fileExists(atPath: folder.store))
  }

  /// Returns the number of transactions that a stream of 95 % reads needs beyond one for each set, and the
  /// longest that the write-ahead log gets: of 10^6 operations over 100 000 entries if EVICTIONLAB_THOROUGH is
  /// 1.
  private func transactionsOfReads<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type
  ) throws -> (transactions: Int, reads: Int, longestLog: Int) {
    let folder = TemporaryFolder()
    var options = DiskSetup()
    options.trimInterval = nil
    options.store.durability = .none
    let cache = try DiskCache<String, [UInt8]>.open(
      path: folder.store, policy: CachePolicy(Policy.self), options: options, coder: .bytes)
    let entries = isThorough ? 100_000 : 6_000
    let operations = isThorough ? 1_000_000 : 24_000
    for key in 0..<entries { try cache.set([1], forKey: "\(key)") }
    let before = cache.storeStatistics.commits
    var random = SplitMix64(seed: 3)
    var sets = 0
    var longestLog = 0
    for number in 0..<operations {
      if number % 64 == 0 { longestLog = max(longestLog, folder.size("manifest.sqlite-wal")) }
      let key = "\(random.index(below: entries))"
      if random.index(below: 20) == 0 {
        try cache.set([2], forKey: key)
        sets += 1
      } else {
        _ = try cache.value(forKey: key)
      }
    }
    #expect(cache.statistics.hits == operations - sets)
    let transactions = cache.storeStatistics.commits - before - sets
    return (transactions, cache.statistics.hits, longestLog)
  }

  @Test func readsHardlyWrite() throws {
    let lru = try transactionsOfReads(LRU.self)
    #expect(lru.transactions > 1, "accesses were written")
    #expect(lru.transactions * 1_000 < lru.reads)
    let sieve = try transactionsOfReads(SIEVE.self)
    #expect(sieve.transactions == 0)
    #expect(try transactionsOfReads(CART.self).transactions == 0)
    // A transaction writes the times of 4096 accesses, each on a page of its own at most.
    let limit = StoreOptions().logLimit
    #expect(lru.longestLog > limit / 4 && lru.longestLog < limit + 4_100 * 4_120)
    #expect(sieve.longestLog < limit + 8 * 4_120)
  }
}
