import ArgumentParser
import Parameters
import Rendering
import Reports
import Runner
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
      """)

  @Argument(help: ArgumentHelp("A format to describe with its parameters.", valueName: "name"))
  var name: String?

  @OptionGroup var catalog: CatalogOptions

  private static let catalogs: [(name: String, title: String, entries: [CatalogEntry])] = [
    ("formats", "trace format", TraceFormats.all.map { $0.information }),
    ("generators", "generator", TraceGenerators.all.map { $0.information }),
    ("prompts", "generator of prompts", PromptGenerators.all.map { $0.information }),
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
      table: { style in catalogs.map { text($0.title, $0.entries, style) }.joined(separator: "\n")
      },
      catalogs: { catalogs.map { ($0.name, $0.entries.map(\.json)) } })
  }

  private func text(
    _ title: String, _ entries: [CatalogEntry], _ style: ReportStyle
  ) -> String {
    name == nil ? list(title, entries, style) : describe(title, entries[0], style)
  }

  private func unknown(_ name: String) -> ValidationError {
    let known = FormatsCommand.catalogs.flatMap(\.entries)
    return ValidationError("no format is called “\(name)”; \(known.remedy(for: name))")
  }

  private func list(
    _ title: String, _ entries: [CatalogEntry], _ style: ReportStyle
  ) -> String {
    TextTable(title, "what it is", entries.map { ($0.name, $0.summary) }).text(style: style)
  }

  private func describe(
    _ title: String, _ entry: CatalogEntry, _ style: ReportStyle
  ) -> String {
    let parameters = TextTable(parameters: entry.parameters).text(style: style)
    return "\(title) \(entry.name): \(entry.summary)\n"
      + (entry.parameters.isEmpty ? "no parameters\n" : "\n" + parameters)
  }
}
