import Results
import Runner
import Traces

/// Simulates each row of a suite, and notes what its traces are.
package struct SuiteExperiment: ExperimentKind {
  private let list: String
  private let missing: [String]
  private let describe: @Sendable (Trace) throws -> SuiteTrace

  /// A suite.
  ///
  /// - Parameters:
  ///   - list: The SHA-256 of the list of traces.
  ///   - missing: The traces of the list that are not there.
  ///   - describe: Finds out what a trace is.
  package init(
    list: String, missing: [String], describe: @escaping @Sendable (Trace) throws -> SuiteTrace
  ) {
    self.list = list
    self.missing = missing
    self.describe = describe
  }

  /// Plans the simulation of each row.
  package func plan(
    _ request: ExperimentRequest, on traces: [Trace], part: PartitionRange?
  ) throws -> ExperimentPlan {
    var plan = try ExperimentPlan(request, on: traces, part: part) {
      try SweepExperiment().cells(of: $0, on: traces, request)
    }
    var suite = SuiteRecord()
    suite.list = list
    suite.traces = try traces.map(describe)
    suite.missing = missing
    plan.conclude = { [suite] _, results in results.suite = suite }
    return plan
  }
}
