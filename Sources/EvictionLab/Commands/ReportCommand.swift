import ArgumentParser
import Laboratory
import Traces

/// `evict report`: a results document in another form.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Show results as a table, Markdown, CSV or JSON.",
    discussion: """
      Examples:
        evict report results/replay.json
        evict report results/replay.json --format markdown --output replay.md
      """)

  @Argument(
    help: ArgumentHelp(
      "A results document, as --format json writes it; - reads standard input.",
      valueName: "results"))
  var results: String

  @OptionGroup var output: OutputOptions

  func run() throws {
    try output.check()
    try output.write(ResultSet(reading: Document.bytes(of: results), file: results))
  }
}
