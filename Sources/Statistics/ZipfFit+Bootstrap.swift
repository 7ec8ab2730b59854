import Foundation

extension ZipfFit {
  /// Returns the probability that requests that do follow the fitted law lie as far from their own fit as these
  /// do: the p-value of the Kolmogorov–Smirnov distance, by parametric bootstrap.
  ///
  /// The textbook distribution of the distance does not hold for discrete laws with a fitted exponent
  /// and fitted ranks, so each replicate draws as many requests from the law, ranks the keys anew, fits
  /// anew and measures its distance. A small value (below 0.1) says that the law is not the whole truth.
  /// With millions of requests it always does, since no recorded trace follows a formula to the last
  /// digit: then the distance itself is the figure to look at.
  ///
  /// - Complexity: O(replicates × keys × log keys), about 0.2 µs each.
  package func pValue(replicates: Int, seed: Int) -> Double {
    precondition(replicates > 0, "no replicate, no p-value")
    let random = GSLRandom(seed: seed)
    let shares = (1...ranks).map { share(ofRank: $0) }
    var asFar = 1
    for _ in 0..<replicates {
      let counts = ZipfFit.draw(shares, requests: requests, random)
      // One key left fits any exponent, and its distance is 0.
      if let fit = ZipfFit(descendingCounts: counts), fit.distance >= distance { asFar += 1 }
    }
    return Double(asFar) / Double(replicates + 1)
  }

  /// The requests that each key gets when that number is drawn, in descending order, without keys that
  /// get none.
  private static func draw(_ shares: [Double], requests: Int, _ random: GSLRandom) -> [UInt32] {
    var left = requests
    var rest = shares.reduce(0, +)
    var counts: [UInt32] = []
    for (index, share) in shares.enumerated() where left > 0 {
      // What the last key gets is what is left.
      let isLast = index == shares.count - 1
      let count = isLast ? left : random.binomial(share / rest, trials: left)
      if count > 0 { counts.append(UInt32(count)) }
      left -= count
      rest -= share
    }
    counts.sort(by: >)
    return counts
  }
}
