import Parameters
import Rendering
import Results

/// The parameters that adaptive policies had learned along their runs: a chart for each capacity, trace and
/// name.
enum InternalsSection: ResultsSection {
  private struct Line {
    let run: Measurement
    let requests: [Int]
    let series: InternalsSeries.Series

    var key: String { "\(run.unit.rawValue) \(run.capacity) \(run.trace) \(series.name)" }
  }

  static func section(of view: ResultsView) -> PageSection? {
    let lines = view.results.measurements.flatMap { run -> [Line] in
      guard let internals = run.internals else { return [] }
      return internals.series.map { Line(run: run, requests: internals.requests, series: $0) }
    }
    if lines.isEmpty { return nil }
    let charts = lines.grouped(by: \.key).map { lines in
      Chart(
        title: "\(lines[0].series.name): \(lines[0].run.place)", x: .linear("requests"),
        y: .range(lines[0].series.name),
        series: lines.map { line in
          view.line(
            of: line.run, zip(line.requests, line.series.values).map { (Double($0), $1) })
        })
    }
    return PageSection(
      id: "internals", heading: "What policies learned", charts: charts,
      figureLimit: ResultsSections.figureLimit)
  }
}
