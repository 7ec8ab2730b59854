import Foundation
import IntervalCoverage

#if DEBUG
  /// Simulations take long without the optimiser.
  let isOptimized = false
#else
  /// True if simulations run: they take long without the optimiser.
  let isOptimized = true
#endif

/// Returns the number of simulations that a test runs: this one, or 20 times as many where EVICTIONLAB_THOROUGH
/// is 1.
func simulations(_ short: Int) -> Int {
  ProcessInfo.processInfo.environment["EVICTIONLAB_THOROUGH"] == "1" ? 20 * short : short
}

/// The share of simulations, each with a stream of its own, in which something holds.
func share(of count: Int, _ holds: (inout Draws) throws -> Bool) rethrows -> Double {
  var held = 0
  for seed in 0..<count {
    var draws = Draws(simulation: seed)
    if try holds(&draws) { held += 1 }
  }
  return Double(held) / Double(count)
}
