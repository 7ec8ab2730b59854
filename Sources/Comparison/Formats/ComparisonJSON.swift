import Parameters
import Rendering
import Results

/// The differences for programs.
enum ComparisonJSON: ComparisonReport {
  static let information = CatalogEntry(name: "json", summary: "every difference, for programs")

  static func render(_ judgement: Judgement, style: ReportStyle) -> String {
    let document: JSON = [
      "schema": "evictionlab.comparison/2", "failed": .boolean(judgement.hasFailed),
      "compared": .integer(judgement.compared), "runs": .integer(judgement.runs),
      "remarks": .array(
        judgement.remarks.map {
          ["severity": .string($0.severity.rawValue), "text": .string($0.text)]
        }),
      "differences": .array(judgement.items.map(json)),
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
        JSON.Member("before", .optional(difference.before)),
        JSON.Member("after", .optional(difference.after)),
        JSON.Member("growth", .optional(difference.growth)),
        JSON.Member("verdict", .string("\(difference.verdict)")),
        JSON.Member("reason", .string(difference.reason)),
      ])
  }

  private static func members(_ cell: ComparedCell) -> [JSON.Member] {
    switch cell {
    case .run(let run):
      [
        JSON.Member("trace", .string(run.trace)), JSON.Member("kind", .string(run.kind.rawValue)),
        JSON.Member("policy", .string(run.policy)),
        JSON.Member("capacity", .integer(run.capacity)),
        JSON.Member("unit", .string(run.unit.rawValue)), JSON.Member("seed", .integer(run.seed)),
        JSON.Member("threads", .optional(run.threads == 0 ? nil : run.threads)),
        JSON.Member("lock", .optional(run.lock)),
      ]
    case .curve(let curve):
      [
        JSON.Member("trace", .string(curve.trace)),
        JSON.Member("kind", .string(MissRatioCurve.kind)),
        JSON.Member("policy", .string(curve.policy)),
        JSON.Member("unit", .string(curve.unit.rawValue)),
        JSON.Member("seed", .integer(curve.seed)), JSON.Member("rate", .number(curve.rate)),
      ]
    }
  }
}
