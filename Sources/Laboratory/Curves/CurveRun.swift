import Eviction
import Synchronization
import Traces

/// Makes the miss-ratio curves of a plan: LRU's on objects in one pass by stack distances, the others'
/// by a simulation for each point; both over a sample of the keys where the plan says so, at capacities
/// scaled to it.
///
///     let plan = try CurvePlan(trace, policies: PolicyChoice.parse(["lru,arc"]))
///     for curve in try CurveRun(plan).run(jobs: 2) { print(curve.policyLabel, curve.points.count) }
///
/// - Paper: C. A. Waldspurger, N. Park, A. Garthwaite and I. Ahmad, “Efficient MRC construction with
///   SHARDS”, FAST 2015; C. Waldspurger, T. Saemundsson, I. Ahmad and N. Park, “Cache modeling and
///   optimization using miniature simulations”, USENIX ATC 2017.
public final class CurveRun: Sendable {
  private let plan: CurvePlan
  private let streams: PlannedStreams?
  private let estimate: KeySampleEstimate
  private let state: Mutex<State>
  private let start = ContinuousClock.now

  private struct State {
    var progress: SweepProgress
    var curves: [MissRatioCurve]
    /// For each curve, what its points are made of.
    var values: [[KeySampleEstimate.Value]]
    var failure: PolicyError?
  }

  /// A run of a plan.
  public init(_ plan: CurvePlan) {
    self.plan = plan
    streams = plan.simulations.map { PlannedStreams($0) }
    let operations = plan.trace.operations
    let requests = operations.map { $0.count { $0.role == .reference } } ?? plan.trace.requests
    estimate = KeySampleEstimate(
      keys: plan.trace.distinct, sampled: plan.sample.distinct, requests: max(1, requests),
      objectsPerUnit: plan.objectsPerUnit)
    let curves = plan.policies.map { policy in
      MissRatioCurve(
        trace: plan.trace.name, policy: policy.name,
        parameters: Measurement.parameters(policy.arguments),
        unit: plan.isSized ? .bytes : .objects, seed: plan.seed, method: .simulations,
        rate: plan.rate, requests: requests, points: [])
    }
    let cells = (plan.simulations?.cells.count ?? 0) + plan.stacked.count
    state = Mutex(
      State(
        progress: SweepProgress(totalCells: cells, totalRequests: cells * plan.sample.requests),
        curves: curves, values: Array(repeating: [], count: curves.count)))
  }

  /// Makes every curve.
  ///
  /// - Parameters:
  ///   - jobs: Threads that work.
  ///   - cancellation: Stops the work; curves without all their points are left out.
  ///   - progress: Called on those threads, one at a time, about every million requests.
  /// - Throws: `PolicyError` when a policy refuses to run after all.
  public func run(
    jobs: Int = 1, cancellation: Cancellation = Cancellation(),
    progress: @escaping @Sendable (SweepProgress) -> Void = { _ in }
  ) throws(PolicyError) -> [MissRatioCurve] {
    let cells = plan.simulations?.cells ?? []
    let stacked = plan.stacked
    WorkQueue.run(count: stacked.count + cells.count, jobs: jobs) { [self] piece in
      var reported = 0
      let goesOn = { (done: Int) in
        self.report(requests: done - reported, to: progress)
        reported = done
        return !cancellation.isCancelled
      }
      if cancellation.isCancelled { return }
      if piece < stacked.count {
        stack(stacked[piece], goesOn: goesOn)
      } else {
        do throws(PolicyError) {
          try simulate(cells[piece - stacked.count], goesOn: goesOn)
        } catch {
          state.withLock { $0.failure = $0.failure ?? error }
          cancellation.cancel()
        }
      }
    }
    let end = state.withLock { $0 }
    if let failure = end.failure { throw failure }
    return zip(end.curves, end.values).compactMap { curve, values in
      var curve = curve
      if curve.points.isEmpty { curve.points = estimate.points(values) }
      let planned = cells.filter { curve.isOf($0.policy) }
        .reduce(0) { $0 + (plan.scaled[$1.capacity]?.count ?? 0) }
      return !curve.points.isEmpty && curve.points.count >= planned ? curve : nil
    }
  }

