import Parameters
import Rendering
import Results

/// Aligned columns for a terminal.
///
///     OLTP.lis.zst: 914145 requests, 186880 distinct keys
///
///     capacity  policy  hit ratio %    hits  M requests/s
///         1000  arc          38.95*  356015         15.90
///         1000  lru          32.83   300122         38.47
///
///     Rows are sorted by hit ratio; * marks the highest of a capacity.
///
///     Verdict: on OLTP.lis.zst at 1000 objects arc hits 38.95 %, next lru with 32.83 %.
enum TableReport: ReportFormat {
  static let information = CatalogEntry(
    name: "table", summary: "aligned columns for a terminal, the best hit ratios marked")

  static func render(_ results: ResultSet, style: ReportStyle) -> String {
    let sections =
      ReportSection.sections(of: results.ranked, bounds: style.bounds)
      + ReportSection.sections(ofEstimatesIn: results)
    func paragraph(_ text: String) -> String {
      text.printable.filled(width: style.proseWidth) + "\n"
    }
    var parts = sections.flatMap { section in
      [paragraph(section.title) + "\n" + section.table.text(style: style)]
        + section.explanations.map(paragraph)
    }
    let leftOut = sections.flatMap { $0.table.titlesLeftOut(style: style) }.unique
    parts += notes(on: sections, leftOut: leftOut, of: results, bounds: style.bounds)
      .map(paragraph)
    parts += results.notes.map(paragraph)
    if let note = results.incompleteNote { parts.append(paragraph(note)) }
    let verdict = Verdict(results, style: style).lines
    if !verdict.isEmpty { parts.append(verdict.map(paragraph).joined()) }
    return parts.joined(separator: "\n")
  }

  /// The sentences that a reader of the tables needs.
  private static func notes(
    on sections: [ReportSection], leftOut: [String], of results: ResultSet, bounds: Set<String>
  ) -> [String] {
    let hasMarks = sections.contains { $0.hasBests }
    let names = results.measurements.map(\.comparedHitRatioName).unique
    let ratio = names.count == 1 ? names[0] : "hit ratio"
    let isShared = results.measurements.contains { !$0.isDeterministic }
    let unranked = results.measurements.filter { bounds.contains($0.policy) }.map(\.contender)
    let hasLatencies = results.measurements.contains { $0.delayed != nil }
    let order =
      (hasLatencies
        ? "Rows are sorted by mean latency; * marks the lowest latency and the highest \(ratio) of a capacity"
        : "Rows are sorted by \(ratio); * marks the highest of a capacity")
      + (isShared ? " whose hits repeat (on one thread)" : "")
      + (unranked.isEmpty ? "." : ", \(unranked.unique.joined(separator: ", ")) not counted.")
    let columns = "No room for \(leftOut.joined(separator: ", ")): --wide shows all columns."
    return (hasMarks ? [order] : []) + (leftOut.isEmpty ? [] : [columns])
  }
}
