import Rendering
import Results

/// The ranking of a suite: the policy to take for each thing that may be known, and the evidence.
enum SuiteSection: ResultsSection {
  /// The largest number of rows of the evidence that are shown unfolded.
  private static let foldingLimit = 12

  static func section(of view: ResultsView) -> PageSection? {
    guard let suite = view.results.suite else { return nil }
    let sections = suite.sections(of: view.results.traces, leaders: view.results.leaders)
    let heading = "Which policy to take"
    return PageSection(
      id: "suite", heading: heading,
      tables: sections.map {
        $0.title == heading
          ? PageTable($0.table, caption: "By what is known")
          : PageTable($0.table, caption: $0.title, foldingLimit: foldingLimit)
      },
      notes: sections.flatMap(\.explanations) + view.results.notes)
  }
}
