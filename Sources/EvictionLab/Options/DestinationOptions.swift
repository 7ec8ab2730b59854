import ArgumentParser
import Foundation
import Rendering
import Traces

/// Where a report is written.
struct DestinationOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The file to write; else standard output.", valueName: "file"))
  var output: String?

  private var path: String { output ?? "-" }

  /// The file; nil for standard output and devices.
  var file: String? { output.flatMap { OutputFile.isFile($0) ? $0 : nil } }

  /// Refuses a file that could not be written, or whose loss would hurt, before the work is done in vain.
  func check(
    _ content: OutputFile.Content = .report, inputs: [String]
  ) throws(TraceError) {
    try OutputFile.check(path, content, inputs: inputs)
  }

  /// Writes a report as the place can show it, whole or not at all.
  func write(_ report: (ReportStyle) -> String) throws(TraceError) {
    let isTerminal = path == "-" && isatty(1) == 1
    let wantsColor = ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    try WholeFile.write(report(ReportStyle(isColored: isTerminal && wantsColor)), to: path)
  }
}
