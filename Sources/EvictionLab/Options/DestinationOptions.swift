import ArgumentParser
import Foundation
import Rendering
import Traces

/// Where a report is written.
struct DestinationOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The file to write; else standard output.", valueName: "file"))
  var output: String?

  private var path: String { output ?? "-" }

  /// Refuses a file that could not be written, before the work is done in vain.
  func check() throws(TraceError) { try OutputFile.check(path) }

  /// Writes a report as the place can show it, whole or not at all.
  func write(_ report: (ReportStyle) -> String) throws(TraceError) {
    let isTerminal = path == "-" && isatty(1) == 1
    let wantsColor = ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    try WholeFile.write(report(ReportStyle(isColored: isTerminal && wantsColor)), to: path)
  }
}
