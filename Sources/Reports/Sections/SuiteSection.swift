import Rendering
import Results

/// The ranking of a suite: the policy to take for each thing that may be known, and the evidence.
enum SuiteSection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    guard let suite = view.results.suite else { return nil }
    let sections = suite.sections(of: view.results.traces)
    let heading = "Which policy to take"
    return PageSection(
      id: "suite", heading: heading,
      tables: sections.map {
        PageTable($0.table, caption: $0.title == heading ? "By what is known" : $0.title)
      },
      notes: sections.flatMap(\.explanations) + view.results.notes)
  }
}
