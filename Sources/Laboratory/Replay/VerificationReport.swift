/// What a verification found, for people and for programs.
public struct VerificationReport: Sendable {
  /// What documents of this kind say of themselves.
  public static let schema = "evictionlab.verification/1"

  /// Where and with what it was verified.
  public let environment: Environment
  /// The traces that the caches were used as.
  public let traces: [TraceSummary]
  /// The cells, the last of them with a violation if there was one.
  public let cells: [VerifiedCell]
  /// False when the work ended before its end.
  public let isComplete: Bool

  /// A report on these cells.
  public init(
    _ cells: [VerifiedCell], traces: [TraceSummary] = [], isComplete: Bool = true,
    environment: Environment = .current
  ) {
    self.environment = environment
    self.traces = traces
    self.cells = cells
    self.isComplete = isComplete
  }

  /// The first violation, and where it was found, in one line; nil where there was none.
  public var violation: String? {
    for cell in cells {
      if let violation = cell.violations.first {
        return "\(cell.label): \(violation)"
      }
    }
    return nil
  }

  /// A row for each cell.
  public var table: TextTable {
    var table = TextTable([
      TextTable.Column("trace"), TextTable.Column("policy"), TextTable.Column("capacity", .right),
      TextTable.Column("seed", .right), TextTable.Column("lock"), TextTable.Column("reads"),
      TextTable.Column("threads", .right), TextTable.Column("operations", .right),
      TextTable.Column("reads judged", .right), TextTable.Column("M operations/s", .right),
      TextTable.Column("violations", .right),
    ])
    for cell in cells {
      let rate = Double(cell.operations) / cell.seconds / 1e4
      let row = [
        cell.trace, cell.policy, "\(cell.capacity)", "\(cell.seed)", cell.lock.name,
        cell.reads.rawValue, "\(cell.threads)", "\(cell.operations)", "\(cell.judged)",
        "\(rate.rounded() / 100)", "\(cell.violations.count)",
      ]
      table.append(row.map { TextTable.Cell($0) })
    }
    return table
  }

  /// The document `evictionlab.verification/1`; `complete` stands in it only where it is false.
  ///
  ///     {"schema": "evictionlab.verification/1", "environment": {…}, "traces": [{…}],
  ///      "passed": true,
  ///      "cells": [{"trace": "web.csv", "policy": "arc", "capacity": 1000, "seed": 42, "lock": "mutex",
  ///                 "reads": "strict", "threads": 4, "operations": 113020, "judged": 70211,
  ///                 "seconds": 0.25, "violations": []}]}
  public var document: String {
    var members: [JSON.Member] = [
      JSON.Member("schema", .string(VerificationReport.schema)),
      JSON.Member("environment", environment.json),
      JSON.Member("traces", .array(traces.map(\.json))),
      JSON.Member("passed", .boolean(violation == nil)),
      JSON.Member("cells", .array(cells.map(\.json))),
    ]
    if !isComplete { members.append(JSON.Member("complete", .boolean(false))) }
    return JSON.object(members).document
  }
}

extension VerifiedCell {
  /// What is to be run again to see it again.
  fileprivate var label: String {
    "\(trace), \(policy) at \(capacity) behind \(lock.name), \(reads.rawValue) reads, "
      + "\(threads) thread\(threads == 1 ? "" : "s"), seed \(seed)"
  }

  fileprivate var json: JSON {
    [
      "trace": .string(trace), "policy": .string(policy), "capacity": .integer(capacity),
      "seed": .integer(seed), "lock": .string(lock.name), "reads": .string(reads.rawValue),
      "threads": .integer(threads), "operations": .integer(operations),
      "judged": .integer(judged), "seconds": .number(seconds),
      "violations": .array(violations.map(JSON.string)),
    ]
  }
}
