import CacheReplay
import EvictionCore
import Requests
import Results
import Synchronization

/// Times each simulated row against the calibration loop, in several rounds.
///
/// The rounds of the cells at one place alternate, so that all of them meet every mood of the machine. What
/// is timed is the thread's processor time. Where others want the processor, waits for it come by the
/// slice, and would lengthen the calibration loop and a shorter or longer simulation by unlike factors.
///
/// - Complexity: rounds × all cells' simulations, on one thread.
package struct SpeedExperiment: ExperimentKind {
  private let rounds: Int

  /// - Parameter rounds: The runs of each cell, at least one.
  package init(rounds: Int) {
    precondition(rounds > 0, "nothing would be measured")
    self.rounds = rounds
  }

  /// Turns simulations into timed ones.
  package func rows(of base: ExperimentPlan) -> ExperimentPlan {
    let calibration = Calibration()
    return base.with(
      base.cells.map {
        $0.cell(
          of: .sweep, role: $0.role, engine: SpeedEngine(rounds: rounds, calibration: calibration))
      })
  }
}

/// The calibration loop that the cells of a plan share.
private final class Calibration: Sendable {
  private let loop = Mutex(CalibrationLoop())

  func nanosecondsPerStep() -> Double { loop.withLock { $0.nanosecondsPerStep() } }
}

/// Simulates a policy in several rounds, each between two runs of the calibration loop.
private final class SpeedEngine: Engine {
  let rounds: Int
  private let simulation = SimulationEngine()
  private let calibration: Calibration
  private let ratios = Mutex<[Double]>([])

  init(rounds: Int, calibration: Calibration) {
    self.rounds = rounds
    self.calibration = calibration
  }

  var runsAlone: Bool { true }

  func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    let before = calibration.nanosecondsPerStep()
    let start = Clock.threadTime()
    let outcome = try simulation.run(cell, on: stream, round: round, observer: observer)
    let time = Double(Clock.threadTime() - start) / Double(max(1, stream.requests))
    guard case .measurement(var measurement) = outcome else { return nil }
    let after = calibration.nanosecondsPerStep()
    let all = ratios.withLock { ratios in
      if round == 1 { ratios = [] }
      ratios.append(time / ((before + after) / 2))
      return ratios
    }
    if round < rounds { return nil }
    measurement.speed = SpeedFigures(ratios: all)
    return .measurement(measurement)
  }
}
