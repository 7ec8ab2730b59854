import Results
import Traces

/// Bounds the optimum at every capacity on every trace.
package struct BoundsExperiment: ExperimentKind {
  package init() {}

  /// The policy whose rows become bounds.
  package static let policies = [Baselines.bypassingOptimum]

  /// Bounds the optimum at each row.
  package func plan(
    _ request: ExperimentRequest, on traces: [Trace], part: PartitionRange?
  ) throws -> ExperimentPlan {
    let engine = BoundsEngine()
    return try ExperimentPlan(request, on: traces, part: part) { rows in
      rows.map { $0.cell(of: .bounds, label: BoundsEngine.policy, engine: engine) }
    }
  }
}
