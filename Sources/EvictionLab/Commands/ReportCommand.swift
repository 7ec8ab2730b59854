import ArgumentParser
import Parameters
import Reports
import Results
import Traces

/// `evict report`: results documents in another form.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Show results: tables, LaTeX, a page, figures.",
    usage: "evict report <results> ... [<options>]",
    discussion: """
      Examples:
        evict report results/locks.json
        evict report results/locks.json --format html --output locks.html
        evict report results/claims/C1.json --format html --output claim.html
        evict report results/reference/*.json --format pdf --output curves.pdf

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
      "Policies that have the first colours, in this order: the same in all figures that name them.",
      valueName: "list"))
  var highlight: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Show the results of these traces only.", valueName: "name"))
  var trace: [String] = []

  @Option(
    help: ArgumentHelp(
      "Sections whose charts a picture (svg, svg-dark, pdf) shows: "
        + "\(ResultsSections.pictured.joined(separator: ", ")).", valueName: "list"))
  var charts = "curves"

  @Option(help: ArgumentHelp("Charts in a row of a picture.", valueName: "n"))
  var columns = 1

  @Flag(
    help: ArgumentHelp(
      "Leave out what tells the traces: names, files' checksums, commands.", visibility: .detail))
  var anonymous = false

  @OptionGroup var output: OutputOptions

  private var pictured: [String] { charts.split(separator: ",").map(String.init) }

  func validate() throws {
    if pictured.isEmpty {
      let known = ResultsSections.pictured.joined(separator: ", ")
      throw ValidationError("--charts names no section; give some of \(known)")
    }
    for name in pictured where !ResultsSections.pictured.contains(name) {
      throw ValidationError(
        "no section of charts is called “\(name)”; \(ResultsSections.pictured.remedy(for: name))")
    }
    if columns < 1 { throw ValidationError("--columns must be at least 1") }
  }

  func run() throws {
    try output.check(inputs: documents)
    let contents = try documents.map { (file: $0, bytes: try Document.bytes(of: $0)) }
    if contents.contains(where: { ClaimDocument.isLike($0.bytes) }) {
      let claims = try contents.map { try ClaimDocument(reading: $0.bytes, file: $0.file) }
      return try output.write(claims)
    }
    let results = ResultSet.countingOnce(
      try contents.map { try ResultSet(reading: $0.bytes, file: $0.file) })
    let named = Array(zip(documents, results)).map { (file: $0, results: $1) }
    try ResultSet.checkDelays(named)
    try ResultSet.checkContradictions(named)
    let joined = try chosen(of: ResultSet(joining: results))
    let names = highlight.flatMap { $0.split(separator: ",").map(String.init) }
    try check(names, of: joined)
    results.warnOfDifferentEnvironments()
    try output.write(anonymous ? joined.anonymous : joined) { style in
      style.highlighted = names
      style.pictured = pictured
      style.chartColumns = columns
    }
  }

  /// The results of the chosen traces; all, where none was chosen.
  private func chosen(of results: ResultSet) throws(ValidationError) -> ResultSet {
    if trace.isEmpty { return results }
    let known = (results.measurements.map(\.trace) + results.curves.map(\.trace)).unique
    for name in trace where !known.contains(name) {
      throw ValidationError("no result is of a trace “\(name)”; \(known.remedy(for: name))")
    }
    return results.withoutTraces(
      Set(results.traces.map(\.name) + known).subtracting(trace))
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
