import ArgumentParser
import Foundation
import Laboratory
import Traces

/// Where a report is written.
struct DestinationOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The file to write; else standard output.", valueName: "file"))
  var output: String?

  private var path: String { output ?? "-" }

  /// Refuses a file that could not be written, before the work is done in vain.
  func check() throws(TraceError) {
    if path == "-" { return }
    var status = stat()
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR { throw .folder(file: path) }
      if status.st_mode & S_IFMT != S_IFREG { return }
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    if access(folder, F_OK) != 0 { throw .missing(file: folder) }
    if access(folder, W_OK) != 0 {
      throw .io(file: path, action: "create", byte: 0, code: errno)
    }
  }

  /// Writes a report as the place can show it, whole or not at all.
  func write(_ report: (ReportStyle) -> String) throws(TraceError) {
    let isTerminal = path == "-" && isatty(1) == 1
    let wantsColor = ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    try WholeFile.write(report(ReportStyle(isColored: isTerminal && wantsColor)), to: path)
  }
}
