import Foundation
import IntervalCoverage
import Statistics
import TestConditions
import Testing

@Suite struct TimingChangeTests {
  /// The share of simulations with a verdict, where later times are so many times as long and the machine
  /// wanders by half a percent a round.
  private func verdicts(
    _ verdict: TimingChange.Verdict, ratio: Double, wander: Double, rounds: Int = 40
  ) throws -> Double {
    try share(of: simulations(300)) { draws in
      var (speed, before, after) = (1.0, [Double](), [Double]())
      func step() { speed *= exp(wander * draws.normal()) }
      for _ in 0..<rounds {
        before.append(speed * draws.time())
        step()
      }
      for _ in 0..<rounds {
        after.append(ratio * speed * draws.time())
        step()
      }
      return try TimingChange(before: before, after: after).verdict() == verdict
    }
  }

  @Test(.enabled(if: isOptimized)) func timesAreComparedWhereTheMachineIsQuiet() throws {
    #expect(try verdicts(.slower, ratio: 1, wander: 0) < 0.05)
    #expect(try verdicts(.slower, ratio: 1.05, wander: 0) > 0.95)
  }

  @Test(.enabled(if: isOptimized)) func timesOnADriftingMachineAreNotCompared() throws {
    #expect(try verdicts(.drifting, ratio: 1, wander: 0.03, rounds: 100) > 0.9)
  }

  @Test func ratioIsThatOfTheSets() throws {
    let before = [1, 1.02, 1.01, 1.03, 1, 1.02, 1.01, 1.03, 1, 1.02, 1.01, 1.03]
    let change = try TimingChange(before: before, after: before.map { 2 * $0 })
    #expect(abs(change.ratio - 2) < 1e-12)
    #expect(change.verdict() == .slower)
    #expect(change.verdict(tolerance: 1.1) == .unchanged)
    let interval = try #require(change.interval())
    #expect(interval.contains(2) && interval.upperBound - interval.lowerBound < 0.1)
  }

  @Test func littleIsNotMadeMore() throws {
    let before = [1, 1.02, 1.01, 1.03, 1, 1.02, 1.01, 1.03, 1, 1.02]
    let change = try TimingChange(before: before, after: before.map { 2 * $0 })
    #expect(change.interval(confidence: 0.999_999) == nil)
    #expect(change.verdict(confidence: 0.999_999) == .unchanged)
  }

  @Test func badTimesAreRefused() {
    let ten = [Double](repeating: 1, count: 10)
    let error = #expect(throws: StatisticsError.self) {
      try TimingChange(before: [1, 0], after: ten)
    }
    #expect(error?.description == "time 2 is 0.0; times are positive")
    #expect(throws: StatisticsError.self) {
      try TimingChange(before: ten, after: [1, 2, 3])
    }
  }
}
