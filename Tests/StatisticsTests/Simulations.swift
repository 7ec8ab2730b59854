import Foundation
import IntervalCoverage
import TestConditions

/// Returns the number of simulations that a test runs: this one, or 20 times as many where EVICTIONLAB_THOROUGH
/// is 1.
func simulations(_ short: Int) -> Int {
  isThorough ? 20 * short : short
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
