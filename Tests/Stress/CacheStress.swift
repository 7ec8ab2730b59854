// Checks that caches stay consistent under load: every policy behind every lock, in one part and in
// shards, with strict and with buffered reads, for as long as asked.
//
//     CacheStress [SECONDS [LOCK,LOCK…]]
//
// Prints what was done under each lock; a violation is printed, and ends it with code 1.
import Consistency
import Eviction
import Foundation

/// Checks caches of each policy behind one lock.
struct EveryPolicy: PolicyVisitor {
  let lock: any CacheLock.Type
  let operations: Int
  var seed: UInt64
  var outcome = ConsistencyOutcome()
  var caches = 0

  // Specialised for every policy it would run several times as fast, and take minutes to build.
  @_semantics("optimize.sil.specialize.generic.never")
  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    if Policy.information.isBound || policy.needs.contains(.nextUse) { return }
    do throws(PolicyError) {
      for reads in CacheReads.allCases {
        var options = MemoryCacheOptions()
        options.reads = reads
        options.clock = .precise
        let cache = try MemoryCache<UInt64, StampedValue, Policy>(
          countLimit: 400, lock: lock.init(), options: options)
        check(VerifiableCache(cache), "\(Policy.information.name), \(reads)")
        let sharded = try ShardedCache<UInt64, StampedValue, Policy>(
          shards: 4, countLimit: 400, lock: { lock.init() }, options: options)
        check(VerifiableCache(sharded), "\(Policy.information.name) in shards, \(reads)")
      }
    } catch { fatalError("\(error)") }
  }

  private mutating func check(_ cache: VerifiableCache, _ name: String) {
    var check = ConsistencyCheck(keys: EveryPolicy.keys, operations: operations)
    seed += 1
    check.seed = seed
    check.expiring = seed.isMultiple(of: 2) ? 0 : 100
    check.threads = 2 + Int(seed % 3)
    let found = check.run(cache)
    outcome.add(found)
    caches += 1
    for violation in found.violations {
      print("\(name) behind \(lock.information.name): \(violation)")
    }
    if !found.violations.isEmpty { exit(1) }
  }

  private static let keys = ConsistencyCheck.skewedKeys(1_000)
}

@main
enum CacheStress {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let seconds = arguments.first.flatMap(Double.init) ?? 1
    let names = arguments.dropFirst().first?.split(separator: ",").map(String.init)
    let locks = LockCatalog.all.filter {
      $0.information.isThreadSafe && names?.contains($0.information.name) ?? true
    }
    let start = ContinuousClock.now
    var all = ConsistencyOutcome()
    var round: UInt64 = 0
    repeat {
      for lock in locks {
        var cells = EveryPolicy(
          lock: lock, operations: round == 0 ? 500 : 100_000, seed: round << 16)
        PolicyCatalog.visit(&cells)
        all.add(cells.outcome)
        report("\(lock.information.name), \(cells.caches) caches", cells.outcome)
      }
      round += 1
    } while ContinuousClock.now - start < .seconds(seconds)
    report("all", all)
  }

  private static func report(_ name: String, _ outcome: ConsistencyOutcome) {
    let rate = Double(outcome.operations) / outcome.seconds / 1e6
    print(
      "\(name): \(outcome.operations) operations (\(outcome.hits) reads judged) in "
        + String(format: "%.1f s, %.2f M/s: nothing found", outcome.seconds, rate))
    // Not only when it ends: it may run for hours, into a file.
    fflush(nil)
  }
}
