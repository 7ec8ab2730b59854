import CacheReplay
import EvictionCore
import Requests
import Results
import Runner
import Simulation
import Synchronization
import Traces

/// Measures the speed of each simulated row in the forms in which its policy runs: alone, inside the real cache, and
/// where a loop counts the same without the policy, that loop.
///
/// Each round lies between two runs of the calibration loop, which it shares with its neighbours. The rounds of the
/// cells at one place alternate, so that all of them meet every mood of the machine. The time is the thread's processor
/// time: where others want the processor, waits for it come by the slice, and would lengthen the calibration loop and a
/// shorter or longer simulation by unlike factors.
///
/// - Complexity: rounds × all cells' simulations, on one thread.
package struct SpeedExperiment: ExperimentKind {
  private let rounds: Int
  private let isTimed: Bool

  /// - Parameters:
  ///   - rounds: The runs of each cell, at least one.
  ///   - isTimed: False for runs whose instructions are counted from outside.
  package init(rounds: Int, isTimed: Bool = true) {
    precondition(rounds > 0, "nothing would be measured")
    self.rounds = rounds
    self.isTimed = isTimed
  }

  /// Plans a cell for each form of each row.
  package func plan(
    _ request: ExperimentRequest, on traces: [Trace], part: PartitionRange?
  ) throws -> ExperimentPlan {
    let calibration = isTimed ? Calibration() : nil
    return try ExperimentPlan(request, on: traces, part: part) { rows in
      rows.flatMap { row in
        SpeedExperiment.forms(of: row, traces[row.trace], request.settings).map {
          row.cell(
            of: .sweep, CellKey.Variant($0),
            engine: SpeedEngine($0, rounds: self.rounds, calibration: calibration))
        }
      }.numbered
    }
  }

  /// The forms in which a row's policy runs.
  private static func forms(
    of row: Row, _ trace: Trace, _ settings: ExperimentPlan.Settings
  ) -> [Measurement.Form] {
    let policy = row.policy
    let isForCaches =
      !policy.information.isBound && policy.needs.isSubset(of: .knownToCaches)
      && (settings.expires || !policy.needs.contains(.expiry))
    let stream = RequestStream(
      trace, isSized: settings.isSized, needs: policy.needs.intersection(.nextUse),
      warmup: settings.warmup, countsSets: settings.countsSets)
    let isCounted = policy.entry.simulator.counts(stream, SimulationOptions(row.run))
    return [.policy] + (isForCaches ? [.cache] : []) + (isCounted ? [.theorem] : [])
  }
}

/// The calibration loop that the cells of a plan share: its run after one cell is the one before the next.
private final class Calibration: Sendable {
  private struct State: ~Copyable {
    var loop = CalibrationLoop()
    var latest: Double?
  }

  private let state = Mutex(State())

  /// Nanoseconds of a step before a cell runs.
  func before() -> Double { state.withLock { $0.latest } ?? after() }

  /// Nanoseconds of a step now.
  func after() -> Double {
    state.withLock { state in
      let now = state.loop.nanosecondsPerStep()
      state.latest = now
      return now
    }
  }
}

/// Runs a policy in one form, in several rounds, each between two runs of the calibration loop.
private final class SpeedEngine: Engine {
  let rounds: Int
  private let form: Measurement.Form
  private let engine: any Engine
  private let calibration: Calibration?
  private let ratios = Mutex<[Double]>([])

  init(_ form: Measurement.Form, rounds: Int, calibration: Calibration?) {
    self.form = form
    self.rounds = rounds
    self.calibration = calibration
    engine =
      form == .cache
      ? CacheEngine() : SimulationEngine(answer: form == .policy ? .policy : .theorem)
  }

  var runsAlone: Bool { true }

  func needs(of policy: PolicyChoice) -> RequestNeeds { engine.needs(of: policy) }

  func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    stream.prepare(for: cell.policy.needs)
    let before = calibration?.before()
    let start = Clock.threadTime()
    let outcome = try engine.run(cell, on: stream, round: round, observer: observer)
    let time = Double(Clock.threadTime() - start) / Double(max(1, stream.requests))
    guard case .measurement(var measurement) = outcome else { return nil }
    let after = calibration?.after()
    let all = ratios.withLock { ratios in
      if round == 1 { ratios = [] }
      if let before, let after { ratios.append(time / ((before + after) / 2)) }
      return ratios
    }
    if round < rounds { return nil }
    measurement.form = form
    measurement.speed = SpeedFigures(ratios: all)
    return .measurement(measurement)
  }
}

/// Runs a policy inside the real cache in memory, on one thread.
private struct CacheEngine: Engine {
  func needs(of policy: PolicyChoice) -> RequestNeeds { policy.needs.union(.keyHash) }

  func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    let start = ContinuousClock.now
    // Made outside of the region: with the first of them the machine's clock is calibrated.
    let cache = try ExperimentError.running { () throws(PolicyError) in
      try CacheRun(
        of: cell.policy.entry.policy, stream, cell.run, policy: cell.policy.specification)
    }
    let counts = MeasuredRegion.run { cache.run(observer: observer) }
    let time = ContinuousClock.now - start
    guard let counts else { return nil }
    return .measurement(cell.measurement(on: stream, counts, seconds: time.seconds))
  }
}
