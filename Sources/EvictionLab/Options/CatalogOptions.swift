import ArgumentParser
import Rendering
import Results
import Runner
import Traces

/// The form in which a catalog is printed.
struct CatalogOptions: ParsableArguments {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case table
    case json
  }

  @Option(help: ArgumentHelp("The form: table or json.", valueName: "name"))
  var format = Format.table

  /// Prints one of the two forms, the table within the terminal.
  func print(
    table: (ReportStyle) -> String, catalogs: () -> [(name: String, entries: [JSON])]
  ) throws(TraceError) {
    let text =
      format == .table
      ? table(Terminal.listStyle) : CatalogDocument.json(catalogs()).document
    try WholeFile.write(text, to: "-")
  }
}
