import Parameters

extension RandomSource {
  /// A number of the exponential distribution of mean 1, by inversion.
  mutating func exponential() -> Double { -PortableMath.log(1 - unit()) }

  /// A number of the standard normal distribution, by the polar method.
  ///
  /// G. Marsaglia, T. A. Bray, “A convenient method for generating normal variables”, SIAM Review
  /// 6(3), 1964. The second number of each pair is dropped, so that a draw leaves no state.
  mutating func normal() -> Double {
    while true {
      let (x, y) = (2 * unit() - 1, 2 * unit() - 1)
      let square = x * x + y * y
      if square < 1 && square.isNormal {
        return x * (-2 * PortableMath.log(square) / square).squareRoot()
      }
    }
  }
}
