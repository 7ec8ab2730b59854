import Foundation
import Parameters
import Rendering
import Results

/// Policies by traces and capacities: by how much of FIFO's misses each has fewer, or what it hits.
enum HeatMapSection: ResultsSection {
  /// The number of shades.
  private static let shades = 5

  static func section(of view: ResultsView) -> PageSection? {
    let columns = view.comparisons
    let policies = columns.flatMap(\.contenders).map(\.policy).unique
    guard columns.count > 1, policies.count > 1 else { return nil }
    let isReduction = columns.flatMap(\.contenders).contains { $0.missRatioReduction != nil }
    func value(_ policy: String, _ column: Standing) -> Double? {
      let score = column.contenders.first { $0.policy == policy }
      return isReduction ? score?.missRatioReduction : score?.hitRatio
    }
    let rows = policies.map { policy in
      (policy: policy, values: columns.map { value(policy, $0) })
    }.sorted { ($0.values.compactMap(\.self).mean ?? 0) > ($1.values.compactMap(\.self).mean ?? 0) }
    let bests = columns.indices.map { index in rows.compactMap { $0.values[index] }.max() }
    let areExact = columns.map { $0.contenders.allSatisfy(\.isExact) }
    let table = PageTable(
      caption: isReduction
        ? "Miss ratio below FIFO's, % of FIFO's" : "Hit ratio %",
      columns: [PageTable.Column(title: "policy", key: nil, isNumber: false)]
        + columns.map {
          PageTable.Column(
            title: "\($0.trace)\n\(Measurement.label(of: $0.capacity, $0.unit))", key: nil,
            isNumber: true)
        },
      groups: [
        PageTable.Group(
          rows: rows.map { row in
            let cells = columns.indices.map {
              cell(row.values[$0], best: bests[$0], isExact: areExact[$0])
            }
            return PageTable.Row(cells: [PageTable.Cell(row.policy, isHeader: true)] + cells)
          })
      ])
    return PageSection(
      id: "heat-map", heading: "Policies by traces",
      texts: [
        "The stronger the colour, the better. The best on average stand first; the best of each "
          + "column is marked where its hits are exact."
      ],
      tables: [table])
  }

  private static func cell(
    _ value: Double?, best: Double?, isExact: Bool
  ) -> PageTable.Cell {
    guard let value, let best else { return PageTable.Cell("–", classes: "number") }
    let share = best > 0 ? max(0, value / best) : (value == best ? 1 : 0)
    let shade = min(shades, Int(share * Double(shades)) + 1)
    let mark = isExact && value == best ? " best" : ""
    let rounded = (value * 1_000).rounded() / 10
    return PageTable.Cell(
      // Without the sign of a zero.
      String(format: "%.1f", rounded == 0 ? 0 : rounded), exact: "\(value)",
      classes: "number heat-\(shade)\(mark)")
  }
}
