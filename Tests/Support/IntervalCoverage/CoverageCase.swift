import Foundation

/// A way in which an interval of 95 % is simulated: the interval, and the process that its data come from.
package struct CoverageCase: Sendable, CustomStringConvertible {
  /// The interval as the tool prints it.
  package let interval: String
  /// The process and the number of values.
  package let process: String
  /// Returns true if the interval of one simulation holds the truth; nil where there is no interval.
  package let trial: @Sendable (inout Draws) throws -> Bool?

  package init(
    _ interval: String, _ process: String,
    trial: @escaping @Sendable (inout Draws) throws -> Bool?
  ) {
    self.interval = interval
    self.process = process
    self.trial = trial
  }

  package var description: String { "\(interval) | \(process)" }

  /// The fraction of the simulations with an interval in which it holds the truth, and how many have one.
  package func coverage(simulations: Int) throws -> (ratio: Double, intervals: Int) {
    var (held, intervals) = (0, 0)
    for seed in 0..<simulations {
      var draws = Draws(simulation: seed)
      if let holds = try trial(&draws) {
        intervals += 1
        if holds { held += 1 }
      }
    }
    return (Double(held) / Double(max(intervals, 1)), intervals)
  }

  /// Every case of an interval, one interval after the other.
  package static let all = windows + comparisons + samples + curves + timings
}
