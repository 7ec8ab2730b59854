import Parameters
import CGSL

/// A ratio over time (hits per request, or how much more of them one policy has than another), with an
/// interval for traffic to come that is like the trace's: the circular block bootstrap.
///
///     let gain = try BlockBootstrap(
///       comparing: sieveHits, with: lruHits, requests: requests, evictionAge: 40_000, seed: 42)
///     print(gain.value, gain.interval())
///
/// The trace is cut into windows, each with its hits and requests. New traces are put together from blocks
/// of consecutive windows, drawn with replacement from a circle, and the ratio of each is computed; both
/// policies always get the same blocks, since what is hard for one is hard for the other. A cache remembers
/// for about an eviction age (the time an object stays without being requested), so a block spans at least
/// ten: what happens in one then hardly depends on the block before.
///
/// - Paper: D. N. Politis and J. P. Romano, “A circular block-resampling procedure for stationary data”, in
///   Exploring the Limits of Bootstrap, 1992; the interval's quantiles are moved out as T. C. Hesterberg says,
///   “What teachers should know about the bootstrap”, The American Statistician 69(4), 2015, since
///   percentiles of few blocks make intervals that are too short.
/// - Assumes: traffic whose character does not change. `stationarity` looks at the blocks' own ratios in their
///   order; where its p-value is below 0.01 the interval is about nothing, and `isStationary` is false.
///   Traffic with a longer memory than the cache's makes intervals too short: one that fades within an eviction
///   age costs them 5 % of their length.
/// - Does not say: anything of the trace itself, whose counts are exact, nor of traffic of another kind. It
///   sees what is longer than the trace as little as the trace does: the night, when the trace is of a day.
/// - Complexity: O(windows + replicates × blocks).
public struct BlockBootstrap: Sendable, Equatable {
  /// Eviction ages that a block spans, at least.
  public static let evictionAgesPerBlock = 10.0
  /// Blocks that the trace must hold, at least.
  public static let leastBlocks = 20

  /// The ratio of the whole trace, which is exact.
  public let value: Double
  /// Windows in a block.
  public let blockLength: Int
  /// Blocks in the trace, side by side.
  public let blocks: Int
  /// True if the blocks' ratios are in random order.
  public let stationarity: SerialIndependenceTest
  /// The replicates' ratios in ascending order.
  private let replicates: [Double]

  /// The estimand of the interval.
  public var estimand: Estimand { .futureWindows }

  /// True if nothing in the order of the blocks speaks against traffic that stays the same.
  public var isStationary: Bool { stationarity.pValue >= 0.01 }

  /// The hit ratio of one policy.
  ///
  /// - Parameters:
  ///   - hits: Of each window of the trace, in order.
  ///   - requests: Of each window.
  ///   - evictionAge: The number of requests that pass from an object's last use to its eviction: of several policies
  ///     the longest. The capacity over the miss ratio, which is the mean stay (Little's law), is an upper
  ///     estimate.
  ///   - replicates: Traces that are put together.
  ///   - seed: Of the draws.
  /// - Throws: For a trace of fewer than 20 blocks, windows without requests, and unequal numbers of them.
  public init(
    hits: [Int], requests: [Int], evictionAge: Double, replicates: Int = 4_000, seed: Int
  ) throws(StatisticsError) {
    try self.init(
      gains: hits.map(Double.init), requests: requests, evictionAge: evictionAge,
      replicates: replicates, seed: seed)
  }

  /// By how much one policy's hit ratio is above another's.
  ///
  /// - Parameters:
  ///   - hits: Of the one, in each window.
  ///   - others: Of the other.
  ///   - requests: Of both, in each window.
  ///   - evictionAge: As of the other initializer.
  ///   - replicates: Traces that are put together.
  ///   - seed: Of the draws.
  /// - Throws: As the other initializer.
  public init(
    comparing hits: [Int], with others: [Int], requests: [Int], evictionAge: Double,
    replicates: Int = 4_000, seed: Int
  ) throws(StatisticsError) {
    guard hits.count == others.count else {
      throw .unequalCounts("windows", first: hits.count, second: others.count)
    }
    try self.init(
      gains: zip(hits, others).map { Double($0) - Double($1) }, requests: requests,
      evictionAge: evictionAge,
      replicates: replicates, seed: seed)
  }

