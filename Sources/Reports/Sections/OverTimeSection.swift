import Parameters
import Rendering
import Results

/// Hit ratio window by window, one chart for each capacity of each trace.
enum OverTimeSection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    let runs = view.results.measurements.filter { $0.windows != nil }
    let charts = runs.grouped { "\($0.unit.rawValue) \($0.capacity) \($0.trace)" }.map { runs in
      chart(of: runs, in: view)
    }
    if charts.isEmpty { return nil }
    return PageSection(
      id: "over-time", heading: "Hit ratio over time", charts: charts,
      figureLimit: ResultsSections.figureLimit)
  }

  private static func chart(of runs: [Measurement], in view: ResultsView) -> Chart {
    let seconds = runs.compactMap { $0.windows?.seconds }.first
    let series = runs.map { view.line(of: $0, $0.windows.map(points) ?? []) }
    return Chart(
      title: runs[0].place, x: .linear(seconds == nil ? "requests" : "seconds"),
      y: .range("hit ratio %"), series: series)
  }

  /// The end of each window, and what was hit in it.
  private static func points(_ windows: RequestWindows) -> [(Double, Double)] {
    windows.hitRatios.enumerated().compactMap { index, ratio in
      ratio.map { ratio in
        let end = windows.seconds.map { $0 * Double(index + 1) } ?? Double(windows.ends[index])
        return (end, ratio * 100)
      }
    }
  }
}

extension Measurement {
  /// The trace and the capacity: `OLTP.lis.zst, 1000 objects`.
  var place: String { "\(trace), \(Headline.amount(capacity, unit))" }
}
