import Foundation

/// Generalised harmonic numbers and their derivatives: the sums over ranks r = 1 … n of r^−α (ln r)^k.
///
/// The first ranks are added one by one, the rest by the Euler–Maclaurin formula: the integral, half of
/// both ends, and the first derivatives at them. What is left out is below 10⁻¹³ of the sum.
///
/// - Complexity: O(min(ranks, 4096)) per exponent, whatever the number of ranks.
package struct HarmonicSums: Sendable {
  /// The sums for k = 0, 1, 2.
  package struct Values {
    package var zeroth = 0.0
    package var first = 0.0
    package var second = 0.0

    /// Nothing added yet.
    package init() {}

    /// The mean of ln r where rank r has a probability in proportion to r^−α.
    var meanLogarithm: Double { first / zeroth }

    /// Its variance.
    var varianceOfLogarithm: Double {
      max(0, second / zeroth - meanLogarithm * meanLogarithm)
    }
  }

  /// n.
  let ranks: Int

  /// ln r of the ranks that are added one by one.
  private let logarithms: [Double]
  private let quadrature = GaussLegendre()

  private static let head = 4_096

  package init(ranks: Int) {
    self.ranks = ranks
    logarithms = (1...min(ranks, HarmonicSums.head)).map { log(Double($0)) }
  }

  /// The three sums for an exponent.
  package func values(_ exponent: Double) -> Values {
    var values = Values()
    for logarithm in logarithms {
      let weight = exp(-exponent * logarithm)
      values.zeroth += weight
      values.first += weight * logarithm
      values.second += weight * logarithm * logarithm
    }
    if ranks > logarithms.count {
      values.zeroth += rest(exponent, power: 0)
      values.first += rest(exponent, power: 1)
      values.second += rest(exponent, power: 2)
    }
    return values
  }

  /// The sum over the ranks after the head.
  private func rest(_ exponent: Double, power: Double) -> Double {
    let (low, high) = (Double(logarithms.count + 1), Double(ranks))
    // With u = ln x the integrand is nearly a polynomial.
    let integral = quadrature.integral(from: log(low), to: log(high)) { u in
      exp((1 - exponent) * u) * pow(u, power)
    }
    func term(_ x: Double) -> Double { pow(x, -exponent) * pow(log(x), power) }
    func slope(_ x: Double) -> Double { term(x) / x * (power / log(x) - exponent) }
    return integral + (term(low) + term(high)) / 2 + (slope(high) - slope(low)) / 12
  }
}
