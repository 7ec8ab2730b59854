import Parameters
import Rendering
import Results

/// The durations of gets: their distribution on an axis where every nine takes the same room.
enum LatencySection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    let runs = view.results.measurements.filter { $0.replay?.latency?.get != nil }
    let charts = runs.grouped { "\($0.unit.rawValue) \($0.capacity) \($0.setup) \($0.trace)" }
      .map { runs in
        Chart(
          title: "\(runs[0].place), \(runs[0].setup)", x: .percentile("percentile of the gets"),
          y: .nanoseconds("latency"),
          series: runs.map { view.line(of: $0, points(of: $0)) })
      }
    if charts.isEmpty { return nil }
    let alike = runs.grouped { "\($0.unit.rawValue) \($0.capacity) \($0.setup) \($0.trace)" }
      .count(where: areAlike)
    let overhead = runs.compactMap { $0.replay?.latency?.timerOverhead }.mean ?? 0
    let isTakenOff = runs.contains { $0.replay?.latency?.clock != nil }
    return PageSection(
      id: "latency", heading: "Latency",
      texts: [
        isTakenOff
          ? "The clock's own time, \(overhead.digits(3)) ns here, is taken off every latency."
          : "Every latency contains a pair of clock readings, \(overhead.digits(3)) ns here.",
        alike == 0
          ? ""
          : "On \(alike) of \(charts.count) charts all lines lie within a factor of 2 up to the 99th "
            + "percentile: “Every run” has their numbers.",
      ].filter { !$0.isEmpty },
      charts: charts, figureLimit: ResultsSections.figureLimit)
  }

  /// True where the percentiles up to the 99th of no two runs differ by more than a factor of 2.
  private static func areAlike(_ runs: [Measurement]) -> Bool {
    let gets = runs.compactMap { $0.replay?.latency?.get }
    return runs.count > 1
      && [\LatencySummary.p50, \.p90, \.p99].allSatisfy { percentile in
        let times = gets.map { $0[keyPath: percentile] }
        return (times.max() ?? 0) <= 2 * (times.min() ?? 0)
      }
  }

  private static func points(of run: Measurement) -> [(Double, Double)] {
    guard let get = run.replay?.latency?.get else { return [] }
    if !get.percentiles.isEmpty {
      return get.percentiles.map { ($0.percent / 100, Double($0.nanoseconds)) }
    }
    return [(0.5, get.p50), (0.9, get.p90), (0.99, get.p99), (0.999, get.p999)].map {
      ($0.0, Double($0.1))
    }
  }
}

extension Measurement {
  /// The settings of the replay: `2 threads, mutex`.
  fileprivate var setup: String { replay?.setup.label ?? "" }
}
