import ArgumentParser
import Eviction
import Laboratory

/// Which policies are run, and how large their caches are.
struct PolicyOptions: ParsableArguments {
  @Option(
    name: .customLong("policy"),
    help: ArgumentHelp(
      "Policies, such as lru,arc or slru:protected=0.8; all: every one. See evict policies.",
      valueName: "list"))
  var policyTexts: [String] = ["all"]

  @Option(
    name: .customLong("capacity"),
    help: ArgumentHelp(
      "Capacities: objects (1000, 1e6), a share of the distinct keys (1%), bytes (64MiB).",
      valueName: "list"))
  var capacityTexts: [String] = ["0.1%,1%,10%"]

  @Flag(name: .customLong("sized"), help: "Objects count their bytes; else each counts one.")
  var asksForSizes = false

  /// The policies asked for.
  func policies() throws(PolicyError) -> [PolicyChoice] {
    try PolicyChoice.parse(policyTexts, among: EvictionLabCommand.policies)
  }

  /// The capacities asked for.
  func capacities() throws(SweepError) -> [Capacity] {
    try Capacity.list(parsing: capacityTexts.joined(separator: ","))
  }
}
