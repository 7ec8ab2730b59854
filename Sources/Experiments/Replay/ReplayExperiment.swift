import CacheReplay
import EvictionCore
import Foundation
import Parameters
import Requests
import Results
import Runner
import Systems
import Traces

/// Replays rows through real caches: each under every lock with every number of threads at every pace.
///
///     let request = ExperimentRequest(
///       ReplayExperiment(locks: [LockChoice(AdaptiveLock.self)], threads: [1, 2]),
///       policies: try PolicyChoice.parse(["lru,arc"]), capacities: [.count(1000)], settings: .init())
///     let plan = try request.kind.plan(request, on: [trace], part: nil)
///     let measurements = ExperimentRun(plan).run().measurements
package struct ReplayExperiment: ExperimentKind {
  /// Takes the distributions of a finished cell, by name.
  package typealias Histograms = [(name: String, histogram: DurationHistogram)]

  private let locks: [LockChoice]
  private let reads: [CacheReads]
  private let threads: [Int]
  private let paces: [ReplayPace]
  private let conditions: ReplayConditions
  private let repetitions: ReplayRounds
  /// Systems that are driven beside the policies.
  package var systems: [SystemChoice] = []
  /// The command lines of programs that drive caches which are not ours.
  package var drivers: [String] = []
  /// The folder in which systems on disk make folders of their own, removed again.
  package var folder = FileManager.default.temporaryDirectory.path
  /// Called with each finished cell and its distributions: those of all threads and repetitions, merged
  /// exactly.
  package var finished: @Sendable (CellKey, Histograms) throws(TraceError) -> Void = { _, _ in }

  /// - Parameters:
  ///   - locks: The locks, each in turn.
  ///   - reads: Strict or buffered reads, each in turn.
  ///   - threads: The numbers of threads, each in turn.
  ///   - paces: The paces of the requests, each in turn.
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
  package func plan(
    _ request: ExperimentRequest, on traces: [Trace], part: PartitionRange?
  ) throws -> ExperimentPlan {
    try ExperimentPlan(request, on: traces, part: part) { rows in
      let ofPolicies = try rows.flatMap { try cells(of: $0) }
      return try (ofPolicies + systemCells(of: rows, on: traces)).numbered
    }
  }

  /// A policy behind every lock with every kind of reads, each number of threads and each pace.
  private func cells(of row: Row) throws -> [Cell] {
    var cells: [Cell] = []
    for lock in locks {
      for reads in reads {
        for threads in threads {
          try check(row.policy, lock: lock.lock, threads: threads)
          for pace in paces {
            var options = ReplayOptions(
              run: row.run, lock: lock.lock, threads: threads, pace: pace, conditions: conditions)
            options.shards = lock.shards
            options.reads = reads
            cells.append(
              row.cell(
                of: .replay,
                .replay(setup(threads: threads, lock: lock.name, reads: reads, pace: pace)),
                engine: ReplayEngine(
                  options, lock: lock.name, rounds: repetitions, finished: finished)))
          }
        }
      }
    }
    return cells
  }

  private func setup(
    system: String? = nil, threads: Int, lock: String, reads: CacheReads = .strict,
    pace: ReplayPace
  ) -> ReplaySetup {
    ReplaySetup(
      system: system, threads: threads, lock: lock, reads: reads.rawValue, pace: pace,
      arrivals: conditions.arrivals, division: conditions.division,
      missPenalty: conditions.missPenalty)
  }

  /// The systems at each place of the plan: with every number of threads at every pace, behind their own locks or
  /// those of the replay.
  private func systemCells(of rows: [Row], on traces: [Trace]) throws -> [Cell] {
    if systems.isEmpty && drivers.isEmpty { return [] }
    ScratchFolder.removeLeft(in: folder, kind: SystemReplay.scratch)
    var cells: [Cell] = []
    let places = rows.grouped { SystemPlace(place: $0.place, seed: $0.seed) }
    for row in places.map({ $0[0] }) {
      let trace = traces[row.trace]
      for driver in drivers.map(DriverEngine.init) {
        let setup = ReplaySetup(
          system: driver.name, threads: 1, lock: "own", reads: CacheReads.strict.rawValue,
          pace: .closed, arrivals: conditions.arrivals, division: .interleaved, missPenalty: nil)
        // Compared with what most of them claim to be.
        cells.append(
          row.cell(of: .replay, .replay(setup), policy: try PolicyChoice("lru"), engine: driver))
      }
      for choice in systems {
        try choice.check(
          trace: trace.name, requests: trace.requests, distinctBytes: trace.distinctBytes)
        let policy = try PolicyChoice(
          choice.policy ?? Specification(name: choice.information.policy))
        for lock in choice.information.lock.map({ _ in [nil] }) ?? locks.map(Optional.init) {
          for threads in threads {
            if let lock { try check(lock.lock, of: choice.text, threads: threads) }
            for pace in paces {
              let options = ReplayOptions(
                run: row.run, lock: lock?.lock ?? AdaptiveLock.self, threads: threads, pace: pace,
                conditions: conditions)
              let name = choice.information.lock ?? lock?.lock.information.name ?? "none"
              cells.append(
                row.cell(
                  of: .replay,
                  .replay(setup(system: choice.text, threads: threads, lock: name, pace: pace)),
                  policy: policy,
                  engine: ReplayEngine(
                    options, lock: name,
                    system: SystemReplay(choice: choice, policy: policy, folder: folder),
                    rounds: repetitions, finished: finished)))
            }
          }
        }
      }
    }
    return cells
  }

  private struct SystemPlace: Hashable {
    let place: CellKey.Place
    let seed: Int
  }

  private func check(
    _ policy: PolicyChoice, lock: any CacheLock.Type, threads: Int
  ) throws(PolicyError) {
    let name = policy.information.name
    if policy.information.isBound {
      throw .conflict(
        policy: name, explanation: "is a bound, which exists in simulation only; use evict sweep")
    }
    let unknown = policy.needs.subtracting(.knownToCaches).names
    if !unknown.isEmpty {
      throw .conflict(
        policy: name,
        explanation: "needs \(unknown.joined(separator: ", ")), which caches do not know; "
          + "use evict sweep")
    }
    try check(lock, of: name, threads: threads)
  }

  private func check(
    _ lock: any CacheLock.Type, of name: String, threads: Int
  ) throws(PolicyError) {
    if threads > 1 && !lock.information.isThreadSafe {
      throw .conflict(
        policy: name,
        explanation: "the lock “\(lock.information.name)” is for one thread, not \(threads)")
    }
  }
}
