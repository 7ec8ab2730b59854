import Parameters
import Rendering
import Results

/// A page for a browser, in one file that loads nothing and says everything without its script: the best
/// policy over all traces, then charts and tables, a section for each thing that was measured, every run,
/// and the commands that measure it again.
///
///     <h1>OLTP.lis.zst, P3.lis.zst</h1>
///     <p class="lead">Over 2 traces arc has the fewest misses: 12.4 % fewer than fifo on average …</p>
enum PageReport: ReportFormat {
  static let information = CatalogEntry(
    name: "html", summary: "a page for a browser, with charts; needs no network")

  static var showsChecksums: Bool { true }
  static var showsReferences: Bool { true }

  static func render(_ results: ResultSet, style: ReportStyle) -> String {
    let view = ResultsView(results, style: style)
    let traces = results.traces.map(\.name) + results.measurements.map(\.trace)
    let headline = Headline(view)
    // A suite's notes follow its answer.
    let notes = [
      ReplayNotes.disturbances(results.measurements.compactMap(\.replay)), results.incompleteNote,
    ].compactMap(\.self)
    return Page(
      title: results.suite.map { "Policies over \($0.traces.count) traces" }
        ?? traces.unique.joined(separator: ", "),
      kind: kind(of: results), lead: headline.text, support: headline.support,
      notes: (results.suite == nil ? results.notes : []) + notes,
      sections: ResultsSections.all.compactMap { $0.section(of: view) }
    ).html
  }

  /// `sweep and replay, 2026-11-29`: pages of one trace are told apart.
  private static func kind(of results: ResultSet) -> String {
    let kinds =
      results.measurements.map(\.kind.rawValue).unique + (results.curves.isEmpty ? [] : ["curve"])
    return "\(kinds.joined(separator: " and ")), \(results.environment.date.prefix(10))"
  }
}
