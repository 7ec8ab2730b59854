import ArgumentParser
import EvictionCore
import Experiments
import Runner

/// The policies and capacities of a command by default.
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

/// None: the user names the one policy and its capacity.
enum OneCell: UsualCells {
  static let policies: [String] = []
  static let capacities: [String] = []
}

/// The policies that are run.
struct PolicyOptions<Usual: UsualCells>: ParsableArguments {
  @Option(
    name: .customLong("policy"),
    help: ArgumentHelp(
      "Policies, such as lru,slru:protected=0.8 (evict policies), all, or all,-random.",
      valueName: "list"))
  var policyTexts: [String] = Usual.policies

  /// The policies, each once.
  func policies() throws(PolicyError) -> [PolicyChoice] {
    try KnownPolicies.named(policyTexts)
  }
}

/// The capacities of the caches.
struct CapacityOptions<Usual: UsualCells>: ParsableArguments {
  @Option(
    name: .customLong("capacity"),
    help: ArgumentHelp(
      "Objects (1000), a fraction of the keys (1%), or bytes (64MiB).",
      valueName: "list"))
  var capacityTexts: [String] = Usual.capacities

  @Flag(name: .customLong("sized"), help: "Measure capacity in bytes (default: objects).")
  var asksForSizes = false

  /// The capacities, and whether they count bytes.
  func capacities() throws(PlanError) -> (list: [Capacity], isSized: Bool) {
    let list =
      capacityTexts.isEmpty ? [] : try Capacity.list(parsing: capacityTexts.joined(separator: ","))
    return (list, try ExperimentPlan.isSized(list, asked: asksForSizes))
  }
}
