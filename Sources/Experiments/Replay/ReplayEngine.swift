import CacheReplay
import EvictionCore
import Requests
import Results
import Runner
import Synchronization
import Traces

/// Replays a trace through a real cache, in one or several rounds.
final class ReplayEngine: Engine {
  var rounds: Int { repetitions.limit }
  private let repetitions: ReplayRounds
  private let options: ReplayOptions
  private let lock: String
  /// The system that is driven; nil for this project's own cache.
  private let system: SystemReplay?
  private let finished: @Sendable (CellKey, ReplayExperiment.Histograms) throws(TraceError) -> Void
  private let state = Mutex(State())

  /// The rounds so far.
  private struct State {
    var run = RepeatedRun()
    /// True while a disturbed cell is repeated.
    var isSecond = false
    /// The room that the system took in the first round.
    var use: SystemUse?
  }

  init(
    _ options: ReplayOptions, lock: String, system: SystemReplay? = nil, rounds: ReplayRounds,
    finished: @escaping @Sendable (CellKey, ReplayExperiment.Histograms) throws(TraceError) -> Void
  ) {
    self.options = options
    self.lock = lock
    self.system = system
    repetitions = rounds
    self.finished = finished
  }

  var runsAlone: Bool { true }

  func needs(of policy: PolicyChoice) -> RequestNeeds { policy.needs.union(.keyHash) }

  /// The requests of one round, in all of its passes.
  func work(of cell: Cell, on stream: RequestStream) -> Int {
    options.pace.passes * options.work(stream.requests)
  }

  func scheduledSeconds(of cell: Cell, on stream: RequestStream) -> Double {
    // All passes but the bare one.
    Double(options.pace.passes - 1) * options.scheduledSeconds(of: stream)
  }

  func usualRounds(of cell: Cell, on stream: RequestStream) -> Int {
    repetitions.usual(scheduled: options.scheduledSeconds(of: stream))
  }

  func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    guard let (outcome, use) = try replay(cell, on: stream, observer: observer) else { return nil }
    let result = state.withLock { state -> (run: RepeatedRun, measurement: Measurement)? in
      if round == 1 {
        state = State()
        state.use = use
      }
      state.run.add(outcome)
      if !repetitions.isEnough(state.run) { return nil }
      let run = state.run
      // Histograms are large.
      state.run = RepeatedRun()
      var measurement = measurement(of: cell, run, on: stream)
      measurement.replay?.systemUse = state.use
      let isDisturbed = measurement.replay?.disturbed.isEmpty == false
      if isDisturbed && repetitions.repeatsDisturbed && !state.isSecond {
        state.isSecond = true
        return nil
      }
      return (run, measurement)
    }
    guard let result else { return nil }
    do throws(TraceError) {
      try finished(cell.key, result.run.histograms)
    } catch { throw .file(error) }
    return .measurement(result.measurement)
  }

  private func replay(
    _ cell: Cell, on stream: RequestStream, observer: (Int) -> Bool
  ) throws(ExperimentError) -> (outcome: ReplayOutcome, use: SystemUse?)? {
    if let system { return try system.run(stream, options: options, observer: observer) }
    return try ExperimentError.running { () throws(PolicyError) in
      try cell.policy.entry.policy.replay(
        stream, options: options, policy: cell.policy.specification, observer: observer)
    }.map { ($0, nil) }
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
    var replay = Replay()
    replay.threads = options.threads
    replay.lock = lock
    replay.latency = merged.latency
    replay.contention = merged.contention
    replay.latency?.slowdown = run.median(of: \.slowdown)
    replay.contention?.slowdown = run.median(of: \.meterSlowdown)
    replay.isOversubscribed = options.isOversubscribed
    replay.system = system?.choice.text
    replay.reads = options.reads.rawValue
    replay.division = options.conditions.division
    replay.missPenalty = options.conditions.missPenalty
    replay.pace = facts.pace
    replay.response = merged.response
    replay.service = merged.service
    replay.lateness = merged.arrivals?.lateness.latency
    replay.idle = merged.idle
    replay.machine = merged.machine.report(threads: options.threads)
    replay.cut = facts.cut
    replay.resources = facts.resources
    replay.repetitions = run.repetitions
    replay.disturbed = Disturbances.found(in: replay)
    measurement.replay = replay
    return measurement
  }
}
