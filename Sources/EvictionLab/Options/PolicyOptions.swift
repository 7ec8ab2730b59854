import ArgumentParser
import Eviction
import Laboratory

/// Which policies are run.
struct PolicyOptions: ParsableArguments {
  @Option(
    name: .customLong("policy"),
    help: ArgumentHelp(
      "Policies, such as lru,arc or slru:protected=0.8; all: every one. See evict policies.",
      valueName: "list"))
  var policyTexts: [String] = ["all"]

  /// The policies asked for.
  func policies() throws(PolicyError) -> [PolicyChoice] {
    try PolicyChoice.parse(policyTexts, among: EvictionLabCommand.policies)
  }
}
