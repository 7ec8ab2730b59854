/// A point of a latency distribution: a percentage of the operations took at most so long.
package struct LatencyPercentile: Sendable, Equatable {
  /// The percentage, from 0 up to below 100.
  package var percent: Double
  /// The longest time.
  package var nanoseconds: Int

  /// A point.
  package init(percent: Double, nanoseconds: Int) {
    self.percent = percent
    self.nanoseconds = nanoseconds
  }

  /// Returns the points of a distribution of `count` operations that are kept: evenly spread over an axis on
  /// which every nine takes the same room, up to where a single operation is left.
  package static func percents(of count: Int) -> [Double] {
    [
      0, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.75, 99.9, 99.95, 99.975, 99.99, 99.995, 99.999,
      99.9995, 99.9999,
    ].filter { (1 - $0 / 100) * Double(count) >= 1 }
  }
}

extension LatencyPercentile: JSONValue {
  package static let format = JSONFormat<LatencyPercentile>(
    "a pair [percent, nanoseconds]", plural: "[percent, nanoseconds]",
    write: { .array([.number($0.percent), .integer($0.nanoseconds)]) }
  ) {
    guard case .array(let values) = $0, values.count == 2, let percent = values[0].double,
      (0..<100).contains(percent), case .integer(let nanoseconds) = values[1]
    else { return nil }
    return LatencyPercentile(percent: percent, nanoseconds: nanoseconds)
  }
}
