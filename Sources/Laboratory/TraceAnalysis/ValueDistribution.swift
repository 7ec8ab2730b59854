import Histogram

/// Counts of values: quantiles to three significant digits, exact below 2048.
struct ValueDistribution: Sendable {
  private var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
  private var sum = 0.0
  private var largest: UInt64 = 0

  /// Larger values count as this.
  private static let highest: UInt64 = 1 << 62

  @inline(__always)
  mutating func record(_ value: UInt64) {
    histogram.record(min(value, ValueDistribution.highest))
    sum += Double(value)
    largest = max(largest, value)
  }

  var count: Int { Int(histogram.totalCount) }

  /// The smallest value that a share of the values do not exceed; nil if there is none.
  func quantile(_ share: Double) -> Int? {
    if count == 0 { return nil }
    let value = histogram.valueAtPercentile(min(max(share, 0), 1) * 100)
    return Int(clamping: min(value, largest))
  }

  /// Mean and quantiles; nil without values.
  var summary: DistributionSummary? {
    if count == 0 { return nil }
    return DistributionSummary(
      count: count, mean: sum / Double(count),
      quantiles: DistributionSummary.shares.map { quantile($0) ?? 0 },
      largest: Int(clamping: largest))
  }

  /// The cumulative distribution in about a hundred points: values, and the shares that do not exceed
  /// them.
  var curve: [(value: Int, share: Double)] {
    var points: [(value: Int, share: Double)] = []
    for step in histogram.recordedValues() {
      let share = Double(step.totalCountToThisValue) / Double(count)
      if let last = points.last, share < last.share + 0.01, share < 1 { continue }
      points.append((Int(clamping: min(step.value, largest)), share))
    }
    return points
  }
}

/// A distribution in a few numbers.
public struct DistributionSummary: Sendable, Equatable {
  /// Which quantiles.
  public static let shares = [0.1, 0.25, 0.5, 0.75, 0.9, 0.99]

  /// The names of the quantiles: `p10`.
  public static let names = shares.map { "p\(Int(($0 * 100).rounded()))" }

  /// Values.
  public let count: Int
  /// Their mean; nil where only bounds of the quantiles are told.
  public let mean: Double?
  /// The quantiles of ``shares``, to three significant digits, and exact below 2048.
  public let quantiles: [Int]
  /// The largest value; nil where only bounds of the quantiles are told.
  public let largest: Int?

  /// The quantile of one of the ``shares``.
  public func quantile(_ share: Double) -> Int? {
    DistributionSummary.shares.firstIndex(of: share).map { quantiles[$0] }
  }

  /// The members of a document: `count`, `mean`, `p10` … `p99`, `max`.
  var members: [JSON.Member] {
    [JSON.Member("count", .integer(count)), JSON.Member("mean", .optional(mean))]
      + zip(DistributionSummary.names, quantiles).map { JSON.Member($0, .integer($1)) }
      + [JSON.Member("max", .optional(largest))]
  }
}
