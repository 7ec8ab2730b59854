import ArgumentParser
import Laboratory

/// How large caches are.
struct CapacityOptions: ParsableArguments {
  @Option(
    name: .customLong("capacity"),
    help: ArgumentHelp(
      "Capacities: objects (1000, 1e6), a share of the distinct keys (1%), bytes (64MiB).",
      valueName: "list"))
  var capacityTexts: [String] = ["0.1%,1%,10%"]

  @Flag(name: .customLong("sized"), help: "Objects count their bytes; else each counts one.")
  var asksForSizes = false

  /// The capacities asked for.
  func capacities() throws(SweepError) -> [Capacity] {
    try Capacity.list(parsing: capacityTexts.joined(separator: ","))
  }
}
