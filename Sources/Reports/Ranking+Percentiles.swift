import Parameters
import Rendering

extension Ranking {
  /// The percentiles of values over traces that are shown.
  static let percents = [10, 25, 50, 75, 90]

  /// The fewest traces of which percentiles are shown.
  private static let leastTraces = 5

  /// True for a ranking over traces enough for percentiles.
  var hasPercentiles: Bool {
    isOfTraces && columns.count >= Ranking.leastTraces && places.count > 1
      && places[0].isComplete
  }

  /// The percentiles of each policy that ran on all traces, as a table.
  var percentiles: TextTable {
    var table = TextTable(
      [.init("policy"), .init("traces", .right), .init("mean", .right)]
        + Ranking.percents.map { .init("p\($0)", .right) }
        + [.init("worst", .right), .init("best", .right), .init("first on", .right)])
    for place in places where place.isComplete {
      let values = place.values.compactMap(\.self)
      func cell(_ value: Double) -> TextTable.Cell {
        .init(Headline.number(value), exact: "\(value)")
      }
      let first = firsts(of: place)
      table.append(
        [.init(place.title), .init("\(values.count)"), cell(place.mean)]
          + Ranking.percents.map { cell(place.percentile($0) ?? 0) }
          + [cell(values.min() ?? 0), cell(values.max() ?? 0), .init("\(first)")])
    }
    return table
  }
}

extension Ranking.Place {
  /// A percentile of the known values, between two of them on the line that joins them; nil without values.
  func percentile(_ percent: Int) -> Double? {
    let sorted = values.compactMap(\.self).sorted()
    guard let last = sorted.indices.last else { return nil }
    let place = Double(last) * Double(percent) / 100
    let below = Int(place)
    return sorted[below] + (sorted[min(below + 1, last)] - sorted[below]) * (place - Double(below))
  }
}
