import Foundation
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
          Estimate.notes(on: estimates).joined(separator: " ")
        ] + reasons(of: estimates))
    }
  }

  /// Returns the reasons why there is no interval, each once.
  private static func reasons(of estimates: [Estimate]) -> [String] {
    estimates.filter { $0.reason != nil }.grouped(by: \.reason).map { alike in
      let capacities = alike.map { Measurement.text(of: $0.capacity, $0.unit) }.unique
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
    var table = TextTable(
      columns.map { TextTable.Column($0.title, $0.alignment, rank: $0.rank) })
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
    let rank: Int
    let isTrace: Bool
    /// The value in full precision; nil for texts.
    let exact: (@Sendable (Estimate) -> Double?)?
    let text: @Sendable (Estimate) -> String?

    init(
      _ title: String, _ alignment: TextTable.Alignment, rank: Int = 0, isTrace: Bool = false,
      exact: (@Sendable (Estimate) -> Double?)? = nil,
      text: @escaping @Sendable (Estimate) -> String?
    ) {
      self.title = title
      self.alignment = alignment
      self.rank = rank
      self.isTrace = isTrace
      self.exact = exact
      self.text = text
    }

    /// A ratio in hundredths.
    static func ratio(
      _ title: String, rank: Int = 0, _ ratio: @escaping @Sendable (Estimate) -> Double?
    ) -> EstimateColumn {
      EstimateColumn(title, .right, rank: rank, exact: ratio) {
        ratio($0).map(Estimate.hundredths)
      }
    }
  }

  private static let estimateColumns = [
    EstimateColumn("capacity", .right, exact: { Double($0.capacity) }) {
      $0.unit == .objects ? "\($0.capacity)" : nil
    },
    EstimateColumn("capacity MiB", .right, exact: { Double($0.capacity) }) {
      $0.unit == .bytes ? ByteCount.mebibytes($0.capacity) : nil
    },
    EstimateColumn("policy", .left) { $0.policy },
    EstimateColumn("trace", .left, isTrace: true) { $0.trace },
    EstimateColumn("metric", .left) { estimate in
      estimate.against.map { "points above \(estimate.isBest ? "next best, " : "")\($0)" }
        ?? "hit ratio %"
    },
    EstimateColumn.ratio("value") { $0.value },
    EstimateColumn.ratio("≥") { $0.interval?.lowerBound },
    EstimateColumn.ratio("≤") { $0.interval?.upperBound },
    EstimateColumn("interval for", .left, rank: 1) { $0.estimand.rawValue },
    EstimateColumn.ratio("next trace ≥", rank: 2) { $0.nextTrace?.lowerBound },
    EstimateColumn.ratio("next trace ≤", rank: 2) { $0.nextTrace?.upperBound },
    EstimateColumn("stationarity p", .right, rank: 1, exact: \.stationarity) {
      $0.stationarity.map { $0 < 0.001 ? "< 0.001" : String(format: "%.3f", $0) }
    },
    EstimateColumn("from", .left, rank: 3) { $0.basis },
  ]
}

extension Estimate {
  /// The sentences that readers of these estimates need.
  static func notes(on estimates: [Estimate]) -> [String] {
    let estimands = estimates.map(\.estimandText).unique.joined(separator: ", or ")
    var notes = ["A run's hits are exact; a 95 % interval is for \(estimands)."]
    let families = estimates.filter { !$0.isBest && $0.comparisons != nil }
      .grouped { [$0.estimand.rawValue, $0.against] }
    for alike in families {
      let kind = families.count > 1 ? " (\(alike[0].estimand.rawValue))" : ""
      notes.append(
        "All \(alike[0].comparisons ?? 1) intervals above \(alike[0].against ?? "")\(kind) are valid "
          + "together (95 %, Bonferroni).")
    }
    if estimates.contains(where: \.isBest) {
      notes.append(
        "The interval for the best over the next best is corrected for having chosen both on the same "
          + "windows.")
    }
    if estimates.contains(where: { $0.nextTrace != nil }) {
      notes.append(
        "“next trace” assumes stationary traffic; a small “stationarity p” means that it drifts, and the "
          + "interval is then too narrow.")
    }
    return notes
  }
}
