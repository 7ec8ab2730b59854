import Parameters
import Rendering
import Results

/// The uncertainty of runs that were counted window by window or have several seeds: how far the best are
/// above LRU, and every estimate in a table.
enum EstimatesSection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    let estimates = view.estimates
    if estimates.isEmpty { return nil }
    return PageSection(
      id: "estimates", heading: "Uncertainty",
      texts: estimates.grouped(by: \.trace).flatMap {
        Estimate.notes(on: $0, in: view.results)
      }.unique + reasons(of: estimates),
      tables: [
        PageTable(
          ReportSection.table(of: estimates), caption: "\(estimates.count) estimates",
          isSortable: true, foldingLimit: 40, movesConstants: true)
      ], charts: charts(in: view), figureLimit: ResultsSections.figureLimit)
  }

  /// The number of estimates without an interval, once for each reason.
  private static func reasons(of estimates: [Estimate]) -> [String] {
    estimates.filter { $0.reason != nil }.grouped(by: \.reason).map { alike in
      "\(alike.count) of \(estimates.count) have no interval: \(alike[0].reason ?? "")."
    }
  }

  /// The points that the best policies are above LRU, with their intervals, by capacity.
  private static func charts(in view: ResultsView) -> [Chart] {
    let gains = view.estimates.filter {
      $0.against == "lru" && !$0.isBest && $0.interval != nil && view.inks[$0.policy] != .faint
    }
    return gains.grouped { "\($0.unit.rawValue) \($0.trace)" }.map { gains in
      Chart(
        title: gains[0].trace, x: .capacity(in: gains[0].unit), y: .range("points above lru"),
        series: gains.grouped(by: \.policy).map { gains in
          Chart.Series(
            gains[0].policy, .dots, ink: view.inks[gains[0].policy],
            points: gains.map { (Double($0.capacity), $0.value * 100) },
            band: gains.compactMap { gain in
              gain.interval.map {
                (Double(gain.capacity), $0.lowerBound * 100, $0.upperBound * 100)
              }
            })
        })
    }
  }
}
