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
  private let yardsticks: Yardsticks?
  private let work: [Work]
  private let state: Mutex<State>
  private let start = ContinuousClock.now

  /// What a thread takes at once.
  private enum Work: Sendable {
    case cell(Int)
    case reference(Yardsticks.Job)
  }

  private struct State {
    var progress: SweepProgress
    var measurements: [Measurement?]
    var references: Set<Yardsticks.Job> = []
    var failure: PolicyError?
  }

  /// Prepares the traces for the plan's policies, once for all cells.
  ///
  /// - Parameters:
  ///   - plan: What is run.
  ///   - yardsticks: What the results are measured against; nil for nothing. They are
  ///     simulated beside the cells they belong to.
  public init(_ plan: SweepPlan, yardsticks: Yardsticks? = nil) {
    self.plan = plan
    self.yardsticks = yardsticks
    var streams = PlannedStreams(plan)
    if let yardsticks { streams.prepare(for: yardsticks) }
    self.streams = streams
    work = plan.groups.flatMap { group in
      guard let yardsticks else { return group.map(Work.cell) }
      // What the group is measured against comes first: until it is there, no cell is finished.
      let isReference = { (index: Int) in yardsticks.reference(of: plan.cells[index]) != nil }
      return yardsticks.jobs(for: Array(plan.cells[group]), reusesCells: true).map(Work.reference)
        + group.filter(isReference).map(Work.cell)
        + group.filter { !isReference($0) }.map(Work.cell)
    }
    let requests = work.reduce(0) { sum, work in
      switch work {
      case .cell(let index): sum + streams[plan.cells[index]].requests
      case .reference(let job): sum + streams[reference: job.trace].requests
      }
    }
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
  /// - Returns: The finished cells, in the plan's order, each measured against its yardsticks; fewer
  ///   than planned only after a cancellation.
  /// - Throws: `PolicyError` when a policy refuses to run after all.
  public func run(
    jobs: Int = 1, cancellation: Cancellation = Cancellation(),
    progress: @escaping @Sendable (SweepProgress) -> Void = { _ in }
  ) throws(PolicyError) -> [Measurement] {
    WorkQueue.run(count: work.count, jobs: jobs) { [self] piece in
      if cancellation.isCancelled { return }
      do throws(PolicyError) {
        switch work[piece] {
        case .cell(let index):
          try run(index, cancellation: cancellation, progress: progress)
        case .reference(let job):
          try run(job, cancellation: cancellation, progress: progress)
        }
      } catch {
        state.withLock { $0.failure = $0.failure ?? error }
        cancellation.cancel()
      }
    }
    let end = state.withLock { $0 }
    if let failure = end.failure { throw failure }
    return zip(plan.cells, finished(end)).compactMap { cell, measurement in
      guard var measurement else { return nil }
      yardsticks?.apply(to: &measurement, of: cell)
      return measurement
    }
  }

  /// What was measured, without the cells that lack something they are to be measured against.
  private func finished(_ end: State) -> [Measurement?] {
    guard let yardsticks, end.measurements.contains(nil) else { return end.measurements }
    var finished = end.measurements
    for group in plan.groups {
      let jobs = yardsticks.jobs(for: Array(plan.cells[group]), reusesCells: true)
      let areCellsThere = group.allSatisfy {
        end.measurements[$0] != nil || yardsticks.reference(of: plan.cells[$0]) == nil
      }
      if areCellsThere && end.references.isSuperset(of: jobs) { continue }
      for index in group { finished[index] = nil }
    }
    return finished
  }

  private func run(
    _ job: Yardsticks.Job, cancellation: Cancellation, progress: @Sendable (SweepProgress) -> Void
  ) throws(PolicyError) {
    var reported = 0
    try yardsticks?.run(job, on: streams[reference: job.trace]) { done in
      report(requests: done - reported, to: progress)
      reported = done
      return !cancellation.isCancelled
    }
    if !cancellation.isCancelled { state.withLock { _ = $0.references.insert(job) } }
  }

  private func run(
    _ index: Int, cancellation: Cancellation, progress: @Sendable (SweepProgress) -> Void
  ) throws(PolicyError) {
    let cell = plan.cells[index]
    let stream = streams[cell]
    var options = SimulationOptions(plan.options(of: cell))
    options.windows = plan.windowLog(of: cell)
    var reported = 0
    let start = ContinuousClock.now
    var internals = InternalsSeries(points: plan.settings.internalsPoints)
    let counts = try MeasuredRegion.run { () throws(PolicyError) in
      try cell.policy.entry.simulator.run(stream, options: options, internals: &internals) { done in
        report(requests: done - reported, to: progress)
        reported = done
        return !cancellation.isCancelled
      }
    }
    var time = ContinuousClock.now - start
    guard let counts else { return }
    if cell.policy.entry.needs.contains(.nextUse) { time += stream.nextUseTime }
    var measurement = plan.measurement(of: cell, kind: .sweep)
    measurement.record(counts, isSized: stream.isSized, hasCosts: stream.trace.costs != nil)
    measurement.record(seconds: time.seconds, requestsRun: stream.requests)
    if !internals.series.isEmpty { measurement.internals = internals }
    measurement.windows = options.windows?.windows
    state.withLock { $0.measurements[index] = measurement }
    yardsticks?.record(counts, of: cell)
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
