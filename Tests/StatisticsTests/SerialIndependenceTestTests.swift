import Foundation
import IntervalCoverage
import Statistics
import TestConditions
import Testing

@Suite struct SerialIndependenceTestTests {
  @Test func ratioOfAStaircaseIsItsFormula() throws {
    let test = try SerialIndependenceTest((0..<10).map(Double.init))
    // Nine steps of one; 82.5 is the sum of squares of ranks 1 … 10 around 5.5.
    #expect(abs(test.ratio - 9 / 82.5) < 1e-12)
    #expect(test.pValue < 1e-3)
  }

  @Test func equalValuesSayNothing() throws {
    let test = try SerialIndependenceTest([Double](repeating: 3, count: 12))
    #expect(test.ratio == 2 && test.pValue == 0.5)
  }

  @Test func findsTrendsShiftsAndWaves() throws {
    let shapes: [(Double) -> Double] = [
      { 4 * $0 }, { $0 < 0.5 ? 0 : 2.5 }, { 2 * sin(4 * .pi * $0) },
    ]
    for shape in shapes {
      let found = try share(of: 200) { draws in
        let values = (0..<30).map { shape(Double($0) / 30) + draws.normal() }
        return try SerialIndependenceTest(values).pValue < 0.05
      }
      #expect(found > 0.8)
    }
  }

  @Test(.enabled(if: isOptimized)) func alarmsAsOftenAsItSays() throws {
    let alarms = try share(of: simulations(2_000)) { draws in
      try SerialIndependenceTest((0..<20).map { _ in draws.normal() }).pValue < 0.05
    }
    #expect((0.035...0.065).contains(alarms))
  }

  @Test func nineValuesAreTooFew() {
    let error = #expect(throws: StatisticsError.self) {
      try SerialIndependenceTest([1, 2, 3, 4, 5, 6, 7, 8, 9])
    }
    #expect(
      error?.description
        == "9 values in order, and at least 10 are needed; take more, or shorter, parts")
  }
}
