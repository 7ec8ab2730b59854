import Parameters
import Rendering

/// A table for a pull request's comment.
enum ComparisonMarkdown: ComparisonReport {
  static let information = CatalogEntry(name: "markdown", summary: "a table for a comment")

  static func render(_ judgement: Judgement, style: ReportStyle) -> String {
    var parts = ["**\(judgement.summary.markdownEscaped)**\n"]
    parts += judgement.remarks.map { $0.line.markdownEscaped + "\n" }
    if !judgement.items.isEmpty {
      parts.append(ComparisonTable.table(of: judgement).markdown)
    }
    return parts.joined(separator: "\n")
  }
}
