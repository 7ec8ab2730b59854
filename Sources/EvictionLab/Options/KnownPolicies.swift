import Experiments
import Parameters
import Results
import Synchronization

/// The policies that the commands know: the catalog's, and those that another package adds.
enum KnownPolicies {
  private static let added = Mutex<[RunnablePolicyEntry]>([])

  /// Every policy.
  static var all: [RunnablePolicyEntry] { RunnablePolicyEntry.catalog + added.withLock { $0 } }

  /// The names of those that no cache could run.
  static var bounds: Set<String> {
    Set(all.map(\.information).filter(\.isBound).map(\.name))
  }

  /// The names of those that are not ranked: no cache could run them, or they are reinterpretations.
  static var unranked: Set<String> {
    Set(all.map(\.information).filter { $0.isBound || $0.isReinterpretation }.map(\.name))
  }

  /// The notes on learners that never learned in a run of these results, a line for each policy and trace.
  static func notesOnLearners(in results: ResultSet) -> [String] {
    results.measurements.compactMap { run in
      let choice = try? PolicyChoice.parse([run.policyLabel], among: all).first
      let trace = results.traces.first { $0.name == run.trace }
      let requests = max(trace?.requests ?? 0, run.requests)
      guard let learning = choice?.learning, requests > 0, requests <= learning.interval
      else { return nil }
      return "\(run.policyLabel) never learned on \(run.trace): \(learning.name) learns after "
        + "\(learning.interval) requests, and there are \(requests)."
    }.unique
  }

  /// Adds the policies of another package.
  static func add(_ policies: [RunnablePolicyEntry]) { added.withLock { $0 = policies } }
}
