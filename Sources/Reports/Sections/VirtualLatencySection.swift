import Parameters
import Rendering
import Results

/// Mean latency by capacity where misses take time, one chart for each trace, with the bound of all policies beside.
enum VirtualLatencySection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    let charts = view.comparisons.byTrace.filter { $0.count > 1 && $0[0].latencyUnit != nil }
      .map { chart(of: $0, in: view) }
    guard !charts.isEmpty, let delay = ReportSection.delay(of: view.results.measurements) else {
      return nil
    }
    return PageSection(
      id: "virtual-latency", heading: "Mean latency by capacity",
      texts: [
        "A miss takes \(delay), a hit no time. No policy is below the bound, not even one that knows the "
          + "future."
      ],
      charts: charts, figureLimit: ResultsSections.figureLimit)
  }

  private static func chart(of standings: [Standing], in view: ResultsView) -> Chart {
    let standings = standings.sorted { $0.capacity < $1.capacity }
    let isTimed = standings[0].latencyUnit == .nanoseconds
    let isDotted = standings.count < CurvesSection.fewestJoined
    func points(_ latency: (Standing) -> Double?) -> [(Double, Double)] {
      standings.compactMap { standing in
        latency(standing).map { (Double(standing.capacity), isTimed ? $0 / 1e6 : $0) }
      }
    }
    let policies = standings.flatMap(\.scores).map(\.policy).unique
    let bound = Chart.Series(
      "no policy below", isDotted ? .dots : .dashes, ink: .bound, points: points(\.leastLatency))
    return Chart(
      title: standings[0].trace, x: .capacity(in: standings[0].unit),
      y: .linear("mean latency, \(isTimed ? "ms" : "requests")"),
      series: policies.map { policy in
        Chart.Series(
          policy, isDotted ? .dots : .line, ink: view.inks[policy],
          points: points { standing in
            standing.scores.first { $0.policy == policy }?.meanLatency
          })
      } + [bound])
  }
}
