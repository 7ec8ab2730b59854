import Parameters
import Rendering
import Results

/// The cost of threads to each other: throughput and waiting by threads, for each lock; none for one thread.
enum ContentionSection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    let runs = view.results.measurements.filter { $0.replay?.contention != nil }
    let drivers = runs.compactMap(\.replay?.setup.driver).unique
    func name(_ run: Measurement) -> String {
      ([view.name(of: run)] + (drivers.count > 1 ? [run.replay?.setup.driver ?? ""] : []))
        .joined(separator: ", ")
    }
    let inks = drivers.count > 1 ? SeriesInks(runs.map(name).unique) : nil
    let places = runs.grouped { "\($0.unit.rawValue) \($0.capacity) \($0.trace)" }.filter {
      Set($0.compactMap(\.replay?.threads)).count > 1
    }
    let charts = places.flatMap { runs in
      // Two points are no curve.
      let isDotted = Set(runs.compactMap(\.replay?.threads)).count < 3
      return figures.filter { figure in runs.contains { figure.value($0) > 0 } }.map { figure in
        Chart(
          title: "\(figure.title): \(runs[0].place)", x: .whole("threads"),
          y: .linear(figure.axis),
          series: runs.grouped(by: name).map { runs in
            Chart.Series(
              name(runs[0]), isDotted ? .dots : .line,
              ink: inks.map { $0[name(runs[0])] } ?? view.inks[runs[0].contender],
              points: runs.compactMap { run in
                run.replay.map { (Double($0.threads), figure.value(run)) }
              }.sorted { $0.0 < $1.0 })
          })
      }
    }
    if charts.isEmpty { return nil }
    return PageSection(
      id: "contention", heading: "Contention by threads and lock", charts: charts,
      figureLimit: ResultsSections.figureLimit)
  }

  private struct Figure: Sendable {
    let title: String
    let axis: String
    let value: @Sendable (Measurement) -> Double
  }

  private static let figures = [
    Figure(title: "Throughput", axis: "M requests/s") { $0.requestsPerSecond / 1e6 },
    Figure(title: "Waiting", axis: "contended acquisitions %") {
      ($0.replay?.contendedRatio ?? 0) * 100
    },
  ]
}
