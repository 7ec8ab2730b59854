import Eviction

/// Replays a plan's cells through real caches, one after the other, as a neighbour would disturb what
/// is measured.
///
///     let plan = try SweepPlan(
///       traces: [trace], policies: PolicyChoice.parse(["lru,arc"]), capacities: [.count(1000)])
///     let measurements = try ReplaySession(plan, locks: [MutexLock.self], threads: [1, 2]).run()
///
/// Repetitions go round by round through the cells at one capacity of one trace, so that what changes on
/// the machine meanwhile changes all of them.
public struct ReplaySession: Sendable {
  /// One cell of the plan, under one lock, with so many threads, at one pace.
  struct Cell {
    let plan: SweepPlan.Cell
    let lock: LockChoice
    let reads: CacheReads
    let threads: Int
    let pace: ReplayPace
  }

  let plan: SweepPlan
  let cells: [Cell]
  /// The cells at one capacity of one trace, which are repeated in turns.
  private let groups: [Range<Int>]
  private let conditions: ReplayConditions
  private let repetitions: Int
  let streams: PlannedStreams
  private let yardsticks: Yardsticks?
  /// What is simulated before a cell: the yardsticks of it and of those after it.
  private let jobs: [Int: [Yardsticks.Job]]

  /// How many cells there are.
  public var count: Int { cells.count }

  /// Plans every cell of `plan` under every lock with every number of threads at every pace.
  ///
  /// - Parameters:
  ///   - plan: Traces, policies and capacities.
  ///   - locks: What keeps threads apart, each in turn.
  ///   - reads: When the policies learn of hits.
  ///   - threads: How many make requests, each number in turn.
  ///   - paces: When requests are made, each in turn.
  ///   - conditions: What all cells have in common.
  ///   - repetitions: How often each cell is run, at least once.
  ///   - yardsticks: What the results are measured against, by simulations between the replays; nil
  ///     for nothing.
  /// - Throws: `PolicyError` for a policy that needs to know the future, and for several threads
  ///   without a lock.
  public init(
    _ plan: SweepPlan, locks: [LockChoice], reads: [CacheReads] = [.strict], threads: [Int],
    paces: [ReplayPace] = [.closed],
    conditions: ReplayConditions = ReplayConditions(), repetitions: Int = 1,
    yardsticks: Yardsticks? = nil
  ) throws(PolicyError) {
    precondition(repetitions > 0 && conditions.sample ?? 1 > 0, "nothing would be measured")
    self.plan = plan
    self.conditions = conditions
    self.repetitions = repetitions
    self.yardsticks = yardsticks
    var cells: [Cell] = []
    var groups: [Range<Int>] = []
    var jobs: [Int: [Yardsticks.Job]] = [:]
    for group in plan.groups {
      let first = cells.count
      if let yardsticks {
        jobs[first] = yardsticks.jobs(for: Array(plan.cells[group]), reusesCells: false)
      }
      for cell in plan.cells[group] {
        for lock in locks {
          for reads in reads {
            for count in threads {
              try ReplaySession.check(
                cell.policy.information, lock: lock.lock, threads: count)
              cells += paces.map {
                Cell(plan: cell, lock: lock, reads: reads, threads: count, pace: $0)
              }
            }
          }
        }
      }
      groups.append(first..<cells.count)
    }
    self.cells = cells
    self.groups = groups
    self.jobs = jobs
    var streams = PlannedStreams(plan, needs: .keyHash)
    if let yardsticks { streams.prepare(for: yardsticks) }
    self.streams = streams
  }

  private static func check(
    _ policy: PolicyInformation, lock: any CacheLock.Type, threads: Int
  ) throws(PolicyError) {
    if policy.isBound {
      throw .conflict(
        policy: policy.name,
        explanation: "is a bound, which exists in simulation only; use evict sweep")
    }
    if threads > 1 && !lock.information.isThreadSafe {
      throw .conflict(
        policy: policy.name,
        explanation: "the lock “\(lock.information.name)” is for one thread, not \(threads)")
    }
  }

