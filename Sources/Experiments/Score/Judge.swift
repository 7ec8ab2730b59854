import EvictionCore
import Parameters
import Requests
import Results
import Runner
import Simulation
import Synchronization
import Traces

/// Judges candidates: runs them over a suite's traces, public and hidden, beside FIFO and the optimum.
package struct Judge: Sendable {
  private let suite: ScoreSuite
  private let salt: Int
  private let jobs: Int
  private let cancellation: Cancellation
  /// The public half, then the hidden one.
  private let halves: [[JudgedTrace]]

  /// The runs without a result after which no further one is tried.
  private static let mostFailures = 3

  /// Makes the traces, and runs the baselines over them.
  ///
  /// - Parameters:
  ///   - suite: The traces and capacities.
  ///   - salt: Makes the hidden traces.
  ///   - jobs: The runs at once.
  ///   - cancellation: A request to stop, after which no result holds.
  /// - Throws: `TraceError` for a trace that cannot be made.
  package init(
    _ suite: ScoreSuite, salt: Int, jobs: Int, cancellation: Cancellation = Cancellation()
  ) throws(TraceError) {
    self.cancellation = cancellation
    self.suite = suite
    self.salt = salt
    self.jobs = jobs
    let count = suite.sources.count
    let traces = Judge.map(2 * count, jobs: jobs) { number in
      Result { () throws(TraceError) in
        let index = number % count
        let salted = Perturbation(salt: UInt64(salt), trace: index)
        return try JudgedTrace(
          ScoreTrace(suite.sources[index], number < count ? nil : salted), suite.capacities,
          cancellation)
      }
    }
    var halves: [[JudgedTrace]] = [[], []]
    for (number, trace) in traces.enumerated() { halves[number / count].append(try trace.get()) }
    self.halves = halves
  }

  /// The judgement of a candidate.
  ///
  /// - Parameters:
  ///   - candidate: The candidate.
  ///   - others: Policies beside it.
  ///   - progress: Takes the runs done and those that there are, on any thread.
  package func judge(
    _ candidate: some Contender, beside others: [CatalogContender] = [],
    progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) -> ScoreDocument {
    let violations = candidate.violations()
    let runs = runs(of: candidate, progress: progress)
    let scored = scored(runs)
    let finished = zip(halves.joined(), runs.joined()).flatMap { trace, runs in
      runs.filter { $0.failure == nil }.map { (trace.trace.keys.count, $0.duration.seconds) }
    }
    let requests = finished.reduce(0) { $0 + $1.0 }
    return ScoreDocument {
      $0.candidate = candidate.name
      $0.kind = candidate.kind
      $0.sandbox = candidate.sandbox
      $0.suite = suite.name
      $0.traces = scored[0]
      $0.combinedScore = scored[0].score
      $0.meanReduction = scored[0].mean(\.reduction) ?? 0
      $0.optimumReduction = optimumReduction
      $0.hidden.salt = salt
      $0.hidden.traces = scored[1]
      $0.hidden.combinedScore = scored[1].score
      $0.hidden.meanReduction = scored[1].mean(\.reduction) ?? 0
      $0.overfit.difference = scored[0].score - scored[1].score
      $0.overfit.isExceeded = $0.overfit.difference > ScoreMetric.margin
      $0.contract.violations = violations
      $0.determinism = determinism(of: candidate, runs[0])
      $0.seconds = runs.joined().joined().reduce(0) { $0 + $1.duration.seconds }
      $0.nanosecondsPerRequest =
        requests > 0 ? finished.reduce(0) { $0 + $1.1 } * 1e9 / Double(requests) : nil
      $0.bytesPerEntry = candidate.bytesPerEntry
      $0.policies = others.map { policy(of: $0) }.sorted { $0.combinedScore > $1.combinedScore }
    }
  }

  private func policy(of other: CatalogContender) -> ScoredPolicy {
    let scored = scored(runs(of: other) { _, _ in })
    return ScoredPolicy {
      $0.policy = other.name
      $0.combinedScore = scored[0].score
      $0.hiddenScore = scored[1].score
    }
  }

  private var optimumReduction: Double {
    let reductions = halves[0].flatMap(\.points).map {
      ScoreMetric.reduction(misses: $0.optimum, fifo: $0.fifo)
    }
    return reductions.reduce(0, +) / Double(max(1, reductions.count))
  }

  /// The runs, by half, trace and capacity.
  private func runs(
    of candidate: some Contender,
    progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Void
  ) -> [[[ScoreRun]]] {
    let traces = Array(halves.joined())
    let cells = traces.flatMap { trace in
      trace.points.map { (ScoreCell(stream: trace.stream, capacity: $0.capacity)) }
    }
    let state = Mutex((done: 0, failures: 0))
    let runs = Judge.map(cells.count, jobs: jobs) { number in
      let failures = state.withLock { $0.failures }
      let run =
        failures < Judge.mostFailures && !cancellation.isCancelled
        ? candidate.run(cells[number])
        : ScoreRun(failure: "not tried after \(Judge.mostFailures) runs without a result")
      let done = state.withLock { state in
        state.done += 1
        if run.failure != nil { state.failures += 1 }
        return state.done
      }
      progress(done, cells.count)
      return run
    }
    var rest = runs[...]
    return halves.map { half in
      half.map { trace in
        defer { rest = rest.dropFirst(trace.points.count) }
        return Array(rest.prefix(trace.points.count))
      }
    }
  }

  /// The rows of runs.
  private func scored(_ runs: [[[ScoreRun]]]) -> [[ScoredTrace]] {
    zip(halves, runs).map { half, runs in zip(half, runs).map { $0.scored($1) } }
  }

  /// Compares runs at each public trace's middle capacity with those that there were.
  private func determinism(
    of candidate: some Contender, _ runs: [[ScoreRun]]
  ) -> ScoredDeterminism {
    let readsHashes = candidate.needs.contains(.keyHash)
    let found = Judge.map(runs.count, jobs: jobs) { index in
      let (trace, middle) = (halves[0][index], runs[index].count / 2)
      let first = runs[index][middle]
      var found = ScoredDeterminism()
      if let failure = first.failure {
        found.failure = failure
        return found
      }
      if cancellation.isCancelled { return found }
      // A run that took too long can be compared with none.
      func isLikeFirst(_ cell: ScoreCell) -> Bool {
        let run = candidate.run(cell)
        if run.isLate { found.failure = run.failure }
        return run.isLate || run.isLike(first)
      }
      var cell = ScoreCell(stream: trace.stream, capacity: trace.points[middle].capacity)
      found.isRepeatable = isLikeFirst(cell)
      cell.seed += 1
      let other = candidate.run(cell)
      if other.failure == nil {
        found.otherSeed = abs(Double(other.misses - first.misses)) / Double(trace.trace.keys.count)
      }
      cell.seed -= 1
      let renaming: UInt64 = readsHashes ? 0 : 1
      let renamed = ScoreCell(
        stream: JudgedTrace.stream(trace.trace.trace(renaming: renaming)),
        capacity: cell.capacity, reversesSlots: true)
      found.ignoresKeys = isLikeFirst(renamed)
      let later = ScoreCell(
        stream: JudgedTrace.stream(trace.trace.trace(delay: JudgedTrace.delay)),
        capacity: cell.capacity)
      found.ignoresTimes = isLikeFirst(later)
      return found
    }
    return ScoredDeterminism {
      $0.isRepeatable = found.allSatisfy(\.isRepeatable)
      $0.ignoresKeys = found.allSatisfy(\.ignoresKeys)
      $0.ignoresTimes = found.allSatisfy(\.ignoresTimes)
      $0.otherSeed = found.compactMap(\.otherSeed).max()
      $0.failure = found.compactMap(\.failure).first
    }
  }

  /// The results of numbered pieces of work, done by several threads.
  private static func map<Value: Sendable>(
    _ count: Int, jobs: Int, _ body: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    let values = Mutex([Value?](repeating: nil, count: count))
    WorkQueue.run(count: count, jobs: jobs) { number in
      let value = body(number)
      values.withLock { $0[number] = value }
    }
    return values.withLock { $0.compactMap(\.self) }
  }
}

