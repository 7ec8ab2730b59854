import Parameters
import Rendering
import Results

extension ReportSection {
  /// What is uncertain, a table for each trace; none where nothing is.
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
      let capacities = alike.map { Measurement.text(of: $0.capacity, $0.unit) }.unique
      return "No interval on \(alike[0].trace) at \(capacities.joined(separator: ", ")): "
        + "\(alike[0].reason ?? "")."
    }
  }

  private static func table(of estimates: [Estimate]) -> TextTable {
    let columns = estimateColumns.filter { column in
      estimates.contains { column.text($0) != nil }
    }
    var table = TextTable(
      columns.map { TextTable.Column($0.title, $0.alignment, rank: $0.rank) })
    for group in estimates.grouped(by: \.capacity) {
      table.beginGroup()
      for estimate in group {
        table.append(columns.map { TextTable.Cell($0.text(estimate) ?? "–") })
      }
    }
    return table
  }

  private struct EstimateColumn: Sendable {
    let title: String
    let alignment: TextTable.Alignment
    let rank: Int
    let text: @Sendable (Estimate) -> String?

    init(
      _ title: String, _ alignment: TextTable.Alignment, rank: Int = 0,
      text: @escaping @Sendable (Estimate) -> String?
    ) {
      self.title = title
      self.alignment = alignment
      self.rank = rank
      self.text = text
    }
  }

  private static let estimateColumns = [
    EstimateColumn("capacity", .right) { $0.unit == .objects ? "\($0.capacity)" : nil },
    EstimateColumn("capacity MiB", .right) {
      $0.unit == .bytes ? ByteCount.mebibytes($0.capacity) : nil
    },
    EstimateColumn("policy", .left) { $0.policy },
    EstimateColumn("figure", .left) { $0.against.map { "points above \($0)" } ?? "hit ratio %" },
    EstimateColumn("value", .right) { Estimate.hundredths($0.value) },
    EstimateColumn("≥", .right) { ($0.interval?.lowerBound).map(Estimate.hundredths) },
    EstimateColumn("≤", .right) { ($0.interval?.upperBound).map(Estimate.hundredths) },
    EstimateColumn("interval for", .left, rank: 1) { $0.estimand.rawValue },
    EstimateColumn("from", .left, rank: 2) { $0.basis },
    EstimateColumn("stationary", .left, rank: 1) { $0.isStationary.map { $0 ? "yes" : "no" } },
  ]
}
