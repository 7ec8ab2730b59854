import CacheReplay
import EvictionCore
import Parameters
import Results
import Simulation

/// Times a plan's cells against the calibration loop, round after round, so that every cell meets every
/// mood of the machine.
///
/// What is timed is the thread's processor time. Where others want the processor, waits for it come by the
/// slice, and would lengthen the calibration loop and a shorter or longer simulation by unlike factors.
///
/// - Complexity: rounds × all cells' simulations, on one thread.
public struct SpeedRun: Sendable {
  private let plan: ExperimentPlan
  private let streams: PlannedStreams

  /// Prepares the traces for the plan's policies.
  public init(_ plan: ExperimentPlan) {
    self.plan = plan
    streams = PlannedStreams(plan)
  }

  /// Runs every cell once in each round, between two runs of the calibration loop.
  ///
  /// - Parameters:
  ///   - rounds: How often each cell is run.
  ///   - cancellation: Stops the work; a round that is under way is left out.
  ///   - progress: Called after each cell with the cells run so far, all rounds together.
  /// - Returns: For each cell, its ratios in the order of the rounds.
  /// - Throws: `PolicyError` when a policy refuses to run after all.
  public func ratios(
    rounds: Int, cancellation: Cancellation = Cancellation(), progress: (Int) -> Void = { _ in }
  ) throws(PolicyError) -> [[Double]] {
    var ratios = [[Double]](repeating: [], count: plan.cells.count)
    var calibration = CalibrationLoop()
    _ = calibration.nanosecondsPerStep()
    for round in 0..<rounds {
      var figures: [Double] = []
      var before = calibration.nanosecondsPerStep()
      for (index, cell) in plan.cells.enumerated() {
        let stream = streams[cell]
        var internals = InternalsSeries(points: 0)
        let start = Clock.threadTime()
        _ = try cell.policy.entry.simulator.run(
          stream, options: SimulationOptions(cell.run), internals: &internals
        ) { _ in !cancellation.isCancelled }
        let time = Double(Clock.threadTime() - start) / Double(max(1, stream.requests))
        if cancellation.isCancelled { return ratios }
        let after = calibration.nanosecondsPerStep()
        figures.append(time / ((before + after) / 2))
        before = after
        progress(round * plan.cells.count + index + 1)
      }
      for (index, figure) in figures.enumerated() { ratios[index].append(figure) }
    }
    return ratios
  }
}