  /// LRU's curve.
  private func stack(_ policy: PolicyChoice, goesOn: (Int) -> Bool) {
    if plan.hasAllSizes {
      guard let curve = MissRatioCurve.lru(of: plan.trace, goesOn: goesOn) else { return }
      return store(of: policy, method: .stackDistances, seconds: curve.seconds) { made, _ in
        made.points = curve.points
      }
    }
    let start = ContinuousClock.now
    var requests: [(id: UInt32, distance: UInt32)] = []
    let isDone = StackDistances.forEach(in: plan.sample, goesOn: goesOn) { id, distance in
      requests.append((id, distance.map { UInt32($0) } ?? .max))
    }
    if !isDone { return }
    let values = plan.capacities.map { capacity in
      // A distance among the sampled keys stands for one among all, by their share.
      let limit = Double(capacity) * plan.rate
      var misses = [UInt32](repeating: 0, count: plan.sample.distinct)
      for request in requests where request.distance == .max || Double(request.distance) >= limit {
        misses[Int(request.id)] += 1
      }
      return estimate.value(capacity: capacity, misses: misses)
    }
    let seconds = (ContinuousClock.now - start).seconds
    store(of: policy, method: .stackDistances, seconds: seconds) { $1 = values }
  }

  /// One point of a curve.
  private func simulate(
    _ cell: SweepPlan.Cell, goesOn: (Int) -> Bool
  ) throws(PolicyError) {
    guard let simulations = plan.simulations, let streams,
      let capacities = plan.scaled[cell.capacity]
    else { preconditionFailure("the cell is one of the plan") }
    let start = ContinuousClock.now
    var options = SimulationOptions(simulations.options(of: cell))
    let log = plan.rate < 1 ? HitLog(requests: plan.sample.requests) : nil
    options.hits = log
    let stream = streams[cell]
    guard
      let counts = try cell.policy.entry.simulator.run(
        stream, options: options, observer: goesOn)
    else { return }
    let sampled = log.map { missesByKey($0) }
    let values = capacities.map { capacity in
      sampled.map { estimate.value(capacity: capacity, misses: $0) }
        ?? KeySampleEstimate.Value(
          capacity: capacity,
          missRatio: Double(counts.requests - counts.hits) / Double(max(1, counts.requests)),
          error: 0)
    }
    var time = ContinuousClock.now - start
    if cell.policy.entry.needs.contains(.nextUse) { time += stream.nextUseTime }
    store(of: cell.policy, method: .simulations, seconds: time.seconds) { $1 += values }
  }

  private func missesByKey(_ log: HitLog) -> [UInt32] {
    let sample = plan.sample
    var misses = [UInt32](repeating: 0, count: sample.distinct)
    for index in 0..<sample.requests where !log[index] {
      let role = sample.operations.map { $0[index].role } ?? .reference
      if role == .reference { misses[Int(sample.ids[index])] += 1 }
    }
    return misses
  }

  private func store(
    of policy: PolicyChoice, method: MissRatioCurve.Method, seconds: Double,
    change: (inout MissRatioCurve, inout [KeySampleEstimate.Value]) -> Void
  ) {
    state.withLock { state in
      state.progress.cells += 1
      guard let index = state.curves.firstIndex(where: { $0.isOf(policy) }) else { return }
      state.curves[index].method = method
      state.curves[index].seconds += seconds
      change(&state.curves[index], &state.values[index])
    }
  }

  private func report(requests: Int, to progress: @Sendable (SweepProgress) -> Void) {
    state.withLock { state in
      state.progress.requests += requests
      state.progress.seconds = (ContinuousClock.now - start).seconds
      progress(state.progress)
    }
  }
}

extension MissRatioCurve {
  /// Whether it is that policy's, with the same parameters.
  fileprivate func isOf(_ policy: PolicyChoice) -> Bool {
    self.policy == policy.name && parameters == Measurement.parameters(policy.arguments)
  }
}