/// A trace with its capacities, and the misses of the baselines at each.
struct JudgedTrace: Sendable {
  let trace: ScoreTrace
  let stream: RequestStream
  let points: [(capacity: Int, fifo: Int, optimum: Int)]

  /// The nanoseconds that delayed requests come later: an hour.
  static let delay: Int64 = 3_600_000_000_000

  init(_ trace: ScoreTrace, _ capacities: [Capacity], _ cancellation: Cancellation) {
    let stream = JudgedTrace.stream(trace.trace())
    self.trace = trace
    self.stream = stream
    points = capacities.map {
      let capacity = $0.resolved(total: stream.trace.distinct)
      return (
        capacity, JudgedTrace.misses(PolicyChoice(.fifo), stream, capacity, cancellation),
        JudgedTrace.misses(Baselines.bypassingOptimum, stream, capacity, cancellation)
      )
    }
  }

  /// A trace with all that a policy may need of it.
  static func stream(_ trace: Trace) -> RequestStream {
    RequestStream(trace, needs: [.keyHash, .nextUse])
  }

  /// The misses of a baseline; 0 where it was stopped.
  private static func misses(
    _ baseline: PolicyChoice, _ stream: RequestStream, _ capacity: Int,
    _ cancellation: Cancellation
  ) -> Int {
    var options = SimulationOptions(
      Requests.RunOptions(capacity: capacity, arguments: baseline.arguments))
    options.run.cancellation = cancellation
    do throws(PolicyError) {
      let counts = try baseline.entry.simulator.run(stream, options: options)
      return counts.map { $0.requests - $0.hits } ?? 0
    } catch { preconditionFailure("\(error)") }
  }

  /// The rows of a candidate's runs at the capacities.
  func scored(_ runs: [ScoreRun]) -> ScoredTrace {
    let requests = Double(trace.keys.count)
    return ScoredTrace {
      $0.name = trace.start > 0 ? "\(trace.name) from request \(trace.start)" : trace.name
      $0.requests = trace.keys.count
      $0.distinct = stream.trace.distinct
      $0.rows = zip(points, runs).map { point, run in
        ScoreRow { row in
          row.capacity = point.capacity
          row.fifo = Double(point.fifo) / requests
          row.optimum = Double(point.optimum) / requests
          let share = ScoreMetric.share(
            misses: run.misses, fifo: point.fifo, optimum: point.optimum)
          if let failure = run.failure {
            row.failure = failure
            row.share = share.map { _ in -1 }
            return
          }
          row.missRatio = Double(run.misses) / requests
          row.reduction = ScoreMetric.reduction(misses: run.misses, fifo: point.fifo)
          row.share = share
        }
      }
    }
  }
}
