import Parameters
import Rendering
import Results

/// Every run in a table that can be sorted and filtered, with the best hit ratio of each place marked.
enum TableSection: ResultsSection {
  /// The largest number of runs that are shown unfolded.
  private static let foldingLimit = 500

  static func section(of view: ResultsView) -> PageSection? {
    let results = view.results.ranked
    let runs = results.measurements.grouped { [$0.kind.rawValue, $0.unit.rawValue] }.map { runs in
      PageTable(
        ReportSection.table(of: runs, bounds: view.bounds).withTimesInTheirUnits,
        caption: "\(runs.count) \(runs.count == 1 ? "run" : "runs")"
          + ReportSection.lockNote(of: runs) + ReportSection.delayNote(of: runs), isSortable: true,
        foldingLimit: foldingLimit)
    }
    let others = (ReportSection.classes(of: results) + ReportSection.curves(of: results)).map {
      PageTable($0.table, caption: $0.title, isSortable: true, foldingLimit: foldingLimit)
    }
    if runs.isEmpty && others.isEmpty { return nil }
    return PageSection(
      id: "runs", heading: "Every run",
      texts: ReportSection.lacks(of: results.traces.map(\.name), in: results)
        + ReportSection.sizeNotes(on: results.measurements)
        + ReportSection.chargeNotes(on: results.measurements) + blockNotes(in: results)
        + ReplayNotes.lines(for: results.measurements) + results.explanations.map(\.text)
        + results.recommendations.map { "\($0.trace): \($0.text)" },
      tables: runs + others)
  }

  /// The notes on hits of blocks, in the document's order of traces.
  private static func blockNotes(in results: ResultSet) -> [String] {
    let matched =
      results.measurements.filter { $0.kind != .prefix }.map(\.trace) + results.curves.map(\.trace)
    return ReportSection.blockNotes(
      on: results.traces.map(\.name).filter(matched.contains), in: results)
  }
}
