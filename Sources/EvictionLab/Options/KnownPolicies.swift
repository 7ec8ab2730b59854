import EvictionCore
import Experiments
import Parameters
import Prefixes
import Results
import Runner
import Synchronization

/// The policies that the commands know: the catalog's, and those that another package adds.
enum KnownPolicies {
  private static let added = Mutex<[RunnablePolicyEntry]>([])

  /// Every policy.
  static var all: [RunnablePolicyEntry] { RunnablePolicyEntry.catalog + added.withLock { $0 } }

  /// The policies that a user names; plug-ins among them are opened, in a child first.
  static func named(_ texts: [String]) throws(PolicyError) -> [PolicyChoice] {
    try openPlugins(among: texts)
    return try PolicyChoice.parse(texts, among: all)
  }

  /// Opens the plug-ins among policies that a user names.
  static func openPlugins(among texts: [String]) throws(PolicyError) {
    try PluginLibrary.open(among: texts, tryingIn: ForkedChild(patience: 10))
  }

  /// The names of those that no cache could run.
  static var bounds: Set<String> {
    Set(all.map(\.information).filter(\.isBound).map(\.name))
  }

  /// The names of those that are not ranked: no cache could run them, or they are reinterpretations.
  static var unranked: Set<String> {
    Set(all.map(\.information).filter { $0.isBound || $0.isReinterpretation }.map(\.name))
  }

  /// A sentence on each, and on each order of caches of prefixes, by its name.
  static var summaries: [String: String] {
    let entries =
      all.map { ($0.information.name, $0.information.summary) }
      + LeafOrders.all.map { ($0.information.name, $0.information.summary) }
    return Dictionary(entries, uniquingKeysWith: { first, _ in first })
  }

  /// The notes on learners that never learned in a run of these results, a sentence for each policy.
  static func notesOnLearners(in results: ResultSet) -> [String] {
    let lengths =
      results.measurements.map { run in
        let trace = results.traces.first { $0.name == run.trace }
        return Length(
          policy: run.policyLabel, trace: run.trace,
          requests: max(trace?.requests ?? 0, run.requests))
      }
      // A sample sees fewer requests, and its learners have as much shorter intervals.
      + results.curves.map {
        Length(policy: $0.policyLabel, trace: $0.trace, requests: $0.requests)
      }
    return lengths.grouped(by: \.policy).compactMap { lengths in
      let choice = try? PolicyChoice.parse([lengths[0].policy], among: all).first
      guard let learning = choice?.learning else { return nil }
      let short = lengths.filter { $0.requests > 0 && $0.requests <= learning.interval }
      guard let longest = short.map(\.requests).max() else { return nil }
      let traces = short.map(\.trace).unique
      let place = traces.count == 1 ? traces[0] : "\(traces.count) traces"
      return "\(lengths[0].policy) did not learn on \(place): \(learning.name) begins after "
        + "\(learning.interval) requests, and there are "
        + (traces.count == 1 ? "\(longest)." : "at most \(longest).")
    }
  }

  /// The policies of a suite without a place among its recorded traces: those that did not run on all of them,
  /// and if it had all policies, those that no ranking runs.
  static func omissions(
    from groups: [RankedGroup], in results: ResultSet
  ) -> [SuiteRecord.UnrankedPolicy] {
    guard let recorded = groups.first(where: { $0.basis == .recorded }), let plan = results.plan
    else { return [] }
    let ranked = Set(recorded.policies.flatMap { [$0.policy] + $0.same })
    let planned = Set(plan.policies)
    let absent = plan.policies.filter { !ranked.contains($0) }.map { policy in
      let ran = Set(results.measurements.filter { $0.policyLabel == policy }.map(\.trace))
      let lacking = recorded.traces.count { !ran.contains($0) }
      let choice = try? PolicyChoice.parse([policy], among: all).first
      let needs = choice?.needs.subtracting(.keyHash).names ?? []
      let scope = "\(lacking) of the \(recorded.traces.count) recorded traces"
      return SuiteRecord.UnrankedPolicy {
        $0.policy = policy
        $0.reason =
          needs.isEmpty || lacking == 0
          ? "did not run at every capacity of the recorded traces"
          : "needs \(needs.joined(separator: ", ")), which \(scope) lack"
      }
    }
    let own = all.map(\.information).filter { !$0.isBound }
    let isWhole = own.allSatisfy {
      $0.isReinterpretation || $0.isTemplate || planned.contains($0.name)
    }
    if !isWhole { return absent }
    return absent
      + own.filter { !planned.contains($0.name) }.map { policy in
        SuiteRecord.UnrankedPolicy {
          $0.policy = policy.name
          $0.reason =
            policy.isTemplate
            ? "is what its parameters make of it, and is ranked only where it is named"
            : "is made after a description that leaves much open"
        }
      }
  }

  /// The number of requests that a policy ran on a trace.
  private struct Length {
    let policy: String
    let trace: String
    let requests: Int
  }

  /// Adds the policies of another package.
  static func add(_ policies: [RunnablePolicyEntry]) { added.withLock { $0 = policies } }
}
