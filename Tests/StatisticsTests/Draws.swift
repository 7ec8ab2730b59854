import Foundation

/// A seeded stream of random numbers (SplitMix64), for simulations.
struct Draws: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func normal() -> Double {
    (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
  }

  /// A time around 1 that varies by 2 %; one in twenty is up to three times as long.
  mutating func time() -> Double {
    let quiet = exp(0.02 * normal())
    return uniform() < 0.05 ? quiet * (1 + 2 * uniform()) : quiet
  }

  /// Values that depend on each other as far as the cache remembers, which is so many of them.
  mutating func remembering(_ memory: Int, count: Int) -> [Double] {
    let fresh = (0..<count + memory).map { _ in normal() }
    return (0..<count).map { start in
      fresh[start..<start + memory].reduce(0, +) / Double(memory).squareRoot()
    }
  }

  /// Values of which each is like the one before.
  mutating func correlated(_ count: Int, by correlation: Double) -> [Double] {
    var value = normal()
    return (0..<count).map { _ in
      defer {
        value = correlation * value + (1 - correlation * correlation).squareRoot() * normal()
      }
      return value
    }
  }
}

#if DEBUG
  /// Simulations take long without the optimiser.
  let isOptimized = false
#else
  /// True if simulations run: they take long without the optimiser.
  let isOptimized = true
#endif

/// Returns the number of simulations that a test runs: so many, or 20 times as many where EVICTIONLAB_THOROUGH
/// is 1.
func simulations(_ short: Int) -> Int {
  ProcessInfo.processInfo.environment["EVICTIONLAB_THOROUGH"] == "1" ? 20 * short : short
}

/// The share of simulations, each with a stream of its own, in which something holds.
func share(of count: Int, _ holds: (inout Draws) throws -> Bool) rethrows -> Double {
  var held = 0
  for seed in 0..<count {
    var draws = Draws(seed: UInt64(seed) &* 0xD134_2543_DE82_EF95)
    if try holds(&draws) { held += 1 }
  }
  return Double(held) / Double(count)
}
