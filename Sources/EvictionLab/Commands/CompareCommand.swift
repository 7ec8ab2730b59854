import ArgumentParser
import Comparison

/// `evict compare`: two results documents, and what differs.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Say what differs between two results documents.",
    usage: "evict compare <before> <after> [<options>]",
    discussion: """
      Examples:
        evict sweep traces/search.txt.zst --policy lru --format json --output a.json
        evict sweep traces/search.txt.zst --policy arc --format json --output b.json
        evict compare a.json b.json

      Counts of one thread and points of curves are exact: any difference is real. Instructions and times \
      are compared where both documents are of evict speed, one compiler and one kind of machine. With \
      sweep --windows, the difference is also estimated for a stationary process like the trace. All \
      options: --help-hidden, or man evict.
      """)

  @Argument(help: ArgumentHelp("The results before.", valueName: "before"))
  var before: String

  @Argument(help: ArgumentHelp("The results after.", valueName: "after"))
  var after: String

  @OptionGroup var comparison: ComparisonOptions

  func run() throws {
    _ = try comparison.comparing([before, after]) {
      let after = try Document.results(of: after)
      let found = try ResultComparison(
        before: Document.results(of: before), after: after, tolerances: comparison.tolerances,
        bounds: KnownPolicies.bounds)
      return (after, .information(found))
    }
  }
}
