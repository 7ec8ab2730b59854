import Foundation

/// A seeded stream of random numbers (SplitMix64), for simulations.
package struct Draws: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// The stream of one of many simulations.
  package init(simulation: Int) { state = UInt64(simulation) &* 0xD134_2543_DE82_EF95 }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  package mutating func normal() -> Double {
    (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
  }

  /// A time around 1 that varies by 2 %; one in twenty is up to three times as long.
  package mutating func time() -> Double {
    let quiet = exp(0.02 * normal())
    return uniform() < 0.05 ? quiet * (1 + 2 * uniform()) : quiet
  }

  /// Values of which each is like the one before.
  package mutating func correlated(_ count: Int, by correlation: Double) -> [Double] {
    var value = normal()
    return (0..<count).map { _ in
      defer {
        value = correlation * value + (1 - correlation * correlation).squareRoot() * normal()
      }
      return value
    }
  }
}
