import IntervalCoverage
import Statistics
import Testing

@Suite struct SignedRankTestTests {
  @Test func fiveOfOneSignHaveTwoInThirtyTwo() throws {
    let test = try SignedRankTest([1, 2, 3, 4, 5], of: .timings)
    #expect(test.statistic == 15 && test.pValue == 2.0 / 32 && test.estimate == 3)
    #expect(test.interval() == nil)
    #expect(test.interval(confidence: 0.9) == 1...5)
  }

  /// Ranks 1.5, 1.5, 3; sums 0, 1.5, 1.5, 3, 3, 4.5, 4.5, 6 are equally probable.
  @Test func tiesShareTheirRanks() throws {
    let test = try SignedRankTest([1, -1, 2], of: .timings)
    #expect(test.statistic == 4.5)
    #expect(test.pValue == 2 * 3.0 / 8)
  }

  @Test func zerosLeaveTheTestButNotTheEstimate() throws {
    let test = try SignedRankTest([0, 0, 0, 7], of: .timings)
    #expect(test.pValue == 1 && test.statistic == 1)
    // Means of pairs: six zeros, three of 3.5, one of 7.
    #expect(test.estimate == 0)
    #expect(try SignedRankTest([0, 0], of: .seeds).pValue == 1)
  }

  @Test func oneWildDifferenceMovesLittle() throws {
    let calm = try SignedRankTest((1...21).map(Double.init), of: .timings)
    let wild = try SignedRankTest((1...20).map(Double.init) + [1e9], of: .timings)
    #expect(abs(calm.estimate - wild.estimate) < 1)
  }

  @Test func manyDifferencesAreApproximatedOnBothSides() throws {
    var draws = Draws(seed: 3)
    let values = (0..<101).map { _ in draws.normal() + 0.2 }
    let (exact, near) = (
      try SignedRankTest(Array(values.dropLast()), of: .timings),
      try SignedRankTest(values, of: .timings)
    )
    #expect(abs(exact.pValue - near.pValue) < 0.01)
    let (one, other) = (try #require(exact.interval()), try #require(near.interval()))
    #expect(abs(one.lowerBound - other.lowerBound) < 0.03)
    #expect(abs(one.upperBound - other.upperBound) < 0.03)
  }

  @Test func emptyAndInfiniteAreRefused() {
    #expect(throws: StatisticsError.self) { try SignedRankTest([], of: .timings) }
    #expect(throws: StatisticsError.self) { try SignedRankTest([1, .nan], of: .timings) }
  }
}

@Suite struct RankSumTestTests {
  @Test func apartSetsOfFourHaveTwoInSeventy() throws {
    let test = try RankSumTest([1, 2, 3, 4], [11, 12, 13, 14], of: .timings)
    #expect(test.statistic == 16 && test.estimate == 10)
    #expect(abs(test.pValue - 2.0 / 70) < 1e-15)
    #expect(test.interval() == 7...13)
    #expect(try RankSumTest([1, 2, 3], [4, 5, 6], of: .timings).interval() == nil)
  }

  /// Doubled ranks of 1 1 2 are 3 3 6; two of them add up to 6, 9 or 9.
  @Test func tiesShareTheirRanks() throws {
    let test = try RankSumTest([2], [1, 1], of: .timings)
    #expect(test.statistic == 0)
    #expect(abs(test.pValue - 2.0 / 3) < 1e-15)
  }

  @Test func equalSetsDoNotDiffer() throws {
    let few = try RankSumTest([1, 1], [1, 1, 1], of: .timings)
    #expect(few.pValue == 1 && few.estimate == 0)
    let many = [Double](repeating: 1, count: 60)
    #expect(try RankSumTest(many, many, of: .timings).pValue == 1)
  }

  @Test func emptyAndInfiniteAreRefused() {
    #expect(throws: StatisticsError.self) { try RankSumTest([], [1], of: .timings) }
    #expect(throws: StatisticsError.self) { try RankSumTest([1], [.infinity], of: .timings) }
  }
}

@Suite struct PairedComparisonTests {
  @Test func whatPairsHaveInCommonLeaves() throws {
    let first = [0.51, 0.92, 0.13, 0.74, 0.35, 0.66]
    let comparison = try PairedComparison(first, first.map { $0 - 0.01 }, of: .seeds)
    #expect(abs(comparison.mean.mean - 0.01) < 1e-12)
    #expect(comparison.mean.standardError < 1e-12)
    #expect(comparison.ranks.pValue < 0.05)
  }

  @Test func partnersAreNeeded() {
    let error = #expect(throws: StatisticsError.self) {
      try PairedComparison([1, 2, 3], [1, 2], of: .seeds)
    }
    #expect(
      error?.description == "3 values on one side and 2 on the other; each needs its partner")
  }
}
