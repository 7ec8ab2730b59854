import Parameters
import Rendering

/// The spread of each policy over many traces: the percentiles of its reduction of FIFO's misses, or of its
/// hit ratio.
enum PercentilesSection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    let ranking = view.ranking
    guard ranking.hasPercentiles else { return nil }
    let value = ranking.valueName
    let chart = Chart(
      title: "\(ranking.columns.count) traces", x: .linear("percentile of the traces"),
      y: .range(value),
      series: ranking.places.filter(\.isComplete).map { place in
        Chart.Series(
          place.policy, .line, ink: view.inks[place.policy],
          points: Ranking.percents.compactMap { percent in
            place.percentile(percent).map { (Double(percent), $0 * 100) }
          })
      })
    return PageSection(
      id: "percentiles", heading: "Percentiles over the traces",
      texts: ["On a tenth of the traces a policy is at or below its 10th percentile."],
      tables: [PageTable(ranking.percentiles, caption: value)], charts: [chart])
  }
}