  /// Replays every cell.
  ///
  /// - Parameters:
  ///   - cancellation: Stops the work; cells that are done by then, with all repetitions, are kept.
  ///   - progress: Called on the calling thread about ten times a second and after each run.
  ///   - finished: Called with each finished cell and its histograms, by name: those of all threads and
  ///     repetitions, merged exactly.
  /// - Returns: The finished cells in the plan's order; fewer than planned only after a cancellation.
  /// - Throws: `PolicyError` when a policy refuses to run after all.
  package func run(
    cancellation: Cancellation = Cancellation(), progress: (SweepProgress) -> Void = { _ in },
    finished: (Measurement, [(name: String, histogram: DurationHistogram)]) -> Void
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
    for group in groups {
      for job in jobs[group.lowerBound] ?? [] where !cancellation.isCancelled {
        let before = state.requests
        try yardsticks?.run(job, on: streams[reference: job.trace]) { report($0, after: before) }
      }
      var runs = [RepeatedRun](repeating: RepeatedRun(), count: group.count)
      for repetition in 1...repetitions {
        for index in group {
          let before = state.requests
          let outcome = try replay(cells[index]) { report($0, after: before) }
          guard let outcome else { return measurements }
          let place = index - group.lowerBound
          runs[place].add(outcome)
          if repetition == repetitions {
            let run = runs[place]
            runs[place] = RepeatedRun()
            let measurement = measurement(of: cells[index], run)
            finished(measurement, run.histograms)
            measurements.append(measurement)
            state.cells += 1
          }
          if !report(work(of: cells[index]), after: before) { return measurements }
        }
      }
    }
    return measurements
  }

  /// Replays every cell; see the form that also takes `finished`.
  ///
  /// - Throws: `PolicyError` when a policy refuses to run after all.
  public func run(
    cancellation: Cancellation = Cancellation(), progress: (SweepProgress) -> Void = { _ in }
  ) throws(PolicyError) -> [Measurement] {
    try run(cancellation: cancellation, progress: progress, finished: { _, _ in })
  }

  private func replay(
    _ cell: Cell, observer: (Int) -> Bool
  ) throws(PolicyError) -> ReplayOutcome? {
    try cell.plan.policy.entry.caches.replay(
      streams[cell.plan], options: options(of: cell), policy: cell.plan.policy.specification,
      observer: observer)
  }

  func options(of cell: Cell) -> ReplayOptions {
    var options = ReplayOptions(
      run: plan.options(of: cell.plan), lock: cell.lock.lock, threads: cell.threads,
      pace: cell.pace, conditions: conditions)
    options.shards = cell.lock.shards
    options.reads = cell.reads
    return options
  }

  /// The requests of one run of a cell, in all of its passes.
  private func work(of cell: Cell) -> Int {
    cell.pace.passes * options(of: cell).work(streams[cell.plan].requests)
  }

  private var totalRequests: Int {
    jobs.values.joined().reduce(cells.reduce(0) { $0 + repetitions * work(of: $1) }) {
      $0 + streams[reference: $1.trace].requests
    }
  }

  private func measurement(of cell: Cell, _ run: RepeatedRun) -> Measurement {
    var measurement = plan.measurement(of: cell.plan, kind: .replay)
    let stream = streams[cell.plan]
    let facts = run.typical
    measurement.record(
      facts.counts, isSized: stream.isSized, hasCosts: stream.trace.costs != nil)
    measurement.seconds = run.seconds
    measurement.requestsPerSecond = run.requestsPerSecond
    let options = options(of: cell)
    var replay = Replay(
      threads: cell.threads, lock: cell.lock.name, latency: run.merged.latency,
      contention: run.merged.contention)
    replay.isOversubscribed = options.isOversubscribed
    replay.reads = cell.reads
    replay.division = conditions.division
    replay.missPenalty = conditions.missPenalty
    replay.pace = facts.pace
    replay.response = run.merged.response
    replay.service = run.merged.service
    replay.lateness = run.merged.arrivals?.lateness.latency
    replay.cut = facts.cut
    replay.resources = facts.resources
    replay.repetitions = run.repetitions
    measurement.replay = replay
    yardsticks?.apply(to: &measurement, of: cell.plan)
    return measurement
  }
}
