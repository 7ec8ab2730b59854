import Parameters
import Rendering
import Results

/// Tables for a paper, with the rules of the package booktabs: the percentiles over the traces where there
/// are enough, then one table per trace, the best hit ratios in bold.
///
///     \begin{tabular}{rlr}
///     \toprule
///     capacity & policy & hit ratio \% \\
///     \midrule
///     1000 & arc & \textbf{38.95} \\
enum LaTeXReport: ReportFormat {
  static let information = CatalogEntry(
    name: "latex", summary: "tables for a paper, with the package booktabs")

  static func render(_ results: ResultSet, style: ReportStyle) -> String {
    let ranking = ResultsView(results, style: style).ranking
    let sections =
      ReportSection.sections(of: results.ranked, bounds: style.bounds)
      + ReportSection.sections(of: results.estimates)
    return "% EvictionLab: \\usepackage{booktabs}\n"
      + (ranking.hasPercentiles ? table(ranking.percentiles, title: ranking.valueName) : "")
      + sections.map { table($0.table, title: $0.title) }.joined()
  }

  private static func table(_ table: TextTable, title: String) -> String {
    func row(_ cells: [String]) -> String { cells.joined(separator: " & ") + " \\\\\n" }
    let alignments = table.columns.map { $0.alignment == .right ? "r" : "l" }.joined()
    let groups = table.groups.map { rows in
      rows.map { cells in
        row(
          cells.map {
            $0.isBest ? "\\textbf{\($0.text.latexEscaped)}" : $0.text.latexEscaped
          })
      }.joined()
    }
    return "\n% \(title.printable)\n\\begin{tabular}{\(alignments)}\n\\toprule\n"
      + row(table.columns.map(\.title.latexEscaped)) + "\\midrule\n"
      + groups.joined(separator: "\\addlinespace\n") + "\\bottomrule\n\\end{tabular}\n"
  }
}
