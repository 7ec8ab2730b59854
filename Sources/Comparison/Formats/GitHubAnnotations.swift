import Parameters
import Rendering

/// Workflow commands, which GitHub shows beside a run of its Actions: one for each policy and severity, because it
/// shows ten of a step.
///
/// - Source: GitHub Docs, “Workflow commands for GitHub Actions”, setting an error message.
package enum GitHubAnnotations: ComparisonReport {
  package static let information = CatalogEntry(
    name: "github", summary: "annotations for a GitHub Actions run")

  package static func render(_ judgement: Judgement, style: ReportStyle) -> String {
    let lines = Judgement.Severity.allCases.flatMap { severity in
      judgement.items.filter { $0.severity == severity }.map(\.difference)
        .grouped(by: \.cell.policy)
        .map { "::\(command(severity)) " + annotation($0, of: judgement) }
    }
    let remarks = judgement.remarks.map { "::\(command($0.severity))::\($0.text.workflowMessage)" }
    let summary = "::notice::\(judgement.summary.workflowMessage)"
    return (lines + remarks + [summary]).map { $0 + "\n" }.joined()
  }

  package static func report(onError problem: String) -> String? {
    "::error::\(problem.workflowMessage)\n"
  }

  /// The differences of one policy: the largest in full, of those for the worse where there are any, and the number of
  /// runs that differ.
  private static func annotation(_ differences: [Difference], of judgement: Judgement) -> String {
    let (policy, figures) = (differences[0].cell.policy, differences.map(\.figure).unique)
    let first = differences.filter { $0.figure == figures[0] }
    let worse = first.filter { $0.isBetter == false }
    let told = worse.isEmpty ? first : worse
    let largest = told.max { abs($0.growth ?? 0) < abs($1.growth ?? 0) } ?? told[0]
    let differing = differences.map(\.cell).unique.count
    // A curve that is missing is none of the cells.
    let runs = max(judgement.cells.count { $0.policy == policy }, differing)
    var rest = runs == 1 || differences.count == 1 ? "" : "; \(differing) of \(runs) runs differ"
    if !worse.isEmpty, case let better = first.count(where: { $0.isBetter == true }), better > 0 {
      rest += ", \(worse.count) for the worse and \(better) for the better"
    }
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
