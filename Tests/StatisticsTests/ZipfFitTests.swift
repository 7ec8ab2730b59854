import Foundation
import Statistics
import Testing

@Suite struct ZipfFitTests {
  /// Two keys: the law says shares 1 and 2^−α over their sum, so α = log₂ of the counts' ratio.
  @Test(arguments: [(3, 1), (100, 25), (7, 7), (1_000_000_000, 1)] as [(UInt32, UInt32)])
  func twoKeysHaveAClosedForm(_ counts: (UInt32, UInt32)) throws {
    let fit = try #require(ZipfFit(descendingCounts: [counts.0, counts.1]))
    let expected = log2(Double(counts.0) / Double(counts.1))
    #expect(abs(fit.alpha - expected) < 1e-9)
    #expect(fit.distance < 1e-9)
    #expect(fit.ranks == 2 && fit.requests == Int(counts.0) + Int(counts.1))
  }

  /// With shares p and 1 − p on ranks 1 and 2 the information is n p (1 − p) ln² 2.
  @Test func standardErrorIsThatOfTheObservedInformation() throws {
    let fit = try #require(ZipfFit(descendingCounts: [300, 100]))
    let expected = 1 / (400 * 0.75 * 0.25).squareRoot() / log(2)
    #expect(abs(fit.standardError - expected) < 1e-9)
    let interval = try #require(fit.interval())
    #expect(abs(interval.upperBound - fit.alpha - 1.959_963_984_540_054 * expected) < 1e-9)
    #expect(abs(fit.alpha - interval.lowerBound - 1.959_963_984_540_054 * expected) < 1e-9)
  }

  @Test func equalCountsHaveExponentZero() throws {
    let fit = try #require(ZipfFit(descendingCounts: [UInt32](repeating: 500, count: 1011)))
    #expect(fit.alpha == 0 && fit.distance < 1e-12)
    #expect(fit.interval() == nil, "which of them is the first is chance")
  }

  @Test func fewRequestsAKeyHaveNoInterval() throws {
    // 200 keys by 1/r, so that 100 requests a key are needed.
    func fit(_ most: Double) throws -> ZipfFit {
      try #require(
        ZipfFit(descendingCounts: (1...200).map { UInt32((most / Double($0)).rounded()) }))
    }
    let many = try fit(10_000)
    #expect(abs(many.neededRequestsPerKey - 100) < 1 && many.requests > 200 * 101)
    #expect(try #require(many.interval()).contains(1))
    let few = try fit(3_000)
    #expect(few.requests < 200 * 99 && few.interval() == nil)
  }

  @Test func fewerThanTwoKeysHaveNoFit() {
    #expect(ZipfFit(descendingCounts: []) == nil)
    #expect(ZipfFit(descendingCounts: [5]) == nil)
  }

  @Test(arguments: [0.4, 0.8, 1.0, 1.3])
  func countsOfTheLawGiveItsExponent(_ alpha: Double) throws {
    let counts = (1...9_000).map { UInt32((4e9 * pow(Double($0), -alpha)).rounded()) }
    let fit = try #require(ZipfFit(descendingCounts: counts))
    // Counts are whole numbers, so that the law is met only so far.
    #expect(abs(fit.alpha - alpha) < 1e-6)
    #expect(fit.distance < 1e-6)
  }

  @Test func distanceIsTheLargestDifferenceOfShares() throws {
    let fit = try #require(ZipfFit(descendingCounts: [6, 1, 1, 1, 1]))
    let shares = (1...5).map { fit.share(ofRank: $0) }
    #expect(abs(shares.reduce(0, +) - 1) < 1e-12)
    #expect(abs(fit.distance - abs(0.6 - shares[0])) < 1e-12)
  }

  /// Beyond the head the sums come from the Euler–Maclaurin formula.
  @Test(arguments: [0, 0.5, 0.999_999, 1, 1.000_001, 1.7, 6])
  func sumsOverManyRanksEqualAddingThemUp(_ exponent: Double) {
    let sums = HarmonicSums(ranks: 30_000).values(exponent)
    var added = HarmonicSums.Values()
    for rank in 1...30_000 {
      let (logarithm, weight) = (log(Double(rank)), pow(Double(rank), -exponent))
      added.zeroth += weight
      added.first += weight * logarithm
      added.second += weight * logarithm * logarithm
    }
    #expect(abs(sums.zeroth / added.zeroth - 1) < 1e-12)
    #expect(abs(sums.first / added.first - 1) < 1e-12)
    #expect(abs(sums.second / added.second - 1) < 1e-12)
  }

  @Test func bootstrapTellsTheLawFromSteps() throws {
    // Drawn from the law, as far as rounding lets counts be.
    let law = try #require(
      ZipfFit(descendingCounts: (1...50).map { UInt32(2000 / Double($0)) }))
    #expect(law.pValue(replicates: 19, seed: 1) > 0.1)
    let steps = try #require(
      ZipfFit(
        descendingCounts: [UInt32](repeating: 400, count: 25)
          + [UInt32](repeating: 10, count: 25)))
    #expect(steps.pValue(replicates: 19, seed: 1) == 0.05)
  }

  @Test func bootstrapRepeatsWithItsSeed() throws {
    let fit = try #require(ZipfFit(descendingCounts: [90, 40, 33, 20, 9, 9, 8, 3, 1]))
    #expect(fit.pValue(replicates: 19, seed: 7) == fit.pValue(replicates: 19, seed: 7))
  }
}
