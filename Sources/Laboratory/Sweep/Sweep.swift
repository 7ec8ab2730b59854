import Eviction
import Synchronization

/// Runs a plan's cells, each a policy alone over its trace, on several threads.
///
///     let policies = try PolicyChoice.parse(["lru,arc"])
///     let plan = try SweepPlan(traces: [trace], policies: policies, capacities: [.count(1000)])
///     let measurements = try Sweep(plan).run(jobs: 2)
///
/// The results stand in the plan's order, and hits do not depend on the number of threads.
public final class Sweep: Sendable {
  /// What is run.
  public let plan: SweepPlan

  private let streams: PlannedStreams
  private let state: Mutex<State>
  private let start = ContinuousClock.now

  private struct State {
    var progress: SweepProgress
    var measurements: [Measurement?]
    var failure: PolicyError?
  }

  /// Prepares the traces for the plan's policies, once for all cells.
  public init(_ plan: SweepPlan) {
    self.plan = plan
    streams = PlannedStreams(plan)
    let requests = plan.cells.reduce(0) { $0 + plan.traces[$1.trace].requests }
    state = Mutex(
      State(
        progress: SweepProgress(totalCells: plan.cells.count, totalRequests: requests),
        measurements: Array(repeating: nil, count: plan.cells.count)))
  }

  /// Runs every cell that is not done.
  ///
  /// - Parameters:
  ///   - jobs: Threads that run cells.
  ///   - cancellation: Stops the work; cells that are done by then are kept.
  ///   - progress: Called on those threads, one at a time, about every million requests and after
  ///     each cell.
  /// - Returns: The finished cells, in the plan's order; fewer than planned only after a
  ///   cancellation.
  /// - Throws: ``PolicyError`` when a policy refuses to run after all.
  public func run(
    jobs: Int = 1, cancellation: Cancellation = Cancellation(),
    progress: @escaping @Sendable (SweepProgress) -> Void = { _ in }
  ) throws(PolicyError) -> [Measurement] {
    WorkQueue.run(count: plan.cells.count, jobs: jobs) { [self] index in
      if cancellation.isCancelled { return }
      do throws(PolicyError) {
        try run(index, cancellation: cancellation, progress: progress)
      } catch {
        state.withLock { $0.failure = $0.failure ?? error }
        cancellation.cancel()
      }
    }
    let end = state.withLock { $0 }
    if let failure = end.failure { throw failure }
    return end.measurements.compactMap(\.self)
  }

  private func run(
    _ index: Int, cancellation: Cancellation, progress: @Sendable (SweepProgress) -> Void
  ) throws(PolicyError) {
    let cell = plan.cells[index]
    let stream = streams[cell]
    let options = plan.options(of: cell)
    var reported = 0
    let start = ContinuousClock.now
    var internals = InternalsSeries(points: plan.settings.internalsPoints)
    let counts = try cell.policy.runner.run(stream, options: options, internals: &internals) {
      done in
      report(requests: done - reported, to: progress)
      reported = done
      return !cancellation.isCancelled
    }
    var time = ContinuousClock.now - start
    guard let counts else { return }
    if cell.policy.runner.needs.contains(.nextUse) { time += stream.nextUseTime }
    var measurement = plan.measurement(of: cell, kind: .sweep)
    measurement.record(counts, isSized: stream.isSized, hasCosts: stream.trace.costs != nil)
    measurement.record(seconds: time.seconds, requestsRun: stream.requests)
    if !internals.series.isEmpty { measurement.internals = internals }
    state.withLock { $0.measurements[index] = measurement }
    report(cells: 1, to: progress)
  }

  private func report(
    requests: Int = 0, cells: Int = 0, to progress: @Sendable (SweepProgress) -> Void
  ) {
    state.withLock { state in
      state.progress.requests += requests
      state.progress.cells += cells
      state.progress.seconds = (ContinuousClock.now - start).seconds
      progress(state.progress)
    }
  }
}

extension Duration {
  /// The duration in seconds.
  public var seconds: Double { self / .seconds(1) }
}
