import Parameters
import Rendering

/// Policies by traces: by how much of FIFO's misses each has fewer or more, or what it hits.
enum HeatMapSection: ResultsSection {
  /// Fewer columns say no more than the table of the ranking.
  private static let fewestColumns = 4

  static func section(of view: ResultsView) -> PageSection? {
    let ranking = view.ranking
    guard ranking.columns.count >= fewestColumns, ranking.places.count > 1 else { return nil }
    let bests = ranking.columns.indices.map { ranking.leaders(of: $0).first?.value }
    let areExact = ranking.columns.map { column in
      column.standings.allSatisfy { $0.contenders.allSatisfy(\.isExact) }
    }
    let values = ranking.places.flatMap { [$0.mean] + $0.values.compactMap(\.self) }
    let shades = ranking.isReduction ? Shades.reductions : .hitRatios
    let name = ranking.valueName
    let table = PageTable(
      caption: "\(name.prefix(1).uppercased())\(name.dropFirst())"
        + (ranking.isOfTraces ? ", mean over sizes" : ""),
      columns: [PageTable.Column(title: "policy", isNumber: false)]
        + ["mean"].map { PageTable.Column(title: $0, isNumber: true) }
        + ranking.columns.map { PageTable.Column(title: $0.title, isNumber: true) },
      rows: ranking.places.map { place in
        PageTable.Row(
          cells: [.name(place.policy), shades.cell(place.mean)]
            + ranking.columns.indices.map { index in
              let isBest = areExact[index] && place.values[index] == bests[index]
              return shades.cell(place.values[index], isBest: isBest)
            })
      }, legend: shades.legend(of: values), isOfPolicies: true)
    return PageSection(
      id: "heat-map", heading: "Policies by \(ranking.noun)s",
      texts: [
        "One scale of colours for all cells. The best of each column is marked where its hits are "
          + "exact."
      ],
      tables: [table])
  }

  /// The colours of values: steps away from zero in both directions.
  private struct Shades {
    /// The least absolute values of the shades.
    let steps: [Double]
    let isSigned: Bool

    static let reductions = Shades(steps: [0.01, 0.05, 0.15, 0.3], isSigned: true)
    static let hitRatios = Shades(steps: [0.2, 0.4, 0.6, 0.8], isSigned: false)

    private func name(_ value: Double) -> String {
      let shade = steps.count { abs(value) >= $0 }
      return value < 0 && shade > 0 ? "worse-\(shade)" : "better-\(shade)"
    }

    func cell(_ value: Double?, isBest: Bool = false) -> PageTable.Cell {
      guard let value else { return PageTable.Cell("–", classes: "number heat") }
      return PageTable.Cell(
        Headline.number(value), exact: "\(value)",
        classes: "number heat \(name(value))" + (isBest ? " best" : ""))
    }

    /// The shades of some values, from the worst to the best.
    func legend(of values: [Double]) -> [PageTable.Entry] {
      let used = Set(values.map(name))
      return legend.filter { used.contains($0.classes) }
    }

    private var legend: [PageTable.Entry] {
      let least = "under \(Int(steps[0] * 100))"
      let better = steps.map { step in
        PageTable.Entry("\(Int(step * 100)) % and more", classes: name(step))
      }
      let worse = steps.reversed().map { step in
        PageTable.Entry("−\(Int(step * 100)) %", classes: name(-step))
      }
      return (isSigned ? worse : []) + [PageTable.Entry("\(least) %", classes: name(0))] + better
    }
  }
}
