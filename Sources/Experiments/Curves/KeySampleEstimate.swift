import Results
import Runner
import Statistics
import Traces

/// Miss ratios of a whole trace, estimated from the misses of a sample of its keys in a cache as much
/// smaller, and from disjoint parts of that sample in still smaller ones.
///
/// Two things are uncertain. Other keys would miss more or less often: how far that is off follows from
/// the misses of each key, clusters of requests (`KeySampleRatio`), and once more from how far the parts are
/// from each other, which also holds what a few keys more or less mean to a small cache. And a small cache
/// does not behave as a large one: queues of a few objects, times and sketches that do not shrink evenly.
/// What that does grows as caches get smaller, so that the mean of the parts is further off than the
/// sample, by `SampledMissRatio.trend`.
///
/// Both standard errors are independent of each other, and are added in squares. The interval reaches as far
/// as Student's quantile of that, and twice the trend, and what was measured to be off without a trend
/// (`PolicyInformation.miniatureError`). Twice: an error that is proportional to the rate to the power of
/// −0.3 is half as large again in parts of a quarter. It is never narrower than what one more key like the
/// one with most misses would change, or three like the mean: of n keys that are all alike, up to 3/n of
/// all may be others. There is none where a part's cache holds fewer than ten objects. How often such
/// intervals hold is measured, not proven: `results/curve-coverage.md`.
package struct KeySampleEstimate {
  /// Keys of the whole trace.
  let keys: Int
  /// Keys of the sample.
  let sampled: Int
  /// Requests of the whole trace that count.
  let requests: Int
  /// The objects that a unit of capacity holds on average.
  var objectsPerUnit = 1.0

  /// An estimate from a sample of the keys.
  package init(keys: Int, sampled: Int, requests: Int, objectsPerUnit: Double = 1) {
    self.keys = keys
    self.sampled = sampled
    self.requests = requests
    self.objectsPerUnit = objectsPerUnit
  }

  /// No estimate: all keys of a trace, of which the requests from one on count.
  package init(all trace: Trace, from start: Int) {
    self.init(
      keys: trace.distinct, sampled: trace.distinct,
      requests: max(1, trace.references(from: start)))
  }

  /// Of the objects that a cache holds, at least this number are to be in a sample of the keys. A cache of
  /// fewer is no small likeness of the large one: what it misses is neither near nor within its interval.
  static let leastHeld = 10.0

  /// The fraction of the keys that were sampled.
  var rate: Double { Double(sampled) / Double(keys) }

  /// The miss ratio at a capacity of the whole trace.
  ///
  /// - Parameters:
  ///   - misses: Those of each sampled key.
  ///   - parts: The miss ratios that disjoint parts of the sample stand for.
  package func value(capacity: Int, misses: [UInt32], parts: [Double]) -> SampledMissRatio {
    let ratio = KeySampleRatio(counts: misses, ofKeys: keys, requests: requests)
    return SampledMissRatio(
      capacity: capacity, missRatio: ratio.value, error: ratio.standardError,
      largest: missRatio(misses: Int(misses.max() ?? 0), ofKeys: sampled), parts: parts)
  }

  /// The miss ratio of the whole trace that the misses of some of its keys stand for.
  package func missRatio(misses: Int, ofKeys part: Int) -> Double {
    Double(misses) * Double(keys) / Double(part) / Double(requests)
  }

  /// The points of a curve, by rising capacity.
  ///
  /// - Parameters:
  ///   - values: The estimates.
  ///   - modelError: The error of small caches that no trend shows; nil for no intervals.
  /// - Returns: Points without intervals where all keys were looked at, too.
  package func points(_ values: [SampledMissRatio], modelError: Double?) -> [MissRatioCurve.Point] {
    values.sorted { $0.capacity < $1.capacity }.map { value in
      let width = rate < 1 ? modelError.flatMap { halfWidth(of: value, modelError: $0) } : nil
      return MissRatioCurve.Point(
        capacity: value.capacity, missRatio: value.missRatio,
        interval: width.map {
          max(0, value.missRatio - $0)...min(1, value.missRatio + $0)
        })
    }
  }

  /// Half of the width of a 95 % interval; nil where there is but one part, or too small a one.
  private func halfWidth(of value: SampledMissRatio, modelError: Double) -> Double? {
    guard
      Double(value.capacity) * objectsPerUnit * rate >= KeySampleEstimate.leastHeld
        * Double(value.parts.count),
      let spread = try? MeanInterval(value.parts, of: .keySampling)
    else { return nil }
    // The parts were drawn without repetition, and are the whole sample.
    let partsError = spread.standardError * (1 - rate).squareRoot()
    let error = (value.error * value.error + partsError * partsError).squareRoot()
    let quantile = StudentDistribution.width(
      ofInterval: 0.95, degreesOfFreedom: Double(value.parts.count - 1))
    let width = quantile * error + 2 * abs(value.trend)
    return max(width, value.largest, 3 * value.missRatio / Double(sampled)) + modelError
  }
}
