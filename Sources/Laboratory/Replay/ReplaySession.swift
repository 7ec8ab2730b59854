import Eviction

/// Replays a plan's cells through real caches, one after the other, as a neighbour would disturb what
/// is measured.
///
///     let plan = try SweepPlan(
///       traces: [trace], policies: PolicyChoice.parse(["lru,arc"]), capacities: [.count(1000)])
///     let measurements = try ReplaySession(plan, locks: [MutexLock.self], threads: [1, 2]).run()
public struct ReplaySession: Sendable {
  /// One cell of the plan, under one lock, with so many threads.
  private struct Cell {
    let plan: SweepPlan.Cell
    let lock: any CacheLock.Type
    let threads: Int
  }

  private let plan: SweepPlan
  private let cells: [Cell]
  private let streams: PlannedStreams
  private let yardsticks: Yardsticks?
  /// What is simulated before a cell: the yardsticks of it and of those after it.
  private let jobs: [Int: [Yardsticks.Job]]

  /// How many cells there are.
  public var count: Int { cells.count }

  /// Plans every cell of `plan` under every lock with every number of threads.
  ///
  /// - Parameter yardsticks: What the results are measured against, by simulations between the
  ///   replays; nil for nothing.
  /// - Throws: ``PolicyError`` for a policy that needs to know the future, and for several threads
  ///   without a lock.
  public init(
    _ plan: SweepPlan, locks: [any CacheLock.Type], threads: [Int], yardsticks: Yardsticks? = nil
  ) throws(PolicyError) {
    self.plan = plan
    self.yardsticks = yardsticks
    var cells: [Cell] = []
    var jobs: [Int: [Yardsticks.Job]] = [:]
    let groups = plan.groups
    for (index, cell) in plan.cells.enumerated() {
      if let yardsticks, let group = groups.first(where: { $0.lowerBound == index }) {
        jobs[cells.count] = yardsticks.jobs(for: Array(plan.cells[group]), reusesCells: false)
      }
      let information = cell.policy.runner.information
      if information.isBound {
        throw .conflict(
          policy: information.name,
          explanation: "is a bound, which exists in simulation only; use evict sweep")
      }
      for lock in locks {
        for count in threads {
          if count > 1 && !lock.information.isThreadSafe {
            throw .conflict(
              policy: information.name,
              explanation: "the lock “\(lock.information.name)” is for one thread, not \(count)")
          }
          cells.append(Cell(plan: cell, lock: lock, threads: count))
        }
      }
    }
    self.cells = cells
    self.jobs = jobs
    var streams = PlannedStreams(plan, needs: .keyHash)
    if let yardsticks { streams.prepare(for: yardsticks) }
    self.streams = streams
  }

  /// Replays every cell.
  ///
  /// - Parameters:
  ///   - cancellation: Stops the work; cells that are done by then are kept.
  ///   - progress: Called on the calling thread about ten times a second and after each cell.
  /// - Returns: The finished cells in the plan's order; fewer than planned only after a cancellation.
  /// - Throws: ``PolicyError`` when a policy refuses to run after all.
  public func run(
    cancellation: Cancellation = Cancellation(), progress: (SweepProgress) -> Void = { _ in }
  ) throws(PolicyError) -> [Measurement] {
    var measurements: [Measurement] = []
    var state = SweepProgress(totalCells: count, totalRequests: totalRequests)
    let start = ContinuousClock.now
    /// Reports what is done after what was done before; false stops the work.
    func report(_ done: Int, after before: Int) -> Bool {
      state.requests = before + done
      state.seconds = (ContinuousClock.now - start).seconds
      progress(state)
      return !cancellation.isCancelled
    }
    for (index, cell) in cells.enumerated() {
      for job in jobs[index] ?? [] where !cancellation.isCancelled {
        let before = state.requests
        try yardsticks?.run(job, on: streams[reference: job.trace]) { report($0, after: before) }
      }
      let stream = streams[cell.plan]
      let options = ReplayOptions(
        run: plan.options(of: cell.plan), lock: cell.lock, threads: cell.threads)
      let before = state.requests
      let outcome = try cell.plan.policy.runner.replay(
        stream, options: options, policy: cell.plan.policy.specification
      ) { report($0, after: before) }
      guard let outcome else { break }
      measurements.append(measurement(of: cell, outcome, stream: stream))
      state.cells += 1
      if !report(2 * stream.requests, after: before) { break }
    }
    return measurements
  }

  private var totalRequests: Int {
    jobs.values.joined().reduce(cells.reduce(0) { $0 + 2 * streams[$1.plan].requests }) {
      $0 + streams[reference: $1.trace].requests
    }
  }

  private func measurement(
    of cell: Cell, _ outcome: ReplayOutcome, stream: RequestStream
  ) -> Measurement {
    var measurement = plan.measurement(of: cell.plan, kind: .replay)
    measurement.record(
      outcome.counts, isSized: stream.isSized, hasCosts: stream.trace.costs != nil)
    measurement.record(
      seconds: outcome.seconds, requestsRun: stream.requests - plan.settings.warmup)
    measurement.replay = Replay(
      threads: cell.threads, lock: cell.lock.information.name, latency: outcome.latency,
      contention: outcome.contention)
    yardsticks?.apply(to: &measurement, of: cell.plan)
    return measurement
  }
}
