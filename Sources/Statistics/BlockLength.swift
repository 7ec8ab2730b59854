import Foundation

/// The length of blocks for the circular block bootstrap of a mean, read off the data once, and the variance
/// that the mean would have times its number of values.
///
/// Autocorrelations are followed until five or more in a row are no more than chance; twice as many lags
/// enter the sums, those of the second half with falling weights (a flat-top lag window). The length
/// minimises the mean square error of the bootstrap's variance.
///
/// - Paper: D. N. Politis and H. White, “Automatic block-length selection for the dependent bootstrap”,
///   Econometric Reviews 23(1), 2004; its constant for circular blocks is that of the correction by
///   A. Patton, D. N. Politis and H. White, Econometric Reviews 28(4), 2009.
/// - Assumes: values whose distribution does not change along their order.
/// - Complexity: O(n √n).
struct BlockLength: Equatable {
  /// Values in a block: at most three times the root of their number, and a third of it.
  let length: Int
  /// The sum of all autocovariances, estimated through the lag window; 0 where the estimate is negative.
  let longRunVariance: Double

  /// Looks at values whose mean is 0, in their order.
  init(centered values: [Double]) {
    let n = Double(values.count)
    let run = max(5, Int(log10(n).squareRoot().rounded(.up)))
    let most = min(Int(n.squareRoot().rounded(.up)) + run, values.count - 1)
    let covariances = (0...most).map { lag in
      zip(values, values.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 } / n
    }
    guard covariances[0] > 0 else {
      (length, longRunVariance) = (1, 0)
      return
    }
    let threshold = 2 * (log10(n) / n).squareRoot() * covariances[0]
    let significant = (1...most).filter { abs(covariances[$0]) >= threshold }
    // The last lag before the first run of chance; without such a run the last one at all.
    let last =
      ([0] + significant).first { lag in
        lag + run <= most && !significant.contains { $0 > lag && $0 <= lag + run }
      } ?? significant.last ?? 0
    let bandwidth = min(2 * max(last, 1), most)
    var (sum, slope) = (covariances[0], 0.0)
    for lag in 1...bandwidth {
      let weight = min(1, 2 * (1 - Double(lag) / Double(bandwidth)))
      sum += 2 * weight * covariances[lag]
      slope += 2 * weight * Double(lag) * covariances[lag]
    }
    longRunVariance = max(sum, 0)
    let longest = min(3 * n.squareRoot(), n / 3).rounded(.up)
    let optimum = cbrt(1.5 * slope * slope / (sum * sum) * n)
    length = Int(max(1, min(optimum.isFinite ? optimum.rounded() : longest, longest)))
  }

  /// The variance of a block's mean, times its length, over all blocks of a circle of values whose mean is 0.
  static func variance(of values: [Double], length: Int) -> Double {
    var sum = values[..<length].reduce(0, +)
    var squares = 0.0
    for start in values.indices {
      squares += sum * sum
      sum += values[(start + length) % values.count] - values[start]
    }
    return squares / Double(length) / Double(values.count)
  }
}
