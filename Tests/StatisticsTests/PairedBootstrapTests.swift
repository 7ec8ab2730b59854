import Statistics
import Testing

@Suite struct PairedBootstrapTests {
  @Test func theIntervalHoldsTheMeanAndNarrowsWithPairs() throws {
    let few = try PairedBootstrap([1, 2, 3, 4, 5, 6], seed: 1)
    let many = try PairedBootstrap((0..<60).map { Double($0 % 6 + 1) }, seed: 1)
    #expect(few.value == 3.5 && many.value == 3.5)
    let (wide, narrow) = (few.interval(), many.interval())
    #expect(wide.contains(3.5) && narrow.contains(3.5))
    #expect(wide.lowerBound < narrow.lowerBound && narrow.upperBound < wide.upperBound)
  }

  @Test func onePairIsRefused() {
    #expect(throws: StatisticsError.self) { try PairedBootstrap([1], seed: 1) }
  }

  @Test func proportionsFollowTheTables() {
    // Clopper and Pearson, 95 %: 0 of 10 and 3 of 10.
    let none = ProportionInterval(events: 0, attempts: 10).interval()
    #expect(none.lowerBound == 0 && abs(none.upperBound - 0.3085) < 5e-5)
    let some = ProportionInterval(events: 3, attempts: 10).interval()
    #expect(abs(some.lowerBound - 0.0667) < 5e-5 && abs(some.upperBound - 0.6525) < 5e-5)
  }

  @Test func laterComparisonsNeedLessConfidence() {
    let clear = HolmIntervals.Comparison(limit: 0) { _ in 1...2 }
    let unclear = HolmIntervals.Comparison(limit: 0) { _ in -1...2 }
    let confidences = HolmIntervals.confidences(of: [unclear, clear, unclear])
    #expect(abs(confidences[1] - (1 - 0.05 / 3)) < 1e-12)
    #expect(abs(confidences[0] - 0.975) < 1e-12 && confidences[0] == confidences[2])
  }
}
