import Parameters
import Rendering

/// Workflow commands, which GitHub shows beside a run of its Actions: one for each policy and severity, because it
/// shows ten of a step.
///
/// - Source: GitHub Docs, “Workflow commands for GitHub Actions”, setting an error message.
enum GitHubAnnotations: ComparisonReport {
  static let information = CatalogEntry(
    name: "github", summary: "annotations for a GitHub Actions run")

  static func render(_ judgement: Judgement, style: ReportStyle) -> String {
    let lines = Judgement.Severity.allCases.flatMap { severity in
      judgement.items.filter { $0.severity == severity }.map(\.difference)
        .grouped(by: \.cell.policy)
        .map { "::\(command(severity)) " + annotation($0, of: judgement) }
    }
    let remarks = judgement.remarks.map { "::\(command($0.severity))::\($0.text.workflowMessage)" }
    let summary = "::notice::\(judgement.summary.workflowMessage)"
    return (lines + remarks + [summary]).map { $0 + "\n" }.joined()
  }

  /// The differences of one policy: the largest in full, and the number of runs that differ.
  private static func annotation(_ differences: [Difference], of judgement: Judgement) -> String {
    let (policy, figures) = (differences[0].cell.policy, differences.map(\.figure).unique)
    let first = differences.filter { $0.figure == figures[0] }
    let largest = first.max { abs($0.growth ?? 0) < abs($1.growth ?? 0) } ?? first[0]
    let runs = judgement.cells.count { $0.policy == policy }
    let differing = differences.map(\.cell).unique.count
    let rest = runs == 1 || differences.count == 1 ? "" : "; \(differing) of \(runs) runs differ"
    let title = "\(figures.joined(separator: ", ")) of \(policy)"
    return "title=\(title.workflowProperty)::" + (largest.sentence + rest).workflowMessage
  }

  private static func command(_ severity: Judgement.Severity) -> String {
    switch severity {
    case .failure: "error"
    case .advice: "warning"
    case .note: "notice"
    }
  }
}
