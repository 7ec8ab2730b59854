import CheckedCaches
import Conformance
import Eviction
import TestConditions
import Testing

@Suite("Every cache under load")
struct CacheConsistencyTests {
  /// Unoptimised, the locks that let threads meet in most ways.
  static let locks =
    isOptimized
    ? LockCatalog.threadSafe.map { $0.information.name } : ["mutex", "rwlock", "big-reader"]

  @Test("returns what was written last", arguments: locks)
  func readsAreConsistent(lock name: String) throws {
    let lock = try #require(LockCatalog.lock(named: name))
    var check = ConsistencyCheck(
      keys: ConsistencyCheck.skewedKeys(100), operations: isOptimized ? 2_000 : 300)
    var caches: UInt64 = 0
    var hits = 0
    try EveryCache.visit(behind: lock, countLimit: 40) { cache, name in
      caches += 1
      check.seed = caches
      check.expiring = caches % 5 < 3 ? 200 : 0
      let outcome = check.run(cache)
      #expect(outcome.violations == [], "\(name)")
      #expect(outcome.threads == check.threads, "\(name)")
      hits += outcome.hits
    }
    #expect(caches > 0 && hits > 0)
  }
}