  private init(
    gains: [Double], requests: [Int], evictionAge: Double, replicates: Int, seed: Int
  ) throws(StatisticsError) {
    precondition(
      evictionAge >= 0 && evictionAge.isFinite, "an eviction age is a number of requests")
    precondition(replicates >= 100, "quantiles of fewer replicates are rough")
    guard gains.count == requests.count else {
      throw .unequalCounts("windows", first: gains.count, second: requests.count)
    }
    if let index = requests.firstIndex(where: { $0 < 1 }) {
      throw .badValue(
        "the number of requests of window", index: index, value: Double(requests[index]),
        wanted: "leave out windows without requests")
    }
    let circle = Circle(gains: gains, requests: requests.map(Double.init))
    let total = circle.requests[gains.count]
    let windowsNeeded = BlockBootstrap.evictionAgesPerBlock * evictionAge * Double(gains.count)
    let length = max(1, (windowsNeeded / max(total, 1)).rounded(.up))
    let blocks = gains.isEmpty ? 0 : Int(Double(gains.count) / length)
    guard blocks >= BlockBootstrap.leastBlocks else {
      throw .tooFew(
        "blocks of ten eviction ages", count: blocks, needed: BlockBootstrap.leastBlocks,
        remedy: "take a longer trace, a smaller capacity or shorter windows")
    }
    self.blocks = blocks
    blockLength = Int(length)
    value = circle.ratio(from: 0, windows: gains.count)
    let blockLength = blockLength
    stationarity = try SerialIndependenceTest(
      (0..<blocks).map { circle.ratio(from: $0 * blockLength, windows: blockLength) })
    self.replicates = circle.replicates(
      replicates, blocks: blocks, windows: blockLength, GSLRandom(seed: seed))
  }

  /// An interval that holds the ratio of such traffic with this confidence, which lies between 0 and 1.
  public func interval(confidence: Double = 0.95) -> ClosedRange<Double> {
    let freedom = Double(blocks - 1)
    let width =
      StudentDistribution.width(ofInterval: confidence, degreesOfFreedom: freedom)
      * (Double(blocks) / freedom).squareRoot()
    return quantile(
      NormalDistribution.probability(upTo: -width))...quantile(
        NormalDistribution.probability(upTo: width))
  }

  private func quantile(_ level: Double) -> Double {
    gsl_stats_quantile_from_sorted_data(replicates, 1, replicates.count, level)
  }
}

/// Windows on a circle, with sums up to each so that any stretch is added up at once.
private struct Circle {
  /// Sums over the first 0, 1, 2, … windows of two turns.
  var gains = [0.0]
  var requests = [0.0]
  let count: Int

  init(gains: [Double], requests: [Double]) {
    count = gains.count
    for (gain, request) in zip(gains + gains, requests + requests) {
      self.gains.append(self.gains[self.gains.count - 1] + gain)
      self.requests.append(self.requests[self.requests.count - 1] + request)
    }
  }

  func ratio(from start: Int, windows: Int) -> Double {
    (gains[start + windows] - gains[start]) / (requests[start + windows] - requests[start])
  }

  func replicates(_ number: Int, blocks: Int, windows: Int, _ random: GSLRandom) -> [Double] {
    var ratios: [Double] = []
    ratios.reserveCapacity(number)
    for _ in 0..<number {
      var (sum, total) = (0.0, 0.0)
      for _ in 0..<blocks {
        let start = random.index(below: count)
        sum += gains[start + windows] - gains[start]
        total += requests[start + windows] - requests[start]
      }
      ratios.append(sum / total)
    }
    ratios.sort()
    return ratios
  }
}
