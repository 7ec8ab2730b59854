import Foundation
import Parameters

/// The mean ratio of a stationary process like a trace (hits per request, or how much more of them one policy
/// has than another), with an interval for it, and one for the next trace of the process.
///
///     let gain = try StationaryMean(comparing: sieveHits, with: lruHits, requests: requests)
///     print(gain.value, gain.interval(), gain.nextTrace(), gain.stationarity.pValue)
///
/// The trace is cut into windows, each with its hits and requests. The variance is that of the circular block
/// bootstrap over the windows, with infinitely many replicates, which needs no draws; the length of blocks is
/// chosen once, from the data. Where the lag window of that choice says more, that is the variance. Both
/// policies always stand in the same window, since what is hard for one is hard for the other.
///
/// - Paper: D. N. Politis and J. P. Romano, “A circular block-resampling procedure for stationary data”, in
///   Exploring the Limits of Bootstrap, 1992; `BlockLength` and `StationarityTest` name theirs. Intervals are
///   Student's with a degree of freedom less than there are blocks, since few blocks tell little of a variance.
/// - Assumes: traffic whose character does not change, during the trace and after it. `stationarity` doubts it
///   with a p-value, and grants nothing.
/// - Does not say: anything of the trace itself, whose counts are exact, nor of traffic of another kind. It
///   sees what is longer than the trace as little as the trace does: the night, when the trace is of a day. Where
///   windows depend strongly on those before, intervals are too short; `results/interval-coverage.md` says how
///   often they hold the truth. Under a drift `nextTrace` never holds.
/// - Complexity: O(n √n) for n windows.
package struct StationaryMean: Sendable, Equatable {
  /// Windows that the trace must have, at least.
  package static let leastWindows = 20

  /// The ratio of the whole trace, which is exact.
  package let value: Double
  /// Windows of the trace.
  package let windows: Int
  /// Windows in a block.
  package let blockLength: Int
  /// The distance of the trace's ratio from the process's, in the root of the mean square; 0 where the ratio is
  /// the same in all windows.
  package let standardError: Double
  /// The test that the windows' ratios stay at one level.
  package let stationarity: StationarityTest
  /// The values that a ratio can have.
  private let range: ClosedRange<Double>

  /// The estimand of the interval.
  package var estimand: Estimand { .stationaryMean }

  /// The hit ratio of one policy.
  ///
  /// - Parameters:
  ///   - hits: Of each window of the trace, in order.
  ///   - requests: Of each window.
  /// - Throws: For fewer than 20 windows, windows without requests, and unequal numbers of them.
  package init(hits: [Int], requests: [Int]) throws(StatisticsError) {
    try self.init(gains: hits.map(Double.init), requests: requests, in: 0...1)
  }

  /// By how much one policy's hit ratio is above another's.
  ///
  /// - Parameters:
  ///   - hits: Of the one, in each window.
  ///   - others: Of the other.
  ///   - requests: Of both, in each window.
  /// - Throws: As the other initializer.
  package init(
    comparing hits: [Int], with others: [Int], requests: [Int]
  ) throws(StatisticsError) {
    guard hits.count == others.count else {
      throw .unequalCounts("windows", first: hits.count, second: others.count)
    }
    try self.init(
      gains: zip(hits, others).map { Double($0) - Double($1) }, requests: requests, in: -1...1)
  }

  private init(
    gains: [Double], requests: [Int], in range: ClosedRange<Double>
  ) throws(StatisticsError) {
    guard gains.count == requests.count else {
      throw .unequalCounts("windows", first: gains.count, second: requests.count)
    }
    guard gains.count >= StationaryMean.leastWindows else {
      throw .tooFew(
        "windows with requests", count: gains.count, needed: StationaryMean.leastWindows,
        remedy: "cut the trace into more")
    }
    if let index = requests.firstIndex(where: { $0 < 1 }) {
      throw .badValue(
        "the number of requests of window", index: index, value: Double(requests[index]),
        wanted: "leave out windows without requests")
    }
    let total = requests.reduce(0.0) { $0 + Double($1) }
    let count = Double(gains.count)
    let ratio = gains.reduce(0, +) / total
    // To first order the ratio's error is the mean of these.
    var deviations = zip(gains, requests).map { ($0 - ratio * Double($1)) * count / total }
    if deviations.allSatisfy({ abs($0) < 1e-12 }) {
      deviations = deviations.map { _ in 0 }
    }
    let choice = BlockLength(centered: deviations)
    let variance = max(
      BlockLength.variance(of: deviations, length: choice.length), choice.longRunVariance)
    value = ratio
    windows = gains.count
    blockLength = choice.length
    // A mean of few blocks has part of its own error taken off.
    standardError = (variance / (count - Double(choice.length))).squareRoot()
    stationarity = StationarityTest(centered: deviations, blockLength: choice.length)
    self.range = range
  }

  /// An interval that holds the process's mean with this confidence, which lies between 0 and 1.
  package func interval(confidence: Double = 0.95) -> ClosedRange<Double> {
    interval(standardError, confidence)
  }

  /// An interval that holds the ratio of the next trace of the process, as long as this one, with this
  /// confidence: that trace errs as much as this one.
  package func nextTrace(confidence: Double = 0.95) -> ClosedRange<Double> {
    interval(standardError * 2.0.squareRoot(), confidence)
  }

  private func interval(_ error: Double, _ confidence: Double) -> ClosedRange<Double> {
    let blocks = Double(windows) / Double(blockLength)
    let width =
      error * StudentDistribution.width(ofInterval: confidence, degreesOfFreedom: blocks - 1)
    return max(range.lowerBound, value - width)...min(range.upperBound, value + width)
  }
}
