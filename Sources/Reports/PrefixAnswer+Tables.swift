import Foundation
import Rendering
import Results

extension Array<PrefixAnswer> {
  /// A row for each size of each trace.
  ///
  /// - Parameter command: The command that runs a policy list of an answer again; nil leaves the column out.
  func table(command: ((PrefixAnswer, String) -> String?)? = nil) -> TextTable {
    let hasRules = Set(map(\.setup)).count > 1
    let hasCurve = contains { $0.larger?.multiple == 2 }
    let hasMultiple = contains { $0.best?.multiple != nil }
    let hasFraction = contains { $0.fraction != nil }
    let hasBound = contains { $0.bound != nil }
    var columns: [TextTable.Column] = [.init("trace")]
    if hasRules { columns.append(.init("rules")) }
    columns.append(.init("blocks", .right))
    if hasFraction { columns.append(.init("of all %", .right)) }
    columns += [
      .init("lru %", .right), .init("best order"), .init("it hits %", .right),
      .init("gain, points", .right), .init("of the gap %", .right), .init("optimum %", .right),
    ]
    if hasBound { columns.append(.init("no policy above %", .right)) }
    if hasMultiple { columns.append(.init("lru needs × blocks", .right)) }
    if hasCurve {
      columns += [.init("twice the blocks, points", .right), .init("more comes from")]
    }
    if command != nil { columns.append(.init("command", isProse: true)) }
    var table = TextTable(columns)
    for answers in grouped(by: \.trace) {
      table.beginGroup()
      for answer in answers {
        let best = answer.best
        var row: [TextTable.Cell] = [.init(answer.trace)]
        if hasRules { row.append(.init(answer.setup.text)) }
        row.append(.init("\(answer.capacity)"))
        if hasFraction { row.append(.percent(answer.fraction)) }
        row += [
          .percent(answer.lru), .init(best.map { $0.label + answer.alsoRan } ?? "lru"),
          .percent(best?.hitRatio ?? answer.lru), .percent(best?.gain ?? 0),
          .percent(best?.closed), .percent(answer.optimum),
        ]
        if hasBound { row.append(.percent(answer.bound)) }
        if hasMultiple { row.append(.multiple(best == nil ? 1 : best?.multiple)) }
        if hasCurve {
          row += [
            .percent(answer.larger.map { $0.hitRatio - answer.lru }),
            .init(answer.source?.rawValue ?? "–"),
          ]
        }
        if let command {
          row.append(.init(command(answer, best.map { "lru,\($0.label),opt" } ?? "lru,opt") ?? "–"))
        }
        table.append(row)
      }
    }
    return table
  }
}

/// The same sizes by every way of counting, an order in each row.
struct PrefixOrders {
  /// The answers of one size, by the ways in which it was counted.
  private let sizes: [[PrefixAnswer]]
  private let hasRules: Bool

  /// The orders of a document.
  init(_ results: ResultSet, bounds: Set<String>) {
    let ways = PrefixAnswer.Counting.allCases.map {
      PrefixAnswer.all(of: results, bounds: bounds, by: $0)
    }
    sizes = ways.flatMap(\.self).grouped { [$0.trace, "\($0.setup)", "\($0.capacity)"] }
    hasRules = Set(ways.joined().map(\.setup)).count > 1
  }

  /// A row for each order, those of one size together, the best first.
  func table(command: (PrefixAnswer, String) -> String?) -> TextTable {
    let ways = PrefixAnswer.Counting.allCases
    var columns: [TextTable.Column] = [.init("order"), .init("trace")]
    if hasRules { columns.append(.init("rules")) }
    columns.append(.init("blocks", .right))
    for way in ways {
      columns += [
        .init("\(way.name) %", .right), .init("gain, points", .right),
        .init("of the gap %", .right),
      ]
    }
    columns += [.init("lru needs × blocks", .right), .init("command", isProse: true)]
    var table = TextTable(columns)
    for answers in sizes {
      table.beginGroup()
      let first = answers[0]
      let own = answers.first { $0.counting == .init(first.setup.definition) } ?? first
      for order in own.orders {
        var row: [TextTable.Cell] = [.init(order.label), .init(first.trace)]
        if hasRules { row.append(.init(first.setup.text)) }
        row.append(.init("\(first.capacity)"))
        for way in ways {
          let same = answers.first { $0.counting == way }?.orders.first { $0.label == order.label }
          row += [.percent(same?.hitRatio), .percent(same?.gain), .percent(same?.closed)]
        }
        row += [
          .multiple(order.multiple), .init(command(first, "lru,\(order.label),opt") ?? "–"),
        ]
        table.append(row)
      }
    }
    return table
  }
}

extension PrefixAnswer {
  /// The number of orders that hit as much as the best, behind its name.
  fileprivate var alsoRan: String { equals == 0 ? "" : " and \(equals) more" }
}

extension PrefixSetup {
  /// The rules in words.
  fileprivate var text: String { parts.isEmpty ? "usual" : parts.joined(separator: ", ") }
}

extension TextTable.Cell {
  fileprivate static func percent(_ ratio: Double?) -> TextTable.Cell {
    guard let ratio else { return "–" }
    let text = String(format: "%.2f", ratio * 100)
    return .init(text == "-0.00" ? "0.00" : text, exact: "\(ratio)")
  }

  fileprivate static func multiple(_ value: Double?) -> TextTable.Cell {
    .init(value.map { $0.isFinite ? String(format: "%.2f", $0) : "∞" } ?? "–")
  }
}
