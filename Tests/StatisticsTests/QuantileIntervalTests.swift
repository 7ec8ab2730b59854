import Statistics
import Testing

@Suite struct QuantileIntervalTests {
  /// 10 coins: at most one head has 11 in 1024, at most two 56: so the second and the ninth value.
  @Test func medianOfTenLiesBetweenTheSecondAndTheNinth() throws {
    let median = try QuantileInterval((1...10).map(Double.init), 0.5, of: .timings)
    #expect(median.value == 5.5)
    #expect(median.interval() == 2...9)
    #expect(median.interval(confidence: 0.8) == 3...8)
  }

  @Test func farQuantilesTakeManyValues() {
    #expect(QuantileInterval.ranks(0.5, count: 5) == nil)
    #expect(QuantileInterval.ranks(0.5, count: 6) == 1...6)
    #expect(QuantileInterval.ranks(0.999, count: 3_687) == nil)
    #expect(QuantileInterval.ranks(0.999, count: 3_688)?.upperBound == 3_688)
    #expect(QuantileInterval.ranks(0.5, count: 0) == nil)
  }

  @Test func emptyAndInfiniteAreRefused() {
    #expect(throws: StatisticsError.self) { try QuantileInterval([], 0.5, of: .timings) }
    #expect(throws: StatisticsError.self) { try QuantileInterval([.nan], 0.5, of: .timings) }
  }
}
