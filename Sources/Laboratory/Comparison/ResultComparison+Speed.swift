import Foundation
import Statistics

extension ResultComparison {
  /// What the figure of the machine's instructions is called.
  static let instructions = "instructions"
  /// What the figure of times is called.
  static let time = "time"

  /// What differs of how fast a run was.
  ///
  /// - Parameter tests: How many runs' times are judged: together they are wrong as rarely as was asked.
  static func speed(
    _ cell: CellIdentity, _ before: SpeedFigures, _ after: SpeedFigures, tolerances: Tolerances,
    isSameToolchain: Bool, tests: Int
  ) -> [Difference] {
    let instructions =
      isSameToolchain
      ? instructionDifference(cell, before.instructions, after.instructions, tolerances) : nil
    return [
      instructions, timeDifference(cell, before.ratios, after.ratios, tolerances, tests: tests),
    ]
    .compactMap(\.self)
  }

  private static func instructionDifference(
    _ cell: CellIdentity, _ before: Int?, _ after: Int?, _ tolerances: Tolerances
  ) -> Difference? {
    guard let before, let after, before > 0 else { return nil }
    let growth = Double(after - before) / Double(before)
    if abs(growth) <= tolerances.instructions { return nil }
    return Difference(
      cell, instructions, before: Double(before), after: Double(after),
      growth > 0 ? .slower : .faster)
  }

  /// Judges the rounds one after the other: a round of one document against that of the other.
  private static func timeDifference(
    _ cell: CellIdentity, _ before: [Double], _ after: [Double], _ tolerances: Tolerances,
    tests: Int
  ) -> Difference? {
    let rounds = min(before.count, after.count)
    if rounds == 0 { return nil }
    let design = SequentialRatioTest.Design(
      slowdown: tolerances.time, falseAlarm: tolerances.errorRate / Double(max(1, tests)),
      rounds: rounds)
    func test(_ baseline: [Double], _ candidate: [Double]) -> SequentialRatioTest {
      var test = SequentialRatioTest(design)
      for round in 0..<rounds where test.verdict == .undecided {
        // Times that are none prove nothing.
        try? test.add(baseline: baseline[round], candidate: candidate[round])
      }
      return test
    }
    func difference(_ verdict: Difference.Verdict, _ reason: String) -> Difference {
      Difference(
        cell, time, before: median(before), after: median(after), verdict, reason: reason)
    }
    let slower = test(before, after)
    if slower.verdict == .slower {
      return difference(.slower, "sure after \(slower.rounds) rounds")
    }
    let faster = test(after, before)
    if faster.verdict == .slower {
      return difference(.faster, "sure after \(faster.rounds) rounds")
    }
    let growth = median(after) / median(before) - 1
    guard slower.verdict == .undecided, abs(growth) > tolerances.time else { return nil }
    return difference(.unclear, "\(rounds) rounds are too few for this noise")
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
