import CacheReplay
import EvictionCore
import Requests
import Results
import Synchronization
import Traces

/// Replays a trace through a real cache, in one or several rounds.
final class ReplayEngine: Engine {
  let rounds: Int
  private let options: ReplayOptions
  private let lock: String
  private let finished: @Sendable (CellKey, ReplayExperiment.Histograms) throws(TraceError) -> Void
  /// The rounds so far.
  private let repeated = Mutex(RepeatedRun())

  init(
    _ options: ReplayOptions, lock: String, rounds: Int,
    finished: @escaping @Sendable (CellKey, ReplayExperiment.Histograms) throws(TraceError) -> Void
  ) {
    self.options = options
    self.lock = lock
    self.rounds = rounds
    self.finished = finished
  }

  var runsAlone: Bool { true }

  func needs(of policy: PolicyChoice) -> RequestNeeds { policy.needs.union(.keyHash) }

  /// The requests of one round, in all of its passes.
  func work(of cell: Cell, on stream: RequestStream) -> Int {
    options.pace.passes * options.work(stream.requests)
  }

  func scheduledSeconds(of cell: Cell, on stream: RequestStream) -> Double {
    options.scheduledSeconds(of: stream)
  }

  func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    let outcome = try ExperimentError.running { () throws(PolicyError) in
      try cell.policy.entry.policy.replay(
        stream, options: options, policy: cell.policy.specification, observer: observer)
    }
    guard let outcome else { return nil }
    let run = repeated.withLock { run -> RepeatedRun? in
      if round == 1 { run = RepeatedRun() }
      run.add(outcome)
      if round < rounds { return nil }
      // Histograms are large.
      defer { run = RepeatedRun() }
      return run
    }
    guard let run else { return nil }
    do throws(TraceError) {
      try finished(cell.key, run.histograms)
    } catch { throw .file(error) }
    return .measurement(measurement(of: cell, run, on: stream))
  }

  private func measurement(
    of cell: Cell, _ run: RepeatedRun, on stream: RequestStream
  ) -> Measurement {
    var measurement = cell.measurement
    let facts = run.typical
    measurement.record(
      facts.counts, isSized: stream.isSized, hasCosts: stream.trace.costs != nil)
    measurement.seconds = run.seconds
    measurement.requestsPerSecond = run.requestsPerSecond
    let merged = run.merged
    var replay = Replay(
      threads: options.threads, lock: lock, latency: merged.latency,
      contention: merged.contention)
    replay.isOversubscribed = options.isOversubscribed
    replay.reads = options.reads.rawValue
    replay.division = options.conditions.division
    replay.missPenalty = options.conditions.missPenalty
    replay.pace = facts.pace
    replay.response = merged.response
    replay.service = merged.service
    replay.lateness = merged.arrivals?.lateness.latency
    replay.cut = facts.cut
    replay.resources = facts.resources
    replay.repetitions = run.repetitions
    measurement.replay = replay
    return measurement
  }
}
