import CEvictionLab
import EvictionCore
import Results
import Runner
import Synchronization
import Traces

/// Simulates every policy at every capacity.
@_cdecl("evl_simulate")
public func simulate(
  _ trace: OpaquePointer?, _ policies: UnsafePointer<UnsafePointer<CChar>?>?,
  _ policyCount: UInt64, _ capacities: UnsafePointer<UnsafePointer<CChar>?>?,
  _ capacityCount: UInt64, _ options: UnsafePointer<evl_options>?, _ progress: evl_progress?,
  _ context: UnsafeMutableRawPointer?, _ results: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let place = try Argument.place(results, "results")
    let trace = try TraceObject.trace(trace)
    let policies = try Argument.texts(policies, policyCount, "policies")
    let capacities = try Argument.texts(capacities, capacityCount, "capacities")
    let options = try GivenOptions(options)
    let results = try Watch.run(progress, context) { (watch) throws(CallFailure) in
      let choices = try wrapping(CallFailure.init) { () throws(PolicyError) in
        try PolicyChoice.opening(policies)
      }
      let tally = Tally()
      var sweep = SweepExperiment()
      sweep.counted = tally.add
      let plan = try plan(sweep, of: choices, on: trace, capacities: capacities, options)
      return try tally.results(of: plan, run(plan, threads: options.threads, watch))
    }
    place.pointee = Handle.make(results)
  }
}

/// Tells the columns that a simulation reads.
@_cdecl("evl_trace_columns")
public func traceColumns(
  _ policies: UnsafePointer<UnsafePointer<CChar>?>?, _ policyCount: UInt64,
  _ capacities: UnsafePointer<UnsafePointer<CChar>?>?, _ capacityCount: UInt64,
  _ options: UnsafePointer<evl_options>?, _ columns: UnsafeMutablePointer<UInt32>?,
  _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let place = try Argument.present(columns, "columns")
    let policies = try Argument.texts(policies, policyCount, "policies")
    let capacities = try Argument.texts(capacities, capacityCount, "capacities")
    let options = try GivenOptions(options)
    let choices = try wrapping(CallFailure.init) { () throws(PolicyError) in
      try PolicyChoice.opening(policies)
    }
    place.pointee = try wrapping(CallFailure.init) { () throws(PlanError) in
      try request(SweepExperiment(), of: choices, capacities: capacities, options).columns.bits
    }
  }
}

/// Plans an experiment on one trace.
func plan(
  _ kind: some ExperimentKind, of policies: [PolicyChoice], on trace: Trace,
  capacities texts: [String], _ options: GivenOptions
) throws(CallFailure) -> ExperimentPlan {
  do {
    let request = try request(kind, of: policies, capacities: texts, options)
    return try kind.plan(request, on: [trace], part: nil)
  } catch let error as PlanError {
    throw CallFailure(error)
  } catch {
    throw CallFailure(EVL_INTERNAL, "\(error)")
  }
}

/// Describes an experiment.
private func request(
  _ kind: some ExperimentKind, of policies: [PolicyChoice], capacities texts: [String],
  _ options: GivenOptions
) throws(PlanError) -> ExperimentRequest {
  let capacities = try texts.map { (text) throws(PlanError) in try Capacity(parsing: text) }
  return ExperimentRequest(
    kind, policies: policies, capacities: capacities, seeds: [options.seed],
    settings: try options.settings(for: capacities))
}

/// Runs the cells of a plan, and hands over those that are finished.
func run(
  _ plan: ExperimentPlan, threads: Int, _ watch: Watch
) throws(CallFailure) -> FinishedCells {
  let finished = ExperimentRun(plan).run(jobs: threads, cancellation: watch.cancellation) {
    watch.note($0.requests, of: $0.totalRequests)
  }
  if let failure = finished.failure { throw CallFailure(failure) }
  return finished
}

/// The counts of cells as they finish, on any thread.
private final class Tally: Sendable {
  private let counts = Mutex<[CellKey: RequestCounts]>([:])

  @Sendable func add(_ cell: CellKey, _ counts: RequestCounts) {
    self.counts.withLock { $0[cell] = counts }
  }

  /// Everything that a plan's cells counted.
  func results(
    of plan: ExperimentPlan, _ finished: FinishedCells
  ) throws(CallFailure) -> ResultsObject {
    let counts = counts.withLock { $0 }
    let labels = plan.policies.map(\.label)
    var rows: [evl_row] = []
    for (cell, outcome) in finished.outcomesOfRows {
      guard case .measurement(let measurement) = outcome, let counts = counts[cell.key],
        let policy = labels.firstIndex(of: cell.policy.label),
        let capacity = plan.capacities[0].firstIndex(of: cell.capacity)
      else { throw .cancelled }
      var row = evl_row(counts, isSized: plan.settings.isSized)
      row.policy = UInt32(policy)
      row.capacity_index = UInt32(capacity)
      row.capacity = UInt64(cell.capacity)
      row.seconds = measurement.seconds
      rows.append(row)
    }
    return ResultsObject(rows: rows, policies: labels, notes: plan.notes)
  }
}

extension evl_row {
  /// The counts of a run.
  fileprivate init(_ counts: RequestCounts, isSized: Bool) {
    self.init()
    requests = UInt64(counts.requests)
    hits = UInt64(counts.hits)
    requested_bytes = isSized ? UInt64(counts.bytes) : 0
    hit_bytes = isSized ? UInt64(counts.byteHits) : 0
    insertions = UInt64(counts.insertions)
    evictions = UInt64(counts.evictions)
    expirations = UInt64(counts.expirations)
    rejections = UInt64(counts.rejections)
    unknown_sizes = UInt64(counts.unknownSizes)
    cost = counts.cost
    hit_cost = counts.costHits
  }
}
