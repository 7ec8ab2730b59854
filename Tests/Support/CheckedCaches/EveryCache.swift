import Conformance
import Eviction

/// Makes caches of every policy that a cache can have, and has each of them checked.
package struct EveryCache: PolicyVisitor {
  private let lock: any CacheLock.Type
  private let countLimit: Int
  private let check: (VerifiableCache, String) -> Void
  private var error: PolicyError?

  /// Shows `check` an empty cache at a time, and its name: of each policy, with strict and with buffered
  /// reads, in one part with a limit and without one, and in shards limited by count and by cost.
  ///
  /// - Throws: What the first cache throws that cannot be made.
  package static func visit(
    behind lock: any CacheLock.Type, countLimit: Int,
    check: @escaping (_ cache: VerifiableCache, _ name: String) -> Void
  ) throws(PolicyError) {
    var visitor = EveryCache(lock: lock, countLimit: countLimit, check: check)
    PolicyCatalog.visit(&visitor)
    if let error = visitor.error { throw error }
  }

  // As users' caches are: specialised for every policy. Only where asked for, as that takes minutes to build.
  #if !SPECIALIZED
    @_semantics("optimize.sil.specialize.generic.never")
  #endif
  package mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    if Policy.information.isBound || !Policy.needs.isSubset(of: .knownToCaches) { return }
    do throws(PolicyError) {
      for reads in CacheReads.allCases {
        var options = MemoryCacheOptions()
        options.reads = reads
        options.clock = .precise
        let name = "\(Policy.information.name) behind \(lock.information.name), \(reads)"
        let whole = MemoryCache<UInt64, StampedValue>(
          countLimit: countLimit, policy: CachePolicy(Policy.self), lock: lock.init(),
          options: options)
        check(VerifiableCache(whole), name)
        let unlimited = MemoryCache<UInt64, StampedValue>(
          policy: CachePolicy(Policy.self), lock: lock.init(), options: options)
        check(VerifiableCache(unlimited), name + ", without a limit")
        let sharded = ShardedCache<UInt64, StampedValue>(
          shards: 4, countLimit: countLimit, policy: CachePolicy(Policy.self), lock: lock.init(),
          options: options)
        check(VerifiableCache(sharded), name + ", in shards")
        let weighing = ShardedCache<UInt64, StampedValue>(
          shards: 4, costLimit: 2 * countLimit, policy: CachePolicy(Policy.self), lock: lock.init(),
          options: options)
        check(VerifiableCache(weighing), name + ", in shards by cost")
      }
    } catch { self.error = self.error ?? error }
  }
}
