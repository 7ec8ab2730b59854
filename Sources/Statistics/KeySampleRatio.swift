import Parameters

/// The share of a whole trace's requests that are of a kind, such as its miss ratio, from how many each key of
/// a sample has.
///
///     let ratio = KeySampleRatio(counts: missesOfKey, ofKeys: 100_000, requests: 2_000_000)
///     print(ratio.value, ratio.interval())
///
/// The requests of one key hit or miss together, so that a sample is as large as it has keys, not requests: each
/// is a cluster. The trace's number is the mean of the sampled keys' times the number of keys, with the variance
/// of that mean. Popular keys hit nearly always and add little to it, whether they are in the sample or not, which
/// a ratio to the sample's own requests would suffer from: that is what SHARDS corrects for.
///
/// - Paper: W. G. Cochran, Sampling Techniques, 3rd edition, 1977, sections 2.5 and 9A; on sampling keys by hash,
///   C. A. Waldspurger et al., “Efficient MRC construction with SHARDS”, FAST 2015.
/// - Assumes: keys drawn independently, each with the same probability, and none that has a large part of all
///   that is counted: whether a hot key is in the sample decides everything then.
/// - Does not say: how far a small cache with the sample behaves like a large one with the trace, which is an
///   error of the model and not of the draw.
/// - Complexity: O(sampled keys).
package struct KeySampleRatio: Sendable, Equatable {
  /// The estimated share of the trace's requests.
  package let value: Double
  /// The distance of that from the trace's own ratio, in the root of the mean square; infinite for one key of
  /// several.
  package let standardError: Double
  /// The number of keys looked at.
  package let sampled: Int

  /// The estimand of the interval.
  package var estimand: Estimand { .keySampling }

  /// Looks at a sample.
  ///
  /// - Parameters:
  ///   - counts: Of each sampled key, one at least: how many of its requests are of the kind.
  ///   - keys: The number of keys of the trace.
  ///   - requests: The number of requests of the trace.
  package init(counts: [UInt32], ofKeys keys: Int, requests: Int) {
    precondition((1...max(1, keys)).contains(counts.count), "a sample has some of the keys")
    precondition(requests > 0, "no requests have no share")
    sampled = counts.count
    let count = Double(sampled)
    let rate = count / Double(keys)
    let mean = counts.reduce(0) { $0 + Double($1) } / count
    let squares = counts.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    let scale = Double(keys) / Double(requests)
    value = min(mean * scale, 1)
    let variance = sampled > 1 ? squares / (count - 1) : .infinity
    standardError = rate == 1 ? 0 : (variance * (1 - rate) / count).squareRoot() * scale
  }

  /// An interval that holds the trace's share with this confidence, which lies between 0 and 1: Student's.
  package func interval(confidence: Double = 0.95) -> ClosedRange<Double> {
    if standardError == 0 { return value...value }
    let width =
      standardError
      * StudentDistribution.width(
        ofInterval: confidence, degreesOfFreedom: Double(max(1, sampled - 1)))
    return max(0, value - width)...min(1, value + width)
  }
}
