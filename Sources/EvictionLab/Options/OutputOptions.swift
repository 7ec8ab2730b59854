import ArgumentParser
import Foundation
import Laboratory
import Traces

/// In which form results are written, and where.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The form: \(ReportFormats.names.joined(separator: ", ")).", valueName: "name"),
    transform: { text throws(ValidationError) in try OutputOptions.format(text) })
  var format: any ReportFormat.Type = ReportFormats.all[0]

  @Option(help: ArgumentHelp("The file to write; else standard output.", valueName: "file"))
  var output: String?

  private static func format(_ name: String) throws(ValidationError) -> any ReportFormat.Type {
    guard let format = ReportFormats.format(named: name) else {
      throw ValidationError(
        "“\(name)” is no report format; choose one of \(ReportFormats.names.joined(separator: ", "))"
      )
    }
    return format
  }

  /// Refuses a file that could not be written, before the work is done in vain.
  func check() throws(TraceError) {
    guard let output, output != "-" else { return }
    let parts = output.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let folder = parts.isEmpty ? "." : parts.joined(separator: "/") + "/"
    var status = stat()
    if stat(output, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw .folder(file: output)
    }
    if access(folder, F_OK) != 0 { throw .missing(file: folder) }
    if access(folder, W_OK) != 0 {
      throw .io(file: output, action: "create", byte: 0, code: errno)
    }
  }

  /// Writes the results, whole or not at all.
  func write(_ results: ResultSet) throws(TraceError) {
    let isTerminal = (output == nil || output == "-") && isatty(1) == 1
    let wantsColor = ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    let style = ReportStyle(isColored: isTerminal && wantsColor)
    try WholeFile.write(format.render(results, style: style), to: output ?? "-")
  }
}
