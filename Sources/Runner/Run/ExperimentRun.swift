import Parameters
import Requests
import Results
import Synchronization
import Traces

/// Runs the cells of a plan, each by its engine, on several threads.
///
///     let policies = try PolicyChoice.parse(["lru,arc"])
///     let plan = try ExperimentPlan(traces: [trace], policies: policies, capacities: [.count(1000)])
///     let measurements = ExperimentRun(plan).run(jobs: 2).measurements
///
/// Cells of which the engine says so share a pass over their trace, as do those of a trace that is read block by block.
/// The results stand in the plan's order, and hits of simulations do not depend on the number of threads.
/// Where a neighbour would disturb what is measured, cells run one at a time, whatever the number of jobs,
/// and several rounds are interleaved over the cells at one place, so that what changes on the machine
/// meanwhile changes all of them.
package final class ExperimentRun: Sendable {
  private let plan: ExperimentPlan
  private let streams: PlannedStreams
  private let journal: Journal?
  private let traces: @Sendable () -> [TraceSummary]
  private let child: ForkedChild?
  private let state: Mutex<State>
  /// The number of rows that the journal held.
  package let heldRows: Int

  private struct State {
    var progress: ExperimentProgress
    var outcomes: [Outcome?]
    var failures: [ExperimentError] = []
    /// Cells that failed.
    var givenUp: Set<Int> = []
    /// The requests of the latest pass over a stream.
    var read = ReadRequests()
  }

  /// Prepares the plan's traces, once for all cells.
  ///
  /// - Parameters:
  ///   - plan: The cells.
  ///   - journal: Cells that are in it are not run again; finished ones are added to it.
  ///   - traces: The summaries of the plan's traces, by which the journal knows them.
  ///   - child: Runs the cells of foreign policies, one each; nil to run them in this process.
  package init(
    _ plan: ExperimentPlan, journal: Journal? = nil,
    traces: @escaping @autoclosure @Sendable () -> [TraceSummary] = [], child: ForkedChild? = nil
  ) {
    self.plan = plan
    self.child = child
    self.journal = journal
    self.traces = traces
    streams = PlannedStreams(plan)
    // The checksums of a stream are waited for where cells are held only.
    let known = journal?.isEmpty == false ? traces() : []
    let outcomes = plan.cells.map { cell in
      known.isEmpty ? nil : journal?.outcome(of: cell, trace: known[cell.trace])
    }
    var progress = ExperimentProgress(
      totalCells: plan.cells.count { $0.position != nil }, totalRequests: 0)
    for (cell, outcome) in zip(plan.cells, outcomes) {
      if outcome == nil {
        let (engine, stream) = (cell.engine, streams.recorded(cell))
        let rounds = engine.usualRounds(of: cell, on: stream)
        progress.totalRequests += rounds * engine.work(of: cell, on: stream)
        progress.scheduledSeconds +=
          Double(rounds) * engine.scheduledSeconds(of: cell, on: stream)
      } else if cell.position != nil {
        progress.cells += 1
      }
    }
    heldRows = progress.cells
    state = Mutex(State(progress: progress, outcomes: outcomes))
  }

  /// The requests of a stream, as far as they were read.
  package var read: ReadRequests { state.withLock { $0.read } }

  /// Divides the cells that are left of a stream into passes: as many in each as there is memory for.
  ///
  /// - Parameter available: The memory that the process may still take; nil where it is not known.
  /// - Returns: The passes, and the bytes that the policies of the largest take: nil for standard input, which is read
  ///   in one pass.
  /// - Throws: `tooLarge` where a cell alone needs more memory than there is.
  package func passes(
    within available: Int?
  ) throws(TraceError) -> (cells: [[Int]], policyBytes: Int?) {
    try plan.passes(of: unfinished, within: available)
  }

  /// Runs every cell.
  ///
  /// - Parameters:
  ///   - jobs: Threads that run cells.
  ///   - passes: The cells of each pass over a stream; nil for one pass.
  ///   - cancellation: Stops the work; cells that are finished by then are kept. A failure cancels, too,
  ///     except that of a system or of a child, which ends its own cell.
  ///   - progress: Called on those threads, one at a time, now and then and after each cell.
  /// - Returns: The finished cells, and the failures.
  package func run(
    jobs: Int = 1, passes: [[Int]]? = nil, cancellation: Cancellation = Cancellation(),
    progress: @escaping @Sendable (ExperimentProgress) -> Void = { _ in }
  ) -> FinishedCells {
    let run = { @Sendable [self] (indices: [Int], round: Int) in
      attempt(indices, cancellation) { () throws(ExperimentError) in
        try self.run(
          indices, round: round, jobs: jobs, cancellation: cancellation, progress: progress)
      }
    }
    if let stream = plan.stream {
      let passes = passes ?? [unfinished]
      state.withLock {
        $0.progress.stream = stream.outline.name
        $0.progress.totalRequests = (stream.requests ?? 0) * passes.count
      }
      for pass in passes { run(pass, 1) }
      return finished
    }
    report(requests: 0, to: progress)
    if plan.cells.contains(where: { $0.engine.runsAlone }) {
      for group in plan.groups {
        for round in 1...group.reduce(1, { max($0, plan.cells[$1].engine.rounds) }) {
          for index in group where round <= plan.cells[index].engine.rounds {
            let isHeld = state.withLock { $0.outcomes[index] != nil }
            if !isHeld && !cancellation.isCancelled { streams.enter(plan.cells[index]) }
            run([index], round)
          }
        }
      }
    } else {
      // One variation after another: of each trace there is one copy at most.
      for group in unfinished.grouped(by: { plan.cells[$0].variation }) {
        if cancellation.isCancelled { break }
        streams.begin(plan.cells[group[0]].variation, for: group.map { plan.cells[$0] })
        runInChildren(group, jobs: jobs, cancellation: cancellation, progress: progress)
        let pieces = pieces(of: group, jobs: jobs)
        WorkQueue.run(count: pieces.count, jobs: jobs) { run(pieces[$0], 1) }
      }
      streams.begin(nil)
    }
    return finished
  }

  private var unfinished: [Int] {
    state.withLock { state in
      plan.cells.indices.filter { state.outcomes[$0] == nil && !state.givenUp.contains($0) }
    }
  }

  /// Runs cells by `body`, and notes how it failed.
  private func attempt(
    _ indices: [Int], _ cancellation: Cancellation, _ body: () throws(ExperimentError) -> Void
  ) {
    do throws(ExperimentError) { try body() } catch {
      state.withLock {
        $0.failures.append(error)
        $0.givenUp.formUnion(indices)
      }
      if !error.endsItsCellOnly { cancellation.cancel() }
    }
  }

  /// Runs those of the cells that are of foreign policies, each in a child, as many at once as there are jobs: before
  /// all others, as no other thread may be at work when a child begins.
  private func runInChildren(
    _ cells: [Int], jobs: Int, cancellation: Cancellation,
    progress: @Sendable (ExperimentProgress) -> Void
  ) {
    guard let child else { return }
    struct Running {
      let index: Int
      let child: RunningChild
      var reported = 0
    }
    var waiting = cells.filter { runsInChild(plan.cells[$0]) }[...]
    // Summaries of traces may be made by threads of their own.
    if !waiting.isEmpty { _ = traces() }
    var running: [Running] = []
    while true {
      while running.count < max(1, jobs), !cancellation.isCancelled, let index = waiting.popFirst()
      {
        let cell = plan.cells[index]
        running.append(
          Running(index: index, child: cell.engine.begin(cell, on: streams[cell], in: child)))
      }
      if running.isEmpty { return }
      RunningChild.wait(forNewsOf: running.map(\.child))
      for place in running.indices.reversed() {
        let (index, cell) = (running[place].index, plan.cells[running[place].index])
        let report = running[place].child.look { done, _ in
          if done != running[place].reported {
            self.report(requests: done - running[place].reported, to: progress)
            running[place].reported = done
          }
          return !cancellation.isCancelled
        }
        guard let report else { continue }
        let reported = running.remove(at: place).reported
        attempt([index], cancellation) { () throws(ExperimentError) in
          guard let outcome = try cell.engine.outcome(of: report, cell) else { return }
          try finish([index], [outcome])
          self.report(
            requests: cell.engine.work(of: cell, on: streams[cell]) - reported,
            cells: cell.position != nil ? 1 : 0, to: progress)
        }
      }
    }
  }

  /// True for a cell that a child runs.
  private func runsInChild(_ cell: Cell) -> Bool {
    child != nil && cell.policy.entry.isForeign && cell.engine.runsInChild
  }

  private var finished: FinishedCells {
    state.withLock { FinishedCells(plan, $0.outcomes, failures: $0.failures) }
  }

  /// Cells that may share a pass over their trace.
  private struct Pass: Hashable {
    let trace: Int
    let policy: String
    let seed: Int
  }

  /// The cells of a piece: fewer take longer together than one by one, and more save hardly anything, while a stop loses
  /// what was done of all.
  private static let sharing = 4...32

  /// The work in pieces, in the order in which they begin: each of one cell, or of cells that share a pass.
  ///
  /// A pass is split among as many of the threads as its work is of all work.
  private func pieces(of cells: [Int], jobs: Int) -> [[Int]] {
    let unfinished = Set(unfinished).intersection(cells)
    let order = order(jobs: jobs).filter(unfinished.contains)
    let passes = Dictionary(grouping: order) { index -> Pass? in
      let cell = plan.cells[index]
      return cell.engine.sharesPass(cell, on: streams[cell])
        ? Pass(trace: cell.trace, policy: cell.key.policy, seed: cell.seed) : nil
    }
    func work(of cells: [Int]) -> Double {
      cells.reduce(0) {
        let cell = plan.cells[$1]
        return $0 + Double(cell.engine.work(of: cell, on: streams[cell]))
      }
    }
    let workPerThread = work(of: order) / Double(max(1, min(jobs, order.count)))
    var pieces: [[Int]] = []
    for (pass, cells) in passes {
      let threads = Int((work(of: cells) / max(1, workPerThread)).rounded(.up))
      let sharing = ExperimentRun.sharing
      let fewest = (cells.count + sharing.upperBound - 1) / sharing.upperBound
      let parts = max(1, threads, fewest)
      let shares = pass != nil && cells.count / parts >= sharing.lowerBound
      let count = shares ? parts : cells.count
      // Each with small and large caches, as small ones take longer.
      pieces += (0..<count).map { first in
        stride(from: first, to: cells.count, by: count).map { cells[$0] }
      }
    }
    let place = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    return pieces.sorted { place[$0[0], default: 0] < place[$1[0], default: 0] }
  }

  /// The cells in the order in which they begin: that of the plan, and where hardly more are there than threads, the
  /// one that ends soonest: what waits for the next uses first, FIFO, the shortest, last.
  private func order(jobs: Int) -> [Int] {
    if jobs < 2 || plan.cells.count > jobs + 1 { return Array(plan.cells.indices) }
    func rank(_ index: Int) -> Int {
      let policy = plan.cells[index].policy
      return policy.needs.contains(.nextUse) ? 0 : policy.name == "fifo" ? 2 : 1
    }
    return plan.cells.indices.sorted { (rank($0), $0) < (rank($1), $1) }
  }

  /// Runs a round of a cell, or cells that share a pass.
  private func run(
    _ indices: [Int], round: Int, jobs: Int, cancellation: Cancellation,
    progress: @Sendable (ExperimentProgress) -> Void
  ) throws(ExperimentError) {
    if cancellation.isCancelled { return }
    if let stream = plan.stream {
      return try run(
        indices, over: stream, jobs: jobs, cancellation: cancellation, progress: progress)
    }
    guard let index = indices.first, indices.count == 1 else {
      return try run(sharing: indices, cancellation: cancellation, progress: progress)
    }
    if state.withLock({ $0.outcomes[index] != nil || $0.givenUp.contains(index) }) { return }
    var cell = plan.cells[index]
    cell.run.cancellation = cancellation
    let stream = streams[cell]
    var reported = 0
    let observer = { (done: Int) in
      if done != reported { self.report(requests: done - reported, to: progress) }
      reported = done
      return !cancellation.isCancelled
    }
    let outcome = try cell.engine.run(cell, on: stream, round: round, observer: observer)
    if let outcome { try finish([index], [outcome]) }
    if outcome == nil && cancellation.isCancelled { return }
    if outcome == nil && round >= cell.engine.usualRounds(of: cell, on: stream) {
      expectAnotherRound(of: cell, on: stream)
    }
    report(
      requests: cell.engine.work(of: cell, on: stream) - reported,
      cells: outcome != nil && cell.position != nil ? 1 : 0, to: progress)
  }

  private func run(
    sharing indices: [Int], cancellation: Cancellation,
    progress: @Sendable (ExperimentProgress) -> Void
  ) throws(ExperimentError) {
    let cells = indices.map { plan.cells[$0] }
    let (engine, stream) = (cells[0].engine, streams[cells[0]])
    var reported = 0
    let outcomes = try engine.run(sharing: cells, on: stream) { done in
      report(requests: (done - reported) * cells.count, to: progress)
      reported = done
      return !cancellation.isCancelled
    }
    guard let outcomes else { return }
    try finish(indices, outcomes)
    for cell in cells {
      report(
        requests: engine.work(of: cell, on: stream) - reported, cells: cell.position != nil ? 1 : 0,
        to: progress)
    }
  }

  /// Runs the cells of a pass over a stream.
  private func run(
    _ indices: [Int], over stream: StreamedTrace, jobs: Int, cancellation: Cancellation,
    progress: @Sendable (ExperimentProgress) -> Void
  ) throws(ExperimentError) {
    var pass = StreamedPass(indices.map { plan.cells[$0] }, of: plan, over: stream)
    var reported = 0
    do {
      let outcomes = try pass.run(jobs: jobs, cancellation: cancellation) { done in
        report(requests: done - reported, to: progress)
        reported = done
      }
      state.withLock { $0.read = pass.read }
      if let outcomes { try finish(indices, outcomes) }
    } catch { throw error as? ExperimentError ?? .stream(error) }
  }

  /// Keeps the outcomes of cells.
  private func finish(_ indices: [Int], _ outcomes: [Outcome]) throws(ExperimentError) {
    state.withLock { state in
      for (index, outcome) in zip(indices, outcomes) { state.outcomes[index] = outcome }
    }
    for (index, outcome) in zip(indices, outcomes) {
      let cell = plan.cells[index]
      do throws(TraceError) {
        try journal?.append(outcome, of: cell, trace: traces()[cell.trace])
      } catch { throw .file(error) }
    }
  }

  /// Adds a round that was not expected to the work.
  private func expectAnotherRound(of cell: Cell, on stream: RequestStream) {
    state.withLock { state in
      state.progress.totalRequests += cell.engine.work(of: cell, on: stream)
      state.progress.scheduledSeconds += cell.engine.scheduledSeconds(of: cell, on: stream)
    }
  }

  private func report(
    requests: Int, cells: Int = 0, to progress: @Sendable (ExperimentProgress) -> Void
  ) {
    state.withLock { state in
      state.progress.requests += requests
      state.progress.cells += cells
      progress(state.progress)
    }
  }
}
