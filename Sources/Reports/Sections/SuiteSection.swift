import Rendering
import Results

/// The ranking of a suite: the policy to take for each thing that may be known, and the evidence. Rows without advice are
/// folded away.
enum SuiteSection: ResultsSection {
  /// The largest number of rows of the evidence that are shown unfolded.
  private static let foldingLimit = 12

  static func section(of view: ResultsView) -> PageSection? {
    guard let suite = view.results.suite else { return nil }
    let sections = suite.sections(of: view.results.traces, leaders: view.results.leaders)
    let (answers, others) = (suite.answers(isAdvised: true), suite.answers(isAdvised: false))
    let count = others.groups.joined().count
    var tables: [PageTable] = []
    if !answers.groups.joined().isEmpty {
      tables.append(PageTable(answers, caption: "By what is known"))
    }
    if count > 0 {
      tables.append(
        PageTable(others, caption: "Too few traces for advice: \(count) rows", foldingLimit: 0))
    }
    tables += sections.dropFirst().map {
      PageTable($0.table, caption: $0.title, foldingLimit: foldingLimit)
    }
    return PageSection(
      id: "suite", heading: sections[0].title, tables: tables,
      folded: (
        summary: "Method, and traces that were not run",
        notes: sections.flatMap(\.explanations) + view.results.notes
      ))
  }
}
