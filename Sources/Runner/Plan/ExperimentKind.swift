import Results
import Traces

/// A kind of experiment: it makes the plan that its command runs.
package protocol ExperimentKind: Sendable {
  /// True where traces are read, run and released one after the other.
  var takesTracesInTurn: Bool { get }
  /// Plans the experiment on traces that are read.
  ///
  /// - Parameters:
  ///   - request: The flags of the command.
  ///   - traces: The traces; of a partition, those of its part.
  ///   - part: The part of a partition; nil for the whole experiment.
  func plan(
    _ request: ExperimentRequest, on traces: [Trace], part: PartitionRange?
  ) throws -> ExperimentPlan
  /// Turns the rows of a sweep into those of the experiment.
  func rows(of base: ExperimentPlan) throws -> ExperimentPlan
}

extension ExperimentKind {
  package var takesTracesInTurn: Bool { false }

  /// Plans a sweep and turns its rows into those of the experiment.
  package func plan(
    _ request: ExperimentRequest, on traces: [Trace], part: PartitionRange?
  ) throws -> ExperimentPlan {
    try rows(
      of: ExperimentPlan(
        traces: traces, policies: request.policies, capacities: request.capacities,
        seeds: request.seeds, settings: request.settings, part: part))
  }

  /// Leaves the rows as they are: each is simulated.
  package func rows(of base: ExperimentPlan) throws -> ExperimentPlan { base }
}

/// Simulates each row.
package struct SweepExperiment: ExperimentKind {
  package init() {}

  /// Leaves the rows as they are.
  ///
  /// - Throws: ``PlanError`` where no request of a trace is counted.
  package func rows(of base: ExperimentPlan) throws -> ExperimentPlan {
    // The operations of a stream are not known yet.
    if base.settings.stream != nil { return base }
    for trace in base.traces {
      guard let operations = trace.operations else { continue }
      let isCounted = operations.contains {
        $0.role == .reference || base.settings.countsSets && $0.role == .update
      }
      if isCounted { continue }
      let hasSets = operations.contains { $0.role == .update }
      throw PlanError.nothingCounted(
        trace: trace.name, requests: trace.requests,
        remedy: hasSets ? "count the sets by --count-sets" : "deletes alone use no cache")
    }
    return base
  }
}

/// Everything that the flags of a command ask of an experiment.
package struct ExperimentRequest: Sendable {
  /// The kind of experiment.
  package var kind: any ExperimentKind
  /// The policies with their parameters.
  package var policies: [PolicyChoice]
  /// The capacities.
  package var capacities: [Capacity]
  /// The random seeds.
  package var seeds: [Int]
  /// The settings that all cells have in common.
  package var settings: ExperimentPlan.Settings
  /// The columns that are read of the traces.
  package var columns: TraceColumns
  /// Adds FIFO and the optimum as baselines, and for explanations more; nil for none.
  package var baselines: Baselines?
  /// Adds the curve of exact LRU of each trace.
  package var hasReferences = false

  /// A request without baselines.
  package init(
    _ kind: any ExperimentKind, policies: [PolicyChoice], capacities: [Capacity],
    seeds: [Int] = [42], settings: ExperimentPlan.Settings
  ) {
    self.kind = kind
    self.policies = policies
    self.capacities = capacities
    self.seeds = seeds
    self.settings = settings
    columns = ExperimentPlan.columns(
      for: policies, isSized: settings.isSized, expires: settings.expires)
  }

  /// The bytes that a run takes for each request beside its trace: the next uses, and for each cell that
  /// knows them the order of the residents' next uses. The optimum of objects that count one takes a bit.
  package func bytesPerRequest(jobs: Int) -> Int {
    let knowing = policies.filter { $0.needs.contains(.nextUse) }
    if knowing.isEmpty && baselines == nil { return 0 }
    let orders = knowing.count { settings.isSized || !$0.isOptimum }
    return 4 + 4 * min(jobs, orders * capacities.count * seeds.count)
  }

  /// The plan with the baselines of the request.
  ///
  /// - Parameters:
  ///   - plan: The rows.
  ///   - held: Curves that are there already.
  package func addingBaselines(
    to plan: ExperimentPlan, besides held: [MissRatioCurve] = []
  ) -> ExperimentPlan {
    let measured = baselines?.added(to: plan) ?? plan
    return hasReferences ? measured.withReferences(besides: held) : measured
  }
}
