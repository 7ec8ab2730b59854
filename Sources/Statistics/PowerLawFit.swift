import CGSL
import Foundation

/// A power law fitted to the tail of whole numbers (requests of a key, reuse times, sizes in bytes): from
/// x_min on, the value x with probability in proportion to x^−α.
///
///     let tail = try PowerLawFit(reuseTimes)
///     print(tail.alpha, tail.from, tail.tail, tail.pValue(replicates: 100, seed: 42))
///
/// α is the maximum-likelihood estimate for whole numbers, and x_min the value from which on the law lies
/// closest to the data, by the Kolmogorov–Smirnov distance.
///
/// - Paper: A. Clauset, C. R. Shalizi and M. E. J. Newman, “Power-law distributions in empirical data”,
///   SIAM Review 51(4), 2009.
/// - Assumes: values drawn independently. The interval takes x_min as known, so that it is too short where it
///   was looked for.
/// - Does not say: that the data follow the law, which `pValue` doubts, nor that no other law fits as well: a
///   log-normal one often does. Two decades of the tail, and 50 values in it, are little.
/// - Complexity: O(n log n + candidates × (n + distinct values)).
public struct PowerLawFit: Sendable, Equatable {
  /// The exponent, above 1.
  public let alpha: Double
  /// The exponent's standard error, from the observed information.
  public let standardError: Double
  /// x_min: the smallest value of the tail.
  public let from: Int
  /// Values in the tail.
  public let tail: Int
  /// The largest difference of the tail's cumulative shares from the law's.
  public let distance: Double
  /// All values in ascending order.
  private let sorted: [Int]
  private let isFromGiven: Bool

  private static let steepest = 20.0
  /// Beyond, whole numbers have no place in a floating-point one.
  private static let largest = 1 << 52
  private static let leastTail = 10
  private static let candidates = 50

  /// Fits the law to the tail that it fits best.
  ///
  /// At most 50 values are tried for x_min, evenly spread over the distinct ones, each with ten values or
  /// more from it on.
  ///
  /// - Parameters:
  ///   - values: The sample, in any order.
  ///   - first: x_min where it is known.
  /// - Throws: For fewer than ten values from x_min on, for values below 1 or above 2⁵², and where all are the same.
  public init(_ values: [Int], from first: Int? = nil) throws(StatisticsError) {
    let allowed = 1...PowerLawFit.largest
    if let index = values.firstIndex(where: { !allowed.contains($0) }) {
      throw .badValue(
        "value", index: index, value: Double(values[index]), wanted: "values are 1 to 2^52")
    }
    if let first, !allowed.contains(first) {
      throw .badValue("x_min", index: 0, value: Double(first), wanted: "it is 1 to 2^52")
    }
    try self.init(sorted: values.sorted(), from: first)
  }

  private init(sorted: [Int], from first: Int?) throws(StatisticsError) {
    let starts = first.map { [$0] } ?? PowerLawFit.starts(sorted)
    var best: Tail?
    for start in starts {
      guard let tail = Tail(sorted, from: start) else { continue }
      if tail.distance < best?.distance ?? .infinity { best = tail }
    }
    guard let best else {
      let count = first.map { first in sorted.filter { $0 >= first }.count } ?? sorted.count
      throw .tooFew(
        "values in the tail", count: count, needed: PowerLawFit.leastTail,
        remedy: "take more, and not all the same")
    }
    (alpha, standardError, from) = (best.alpha, best.standardError, best.first)
    (tail, distance) = (best.count, best.distance)
    self.sorted = sorted
    isFromGiven = first != nil
  }

  /// An interval that holds the exponent with this confidence, which lies between 0 and 1, if x_min is right.
  public func interval(confidence: Double = 0.95) -> ClosedRange<Double> {
    let width = NormalDistribution.width(ofInterval: confidence) * standardError
    return max(1, alpha - width)...(alpha + width)
  }

