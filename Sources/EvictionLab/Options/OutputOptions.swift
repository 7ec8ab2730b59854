import ArgumentParser
import Foundation
import Laboratory
import Traces

/// In which form results are written, and where.
struct OutputOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The form of the results.", valueName: "name"))
  var format = ReportName(ReportFormats.all[0])

  @Option(help: ArgumentHelp("The file to write; else standard output.", valueName: "file"))
  var output: String?

  private var path: String { output ?? "-" }

  /// Whether the form shows the checksums of the traces.
  var showsChecksums: Bool { format.format.showsChecksums }

  /// Refuses a file that could not be written, before the work is done in vain.
  func check() throws(TraceError) { try OutputFile.check(path) }

  /// Writes the results, whole or not at all.
  func write(_ results: ResultSet) throws(TraceError) {
    let isTerminal = path == "-" && isatty(1) == 1
    let wantsColor = ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    let style = ReportStyle(isColored: isTerminal && wantsColor)
    try WholeFile.write(format.format.render(results, style: style), to: path)
  }
}
