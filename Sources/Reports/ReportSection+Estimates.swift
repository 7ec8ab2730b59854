import Foundation
import Parameters
import Rendering
import Results

extension ReportSection {
  /// Estimates with their intervals, a table for each trace.
  static func sections(ofEstimatesIn results: ResultSet) -> [ReportSection] {
    results.estimates.grouped { [$0.trace, $0.unit.rawValue] }.map { estimates in
      ReportSection(
        title: "\(estimates[0].trace): what is uncertain", table: table(of: estimates),
        explanations: [
          Estimate.notes(on: estimates, in: results).joined(separator: " ")
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
    let columns = estimateColumns.filter { $0.isWanted(for: estimates) }
    var table = TextTable(columns.map(\.ofTable))
    for group in estimates.grouped(by: { "\($0.capacity) \($0.unit.rawValue) \($0.trace)" }) {
      table.beginGroup()
      for estimate in group {
        table.append(
          columns.map { column in
            TextTable.Cell(
              column.text(estimate) ?? "–", exact: column.merit?(estimate).map { "\($0)" })
          })
      }
    }
    return table
  }

  /// A ratio in hundredths.
  private static func ratio(
    _ title: String, rank: Int = 0, _ ratio: @escaping @Sendable (Estimate) -> Double?
  ) -> ReportColumn<Estimate> {
    ReportColumn(title, rank: rank, merit: ratio) { ratio($0).map(Estimate.hundredths) }
  }

  private static let estimateColumns: [ReportColumn<Estimate>] = [
    ReportColumn("capacity", rank: 0, merit: { Double($0.capacity) }) {
      $0.unit == .objects ? "\($0.capacity)" : nil
    },
    ReportColumn("capacity MiB", rank: 0, merit: { Double($0.capacity) }) {
      $0.unit == .bytes ? ByteCount.mebibytes($0.capacity) : nil
    },
    ReportColumn("policy", .left, rank: 0) { $0.policy },
    ReportColumn("trace", .left, rank: 0, distinguishes: true) { $0.trace },
    ReportColumn("metric", .left, rank: 0) { estimate in
      estimate.against.map { "points above \(estimate.isBest ? "next best, " : "")\($0)" }
        ?? "hit ratio %"
    },
    ratio("value") { $0.value },
    ratio("≥") { $0.interval?.lowerBound },
    ratio("≤") { $0.interval?.upperBound },
    ReportColumn("interval for", .left, rank: 1) { $0.estimand.rawValue },
    ratio("next trace ≥", rank: 2) { $0.nextTrace?.lowerBound },
    ratio("next trace ≤", rank: 2) { $0.nextTrace?.upperBound },
    ReportColumn("stationarity p", rank: 1, merit: \.stationarity) {
      $0.stationarity.map { $0 < 0.001 ? "< 0.001" : String(format: "%.3f", $0) }
    },
    ReportColumn("from", .left, rank: 3) { $0.basis },
  ]
}

extension Estimate {
  /// The sentences that readers of these estimates need.
  static func notes(on estimates: [Estimate], in results: ResultSet) -> [String] {
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
      if estimates.contains(where: { $0.isDoubtful && results.beginsEmpty(on: $0.trace) }) {
        notes.append(
          "The run begins with an empty cache, and its first windows may be all that drifts: try --warmup N."
        )
      }
    }
    return notes
  }

  /// True where stationarity is rejected at the 5 % level.
  private var isDoubtful: Bool { stationarity.map { $0 < 0.05 } ?? false }
}

extension ResultSet {
  /// True where windows on a trace are counted from the first request on.
  ///
  /// With a warm-up the first one ends later than the others are long; of windows of time the plan tells.
  fileprivate func beginsEmpty(on trace: String) -> Bool {
    measurements.contains { run in
      guard run.trace == trace, let windows = run.windows else { return false }
      if let plan { return JSON.object(plan.options)["warmup"] == .integer(0) }
      return windows.seconds == nil && windows.ends.count > 1
        && windows.ends[0] <= windows.ends[1] - windows.ends[0]
    }
  }
}
