import Parameters
import Rendering

/// Aligned columns for people.
enum ComparisonTable: ComparisonReport {
  static let information = CatalogEntry(name: "table", summary: "aligned columns for terminals")

  static func render(_ judgement: Judgement, style: ReportStyle) -> String {
    var text = ""
    if !judgement.items.isEmpty { text = table(of: judgement).text(style: style) + "\n" }
    return text
      + (judgement.remarks.map(\.line) + [judgement.summary])
      .map { $0.printable.filled(width: style.proseWidth) + "\n" }.joined()
  }

  /// The differences; those of one severity stand together.
  static func table(of judgement: Judgement) -> TextTable {
    var table = TextTable([
      TextTable.Column(""), TextTable.Column("trace"), TextTable.Column("run", isProse: true),
      TextTable.Column("figure"), TextTable.Column("before", .right),
      TextTable.Column("after", .right), TextTable.Column("change", .right),
      TextTable.Column("verdict", isProse: true),
    ])
    var severity: Judgement.Severity?
    for item in judgement.items {
      if item.severity != severity { table.beginGroup() }
      severity = item.severity
      let difference = item.difference
      table.append([
        "\(item.severity.rawValue)", "\(difference.cell.trace)", "\(difference.cell.label)",
        "\(difference.figure)", "\(difference.beforeText)", "\(difference.afterText)",
        "\(difference.growthText)", "\(difference.verdictText)",
      ])
    }
    return table
  }
}
