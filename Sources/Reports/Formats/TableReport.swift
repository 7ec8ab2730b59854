import Parameters
import Rendering
import Results

/// Aligned columns for a terminal.
///
///     OLTP.lis.zst: 914145 requests, 186880 distinct keys
///
///     capacity  policy  hit ratio %    hits  M requests/s
///         1000  lru          32.83   300122         38.47
///         1000  arc          38.95*  356015         15.90
enum TableReport: ReportFormat {
  static let information = CatalogEntry(
    name: "table", summary: "aligned columns for a terminal, the best hit ratios marked")

  static func render(_ results: ResultSet, style: ReportStyle) -> String {
    let sections =
      ReportSection.sections(of: results, bounds: style.bounds)
      + ReportSection.sections(of: results.estimates)
    var parts = sections.flatMap { section in
      ["\(section.title.printable)\n\n" + section.table.text(style: style)]
        + section.explanations.map { $0.printable + "\n" }
    }
    if let note = results.incompleteNote { parts.append(note + "\n") }
    return parts.joined(separator: "\n")
  }
}
