import Eviction
import Synchronization
import Traces

/// Bounds the optimum on every trace of a plan at every capacity.
///
///     let plan = try BoundsRun.plan(traces: [trace], capacities: [.bytes(64 << 20)], …)
///     let measurements = try BoundsRun(plan).run(jobs: 2)
///
/// Where every object counts one, Belady's MIN with bypass is the optimum, and both bounds are equal.
public final class BoundsRun: Sendable {
  /// What is bounded: each capacity of each trace is a cell.
  public let plan: SweepPlan

  private let results: Mutex<[Measurement?]>

  /// A run over the capacities and traces of a plan.
  public init(_ plan: SweepPlan) {
    self.plan = plan
    results = Mutex(Array(repeating: nil, count: plan.cells.count))
  }

  /// The plan of the optimum at every capacity on every trace.
  ///
  /// - Throws: ``SweepError`` when traces, capacities and settings do not fit.
  public static func plan(
    traces: [Trace], capacities: [Capacity], settings: SweepPlan.Settings = .init()
  ) throws(SweepError) -> SweepPlan {
    let optimum: [PolicyChoice]
    do throws(PolicyError) {
      optimum = try PolicyChoice.parse(["opt:bypass=true"])
    } catch {
      throw .policy(error)
    }
    return try SweepPlan(
      traces: traces, policies: optimum, capacities: capacities, settings: settings)
  }

  /// Bounds every cell.
  ///
  /// - Parameters:
  ///   - jobs: Threads that work on cells.
  ///   - cancellation: Stops the work; cells that are done by then are kept.
  ///   - progress: Called with the number of cells done, one call at a time.
  /// - Returns: The finished cells, in the plan's order.
  public func run(
    jobs: Int = 1, cancellation: Cancellation = Cancellation(),
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> [Measurement] {
    for trace in plan.traces.indices where !cancellation.isCancelled {
      let settings = plan.settings
      let stream = RequestStream(
        plan.traces[trace], isSized: settings.isSized, needs: .nextUse, warmup: settings.warmup,
        countsSets: settings.countsSets)
      let cells = plan.cells.indices.filter { plan.cells[$0].trace == trace }
      let reuse =
        settings.isSized
        ? ReuseIntervals(stream, warmup: settings.warmup, countsSets: settings.countsSets) : nil
      WorkQueue.run(count: cells.count, jobs: jobs) { [self] piece in
        let start = ContinuousClock.now
        let cell = plan.cells[cells[piece]]
        let goesOn = { !cancellation.isCancelled }
        var measurement =
          if let reuse {
            bound(cell, reuse, goesOn: goesOn)
          } else {
            simulate(cell, stream, goesOn: goesOn)
          }
        let seconds = (ContinuousClock.now - start + stream.nextUseTime).seconds
        measurement?.record(seconds: seconds, requestsRun: stream.requests)
        results.withLock { results in
          results[cells[piece]] = measurement
          progress(results.count { $0 != nil })
        }
      }
    }
    return results.withLock { $0.compactMap(\.self) }
  }

  /// The optimum itself, where every object counts one.
  private func simulate(
    _ cell: SweepPlan.Cell, _ stream: RequestStream, goesOn: () -> Bool
  ) -> Measurement? {
    guard
      let counts = try? cell.policy.entry.simulator.run(
        stream, options: SimulationOptions(plan.options(of: cell)), observer: { _ in goesOn() })
    else { return nil }
    var measurement = start(cell)
    measurement.record(counts, isSized: false, hasCosts: false)
    measurement.hitRatioBounds = measurement.hitRatio.map { $0...$0 }
    return measurement
  }

  private func bound(
    _ cell: SweepPlan.Cell, _ reuse: ReuseIntervals, goesOn: () -> Bool
  ) -> Measurement? {
    func bounds(_ objective: OptimumBounds.Objective) -> OptimumBounds? {
      OptimumBounds.of(reuse, capacity: cell.capacity, objective: objective, goesOn: goesOn)
    }
    guard let objects = bounds(.objects), let bytes = bounds(.bytes) else { return nil }
    var measurement = start(cell)
    measurement.requests = objects.total
    measurement.hits = objects.lower
    measurement.hitRatioBounds = objects.ratios
    measurement.byteHitRatioBounds = bytes.ratios
    return measurement
  }

  private func start(_ cell: SweepPlan.Cell) -> Measurement {
    var measurement = plan.measurement(of: cell, kind: .bounds)
    measurement.policy = "optimum"
    measurement.parameters = []
    return measurement
  }
}
