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

  /// How many cells there are.
  public var count: Int { cells.count }

  /// Plans every cell of `plan` under every lock with every number of threads.
  ///
  /// - Throws: ``PolicyError`` for a policy that needs to know the future, and for several threads
  ///   without a lock.
  public init(
    _ plan: SweepPlan, locks: [any CacheLock.Type], threads: [Int]
  ) throws(PolicyError) {
    self.plan = plan
    var cells: [Cell] = []
    for cell in plan.cells {
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
    streams = PlannedStreams(plan, needs: .keyHash)
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
    var state = SweepProgress(
      totalCells: count, totalRequests: cells.reduce(0) { $0 + 2 * streams[$1.plan].requests })
    let start = ContinuousClock.now
    for cell in cells {
      let stream = streams[cell.plan]
      let before = state.requests
      func report(_ done: Int) {
        state.requests = before + done
        state.seconds = (ContinuousClock.now - start).seconds
        progress(state)
      }
      let options = ReplayOptions(
        run: plan.options(of: cell.plan), lock: cell.lock, threads: cell.threads)
      let outcome = try cell.plan.policy.runner.replay(
        stream, options: options, policy: cell.plan.policy.specification
      ) { done in
        report(done)
        return !cancellation.isCancelled
      }
      guard let outcome else { break }
      measurements.append(measurement(of: cell, outcome, stream: stream))
      state.cells += 1
      report(2 * stream.requests)
      if cancellation.isCancelled { break }
    }
    return measurements
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
    return measurement
  }
}
