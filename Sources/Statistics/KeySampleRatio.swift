/// The hit ratio of a whole trace, from a sample of its keys with all their requests.
///
///     let ratio = try KeySampleRatio(hits: hitsOfKey, requests: requestsOfKey, rate: 0.01)
///     print(ratio.value, ratio.interval())
///
/// The requests of one key hit or miss together, so that a sample is as large as it has keys, not requests: each
/// is a cluster, and what counts is how far its hits lie from the common ratio.
///
/// - Paper: W. G. Cochran, Sampling Techniques, 3rd edition, 1977, chapters 6 and 9A; on sampling keys by
///   hash, C. A. Waldspurger et al., “Efficient MRC construction with SHARDS”, FAST 2015; on the keys that a
///   sample counts for, L. Kish, Survey Sampling, 1965.
/// - Assumes: keys drawn independently, each with the same probability, and none with a large part of all
///   requests. `effectiveKeys` says how many equally popular keys the sample counts for: with fewer than 100
///   or so the interval is too short, as whether a hot key is in the sample decides everything.
/// - Does not say: how far a small cache with the sample behaves like a large one with the trace, which is an
///   error of the model and not of the draw.
/// - Complexity: O(keys).
public struct KeySampleRatio: Sendable, Equatable {
  /// Hits per request in the sample.
  public let value: Double
  /// How far that lies from the trace's own ratio, in the root of the mean square.
  public let standardError: Double
  /// How many equally popular keys the sampled ones count for.
  public let effectiveKeys: Double

  /// What the interval is about.
  public var estimand: Estimand { .keySampling }

  /// Looks at a sample.
  ///
  /// - Parameters:
  ///   - hits: Of each sampled key.
  ///   - requests: Of each sampled key.
  ///   - rate: The share of the trace's keys that was drawn, above 0 and at most 1.
  /// - Throws: For fewer than ten keys, keys without requests, and more hits than requests.
  public init(hits: [Int], requests: [Int], rate: Double) throws(StatisticsError) {
    precondition(rate > 0 && rate <= 1, "a sampling rate lies between 0 and 1")
    guard hits.count == requests.count else {
      throw .unequalCounts("keys", first: hits.count, second: requests.count)
    }
    guard hits.count >= 10 else {
      throw .tooFew("sampled keys", count: hits.count, needed: 10, remedy: "raise the rate")
    }
    for (index, (hit, request)) in zip(hits, requests).enumerated() {
      guard request > 0, (0...request).contains(hit) else {
        throw .badValue(
          "the number of hits of key", index: index, value: Double(hit),
          wanted: "it has \(request) requests, and needs one or more, and no more hits")
      }
    }
    let keys = zip(hits, requests).map { (Double($0), Double($1)) }
    let count = Double(keys.count)
    let total = keys.reduce(0) { $0 + $1.1 }
    let ratio = keys.reduce(0) { $0 + $1.0 } / total
    let scatter = keys.reduce(0) { sum, key in
      let distance = key.0 - ratio * key.1
      return sum + distance * distance
    }
    value = ratio
    standardError = ((1 - rate) * count / (count - 1) * scatter).squareRoot() / total
    effectiveKeys = total * total / keys.reduce(0) { $0 + $1.1 * $1.1 }
  }

  /// An interval that holds the trace's ratio with this confidence, which lies between 0 and 1: Student's, with
  /// as many degrees of freedom as there are effective keys, less one.
  public func interval(confidence: Double = 0.95) -> ClosedRange<Double> {
    let width =
      standardError
      * StudentDistribution.width(
        ofInterval: confidence, degreesOfFreedom: max(1, effectiveKeys - 1))
    return max(0, value - width)...min(1, value + width)
  }
}
