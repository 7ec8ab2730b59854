import CacheReplay
import EvictionCore
import Results
import Traces

/// Replays rows through real caches: each under every lock with every number of threads at every pace.
///
///     let plan = try ExperimentPlan(
///       traces: [trace], policies: PolicyChoice.parse(["lru,arc"]), capacities: [.count(1000)])
///     let replays = try ReplayExperiment(locks: [LockChoice(MutexLock.self)], threads: [1, 2]).rows(of: plan)
///     let measurements = ExperimentRun(replays).run().measurements
package struct ReplayExperiment: ExperimentKind {
  /// Takes the distributions of a finished cell, by name.
  package typealias Histograms = [(name: String, histogram: DurationHistogram)]

  private let locks: [LockChoice]
  private let reads: [CacheReads]
  private let threads: [Int]
  private let paces: [ReplayPace]
  private let conditions: ReplayConditions
  private let repetitions: ReplayRounds
  /// Called with each finished cell and its distributions: those of all threads and repetitions, merged
  /// exactly.
  package var finished: @Sendable (CellKey, Histograms) throws(TraceError) -> Void = { _, _ in }

  /// - Parameters:
  ///   - locks: The locks, each in turn.
  ///   - reads: Strict or buffered reads, each in turn.
  ///   - threads: The numbers of threads, each in turn.
  ///   - paces: When requests are made, each in turn.
  ///   - conditions: The conditions that all cells have in common.
  ///   - repetitions: The rounds of each cell.
  package init(
    locks: [LockChoice], reads: [CacheReads] = [.strict], threads: [Int],
    paces: [ReplayPace] = [.closed], conditions: ReplayConditions = ReplayConditions(),
    repetitions: ReplayRounds = .exactly(1)
  ) {
    precondition(
      repetitions.least > 0 && conditions.sample ?? 1 > 0, "nothing would be measured")
    self.locks = locks
    self.reads = reads
    self.threads = threads
    self.paces = paces
    self.conditions = conditions
    self.repetitions = repetitions
  }

  /// - Throws: `PolicyError` for a policy that needs to know the future, and for several threads
  ///   without a lock.
  package func rows(of base: ExperimentPlan) throws(PolicyError) -> ExperimentPlan {
    var cells: [Cell] = []
    for row in base.cells {
      for lock in locks {
        for reads in reads {
          for threads in threads {
            try check(row.policy.information, lock: lock.lock, threads: threads)
            for pace in paces {
              var options = ReplayOptions(
                run: row.run, lock: lock.lock, threads: threads, pace: pace, conditions: conditions)
              options.shards = lock.shards
              options.reads = reads
              let setup = ReplaySetup(
                threads: threads, lock: lock.name, reads: reads.rawValue, pace: pace,
                arrivals: conditions.arrivals, division: conditions.division,
                missPenalty: conditions.missPenalty)
              cells.append(
                row.cell(
                  of: .replay, .replay(setup), role: .row(position: cells.count),
                  engine: ReplayEngine(
                    options, lock: lock.name, rounds: repetitions, finished: finished)))
            }
          }
        }
      }
    }
    return base.with(cells)
  }

  private func check(
    _ policy: PolicyInformation, lock: any CacheLock.Type, threads: Int
  ) throws(PolicyError) {
    if policy.isBound {
      throw .conflict(
        policy: policy.name,
        explanation: "is a bound, which exists in simulation only; use evict sweep")
    }
    if threads > 1 && !lock.information.isThreadSafe {
      throw .conflict(
        policy: policy.name,
        explanation: "the lock “\(lock.information.name)” is for one thread, not \(threads)")
    }
  }
}
