import Rendering
import Results
import Statistics
import Traces

/// The number of distinct keys requested between two requests of the same key: its stack distance. An LRU
/// cache hits exactly the requests whose distance is below its capacity.
package struct ReuseDistance: TraceFigure {
  /// The method that found the distances.
  package struct Method: Sendable, Equatable {
    /// The share of the keys that were followed; 1 when distances are exact.
    package let keyRate: Double
    /// The requests whose distance was measured.
    package let requests: Int

    /// True if all distances of all requests were counted.
    package var isExact: Bool { keyRate == 1 && isWhole }

    let isWhole: Bool
  }

  /// The method.
  package let method: Method
  /// The distribution over the requests that are not the first of their key; nil if there are none.
  package let summary: DistributionSummary?
  /// For each quantile of the summary an interval that holds the true one with 95 % confidence; empty
  /// when distances are exact.
  package let intervals: [ClosedRange<Int>]
  /// Distances, and the shares of the requests with no larger ones.
  package let curve: [(value: Int, share: Double)]

  /// Their name in a document.
  package static let keys = ["reuseDistance"]

  /// The values in a document.
  package var values: [JSON] {
    guard let summary else { return [.null] }
    let bounds = zip(DistributionSummary.names, intervals).map { name, interval in
      JSON.Member(name, .array([.integer(interval.lowerBound), .integer(interval.upperBound)]))
    }
    return [
      .object(
        [
          JSON.Member("method", .string(method.isExact ? "exact" : "sampled")),
          JSON.Member("keyRate", .number(method.keyRate)),
        ] + summary.members
          + [JSON.Member("intervals", bounds.isEmpty ? .null : .object(bounds)), curve.member])
    ]
  }

  /// The method that found the distances, where they are not exact.
  package var facts: [TraceFact] {
    if method.isExact || summary == nil { return [] }
    return [
      TraceFact(
        "reuse distance",
        "estimated from \(method.requests) requests and \(method.keyRate.percent) of the keys")
    ]
  }

  /// The quantiles, and their intervals.
  package var distributions: [TraceDistribution] {
    guard let summary else { return [] }
    func bound(_ label: String, _ end: KeyPath<ClosedRange<Int>, Int>) -> [TraceDistribution] {
      intervals.isEmpty
        ? []
        : [TraceDistribution(label, summary.bounded(by: intervals.map { $0[keyPath: end] }))]
    }
    return [TraceDistribution("reuse distance, keys", summary)]
      + bound("  at least, 95 % conf.", \.lowerBound) + bound("  at most", \.upperBound)
  }

  /// The cumulative distribution.
  package var charts: [Chart] {
    if curve.isEmpty { return [] }
    return [
      Chart(
        title: "Reuse distance", x: .logarithmic("distinct keys in between (0 stands at 1)"),
        y: .linear("share of the reuses"),
        series: [
          Chart.Series(
            method.isExact ? "at most so far" : "at most so far (estimate)", .steps,
            points: curve.points(from: 1))
        ])
    ]
  }
}

/// Counts distances, or estimates them from a sample of the keys and one of the requests.
///
/// The keys in the sample are those whose hash is small, as in SHARDS: a distance is the number of
/// sampled keys requested in between, divided by their share. Here any request may be measured against
/// them, not only those of sampled keys, so that it does not matter whether the few most popular keys are
/// in the sample: the measured requests are drawn evenly. Short reuses are counted exactly.
///
/// - Paper: C. A. Waldspurger, N. Park, A. Garthwaite and I. Ahmad, “Efficient MRC construction with
///   SHARDS”, FAST 2015.
final class ReuseDistanceAnalyser: TraceAnalyser {
  private let plan: Plan
  private var tree: RecencyTree
  private var distances = ValueDistribution()
  /// The smallest distance that was estimated and not counted.
  private var leastEstimate = UInt64.max
  private var random: RandomSource
  /// The next request to measure.
  private var next = 0

  init?(_ trace: Trace, options: TraceProfile.Options) {
    plan = Plan(trace, options: options)
    tree = RecencyTree(requests: trace.requests)
    random = RandomSource(seed: UInt64(bitPattern: Int64(options.seed)))
    next = step()
  }

