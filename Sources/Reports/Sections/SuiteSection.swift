import Rendering
import Results

/// The ranking of a suite: the policy to take for each thing that may be known, and the evidence.
enum SuiteSection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    guard let suite = view.results.suite else { return nil }
    let sections = suite.sections(of: view.results.traces)
    return PageSection(
      id: "suite", heading: "Which policy to take",
      tables: sections.map { PageTable($0.table, caption: $0.title) },
      notes: sections.flatMap(\.explanations) + view.results.notes)
  }
}
