import Foundation

/// The sums over all whole numbers x from a first one on of x^−α (ln x)^k, k = 0, 1, 2, for α > 1: the Hurwitz
/// zeta function and its derivatives.
///
/// The first terms are added one by one, the rest by the Euler–Maclaurin formula as in `HarmonicSums`, whose
/// integral has a closed form where there is no end.
///
/// - Complexity: O(1): 256 terms.
enum ZetaSums {
  private static let head = 256

  /// The sums, to ten digits for exponents up to 10.
  static func values(_ exponent: Double, from first: Int) -> HarmonicSums.Values {
    var sums = HarmonicSums.Values()
    func term(_ x: Double) -> Double { exp(-exponent * log(x)) }
    for x in first..<first + head {
      let (logarithm, weight) = (log(Double(x)), term(Double(x)))
      sums.zeroth += weight
      sums.first += weight * logarithm
      sums.second += weight * logarithm * logarithm
    }
    let start = Double(first + head)
    let (l, weight, e) = (log(start), term(start), exponent - 1)
    // ∫ x^−α (ln x)^k dx from `start` on, half the first term, and a twelfth of its slope.
    sums.zeroth += weight * (start / e + 0.5 + exponent / start / 12)
    sums.first += weight * (start * (l / e + 1 / (e * e)) + l / 2 + (exponent * l - 1) / start / 12)
    sums.second +=
      weight
      * (start * (l * l / e + 2 * l / (e * e) + 2 / (e * e * e)) + l * l / 2
        + (exponent * l * l - 2 * l) / start / 12)
    return sums
  }
}
