import Statistics

/// A miss ratio of a whole trace, estimated from the misses of a sample of its keys.
///
/// Keys are clusters of requests of which a simple random sample is drawn: the misses of the whole trace
/// are the mean of the sampled keys' times the number of keys, with the variance of that mean (W. G.
/// Cochran, “Sampling Techniques”, 1977, section 2.5). Popular keys hit nearly always and add little to
/// it, whether they are in the sample or not: that is what SHARDS corrects for (Waldspurger et al., FAST
/// 2015).
struct KeySampleEstimate {
  /// Keys of the whole trace.
  let keys: Int
  /// Requests of the whole trace that count.
  let requests: Int

  /// The point of a curve at a capacity of the whole trace.
  ///
  /// - Parameter misses: Those of each sampled key.
  func point(capacity: Int, misses: [UInt32]) -> MissRatioCurve.Point {
    let count = Double(misses.count)
    let mean = misses.reduce(0) { $0 + Double($1) } / count
    let squares = misses.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    let scale = Double(keys) / Double(requests)
    let missRatio = min(mean * scale, 1)
    if misses.count == keys {
      return MissRatioCurve.Point(capacity: capacity, missRatio: missRatio)
    }
    let variance = count > 1 ? squares / (count - 1) : .infinity
    let error = (variance * (1 - count / Double(keys)) / count).squareRoot() * scale
    let reach = NormalDistribution.width(ofInterval: 0.95) * error
    return MissRatioCurve.Point(
      capacity: capacity, missRatio: missRatio,
      interval: max(0, missRatio - reach)...min(1, missRatio + reach))
  }
}
