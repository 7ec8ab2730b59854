import Traces

/// A table for a pull request's comment.
enum ComparisonMarkdown: ComparisonReport {
  static let information = CatalogEntry(name: "markdown", summary: "a table for a comment")

  static func render(_ judgement: Judgement, style: ReportStyle) -> String {
    var parts = ["**\(judgement.summary.markdownEscaped)**\n"]
    parts += judgement.remarks.map { $0.line.markdownEscaped + "\n" }
    if !judgement.items.isEmpty {
      parts.append(MarkdownReport.table(ComparisonTable.table(of: judgement)))
    }
    return parts.joined(separator: "\n")
  }
}
