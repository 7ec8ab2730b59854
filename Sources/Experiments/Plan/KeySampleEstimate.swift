import Results
import Statistics

/// Miss ratios of a whole trace, estimated from the misses of a sample of its keys.
///
/// Two things are uncertain. Keys are clusters of requests of which a sample is drawn: `KeySampleRatio`
/// says how far that is off. And of the C keys that a cache of C objects holds, R × C
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

  /// The fraction of the keys that were sampled.
  var rate: Double { Double(sampled) / Double(keys) }

  /// The miss ratio at a capacity of the whole trace.
  ///
  /// - Parameter misses: Those of each sampled key.
  func value(capacity: Int, misses: [UInt32]) -> Value {
    let ratio = KeySampleRatio(counts: misses, ofKeys: keys, requests: requests)
    return Value(capacity: capacity, missRatio: ratio.value, error: ratio.standardError)
  }

  /// The points of a curve, by rising capacity, with their 95 % intervals; without where all keys were
  /// looked at.
  func points(_ values: [Value]) -> [MissRatioCurve.Point] {
    let values = values.sorted { $0.capacity < $1.capacity }
    if rate == 1 {
      return values.map { MissRatioCurve.Point(capacity: $0.capacity, missRatio: $0.missRatio) }
    }
    let width = StudentDistribution.width(
      ofInterval: 0.95, degreesOfFreedom: Double(max(1, sampled - 1)))
    return values.indices.map { index in
      let value = values[index]
      let objects = Double(value.capacity) * objectsPerUnit
      let reach = (objects * (1 - rate) / rate).squareRoot() / objectsPerUnit
      let shift = slope(values, at: index, reach: reach) * reach
      let error = width * (value.error * value.error + shift * shift).squareRoot()
      return MissRatioCurve.Point(
        capacity: value.capacity, missRatio: value.missRatio,
        interval: max(0, value.missRatio - error)...min(1, value.missRatio + error))
    }
  }

  /// The slope of the miss ratio between the nearest points on either side that lie at least so far
  /// away: those within stand for nearly the same size of the sample. A cache of nothing misses all.
  private func slope(_ values: [Value], at index: Int, reach: Double) -> Double {
    let place = Double(values[index].capacity)
    let before = values[..<index].last { place - Double($0.capacity) >= reach }
    let after =
      values[index...].first { Double($0.capacity) - place >= reach } ?? values[values.count - 1]
    let start = before.map { ($0.capacity, $0.missRatio) } ?? (0, 1)
    return (after.missRatio - start.1) / Double(after.capacity - start.0)
  }
}
