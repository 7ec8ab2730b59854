// Checks that caches stay consistent under load: every policy behind every lock, in one part and in
// shards, with strict and with buffered reads, for as long as asked.
//
//     CacheStress [SECONDS [LOCK,LOCK…]]
//
// Prints what was done under each lock; a violation is printed, and ends it with code 1.
import CheckedCaches
import Consistency
import Eviction
import Foundation

@main
enum CacheStress {
  static func main() throws {
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
      for lock in locks { all.add(try stress(lock, round: round)) }
      round += 1
    } while ContinuousClock.now - start < .seconds(seconds)
    report("all", all)
  }

  /// Checks every cache behind a lock.
  private static func stress(
    _ lock: any CacheLock.Type, round: UInt64
  ) throws -> ConsistencyOutcome {
    var check = ConsistencyCheck(
      keys: ConsistencyCheck.skewedKeys(1_000), operations: round == 0 ? 500 : 100_000)
    var all = ConsistencyOutcome()
    var caches: UInt64 = 0
    try EveryCache.visit(behind: lock, countLimit: 400) { cache, name in
      caches += 1
      check.seed = round << 16 + caches
      check.expiring = caches.isMultiple(of: 2) ? 0 : 100
      check.threads = 2 + Int(caches % 3)
      let outcome = check.run(cache)
      precondition(outcome.threads == check.threads, "a thread had nothing to do")
      all.add(outcome)
      for violation in outcome.violations { print("\(name): \(violation)") }
      if !outcome.violations.isEmpty { exit(1) }
    }
    report("\(lock.information.name), \(caches) caches", all)
    return all
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
