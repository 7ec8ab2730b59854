// Checks that caches stay consistent under load: every policy behind every lock, in one part and in
// shards, with strict and with buffered reads, limited by count, by cost or not at all, for as long as
// asked.
//
//     CacheStress [SECONDS [LOCK,LOCK… [without-loads]]]
//
// Prints what was done under each lock; a violation is printed, and ends it with code 1. Wrong arguments
// end it with code 64.
import CheckedCaches
import Conformance
import Eviction
import Foundation

@main
enum CacheStress {
  static func main() throws {
    let arguments: StressArguments
    do throws(StressArguments.UsageError) {
      arguments = try StressArguments(CommandLine.arguments.dropFirst())
    } catch { fail("\(error)", code: 64) }
    let start = ContinuousClock.now
    var all = ConsistencyOutcome()
    var round: UInt64 = 0
    repeat {
      for lock in arguments.locks { all.add(try stress(lock, arguments, round: round)) }
      round += 1
    } while ContinuousClock.now - start < .seconds(arguments.seconds)
    if all.operations == 0 { fail("nothing was checked", code: 1) }
    report("all", all)
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("CacheStress: \(message)\n".utf8))
    exit(code)
  }

  /// Checks every cache behind a lock.
  private static func stress(
    _ lock: any CacheLock.Type, _ arguments: StressArguments, round: UInt64
  ) throws -> ConsistencyOutcome {
    var check = ConsistencyCheck(
      keys: ConsistencyCheck.skewedKeys(1_000), operations: round == 0 ? 500 : 100_000)
    // Often enough for a short round.
    check.trims = 64
    if !arguments.usesLoads { (check.loads, check.updates) = (0, 0) }
    var all = ConsistencyOutcome()
    var caches: UInt64 = 0
    try EveryCache.visit(behind: lock, countLimit: 400) { cache, name in
      caches += 1
      check.seed = round << 16 + caches
      check.expiring = caches % 5 < 3 ? 100 : 0
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
      "\(name): \(outcome.operations) operations (\(outcome.hits) values judged) in "
        + String(format: "%.1f s, %.2f M/s: nothing found", outcome.seconds, rate))
    // Not only when it ends: it may run for hours, into a file.
    fflush(nil)
  }
}
