import Traces

/// One page for a browser: figures and charts, light or dark as the reader's system, without scripts and
/// without anything to load.
enum TracePageReport: TraceReport {
  static let information = CatalogEntry(
    name: "html", summary: "a page for a browser, with charts; needs no network")

  static func render(_ analyses: [TraceAnalysis], style: ReportStyle) -> String {
    let sections = analyses.enumerated().map { number, analysis in
      PageSection(
        id: "trace-\(number + 1)", heading: analysis.name, texts: [analysis.reading.text],
        facts: analysis.facts.map { PageFact($0.label, $0.text) },
        tables: analysis.distributions.isEmpty
          ? [] : [PageTable(analysis.quantiles, caption: "Distributions")],
        charts: analysis.figures.flatMap(\.charts))
    }
    let title = analyses.map(\.name).joined(separator: ", ")
    return Page(title: title, sections: sections).html
  }
}
