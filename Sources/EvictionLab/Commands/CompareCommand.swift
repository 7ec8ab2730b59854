import ArgumentParser
import Comparison

/// `evict compare`: two results documents, and what differs.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Say what differs between two results documents.",
    discussion: """
      Counts of simulations and of replays on one thread, and points of curves, are exact: any \
      difference is real. Instructions and times are compared where both were measured by evict \
      speed, by one compiler on one kind of machine; single timings prove nothing and are left \
      out. What several threads hit depends on who comes first and is not compared.

      Of runs made with sweep --windows it is said what their difference is in future windows of the \
      trace; also of two policies, one in each document.

      Examples:
        evict compare before.json after.json
        evict compare before.json after.json --format markdown
        evict compare lru.json arc.json
      """)

  @Argument(help: ArgumentHelp("The results before.", valueName: "before"))
  var before: String

  @Argument(help: ArgumentHelp("The results after.", valueName: "after"))
  var after: String

  @OptionGroup var comparison: ComparisonOptions

  func run() throws {
    try comparison.destination.check(inputs: [before, after])
    let found = try ResultComparison(
      before: Document.results(of: before),
      after: Document.results(of: after),
      tolerances: comparison.tolerances, bounds: KnownPolicies.bounds)
    try comparison.write(.information(found))
  }
}
