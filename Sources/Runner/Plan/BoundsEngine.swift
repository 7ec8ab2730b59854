import EvictionCore
import Requests
import Simulation
import Synchronization
import Traces

/// Bounds the optimum at a capacity of a trace.
///
/// Where every object counts one, Belady's MIN with bypass is the optimum, and both bounds are equal.
package final class BoundsEngine: Engine {
  /// True where rows are measured against the bound of the hits, and nothing else of it is wanted.
  private let isBaseline: Bool
  /// The stays of the latest trace, which all of its capacities have in common.
  private let latest = Mutex<(stream: RequestStream, stays: ReuseIntervals)?>(nil)

  package init(isBaseline: Bool = false) { self.isBaseline = isBaseline }

  package func needs(of policy: PolicyChoice) -> RequestNeeds { .nextUse }

  package func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    stream.prepare(for: .nextUse)
    let stays = stream.isSized ? stays(of: stream, cell.run) { observer(0) } : nil
    let start = ContinuousClock.now
    var measurement = cell.measurement
    measurement.policy = BoundsEngine.policy
    measurement.parameters = []
    if let stays {
      func bounds(_ objective: OptimumBounds.Objective) -> OptimumBounds? {
        OptimumBounds.of(stays, capacity: cell.capacity, objective: objective) { observer(0) }
      }
      guard let objects = bounds(.objects) else { return nil }
      if isBaseline { return .bound(objects.ratios) }
      guard let bytes = bounds(.bytes) else { return nil }
      measurement.requests = objects.total
      measurement.hits = objects.lower
      measurement.hitRatioBounds = objects.ratios
      measurement.byteHitRatioBounds = bytes.ratios
    } else {
      let counts = try ExperimentError.running { () throws(PolicyError) in
        try cell.policy.entry.simulator.run(
          stream, options: SimulationOptions(cell.run), observer: observer)
      }
      guard let counts else { return nil }
      measurement.record(counts, isSized: false, hasCosts: false)
      measurement.hitRatioBounds = measurement.hitRatio.map { $0...$0 }
    }
    let seconds = (ContinuousClock.now - start + stream.nextUseTime).seconds
    measurement.record(seconds: seconds, requestsRun: stream.requests)
    return .measurement(measurement)
  }

  /// The name of the optimum in results.
  package static let policy = "optimum"

  private func stays(
    of stream: RequestStream, _ options: RunOptions, goesOn: () -> Bool
  ) -> ReuseIntervals {
    latest.withLock { latest in
      if let latest, latest.stream === stream { return latest.stays }
      let stays = ReuseIntervals(
        stream, warmup: options.warmup, countsSets: options.countsSets, goesOn: goesOn)
      if goesOn() { latest = (stream, stays) }
      return stays
    }
  }
}
