import Parameters
import Results

extension ResultSet {
  /// The same with the rows of each capacity by their policies' mean latencies, the lowest first, else by their hit
  /// ratios, the highest first.
  ///
  /// The runs of one policy stay together, in their order; those on disk, which run in random order, by
  /// page, durability, threshold and round.
  var ranked: ResultSet {
    var ranked = self
    ranked.measurements = measurements.grouped { [$0.trace, $0.kind.rawValue, $0.unit.rawValue] }
      .flatMap { runs in runs.grouped(by: \.capacity).flatMap(ResultSet.ranked) }
    return ranked
  }

  private static func ranked(_ runs: [Measurement]) -> [Measurement] {
    runs.grouped(by: \.contender)
      .map { runs in
        (
          latency: runs.compactMap(\.latency?.mean).mean ?? 0,
          ratio: runs.compactMap(\.comparedHitRatio).mean ?? 0, runs: runs
        )
      }
      .sorted { ($1.latency, $0.ratio) > ($0.latency, $1.ratio) }
      .flatMap { _, _, runs in
        runs.sorted { left, right in
          guard let left = left.disk?.setup, let right = right.disk?.setup else { return false }
          return (left.pageSize, left.durability, left.inlineThreshold, left.round)
            < (right.pageSize, right.durability, right.inlineThreshold, right.round)
        }
      }
  }
}
