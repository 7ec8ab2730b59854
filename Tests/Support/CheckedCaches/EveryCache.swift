import Conformance
import Eviction

/// Makes caches of every policy that a cache can have, and has each of them checked.
package enum EveryCache {
  /// Shows `check` an empty cache at a time, and its name: of each policy, with strict and with buffered
  /// reads, in one part with a limit and without one, and in shards limited by count and by cost.
  ///
  /// - Throws: What the first cache throws that cannot be made.
  package static func visit(
    behind lock: any CacheLock.Type, countLimit: Int,
    check: (_ cache: VerifiableCache, _ name: String) -> Void
  ) throws(PolicyError) {
    for policy in PolicyCatalog.policies {
      if policy.information.isBound || !policy.needs.isSubset(of: .knownToCaches) { continue }
      for reads in CacheReads.allCases {
        var options = MemoryCacheOptions()
        options.reads = reads
        options.clock = .precise
        let name = "\(policy) behind \(lock.information.name), \(reads)"
        let whole = try MemoryCache<UInt64, StampedValue>.open(
          countLimit: countLimit, policy: policy, lock: lock.init(), options: options)
        check(VerifiableCache(whole), name)
        let unlimited = try MemoryCache<UInt64, StampedValue>.open(
          policy: policy, lock: lock.init(), options: options)
        check(VerifiableCache(unlimited), name + ", without a limit")
        let sharded = try ShardedCache<UInt64, StampedValue>.open(
          shards: 4, countLimit: countLimit, policy: policy, lock: lock.init(), options: options)
        check(VerifiableCache(sharded), name + ", in shards")
        let weighing = try ShardedCache<UInt64, StampedValue>.open(
          shards: 4, costLimit: 2 * countLimit, costs: .weighed { _ in 1 }, policy: policy,
          lock: lock.init(),
          options: options)
        check(VerifiableCache(weighing), name + ", in shards by cost")
      }
    }
  }
}
