import Rendering

/// Every run, grouped by trace and capacity, with the best hit ratio marked.
enum TableSection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    let sections = ReportSection.sections(of: view.results, bounds: view.bounds)
    if sections.isEmpty { return nil }
    return PageSection(
      id: "runs", heading: "Every run", texts: sections.flatMap(\.explanations),
      tables: sections.map { PageTable($0.table, caption: $0.title) })
  }
}
