import ArgumentParser
import Parameters
import Results
import Traces

/// `evict report`: results documents in another form.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Show results: table, Markdown, CSV, JUnit, a page.",
    usage: "evict report <results> ... [<options>]",
    discussion: """
      Examples:
        evict report results/locks.json
        evict report results/locks.json --format html --output locks.html

      Several documents are shown as one; other traces of one name are told apart. Documents of different \
      environments compare by their hits, not by their times.
      """)

  @Argument(
    help: ArgumentHelp(
      "Results documents, as --format json writes them; - reads standard input.",
      valueName: "results"))
  var documents: [String]

  @Option(
    help: ArgumentHelp(
      "Policies that stand out on a page where there are too many for colours.", valueName: "list"))
  var highlight: [String] = []

  @OptionGroup var output: OutputOptions

  func run() throws {
    try output.check(inputs: documents)
    var results: [ResultSet] = []
    for file in documents {
      results.append(try Document.results(of: file))
    }
    try ResultSet.checkContradictions(Array(zip(documents, results)).map { ($0, $1) })
    let joined = ResultSet(joining: results)
    let names = highlight.flatMap { $0.split(separator: ",").map(String.init) }
    try check(names, of: joined)
    results.warnOfDifferentEnvironments()
    try output.write(joined, highlighted: names)
  }

  /// Refuses names that no result bears.
  private func check(_ names: [String], of results: ResultSet) throws(ValidationError) {
    let known = (results.measurements.map(\.contender) + results.curves.map(\.policyLabel)).unique
    for name in names where !known.contains(name) {
      throw ValidationError(
        "no result to highlight is called “\(name)”; \(known.remedy(for: name))")
    }
  }
}
