import Statistics
import Testing

@Suite struct MeanIntervalTests {
  @Test func meanAndSpreadOfASmallSample() throws {
    let mean = try MeanInterval([2, 4, 4, 4, 5, 5, 7, 9], of: .timings)
    #expect(mean.mean == 5 && mean.count == 8 && mean.estimand == .timings)
    #expect(abs(mean.standardDeviation - (32.0 / 7).squareRoot()) < 1e-12)
    #expect(abs(mean.standardError - (32.0 / 56).squareRoot()) < 1e-12)
    // t(0.975, 7) = 2.364 624 251 010 3 from tables.
    let interval = mean.interval()
    #expect(abs(interval.upperBound - 5 - 2.364_624_251_010_3 * (32.0 / 56).squareRoot()) < 1e-9)
    #expect(abs(interval.lowerBound + interval.upperBound - 10) < 1e-12)
  }

  @Test func moreConfidenceIsWider() throws {
    let mean = try MeanInterval([1, 2, 3], of: .seeds)
    #expect(mean.interval(confidence: 0.99).contains(mean.interval(confidence: 0.9).upperBound))
    #expect(!mean.interval(confidence: 0.9).contains(mean.interval(confidence: 0.99).upperBound))
  }

  @Test func equalValuesHaveAPoint() throws {
    let mean = try MeanInterval([3, 3, 3], of: .seeds)
    #expect(mean.interval() == 3...3)
  }

  @Test func oneValueHasNoInterval() {
    #expect(throws: StatisticsError.self) { try MeanInterval([1], of: .timings) }
    let error = #expect(throws: StatisticsError.self) { try MeanInterval([], of: .timings) }
    #expect(
      error?.description == "0 values, and at least 2 are needed; "
        + "repeat the measurement: one value has no spread")
  }

  @Test(arguments: [Double.nan, .infinity, -1e200])
  func valuesAreFinite(_ bad: Double) {
    let error = #expect(throws: StatisticsError.self) {
      try MeanInterval([1, bad, 2], of: .timings)
    }
    #expect(error?.description == "value 2 is \(bad); give finite numbers below 1e150")
  }
}
