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
  func check() throws(TraceError) { try OutputOptions.check(path) }

  /// Refuses a file that could not be written.
  static func check(_ path: String) throws(TraceError) {
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

  /// Writes the results, whole or not at all.
  func write(_ results: ResultSet) throws(TraceError) {
    let isTerminal = path == "-" && isatty(1) == 1
    let wantsColor = ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    let style = ReportStyle(isColored: isTerminal && wantsColor)
    try WholeFile.write(format.format.render(results, style: style), to: path)
  }
}
