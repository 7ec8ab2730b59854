import Parameters

/// Exact samples of a Zipf distribution: rank k of 1 … n has a probability in proportion to k^−α.
///
/// Rejection-inversion: W. Hörmann, G. Derflinger, "Rejection-inversion to generate variates from
/// monotone discrete distributions", ACM TOMACS 6(3), 1996. O(1) memory and time whatever n is;
/// fewer than 1.2 tries a sample. The same samples on every platform.
package struct ZipfSampler: Sendable {
  private let exponent: Double
  private let largest: Double
  private let low: Double
  private let range: Double
  private let shortcut: Double

  /// Ranks 1 … `ranks`, α ≥ 0.
  package init(ranks: UInt64, alpha: Double) {
    precondition(ranks > 0 && alpha >= 0, "a Zipf distribution of no ranks or rising odds")
    exponent = alpha
    largest = Double(ranks)
    low = Self.integral(largest + 0.5, alpha)
    range = Self.integral(1.5, alpha) - 1 - low
    shortcut =
      2 - Self.inverse(Self.integral(2.5, alpha) - Self.density(2, alpha), alpha)
  }

  /// The next rank.
  @inline(__always)
  package func rank(_ random: inout RandomSource) -> UInt64 {
    while true {
      let area = low + random.unit() * range
      let real = Self.inverse(area, exponent)
      let rank = min(max((real + 0.5).rounded(.down), 1), largest)
      if rank - real <= shortcut
        || area >= Self.integral(rank + 0.5, exponent) - Self.density(rank, exponent)
      {
        return UInt64(rank)
      }
    }
  }

  @inline(__always)
  private static func density(_ x: Double, _ alpha: Double) -> Double {
    PortableMath.exp(-alpha * PortableMath.log(x))
  }

  /// The integral of x^−α from 1 on, exact around α = 1 too.
  @inline(__always)
  private static func integral(_ x: Double, _ alpha: Double) -> Double {
    let logarithm = PortableMath.log(x)
    if alpha == 1 { return logarithm }
    let power = (1 - alpha) * logarithm
    return abs(power) > 1e-8
      ? PortableMath.expMinusOne(power) / (1 - alpha) : logarithm * (1 + power / 2)
  }

  /// The inverse of ``integral(_:_:)``.
  @inline(__always)
  private static func inverse(_ area: Double, _ alpha: Double) -> Double {
    if alpha == 1 { return PortableMath.exp(area) }
    let scaled = max(area * (1 - alpha), -1)
    return abs(scaled) > 1e-8
      ? PortableMath.exp(PortableMath.logOnePlus(scaled) / (1 - alpha))
      : PortableMath.exp(area * (1 - scaled / 2))
  }
}
