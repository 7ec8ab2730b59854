import ArgumentParser
import EvictionCore
import Experiments

/// What a command runs where its flags do not say.
protocol UsualCells: SendableMetatype {
  /// Policies, as `--policy` takes them.
  static var policies: [String] { get }
  /// Capacities, as `--capacity` takes them.
  static var capacities: [String] { get }
}

/// Every policy at three capacities.
enum EveryPolicy: UsualCells {
  static let policies = ["all"]
  static let capacities = ["0.1%,1%,10%"]
}

/// LRU at three capacities.
enum LRUAlone: UsualCells {
  static let policies = ["lru"]
  static let capacities = EveryPolicy.capacities
}

/// LRU at as many capacities as its curve has points.
enum LRUCurve: UsualCells {
  static let policies = ["lru"]
  static let capacities: [String] = []
}

/// The policies that are run.
struct PolicyOptions<Usual: UsualCells>: ParsableArguments {
  @Option(
    name: .customLong("policy"),
    help: ArgumentHelp(
      "Policies, such as lru,arc or slru:protected=0.8; all: every one. See evict policies.",
      valueName: "list"))
  var policyTexts: [String] = Usual.policies

  /// The policies, each once.
  func policies() throws(PolicyError) -> [PolicyChoice] {
    try PolicyChoice.parse(policyTexts, among: EvictionLabCommand.policies)
  }
}
