import ArgumentParser
import Laboratory
import Traces

/// In which form results are written, and where.
struct OutputOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The form of the results.", valueName: "name"))
  var format = ReportName(ReportFormats.all[0])

  @OptionGroup var destination: DestinationOptions

  /// Whether the form shows the checksums of the traces.
  var showsChecksums: Bool { format.format.showsChecksums }

  /// Refuses a file that could not be written, before the work is done in vain.
  func check() throws(TraceError) { try destination.check() }

  /// Writes the results, whole or not at all.
  func write(_ results: ResultSet) throws(TraceError) {
    try destination.write { format.format.render(results, style: $0) }
  }
}
