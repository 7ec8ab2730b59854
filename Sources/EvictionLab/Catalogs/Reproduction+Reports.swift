import Experiments
import Rendering
import Results
import Runner
import Traces

extension Reproduction {
  /// The table as text: title, source and its edition, cells, and how many came out.
  func text(style: ReportStyle) -> String {
    var rows = TextTable([
      TextTable.Column("trace"), TextTable.Column("capacity", .right),
      TextTable.Column("policy"), TextTable.Column("what"), TextTable.Column("printed", .right),
      TextTable.Column("here", .right), TextTable.Column("verdict", isProse: true),
    ])
    var policy: String?
    for cell in cells {
      if let policy, policy != cell.published.policy { rows.beginGroup() }
      policy = cell.published.policy
      rows.append([
        "\(cell.published.trace)", "\(cell.published.capacity)", "\(cell.published.policy)",
        "\(cell.published.measure.rawValue)", "\(cell.published.printed)",
        "\(cell.computed ?? "–")", "\(cell.verdict)",
      ])
    }
    let heading = [
      "\(table.id): \(table.title)", table.source, "Read: \(table.edition).", table.remarks,
    ]
    .filter { !$0.isEmpty }.map { $0.filled(width: style.proseWidth) + "\n" }.joined()
    return heading + "\n\(rows.text(style: style))\n\(summary)\n"
  }

  /// The number of cells that came out, in a sentence.
  var summary: String {
    let equal = cells.count { $0.isEqual && !$0.isFailure }
    let skipped = cells.count { $0.computed == nil }
    let failed = cells.count { $0.isFailure }
    let explained = cells.count - equal - skipped - failed
    return "\(equal) of \(cells.count) cells are equal"
      + (explained > 0 ? ", \(explained) differ as expected" : "")
      + (failed > 0 ? ", \(failed) changed" : "")
      + (skipped > 0 ? ", \(skipped) are skipped" : "") + "."
  }

  private func numbers(_ counts: [Int]) -> JSON { .array(counts.map { .integer($0) }) }

  /// The table for programs.
  var json: JSON {
    [
      "id": .string(table.id), "title": .string(table.title), "source": .string(table.source),
      "edition": .string(table.edition), "remarks": .string(table.remarks),
      "cells": .array(
        cells.map { cell in
          [
            "trace": .string(cell.published.trace), "capacity": .string(cell.published.capacity),
            "policy": .string(cell.published.policy),
            "measure": .string(cell.published.measure.rawValue),
            "printed": .string(cell.published.printed), "computed": .optional(cell.computed),
            "expected": numbers(cell.published.expected), "counts": numbers(cell.counts ?? []),
            "equal": .boolean(cell.isEqual), "failed": .boolean(cell.isFailure),
            "verdict": .string(cell.verdict),
          ]
        }),
    ]
  }
}
