import Foundation
import Parameters
import Rendering
import Results

extension ReportSection {
  /// The hit ratios by class, a table for each trace and capacity: a row for each class, a column for each run.
  static func classes(of results: ResultSet) -> [ReportSection] {
    results.measurements.filter { $0.classes != nil }.grouped(by: \.place).map { runs in
      let classes = runs.compactMap(\.classes)
      let seeds = runs.map(\.seed).unique.count
      var table = TextTable(
        [.init("class"), .init("requests", .right)]
          + runs.map { .init($0.contender + (seeds > 1 ? " \($0.seed)" : ""), .right) })
      let names = classes[0].names
      let places = names.indices.sorted { classes[0].requests[$0] > classes[0].requests[$1] }
      let shown = places.prefix(mostClasses).sorted()
      for place in shown {
        let ratios = classes.map { $0.hitRatios[place].map { String(format: "%.2f", $0 * 100) } }
        table.append(
          [.init(names[place]), "\(classes[0].requests[place])"]
            + ratios.map { TextTable.Cell($0 ?? "–") })
      }
      return ReportSection(
        title: "\(runs[0].place): hit ratio % by class", table: table,
        explanations: shown.count < names.count
          ? ["The \(shown.count) classes with the most requests of \(names.count)."] : [])
    }
  }

  /// The classes of a table: more are in the results document.
  private static let mostClasses = 128
}
