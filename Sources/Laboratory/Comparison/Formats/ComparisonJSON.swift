import Traces

/// The differences for programs.
enum ComparisonJSON: ComparisonReport {
  static let information = CatalogEntry(name: "json", summary: "every difference, for programs")

  static func render(_ judgement: Judgement, style: ReportStyle) -> String {
    let document: JSON = [
      "schema": "evictionlab.comparison/1", "failed": .boolean(judgement.hasFailed),
      "compared": .integer(judgement.cells.count),
      "remarks": .array(judgement.remarks.map(JSON.string)),
      "differences": .array(judgement.items.map(json)),
    ]
    return document.document
  }

  private static func json(_ item: Judgement.Item) -> JSON {
    let difference = item.difference
    let cell = difference.cell
    return [
      "severity": .string(item.severity.rawValue), "trace": .string(cell.trace),
      "kind": .string(cell.kind.rawValue), "policy": .string(cell.policy),
      "capacity": .integer(cell.capacity), "unit": .string(cell.unit.rawValue),
      "seed": .integer(cell.seed), "threads": .optional(cell.threads == 0 ? nil : cell.threads),
      "lock": .optional(cell.lock), "figure": .string(difference.figure),
      "before": .optional(difference.before), "after": .optional(difference.after),
      "growth": .optional(difference.growth), "verdict": .string("\(difference.verdict)"),
      "reason": .string(difference.reason),
    ]
  }
}
