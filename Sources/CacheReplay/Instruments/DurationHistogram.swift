import Histogram
import Results

/// Durations in nanoseconds, to three significant digits, up to 73 minutes; longer ones count as that.
///
/// - Complexity: a record is O(1); it allocates where no duration before was half as long. Memory: 16 KB,
///   90 KB for durations up to a millisecond, 280 KB for the longest.
package struct DurationHistogram: Sendable {
  private var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
  private var sum: UInt64 = 0
  private var longest: UInt64 = 0

  private static let highest: UInt64 = 1 << 42

  /// An empty histogram that grows as it must.
  package init() {}

  /// An empty histogram with room for durations up to 17 seconds, which allocates for longer ones only.
  ///
  /// A timed operation must not wait for an allocation. Memory: 200 KB.
  package static var ready: DurationHistogram {
    var ready = DurationHistogram()
    ready.histogram = Histogram<UInt64>(
      lowestDiscernibleValue: 1, highestTrackableValue: 1 << 34,
      numberOfSignificantValueDigits: .three)
    ready.histogram.autoResize = true
    return ready
  }

  /// The durations of several histograms: exactly, as every count is added.
  package init(merging others: [DurationHistogram]) {
    self.init()
    for other in others { add(other) }
  }

  package mutating func record(_ nanoseconds: UInt64) {
    histogram.record(min(nanoseconds, DurationHistogram.highest))
    sum &+= nanoseconds
    longest = max(longest, nanoseconds)
  }

  /// Records a duration as often as it occurred.
  package mutating func record(_ nanoseconds: UInt64, count: Int) {
    histogram.record(min(nanoseconds, DurationHistogram.highest), count: UInt64(count))
    sum &+= nanoseconds &* UInt64(count)
    longest = max(longest, nanoseconds)
  }

  /// The sum of all durations, in seconds.
  package var seconds: Double { Double(sum) / 1e9 }

  package mutating func add(_ other: DurationHistogram) {
    histogram.add(other.histogram)
    sum &+= other.sum
    longest = max(longest, other.longest)
  }

  package var count: Int { Int(histogram.totalCount) }

  var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }

  package func percentile(_ percent: Double) -> Int {
    count == 0 ? 0 : min(Int(histogram.valueAtPercentile(percent)), Int(longest))
  }

  /// Wait or hold times.
  package var summary: DurationSummary {
    DurationSummary {
      $0.p50 = percentile(50)
      $0.p99 = percentile(99)
      $0.p9999 = percentile(99.99)
      $0.max = Int(longest)
      $0.total = Int(clamping: sum)
    }
  }

  /// An operation's latency; nil if it never happened.
  package var latency: LatencySummary? {
    if count == 0 { return nil }
    return LatencySummary {
      $0.count = count
      $0.mean = mean
      $0.p50 = percentile(50)
      $0.p90 = percentile(90)
      $0.p99 = percentile(99)
      $0.p999 = percentile(99.9)
      $0.max = Int(longest)
      $0.percentiles = LatencyPercentile.percents(of: count).map {
        LatencyPercentile(percent: $0, nanoseconds: percentile($0))
      }
    }
  }
}

extension DurationHistogram {
  /// The distribution by percentiles, in nanoseconds, as HdrHistogram's tools read and plot it
  /// (`.hgrm`): five points for each halving of the distance to 100 %.
  package var percentileDistribution: String {
    var text = ""
    histogram.outputPercentileDistribution(to: &text, outputValueUnitScalingRatio: 1)
    return text
  }
}