  func take(_ block: AnalysisBlock) {
    plan.followed.withUnsafeBufferPointer { followed in
      for index in 0..<block.count {
        let previous = block.previous[index]
        if block.first &+ index == next {
          if previous > 0 { measure(block, index) }
          next += 1 + step()
        }
        if followed.isEmpty || followed[Int(block.ids[index])] {
          tree.touch(block.number(index), previous: previous)
        }
      }
    }
  }

  func finish(_ uses: KeyUses) -> ReuseDistance {
    let method = ReuseDistance.Method(
      keyRate: plan.keyRate, requests: distances.count, isWhole: plan.gap == 1)
    let hasIntervals = !method.isExact && distances.count > 0
    return ReuseDistance(
      method: method, summary: distances.summary,
      intervals: hasIntervals ? DistributionSummary.shares.map(interval) : [],
      curve: distances.curve)
  }

  private func measure(_ block: AnalysisBlock, _ index: Int) {
    let previous = block.previous[index]
    if plan.keyRate < 1, Int(block.number(index) - previous) <= AnalysisBlock.history {
      distances.record(UInt64(block.distinctSincePrevious(index)))
      return
    }
    let counted = tree.count(after: previous)
    if plan.keyRate == 1 { return distances.record(UInt64(counted)) }
    let estimate = UInt64((Double(counted) / plan.keyRate).rounded())
    distances.record(estimate)
    leastEstimate = min(leastEstimate, estimate)
  }

  /// Returns the number of requests not measured before the next one is.
  private func step() -> Int {
    plan.gap == 1 ? 0 : Int(random.next() % UInt64(2 * plan.gap - 1))
  }

  /// Returns the range of a quantile: the ratio of the measured requests below it is that of all requests
  /// within the error of a binomial ratio, and an estimated distance is right within that of a binomial count.
  private func interval(_ share: Double) -> ClosedRange<Int> {
    let width = NormalDistribution.width(ofInterval: 0.95)
    let error = width * (share * (1 - share) / Double(distances.count)).squareRoot()
    func bound(_ share: Double, _ sign: Double) -> Int {
      let value = distances.quantile(share) ?? 0
      if plan.keyRate == 1 || value < leastEstimate { return value }
      // Where nothing was counted, a count of one was possible.
      let counted = max(Double(value) * plan.keyRate, 1)
      let error = width * ((1 - plan.keyRate) / counted).squareRoot()
      return max(0, Int((max(Double(value), 1 / plan.keyRate) * (1 + sign * error)).rounded()))
    }
    let (low, high) = (bound(share - error, -1), bound(share + error, 1))
    return low...max(low, high)
  }
}

extension ReuseDistanceAnalyser {
  /// The keys that are followed, and the number of requests that are measured.
  struct Plan {
    /// The share of the keys that are followed.
    let keyRate: Double
    /// Every how many requests one is measured, on average.
    let gap: Int
    /// By id, whether a key is followed; empty if all are.
    let followed: [Bool]

    init(_ trace: Trace, options: TraceProfile.Options) {
      let isExact = options.isExact || trace.requests <= options.exactRequests
      let (keys, requests) = (Double(trace.distinct), Double(trace.requests))
      let wanted = Double(options.followedKeys)
      // Long traces of few keys follow fewer, but an eighth at least.
      let rate = isExact ? 1 : max(min(wanted / keys, 32 * wanted / requests), wanted / 8 / keys)
      gap = isExact ? 1 : max(1, trace.requests / max(1, options.measuredRequests))
      if rate >= 1 {
        (keyRate, followed) = (1, [])
        return
      }
      let limit = UInt64(rate * 0x1p64)
      followed = trace.keyHashes(seed: UInt64(bitPattern: Int64(options.seed))).map { $0 < limit }
      // The drawn number, not the requested one.
      keyRate = Double(max(followed.count { $0 }, 1)) / keys
    }
  }
}

extension DistributionSummary {
  /// The same with other quantiles.
  fileprivate func bounded(by quantiles: [Int]) -> DistributionSummary {
    DistributionSummary(count: count, mean: nil, quantiles: quantiles, largest: nil)
  }
}
