import Parameters
import Rendering
import Results

/// The differences for programs.
enum ComparisonJSON: ComparisonReport {
  static let information = CatalogEntry(name: "json", summary: "every difference, for programs")

  private static let schema = "evictionlab.comparison/2"

  static func render(_ judgement: Judgement, style: ReportStyle) -> String {
    let document: JSON = [
      "schema": .string(schema), "failed": .boolean(judgement.hasFailed),
      "compared": .integer(judgement.compared), "runs": .integer(judgement.runs),
      "remarks": .array(
        judgement.remarks.map {
          ["severity": .string($0.severity.rawValue), "text": .string($0.text)]
        }),
      "differences": .array(judgement.items.map(json)),
    ]
    return document.document
  }

  static func report(onError problem: String) -> String? {
    let document: JSON = [
      "schema": .string(schema), "failed": .boolean(true), "compared": .integer(0),
      "runs": .integer(0),
      "remarks": .array([
        ["severity": .string(Judgement.Severity.failure.rawValue), "text": .string(problem)]
      ]),
      "differences": .array([]),
    ]
    return document.document
  }

  private static func json(_ item: Judgement.Item) -> JSON {
    let difference = item.difference
    let severity = JSON.Member("severity", .string(item.severity.rawValue))
    return .object(
      [severity] + members(difference.cell) + [
        JSON.Member("run", .string(difference.cell.label)),
        JSON.Member("figure", .string(difference.figure)),
        JSON.Member("before", number(difference.before)),
        JSON.Member("after", number(difference.after)),
        JSON.Member("growth", .optional(difference.growth)),
        JSON.Member("verdict", .string("\(difference.verdict)")),
        JSON.Member("better", difference.isBetter.map { .boolean($0) } ?? .null),
        JSON.Member("reason", .string(difference.reason)),
      ])
  }

  /// A figure, counts as whole numbers.
  private static func number(_ value: Double?) -> JSON {
    value.map { Int(exactly: $0).map(JSON.integer) ?? .number($0) } ?? .null
  }

  private static func members(_ cell: CellKey) -> [JSON.Member] {
    let unit = JSON.Member("unit", .string(cell.place.unit.rawValue))
    let seed = JSON.Member("seed", .integer(cell.seed))
    let name = [
      JSON.Member("trace", .string(cell.trace)), JSON.Member("kind", .string(cell.kind.rawValue)),
      JSON.Member("policy", .string(cell.policy)),
    ]
    if case .curve(let rate) = cell.variant {
      return name + [unit, seed, JSON.Member("rate", .number(rate))]
    }
    return name + [
      JSON.Member("capacity", .optional(cell.place.capacity)), unit, seed,
      JSON.Member("threads", .optional(cell.replay?.threads)),
      JSON.Member("lock", .optional(cell.replay?.lock)),
    ] + (cell.form.map { [JSON.Member("form", .string($0.rawValue))] } ?? [])
  }
}
