import Parameters
import Rendering
import Results

/// Tables for a paper, with the rules of the package booktabs: the percentiles over the traces where there
/// are enough, then one table per trace, the best hit ratios in bold. The speed of simulations is left out.
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
      ReportSection.sections(of: results.ranked, bounds: style.bounds, showsSpeed: false)
      + ReportSection.sections(ofEstimatesIn: results)
    return "% EvictionLab: \\usepackage{booktabs}\n"
      + (ranking.hasPercentiles ? table(ranking.percentiles, title: ranking.valueName) : "")
      + sections.map { table($0.table, title: $0.title) }.joined()
  }

  private static func table(_ table: TextTable, title: String) -> String {
    let alignments = table.columns.map { $0.alignment == .right ? "r" : "l" }.joined()
    let groups = table.groups.map { rows in
      rows.map { cells in
        zip(cells, table.columns).map { cell, column -> String in
          let text = column.alignment == .right ? cell.text.latexNumber : cell.text.latexEscaped
          return cell.isBest ? "\\textbf{\(text)}" : text
        }.latexRow
      }.joined()
    }
    return "\n% \(title.printable)\n\\begin{tabular}{\(alignments)}\n\\toprule\n"
      + table.columns.map(\.title.latexEscaped).latexRow + "\\midrule\n"
      + groups.joined(separator: "\\addlinespace\n") + "\\bottomrule\n\\end{tabular}\n"
  }
}

extension [String] {
  /// The cells as a row of a table.
  var latexRow: String { joined(separator: " & ") + " \\\\\n" }
}
