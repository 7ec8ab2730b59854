import Rendering
import Results
import Traces

/// The content of a file that an output would replace, and the command that wrote it.
struct FileContent {
  private let mark: WrittenMark?
  /// The first bytes, unpacked.
  private let head: String
  /// The schema of a JSON document of this project that commands write or read.
  private let schema: String?
  private let isReport: Bool
  /// The name in messages.
  private let name: String

  /// Reads the mark and the beginning of a file.
  init(of path: String) {
    mark = WrittenMark(of: path)
    let found = try? TraceLoader.sample(ofFile: path)
    let head = String(decoding: found?.sample.head ?? [], as: UTF8.self)
    self.head = head
    schema = head.prefixMatch(
      of:
        // A merge may have left its mark before the first line.
        /(?:<<<<<<<[^\n]*\n)?\s*{\s*"schema":\s*"(evictionlab\.(?:results|ranking|vectors|claim|score|suite|manifest)[^"]*)"/
    ).map { $0.1 == ResultSet.rankingSchema ? ResultSet.schema : String($0.1) }
    isReport = FileContent.isReport(head) || FileContent.isMarkdownReport(head, path)
    let isTrace = found.map { $0.isPacked || $0.sample.isTrace } ?? false
    name =
      schema != nil
      ? "a JSON document"
      : isReport
        ? "a report"
        : isTrace ? "a trace" : found?.sample.isText == true ? "a text" : "other data"
  }

  /// Returns the reason why this command must not replace the file by such a content; nil where it may.
  ///
  /// - Parameter completes: True where it reads the document that it replaces.
  func refusal(of content: OutputFile.Content, completes: Bool) -> String? {
    let own = WrittenMark.command.withLock { $0 }
    if schema != nil || mark == nil || completes {
      guard isLike(content) else { return "holds \(name), which \(content.name) would replace" }
    }
    if completes { return nil }
    if let mark, !mark.isIntact, schema == nil {
      return "was changed after evict \(mark.command) wrote it"
    }
    if let mark, mark.isIntact {
      return mark.command == own ? nil : "holds what evict \(mark.command) wrote"
    }
    // Other documents and reports say no command.
    if schema != ResultSet.schema { return nil }
    guard let command = documentsCommand else { return "holds results of no single command" }
    return command == own ? nil : "holds results of evict \(command)"
  }

  /// True for a document of the schema, and for what a report of this project begins with.
  private func isLike(_ content: OutputFile.Content) -> Bool {
    switch content {
    case .document(let schema): self.schema == schema
    case .report: isReport
    case .trace: false
    }
  }

  /// The command that a results document says it is of; nil where it names no command, or several.
  private var documentsCommand: String? {
    head.firstMatch(
      of: /"environment":\s*{[^{}]*?"command":\s*"\S+ ([a-z]+)(?:[^"\\]|\\[^n])*"/
    ).map { String($0.1) }
  }

  /// True for the beginning of a report that tells what it is; a table does not.
  private static func isReport(_ head: String) -> Bool {
    let openings = [
      "kind,trace,policy,", "# The claims, tested\n", "%PDF-1.4\n% EvictionLab\n",
      "% EvictionLab: ", "policy,mean,p10,",
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"evictionlab\"",
    ]
    if openings.contains(where: head.hasPrefix) { return true }
    if head.prefixMatch(of: /\s*{\s*"schema":\s*"evictionlab\.(?:comparison|trace)\//) != nil {
      return true
    }
    if head.hasPrefix("<svg ") && head.contains("<desc>\(ChartPicture.opening)") { return true }
    // Earlier pictures carried the style sheet of pages.
    return (head.hasPrefix("<!DOCTYPE html>") || head.hasPrefix("<svg "))
      && head.contains(PageStyle.opening)
  }

  /// True for a report in Markdown behind which nothing was written: its last line is a command.
  private static func isMarkdownReport(_ head: String, _ path: String) -> Bool {
    guard head.prefixMatch(of: /## [^\n]+: \d+ requests, \d+ distinct keys/) != nil,
      let bytes = try? WholeFile.read(path)
    else { return false }
    return bytes.split(separator: 0x0A).last?.starts(with: "    ".utf8) == true
  }
}
