import Statistics

/// Miss ratios of a whole trace, estimated from the misses of a sample of its keys.
///
/// Two things are uncertain. Keys are clusters of requests of which a simple random sample is drawn: the
/// misses of the whole trace are the mean of the sampled keys' times the number of keys, with the
/// variance of that mean (W. G. Cochran, “Sampling Techniques”, 1977, section 2.5). Popular keys hit
/// nearly always and add little to it, whether they are in the sample or not: that is what SHARDS
/// corrects for (Waldspurger et al., FAST 2015). And of the C keys that a cache of C objects holds, R × C
/// are expected in a sample of rate R, with the variance R (1 − R) C of a binomial count: the sample
/// shows the curve at a capacity that is wrong by a standard error of √(C (1 − R) / R), which the slope of
/// the curve turns into one of the miss ratio.
struct KeySampleEstimate {
  /// A miss ratio at a capacity of the whole trace.
  struct Value {
    let capacity: Int
    let missRatio: Double
    /// The standard error of the mean misses of a key, as one of the miss ratio.
    let error: Double
  }

  /// Keys of the whole trace.
  let keys: Int
  /// Keys of the sample.
  let sampled: Int
  /// Requests of the whole trace that count.
  let requests: Int
  /// The objects that a unit of capacity holds: 1, or for bytes one over the objects' mean size.
  let objectsPerUnit: Double

  private var rate: Double { Double(sampled) / Double(keys) }

  /// The miss ratio at a capacity of the whole trace.
  ///
  /// - Parameter misses: Those of each sampled key.
  func value(capacity: Int, misses: [UInt32]) -> Value {
    let count = Double(misses.count)
    let mean = misses.reduce(0) { $0 + Double($1) } / count
    let squares = misses.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    let scale = Double(keys) / Double(requests)
    let variance = count > 1 ? squares / (count - 1) : .infinity
    return Value(
      capacity: capacity, missRatio: min(mean * scale, 1),
      error: rate == 1 ? 0 : (variance * (1 - rate) / count).squareRoot() * scale)
  }

  /// The points of a curve, by rising capacity, with their 95 % intervals; without where all keys were
  /// looked at.
  func points(_ values: [Value]) -> [MissRatioCurve.Point] {
    let values = values.sorted { $0.capacity < $1.capacity }
    if rate == 1 {
      return values.map { MissRatioCurve.Point(capacity: $0.capacity, missRatio: $0.missRatio) }
    }
    let width = NormalDistribution.width(ofInterval: 0.95)
    return values.indices.map { index in
      let value = values[index]
      let objects = Double(value.capacity) * objectsPerUnit
      let reach = (objects * (1 - rate) / rate).squareRoot() / objectsPerUnit
      let shift = slope(values, at: index) * reach
      let error = width * (value.error * value.error + shift * shift).squareRoot()
      return MissRatioCurve.Point(
        capacity: value.capacity, missRatio: value.missRatio,
        interval: max(0, value.missRatio - error)...min(1, value.missRatio + error))
    }
  }

  /// How fast the miss ratio changes between the points beside one; a cache of nothing misses all.
  private func slope(_ values: [Value], at index: Int) -> Double {
    let before = index == 0 ? (0, 1) : (values[index - 1].capacity, values[index - 1].missRatio)
    let after = values[min(index + 1, values.count - 1)]
    return (after.missRatio - before.1) / Double(after.capacity - before.0)
  }
}
