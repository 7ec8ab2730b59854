import Foundation
import Parameters
import Rendering
import Results

/// Miss-ratio curves as a table: the miss ratio at a few capacities of each.
enum CurveTable {
  /// The number of capacities of a curve that are shown.
  private static let rows = 12

  static func table(of curves: [MissRatioCurve]) -> TextTable {
    let isPriced = curves.contains { $0.cheapest != nil }
    let isMonthly = curves.compactMap(\.cheapest).areMonthly
    let hasIntervals = curves.contains { !$0.isExact }
    let kinds = curves.flatMap { $0.points.first?.spreads ?? [] }.map(\.kind).unique
    var table = TextTable(
      [
        .init("policy"),
        .init(curves.first?.unit == .bytes ? "capacity MiB" : "capacity", .right),
        .init("miss ratio %", .right),
      ]
        + (hasIntervals ? [.init("≥ %", .right), .init("≤ %", .right)] : [])
        + kinds.map { .init("other \($0.rawValue)s %", .right) }
        + (isPriced
          ? ["cost of memory", "cost of misses", "cost"].map {
            .init($0 + (isMonthly ? " a month" : ""), .right)
          }
          : [])
    )
    for curve in curves {
      table.beginGroup()
      let factor = isMonthly ? curve.cheapest?.traceTimesPerMonth ?? 1 : 1
      for point in shown(of: curve) {
        let bounds = [point.interval?.lowerBound, point.interval?.upperBound]
        table.append(
          [
            .init(curve.policyLabel),
            .init(
              curve.unit == .bytes ? ByteCount.mebibytes(point.capacity) : "\(point.capacity)",
              exact: "\(point.capacity)"),
            .init(percent(point.missRatio), exact: "\(point.missRatio)"),
          ] + (hasIntervals ? bounds.map { .init($0.map(percent) ?? "–") } : [])
            + kinds.map { kind in
              .init(point.spreads.first { $0.kind == kind }?.percentages ?? "–")
            }
            + (isPriced ? costs(at: point, of: curve, times: factor) : []))
      }
    }
    return table
  }

  /// The least drop of the miss ratio between neighbours that is a cliff: both of its sides are shown.
  private static let cliff = 0.1

  /// Points at about equal steps of the curve's own, its ends, the cheapest and both sides of cliffs among them.
  private static func shown(of curve: MissRatioCurve) -> [MissRatioCurve.Point] {
    let last = curve.points.count - 1
    if last < rows { return curve.points }
    var places = Set((0..<rows).map { $0 * last / (rows - 1) })
    if let cheapest = curve.points.firstIndex(where: { $0.capacity == curve.cheapest?.capacity }) {
      places.insert(cheapest)
    }
    for place in 1...last
    where curve.points[place - 1].missRatio - curve.points[place].missRatio >= cliff {
      places.formUnion([place - 1, place])
    }
    return places.sorted().map { curve.points[$0] }
  }

  private static func costs(
    at point: MissRatioCurve.Point, of curve: MissRatioCurve, times factor: Double
  ) -> [TextTable.Cell] {
    guard let cheapest = curve.cheapest else { return ["–", "–", "–"] }
    let memory = cheapest.memory(at: point.capacity) * factor
    let misses = cheapest.misses(at: point, requests: curve.requests) * factor
    return [
      .init(memory.digits(4)), .init(misses.digits(4)),
      .init((memory + misses).digits(4), isBest: point.capacity == cheapest.capacity),
    ]
  }

  private static func percent(_ ratio: Double) -> String { String(format: "%.2f", ratio * 100) }
}

extension [CheapestCapacity] {
  /// True where each has the time that costs are for, so that they are shown for a month.
  var areMonthly: Bool { !isEmpty && allSatisfy { $0.seconds > 0 } }
}
