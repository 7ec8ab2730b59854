import Traces

/// Workflow commands, which GitHub shows beside a run of its Actions.
///
/// - Source: GitHub Docs, “Workflow commands for GitHub Actions”, setting an error message.
enum GitHubAnnotations: ComparisonReport {
  static let information = CatalogEntry(
    name: "github", summary: "annotations for a GitHub Actions run")

  static func render(_ judgement: Judgement, style: ReportStyle) -> String {
    let lines = judgement.items.map { item in
      let command =
        switch item.severity {
        case .failure: "error"
        case .advice: "warning"
        case .note: "notice"
        }
      let title = "\(item.difference.figure) of \(item.difference.cell.policy)"
      return "::\(command) title=\(property(title))::\(data(item.difference.sentence))"
    }
    let remarks = (judgement.remarks + [judgement.summary]).map { "::notice::\(data($0))" }
    return (lines + remarks).map { $0 + "\n" }.joined()
  }

  private static func data(_ text: String) -> String {
    text.map { ["%": "%25", "\r": "%0D", "\n": "%0A"][$0] ?? "\($0)" }.joined()
  }

  private static func property(_ text: String) -> String {
    data(text).map { [":": "%3A", ",": "%2C"][$0] ?? "\($0)" }.joined()
  }
}
