import Statistics
import Testing

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
