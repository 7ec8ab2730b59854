import Parameters
import Rendering

/// The estimates that runs stand for, where they were counted window by window or have several seeds.
enum EstimatesSection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    let sections = ReportSection.sections(of: view.estimates)
    if sections.isEmpty { return nil }
    return PageSection(
      id: "estimates", heading: "What is uncertain",
      texts: sections.flatMap(\.explanations).unique,
      tables: sections.map { PageTable($0.table, caption: $0.title) })
  }
}