  /// The law's share of the tail's values from one on.
  public func share(from value: Int) -> Double {
    value <= from ? 1 : gsl_sf_hzeta(alpha, Double(value)) / gsl_sf_hzeta(alpha, Double(from))
  }

  /// How often data that do follow the law in the tail, and the given values below it, lie as far from their
  /// own fit as these do: by bootstrap. A small value (below 0.1) says that the law is not the whole truth.
  ///
  /// - Complexity: O(replicates × that of the fit).
  public func pValue(replicates: Int, seed: Int) -> Double {
    precondition(replicates > 0, "no replicate, no p-value")
    let random = GSLRandom(seed: seed)
    let body = sorted.count - tail
    var asFar = 1
    for _ in 0..<replicates {
      var drawn = (0..<sorted.count).map { _ in
        let place = random.index(below: sorted.count)
        return place < body ? sorted[place] : draw(random)
      }
      drawn.sort()
      let fit = try? PowerLawFit(sorted: drawn, from: isFromGiven ? from : nil)
      // Values that are all the same fit any exponent, and their distance is 0.
      if let fit, fit.distance >= distance { asFar += 1 }
    }
    return Double(asFar) / Double(replicates + 1)
  }

  /// A value of the law: the largest whose share of the values from it on is above a uniform number.
  private func draw(_ random: GSLRandom) -> Int {
    let level = 1 - random.uniform()
    var (low, high) = (from, from * 2)
    while share(from: high) >= level && high < PowerLawFit.largest {
      (low, high) = (high, high * 2)
    }
    while high - low > 1 {
      let middle = (low + high) / 2
      if share(from: middle) >= level { low = middle } else { high = middle }
    }
    return low
  }

  private static func starts(_ sorted: [Int]) -> [Int] {
    guard sorted.count >= leastTail else { return [] }
    let last = sorted[sorted.count - leastTail]
    var distinct: [Int] = []
    for value in sorted where value <= last && value != distinct.last { distinct.append(value) }
    guard distinct.count > candidates else { return distinct }
    return (0..<candidates).map { distinct[$0 * (distinct.count - 1) / (candidates - 1)] }
  }

  /// The law fitted to the values from one on.
  private struct Tail {
    let first: Int
    let count: Int
    let alpha: Double
    let standardError: Double
    let distance: Double

    init?(_ sorted: [Int], from first: Int) {
      let values = sorted[Tail.lowerBound(sorted, first)...]
      guard values.count >= leastTail, values.first != values.last else { return nil }
      self.first = first
      count = values.count
      let mean = values.reduce(0) { $0 + log(Double($1)) } / Double(count)
      func excess(_ alpha: Double) -> Double {
        ZetaSums.values(alpha, from: first).meanLogarithm - mean
      }
      var high = 2.0
      while high < steepest && excess(high) > 0 { high *= 2 }
      let alpha = GSL.root(between: high == 2 ? 1 + 1e-6 : high / 2, and: high, of: excess)
      guard alpha.isFinite else { return nil }
      self.alpha = alpha
      let spread = ZetaSums.values(alpha, from: first).varianceOfLogarithm
      standardError = 1 / (Double(count) * spread).squareRoot()
      distance = Tail.distance(values, alpha: alpha, from: first)
    }

    private static func distance(
      _ values: ArraySlice<Int>, alpha: Double, from first: Int
    ) -> Double {
      let all = gsl_sf_hzeta(alpha, Double(first))
      var (distance, place) = (0.0, values.startIndex)
      while place < values.endIndex {
        let value = values[place]
        let share = gsl_sf_hzeta(alpha, Double(value)) / all
        distance = max(
          distance, abs(Double(values.endIndex - place) / Double(values.count) - share))
        while place < values.endIndex && values[place] == value { place += 1 }
        let next = gsl_sf_hzeta(alpha, Double(value + 1)) / all
        distance = max(distance, abs(Double(values.endIndex - place) / Double(values.count) - next))
      }
      return distance
    }

    private static func lowerBound(_ sorted: [Int], _ value: Int) -> Int {
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] < value { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }
}
