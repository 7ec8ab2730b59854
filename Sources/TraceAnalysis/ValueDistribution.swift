import Histogram
import Results

/// Counts of values: quantiles to three significant digits, exact below 2048.
///
/// Values are counted in the buckets of an HdrHistogram of three digits, which is made of them when
/// something is asked.
struct ValueDistribution: Sendable {
  /// The number of values in each bucket.
  private var counts = [UInt64](
    repeating: 0, count: ValueDistribution.bucket(of: ValueDistribution.highest) + 1)
  private(set) var count = 0
  private var sum = 0.0
  private var smallest = UInt64.max
  private var largest: UInt64 = 0

  /// Larger values count as this.
  private static let highest: UInt64 = 1 << 62

  /// Returns the bucket of a value: its own below 2048, and one of 1024 buckets for each power of two above.
  @inline(__always)
  private static func bucket(of value: UInt64) -> Int {
    let shift = 53 &- (value | 2047).leadingZeroBitCount
    return shift &<< 10 &+ Int(truncatingIfNeeded: value &>> UInt64(truncatingIfNeeded: shift))
  }

  /// The smallest value of a bucket.
  private static func least(in bucket: Int) -> UInt64 {
    let shift = max(0, bucket >> 10 - 1)
    return UInt64(bucket - shift << 10) << UInt64(shift)
  }

  mutating func record(_ value: UInt64) { record(1) { _ in value } }

  /// Counts the values at that number of places, from 0; nil where a place has no value.
  @inline(__always)
  mutating func record(_ places: Int, _ value: (Int) -> UInt64?) {
    var (count, sum, smallest, largest) = (count, sum, smallest, largest)
    counts.withUnsafeMutableBufferPointer { counts in
      var place = 0
      while place < places {
        if let value = value(place) {
          let counted = min(value, Self.highest)
          counts[Self.bucket(of: counted)] &+= 1
          count &+= 1
          sum += Double(value)
          smallest = min(smallest, counted)
          largest = max(largest, value)
        }
        place &+= 1
      }
    }
    (self.count, self.sum, self.smallest, self.largest) = (count, sum, smallest, largest)
  }

  /// O(buckets).
  private var histogram: Histogram<UInt64> {
    var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
    let last = min(largest, Self.highest)
    for (bucket, count) in counts[...Self.bucket(of: last)].enumerated() where count > 0 {
      histogram.record(max(Self.least(in: bucket), smallest), count: count)
    }
    // The smallest and the largest value are told as they are.
    histogram.record(last, count: 0)
    return histogram
  }

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
package struct DistributionSummary: Sendable, Equatable {
  /// The quantiles.
  package static let shares = [0.1, 0.25, 0.5, 0.75, 0.9, 0.99]

  /// The names of the quantiles: `p10`.
  package static let names = shares.map { "p\(Int(($0 * 100).rounded()))" }

  /// Values.
  package let count: Int
  /// Their mean; nil where only bounds of the quantiles are told.
  package let mean: Double?
  /// The quantiles of ``shares``, to three significant digits, and exact below 2048.
  package let quantiles: [Int]
  /// The largest value; nil where only bounds of the quantiles are told.
  package let largest: Int?

  /// The quantile of one of the ``shares``.
  package func quantile(_ share: Double) -> Int? {
    DistributionSummary.shares.firstIndex(of: share).map { quantiles[$0] }
  }

  /// The members of a document: `count`, `mean`, `p10` … `p99`, `max`.
  var members: [JSON.Member] {
    [JSON.Member("count", .integer(count)), JSON.Member("mean", .optional(mean))]
      + zip(DistributionSummary.names, quantiles).map { JSON.Member($0, .integer($1)) }
      + [JSON.Member("max", .optional(largest))]
  }
}
