import Experiments
import Results
import Runner
import Traces

extension ExperimentKind {
  /// The experiment at the places of a sweep.
  func rows(of sweep: ExperimentPlan) throws -> ExperimentPlan {
    let request = ExperimentRequest(
      self, policies: sweep.policies, capacities: sweep.capacities[0].map { .count($0) },
      settings: sweep.settings)
    return try plan(request, on: sweep.traces, part: nil)
  }
}
