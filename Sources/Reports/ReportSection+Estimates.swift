import Parameters
import Rendering
import Results

extension ReportSection {
  /// Estimates with their intervals, a table for each trace.
  static func sections(of estimates: [Estimate]) -> [ReportSection] {
    estimates.grouped { [$0.trace, $0.unit.rawValue] }.map { estimates in
      ReportSection(
        title: "\(estimates[0].trace): what is uncertain", table: table(of: estimates),
        explanations: [
          "What was hit is exact; the 95 % intervals are for what it stands for."
        ] + reasons(of: estimates))
    }
  }

  /// Why there is no interval, once for each reason.
  private static func reasons(of estimates: [Estimate]) -> [String] {
    estimates.filter { $0.reason != nil }.grouped(by: \.reason).map { alike in
      let capacities = alike.map { Measurement.label(of: $0.capacity, $0.unit) }.unique
      return "No interval on \(alike[0].trace) at \(capacities.joined(separator: ", ")): "
        + "\(alike[0].reason ?? "")."
    }
  }

  /// Estimates as a table, with their traces where there are several.
  static func table(of estimates: [Estimate]) -> TextTable {
    let isOfOneTrace = Set(estimates.map(\.trace)).count == 1
    let columns = estimateColumns.filter { column in
      estimates.contains { column.text($0) != nil } && !(column.isTrace && isOfOneTrace)
    }
    var table = TextTable(columns.map { TextTable.Column($0.title, $0.alignment) })
    for group in estimates.grouped(by: { "\($0.capacity) \($0.unit.rawValue) \($0.trace)" }) {
      table.beginGroup()
      for estimate in group {
        table.append(
          columns.map { column in
            TextTable.Cell(
              column.text(estimate) ?? "–", exact: column.exact?(estimate).map { "\($0)" })
          })
      }
    }
    return table
  }

  private struct EstimateColumn: Sendable {
    let title: String
    let alignment: TextTable.Alignment
    let isTrace: Bool
    /// The value in full precision; nil for texts.
    let exact: (@Sendable (Estimate) -> Double?)?
    let text: @Sendable (Estimate) -> String?

    init(
      _ title: String, _ alignment: TextTable.Alignment, isTrace: Bool = false,
      exact: (@Sendable (Estimate) -> Double?)? = nil,
      text: @escaping @Sendable (Estimate) -> String?
    ) {
      self.title = title
      self.alignment = alignment
      self.isTrace = isTrace
      self.exact = exact
      self.text = text
    }

    /// A ratio in hundredths.
    static func ratio(
      _ title: String, _ ratio: @escaping @Sendable (Estimate) -> Double?
    ) -> EstimateColumn {
      EstimateColumn(title, .right, exact: ratio) { ratio($0).map(Estimate.hundredths) }
    }
  }

  private static let estimateColumns = [
    EstimateColumn("capacity", .right, exact: { Double($0.capacity) }) {
      Measurement.label(of: $0.capacity, $0.unit)
    },
    EstimateColumn("policy", .left) { $0.policy },
    EstimateColumn("trace", .left, isTrace: true) { $0.trace },
    EstimateColumn("figure", .left) { $0.against.map { "points above \($0)" } ?? "hit ratio %" },
    EstimateColumn.ratio("value") { $0.value },
    EstimateColumn.ratio("≥") { $0.interval?.lowerBound },
    EstimateColumn.ratio("≤") { $0.interval?.upperBound },
    EstimateColumn("interval for", .left) { $0.estimand.rawValue },
    EstimateColumn("from", .left) { $0.basis },
    EstimateColumn("stationary", .left) { $0.isStationary.map { $0 ? "yes" : "no" } },
  ]
}
