import ArgumentParser
import Foundation
import Laboratory
import Traces

/// `evict report`: a results document in another form.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Show results as a table, Markdown, CSV or JSON.",
    discussion: """
      Examples:
        evict report results/replay.json
        evict report results/replay.json --format markdown --output replay.md
      """)

  @Argument(
    help: ArgumentHelp(
      "A results document, as --format json writes it; - reads standard input.",
      valueName: "results"))
  var results: String

  @OptionGroup var output: OutputOptions

  func run() throws {
    try output.check()
    try output.write(ResultSet(reading: ReportCommand.bytes(of: results), file: results))
  }

  /// A file's bytes, or those of standard input.
  private static func bytes(of path: String) throws(TraceError) -> Data {
    do {
      if path == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      var isFolder: ObjCBool = false
      if !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
        throw .missing(file: path)
      }
      if isFolder.boolValue { throw .folder(file: path) }
      throw .io(file: path, action: "read", byte: 0, code: EIO)
    }
  }
}
