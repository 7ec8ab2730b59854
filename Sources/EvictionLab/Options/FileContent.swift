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
  /// The form of a report of this project; nil for other content, and for a table, which tells no form.
  private let form: String?
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
    form =
      FileContent.form(of: head)
      ?? (FileContent.isMarkdownReport(head, path) ? "markdown" : nil)
    let isTrace = found.map { $0.isPacked || $0.sample.isTrace } ?? false
    name =
      schema != nil
      ? "a JSON document"
      : form != nil
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
    if let mark, mark.isIntact, mark.command != own {
      return "holds what evict \(mark.command) wrote"
    }
    // Variants such as svg-dark are of one form.
    if case .results(let name) = content, let form, !name.hasPrefix(form) {
      return "holds a report as \(form), which \(name) would replace"
    }
    if mark?.isIntact == true { return nil }
    // Other documents and reports say no command.
    if schema != ResultSet.schema { return nil }
    guard let command = documentsCommand else { return "holds results of no single command" }
    return command == own ? nil : "holds results of evict \(command)"
  }

  /// True for a document of the schema, and for what a report of this project begins with.
  private func isLike(_ content: OutputFile.Content) -> Bool {
    switch content {
    case .document(let schema): self.schema == schema
    case .report, .results: form != nil
    case .trace: false
    }
  }

  /// The command that a results document says it is of; nil where it names no command, or several.
  private var documentsCommand: String? {
    head.firstMatch(
      of: /"environment":\s*{[^{}]*?"command":\s*"\S+ ([a-z]+)(?:[^"\\]|\\[^n])*"/
    ).map { String($0.1) }
  }

  /// The form of a report that tells by its beginning what it is.
  private static func form(of head: String) -> String? {
    let openings = [
      ("kind,trace,policy,", "csv"), ("# The claims, tested\n", "markdown"),
      ("%PDF-1.4\n% EvictionLab\n", "pdf"), ("% EvictionLab: ", "latex"),
      ("policy,mean,p10,", "csv"),
      ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"evictionlab\"", "junit"),
    ]
    if let opening = openings.first(where: { head.hasPrefix($0.0) }) { return opening.1 }
    if head.prefixMatch(of: /\s*{\s*"schema":\s*"evictionlab\.(?:comparison|trace)\//) != nil {
      return "json"
    }
    // Earlier pictures carried the style sheet of pages.
    if head.hasPrefix("<svg ") {
      let isOurs =
        head.contains("<desc>\(ChartPicture.opening)") || head.contains(PageStyle.opening)
      return isOurs ? "svg" : nil
    }
    return head.hasPrefix("<!DOCTYPE html>") && head.contains(PageStyle.opening) ? "html" : nil
  }

  /// True for a report in Markdown behind which nothing was written: its last line is a command.
  private static func isMarkdownReport(_ head: String, _ path: String) -> Bool {
    guard head.prefixMatch(of: /## [^\n]+: \d+ requests, \d+ distinct keys/) != nil,
      let bytes = try? WholeFile.read(path)
    else { return false }
    return bytes.split(separator: 0x0A).last?.starts(with: "    ".utf8) == true
  }
}
