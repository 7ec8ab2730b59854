import Parameters
import Rendering

/// Workflow commands, which GitHub shows beside a run of its Actions.
///
/// - Source: GitHub Docs, “Workflow commands for GitHub Actions”, setting an error message.
enum GitHubAnnotations: ComparisonReport {
  static let information = CatalogEntry(
    name: "github", summary: "annotations for a GitHub Actions run")

  static func render(_ judgement: Judgement, style: ReportStyle) -> String {
    let lines = judgement.items.map { item in
      let title = "\(item.difference.figure) of \(item.difference.cell.policy)"
      return "::\(command(item.severity)) title=\(title.workflowProperty)::"
        + item.difference.sentence.workflowMessage
    }
    let remarks = judgement.remarks.map { "::\(command($0.severity))::\($0.text.workflowMessage)" }
    let summary = "::notice::\(judgement.summary.workflowMessage)"
    return (lines + remarks + [summary]).map { $0 + "\n" }.joined()
  }

  private static func command(_ severity: Judgement.Severity) -> String {
    switch severity {
    case .failure: "error"
    case .advice: "warning"
    case .note: "notice"
    }
  }
}
