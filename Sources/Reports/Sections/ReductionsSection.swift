import Parameters
import Rendering
import Results

/// Reductions of FIFO's misses by capacity: on a page, on the traces where miss ratios do not tell the best policies apart.
enum ReductionsSection: ResultsSection {
  /// Hit ratios that differ less are lines upon each other.
  private static let close = 0.02

  static func section(of view: ResultsView) -> PageSection? {
    let charts = view.comparisons.byTrace.filter { view.isPicture ? isShown($0) : isClose($0) }
      .map { chart(of: $0, in: view) }
    if charts.isEmpty { return nil }
    return PageSection(
      id: "reductions", heading: "Miss reduction against fifo",
      texts: [
        "Traces on which the best three hit within two points of each other at most sizes. Higher is better."
      ],
      charts: charts, figureLimit: ResultsSections.figureLimit)
  }

  /// True where there is something to draw.
  private static func isShown(_ standings: [Standing]) -> Bool {
    standings.count > 1 && standings.flatMap(\.contenders).contains { $0.missRatioReduction != nil }
  }

  /// True where the three that hit most are close at half of the sizes or more.
  private static func isClose(_ standings: [Standing]) -> Bool {
    guard standings.count > 1 else { return false }
    let spreads = standings.compactMap { standing -> Double? in
      let rivals = standing.contenders.filter { $0.missRatioReduction != nil }
      let best = rivals.map(\.hitRatio).sorted(by: >).prefix(3)
      return best.count == 3 ? best[0] - best[2] : nil
    }
    return (spreads.median ?? 1) < close
  }

  private static func chart(of standings: [Standing], in view: ResultsView) -> Chart {
    let policies = standings.flatMap(\.contenders).map(\.policy).unique.filter { $0 != "fifo" }
    return Chart(
      title: standings[0].trace, x: .capacity(in: standings[0].unit),
      y: .range(Ranking.reductionName),
      series: policies.map { policy in
        let points = standings.compactMap { standing in
          standing.contenders.first { $0.policy == policy }?.missRatioReduction.map {
            (Double(standing.capacity), $0 * 100)
          }
        }
        return Chart.Series(
          policy, points.count < CurvesSection.fewestJoined ? .dots : .line, ink: view.inks[policy],
          points: points.sorted { $0.0 < $1.0 })
      })
  }
}
