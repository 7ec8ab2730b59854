import ArgumentParser
import Parameters
import Rendering
import Reports
import Traces

/// `evict formats`: the catalogs of trace formats, generators and report formats.
struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "List formats, generators, sizes and times.",
    discussion: """
      Examples:
        evict formats
        evict formats csv
        evict formats zipf
      """)

  @Argument(help: ArgumentHelp("A format to describe with its parameters.", valueName: "name"))
  var name: String?

  @OptionGroup var catalog: CatalogOptions

  private static let catalogs: [(name: String, title: String, entries: [CatalogEntry])] = [
    ("formats", "trace format", TraceFormats.all.map { $0.information }),
    ("generators", "generator", TraceGenerators.all.map { $0.information }),
    ("times", "arrival times", ArrivalTimes.kinds),
    ("sizes", "size distribution", SizeDistributions.all.map { $0.information }),
    ("reports", "report format", ReportFormats.all.map { $0.information }),
  ]

  func run() throws {
    var catalogs = FormatsCommand.catalogs
    if let name {
      catalogs = catalogs.map { ($0.name, $0.title, $0.entries.filter { $0.name == name }) }
        .filter { !$0.entries.isEmpty }
      if catalogs.isEmpty { throw unknown(name) }
    }
    try catalog.print(
      table: { catalogs.map { text($0.title, $0.entries) }.joined(separator: "\n") },
      catalogs: { catalogs.map { ($0.name, $0.entries.map(\.json)) } })
  }

  private func text(_ title: String, _ entries: [CatalogEntry]) -> String {
    name == nil ? list(title, entries) : describe(title, entries[0])
  }

  private func unknown(_ name: String) -> ValidationError {
    let known = FormatsCommand.catalogs.flatMap(\.entries).map(\.name)
    return ValidationError("no format is called “\(name)”; \(known.remedy(for: name))")
  }

  private func list(_ title: String, _ entries: [CatalogEntry]) -> String {
    var table = TextTable([TextTable.Column(title), TextTable.Column("what it is")])
    for entry in entries { table.append(["\(entry.name)", "\(entry.summary)"]) }
    return table.text()
  }

  private func describe(_ title: String, _ entry: CatalogEntry) -> String {
    let parameters = TextTable(parameters: entry.parameters).text()
    return "\(title) \(entry.name): \(entry.summary)\n"
      + (entry.parameters.isEmpty ? "no parameters\n" : "\n" + parameters)
  }
}
