import Experiments
import Results
import Traces

/// The part of a plan that a command runs, and what a document holds of it already.
struct Partition {
  /// The cells of the whole plan that are run.
  let part: PartitionRange
  /// The document's cells that are not run again; nil where there is no document.
  private(set) var held: HeldCells?
  private var summary: PlanRecord
  private let share: PlanPartition
  private let earlier: (file: String, results: ResultSet)?

  /// A partition of what is requested.
  ///
  /// - Parameters:
  ///   - request: The whole experiment.
  ///   - traces: The names of its traces.
  ///   - options: Whatever else the results depend on.
  ///   - share: The partition.
  ///   - earlier: Results whose cells are not run again, and what messages call them.
  init(
    of request: ExperimentRequest, traces: [String], options: [JSON.Member], share: PlanPartition,
    resuming earlier: (file: String, results: ResultSet)?
  ) {
    summary = PlanRecord(
      traces: traces, capacities: request.capacities, policies: request.policies,
      seeds: request.seeds, options: request.settings.members + options)
    part = summary.part(share)
    self.share = share
    self.earlier = earlier
  }

  /// The environment of the document, without what was not measured: where it was written, and what was
  /// there.
  var environment: Environment {
    .ofThisCommand(without: ["--output", "--format"], flags: ["--resume"])
  }

  /// The cells of a plan that are left to be run; says how many are there already.
  mutating func begin(
    _ plan: ExperimentPlan, traces: [TraceSummary]
  ) throws(PartitionError) -> ExperimentPlan {
    summary.record(plan, as: share)
    guard let (file, results) = earlier else { return plan }
    let held = try HeldCells(of: plan, summary, traces: traces, in: results, file: file)
    self.held = held
    for trace in held.changedTraces {
      StandardError.say("\(trace) has changed since \(file) was written; its cells are run again")
    }
    StandardError.say("\(file) holds \(held.positions.count) of \(plan.cells.count) cells")
    return plan.without(held.positions)
  }

  /// Measurements in the order of the whole plan.
  func inOrder(_ measurements: [Measurement]) -> [Measurement] {
    summary.inOrder(measurements)
  }

  /// Puts what stands beside the measurements in the same order, and says what they are a part of.
  func complete(_ results: inout ResultSet) {
    results.explanations = summary.inOrder(results.explanations)
    results.references.sort { summary.place(of: $0.trace) < summary.place(of: $1.trace) }
    results.plan = summary
  }
}
