import Parameters
import Rendering

/// One page for a browser: figures and charts, light or dark as the reader's system, without scripts and
/// without anything to load.
enum TracePageReport: TraceReport {
  static let information = CatalogEntry(
    name: "html", summary: "a page for a browser, with charts; needs no network")

  static func render(_ analyses: [TraceProfile], style: ReportStyle) -> String {
    // What a single trace is stands on top, that of several above each.
    let only = analyses.count == 1 ? analyses.first : nil
    let sections = analyses.enumerated().map { number, analysis in
      PageSection(
        id: "trace-\(number + 1)", heading: only == nil ? analysis.name : "Figures",
        texts: only == nil ? [sentence(analysis.reading.text)] : [],
        facts: analysis.facts.map { PageFact($0.label, $0.text) },
        tables: analysis.distributions.isEmpty
          ? [] : [PageTable(analysis.quantiles, caption: "Distributions")],
        charts: analysis.figures.flatMap(\.charts))
    }
    let title = analyses.map(\.name).joined(separator: ", ")
    return Page(
      title: title, kind: "trace", lead: only.map { sentence($0.reading.text) }, sections: sections
    ).html
  }

  /// A reading as a sentence: `Mixed: …: let a sweep decide.`
  private static func sentence(_ reading: String) -> String {
    reading.prefix(1).uppercased() + reading.dropFirst() + "."
  }
}
