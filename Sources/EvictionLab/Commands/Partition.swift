import Experiments
import Results
import Runner
import Traces

/// The part of a plan that a command runs, and the cells that a document holds already.
struct Partition {
  /// The cells of the whole plan that are run.
  let part: PartitionRange
  /// The document's cells that are not run again; nil where there is no document.
  private(set) var held: HeldCells?
  private var record: PlanRecord
  private let partition: PlanPartition
  private let earlier: (file: String, results: ResultSet)?
  private let acceptsOtherBuild: Bool

  /// A partition of what is requested.
  ///
  /// - Parameters:
  ///   - request: The whole experiment.
  ///   - traces: Its traces, of which nothing is read yet.
  ///   - options: The other options on which results depend.
  ///   - partition: The partition.
  ///   - earlier: Results whose cells are not run again, and what messages call them.
  ///   - acceptsOtherBuild: Keeps what another program measured.
  init(
    of request: ExperimentRequest, traces: [PlanRecord.Trace], options: [JSON.Member],
    as partition: PlanPartition,
    resuming earlier: (file: String, results: ResultSet)?, acceptsOtherBuild: Bool = false
  ) {
    record = PlanRecord {
      $0.traces = traces
      $0.capacities = request.capacities.map(\.description)
      $0.policies = request.policies.map(\.label)
      $0.seeds = request.seeds
      $0.variations = request.variations.all
      $0.options = request.members + options
    }
    part = record.part(partition)
    self.partition = partition
    self.earlier = earlier
    self.acceptsOtherBuild = acceptsOtherBuild
  }

  /// The environment of the document, without what was not measured: where it was written, and what was
  /// there.
  var environment: Environment { .ofSweep }

  /// The cells of a plan that are left to be run; says how many are there already.
  mutating func begin(
    _ plan: ExperimentPlan, traces: @autoclosure () -> [TraceSummary]
  ) throws(PartitionError) -> ExperimentPlan {
    record.record(plan, as: partition)
    guard let (file, results) = earlier else { return plan }
    let held = try HeldCells(
      of: plan, record, traces: traces(), in: results, file: file,
      acceptsOtherBuild: acceptsOtherBuild)
    self.held = held
    for note in held.notes { StandardError.say(note) }
    for trace in held.changedTraces {
      StandardError.say("\(trace) has changed since \(file) was written; its cells are run again")
    }
    StandardError.say("\(file) holds \(held.positions.count) of \(plan.cells.count) cells")
    return plan.without(held.positions)
  }

  /// Measurements in the order of the whole plan.
  func inOrder(_ measurements: [Measurement]) -> [Measurement] {
    record.inOrder(measurements)
  }

  /// Puts what stands beside the measurements in the same order, and says what they are a part of and where else
  /// they were measured.
  func complete(_ results: inout ResultSet) {
    if let earlier { results.environment.add(earlier.results.environment) }
    results.explanations = record.inOrder(results.explanations)
    results.references.sort { record.place(of: $0.trace) < record.place(of: $1.trace) }
    results.plan = record
  }
}
