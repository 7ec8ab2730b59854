import Consistency
import Eviction
import Testing

/// Checks caches of each policy behind one lock.
private struct EveryPolicy: PolicyVisitor {
  let lock: any CacheLock.Type
  /// Where chance starts from; each cell has a number of its own.
  var seed: UInt64 = 0
  var hits = 0

  @_semantics("optimize.sil.specialize.generic.never")
  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    if Policy.information.isBound { return }
    if !policy.needs.isSubset(of: [.keyHash, .time, .keyLength, .expiry]) { return }
    do throws(PolicyError) {
      for reads in CacheReads.allCases {
        var options = MemoryCacheOptions()
        options.reads = reads
        options.clock = .precise
        let cache = try MemoryCache<UInt64, StampedValue, Policy>(
          countLimit: 40, lock: lock.init(), options: options)
        check(VerifiableCache(cache), "\(type(of: cache)), \(reads)")
        let sharded = try ShardedCache<UInt64, StampedValue, Policy>(
          shards: 4, countLimit: 40, lock: { lock.init() }, options: options)
        check(VerifiableCache(sharded), "\(type(of: sharded)), \(reads)")
      }
    } catch { Issue.record("\(error)") }
  }

  private mutating func check(_ cache: VerifiableCache, _ name: String) {
    var check = ConsistencyCheck(
      keys: ConsistencyCheck.skewedKeys(100), operations: isOptimized ? 2_000 : 300)
    seed += 1
    check.seed = seed
    check.expiring = seed.isMultiple(of: 2) ? 0 : 200
    let outcome = check.run(cache)
    #expect(outcome.violations == [], "\(name) behind \(lock)")
    hits += outcome.hits
  }
}

@Suite("Every cache under load")
struct CacheConsistencyTests {
  /// Unoptimised, the locks that let threads meet in most ways.
  static let locks = isOptimized ? LockTests.threadSafe : ["mutex", "rwlock", "big-reader"]

  @Test("returns what was written last", arguments: locks)
  func readsAreConsistent(lock name: String) throws {
    var cells = EveryPolicy(lock: try #require(LockCatalog.lock(named: name)))
    PolicyCatalog.visit(&cells)
    #expect(cells.hits > 0)
  }
}
