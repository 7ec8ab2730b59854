import Histogram

/// Durations in nanoseconds, to three significant digits, up to 68 seconds; longer ones count as that.
///
/// - Complexity: a record is O(1) and allocates nothing. Memory: 232 KB.
package struct DurationHistogram: Sendable {
  private var histogram: Histogram<UInt64>
  private var sum: UInt64 = 0
  private var longest: UInt64 = 0

  private static let highest: UInt64 = 1 << 36

  package init() {
    histogram = Histogram(
      highestTrackableValue: DurationHistogram.highest, numberOfSignificantValueDigits: .three)
  }

  package mutating func record(_ nanoseconds: UInt64) {
    histogram.record(min(nanoseconds, DurationHistogram.highest))
    sum &+= nanoseconds
    longest = max(longest, nanoseconds)
  }

  package mutating func add(_ other: DurationHistogram) {
    histogram.add(other.histogram)
    sum &+= other.sum
    longest = max(longest, other.longest)
  }

  mutating func reset() { self = DurationHistogram() }

  package var count: Int { Int(histogram.totalCount) }

  var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }

  func percentile(_ percent: Double) -> Int {
    count == 0 ? 0 : min(Int(histogram.valueAtPercentile(percent)), Int(longest))
  }

  /// Wait or hold times.
  package var summary: DurationSummary {
    DurationSummary(
      p50: percentile(50), p99: percentile(99), max: Int(longest), total: Int(clamping: sum))
  }

  /// An operation's latency; nil if it never happened.
  package var latency: LatencySummary? {
    if count == 0 { return nil }
    var summary = LatencySummary(
      count: count, mean: mean, p50: percentile(50), p90: percentile(90), p99: percentile(99),
      p999: percentile(99.9), max: Int(longest))
    summary.percentiles = LatencyPercentile.percents(of: count).map {
      LatencyPercentile(percent: $0, nanoseconds: percentile($0))
    }
    return summary
  }
}

extension ContentionSummary {
  /// A lock that was never taken.
  static var none: ContentionSummary {
    let nothing = DurationSummary(p50: 0, p99: 0, max: 0, total: 0)
    return ContentionSummary(acquisitions: 0, contended: 0, wait: nothing, hold: nothing)
  }
}
