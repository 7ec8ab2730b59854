import ArgumentParser
import Experiments

/// The capacities of the caches.
struct CapacityOptions<Usual: UsualCells>: ParsableArguments {
  @Option(
    name: .customLong("capacity"),
    help: ArgumentHelp(
      "Capacities: objects (1000, 1e6), a share of the distinct keys (1%), bytes (64MiB).",
      valueName: "list"))
  var capacityTexts: [String] = Usual.capacities

  @Flag(name: .customLong("sized"), help: "Objects count their bytes; else each counts one.")
  var asksForSizes = false

  /// The capacities, and whether they count bytes.
  func capacities() throws(PlanError) -> (list: [Capacity], isSized: Bool) {
    let list =
      capacityTexts.isEmpty ? [] : try Capacity.list(parsing: capacityTexts.joined(separator: ","))
    return (list, try ExperimentPlan.isSized(list, asked: asksForSizes))
  }
}
