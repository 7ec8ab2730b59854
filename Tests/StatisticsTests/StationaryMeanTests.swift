import Foundation
import IntervalCoverage
import Statistics
import Testing

@Suite struct StationaryMeanTests {
  private let requests = [Int](repeating: 1_000, count: 400)

  /// Windows that are hard or easy for both policies; the first has 20 hits more.
  private func twoPolicies(_ draws: inout Draws) -> (first: [Int], second: [Int]) {
    let common = draws.correlated(400, by: 0.5).map { 500 + 100 * $0 }
    return (
      common.map { Int($0 + 20 + 10 * draws.normal()) },
      common.map { Int($0 + 10 * draws.normal()) }
    )
  }

  @Test func valueIsTheTracesOwn() throws {
    let hits = (0..<400).map { $0 % 7 * 100 }
    let mean = try StationaryMean(hits: hits, requests: requests)
    #expect(mean.value == Double(hits.reduce(0, +)) / 400_000)
    #expect(mean.windows == 400 && mean.estimand == .stationaryMean)
  }

  /// With blocks of one window the error is Student's, or more.
  @Test func independentWindowsHaveStudentsInterval() throws {
    let means = try (1...20).map { seed -> (StationaryMean, Double) in
      var draws = Draws(simulation: seed)
      let hits = (0..<400).map { _ in Int(500 + 50 * draws.normal()) }
      let student = try MeanInterval(hits.map { Double($0) / 1_000 }, of: .seeds)
      return (try StationaryMean(hits: hits, requests: requests), student.standardError)
    }.filter { $0.0.blockLength == 1 }
    #expect(means.count >= 5)
    for (mean, error) in means {
      #expect((0.999_999...1.15).contains(mean.standardError / error))
    }
  }

  @Test func pairingSharpensTheComparison() throws {
    var draws = Draws(seed: 5)
    let (first, second) = twoPolicies(&draws)
    let gain = try StationaryMean(comparing: first, with: second, requests: requests)
    let alone = try StationaryMean(hits: first, requests: requests)
    #expect(gain.interval().contains(0.02) && !gain.interval().contains(0))
    #expect(width(gain.interval()) < width(alone.interval()) / 4)
  }

  @Test func nextTraceErrsAsMuchAsThisOne() throws {
    var draws = Draws(seed: 6)
    let mean = try StationaryMean(hits: twoPolicies(&draws).first, requests: requests)
    #expect(
      abs(width(mean.nextTrace()) - width(mean.interval()) * 2.0.squareRoot()) < 1e-12)
    #expect(width(mean.interval(confidence: 0.99)) > width(mean.interval()))
  }

  @Test func longMemoryMakesLongBlocks() throws {
    var draws = Draws(seed: 8)
    func mean(_ correlation: Double) throws -> StationaryMean {
      try StationaryMean(
        hits: draws.correlated(400, by: correlation).map { Int(500 + 50 * $0) }, requests: requests)
    }
    let (short, long) = (try mean(0), try mean(0.9))
    #expect(short.blockLength <= 5 && (15...60).contains(long.blockLength))
    #expect(width(long.interval()) > 2.5 * width(short.interval()))
  }

  @Test func changedTrafficHasASmallPValue() throws {
    var draws = Draws(seed: 7)
    let calm = (0..<400).map { _ in Int(500 + 50 * draws.normal()) }
    func pValue(_ hits: [Int]) throws -> Double {
      try StationaryMean(hits: hits, requests: requests).stationarity.pValue
    }
    #expect(try pValue(calm) > 0.05)
    #expect(try pValue(calm.enumerated().map { $0 < 200 ? $1 : $1 + 60 }) < 0.001)
    // A drift of one standard deviation.
    #expect(try pValue(calm.enumerated().map { $1 + $0 / 8 }) < 0.01)
  }

  /// The published critical values of the test.
  @Test(arguments: [(0.347, 0.1), (0.463, 0.05), (0.574, 0.025), (0.739, 0.01)])
  func pValuesAreThoseOfTheTable(_ critical: Double, _ level: Double) throws {
    // Two halves, one above the other: by how much decides the statistic, which rises with it.
    func test(_ step: Int) throws -> StationarityTest {
      var draws = Draws(seed: 9)
      let hits = (0..<400).map { Int(500 + 50 * draws.normal()) + ($0 < 200 ? 0 : step) }
      return try StationaryMean(hits: hits, requests: requests).stationarity
    }
    let tests = try (0...40).map { try test($0) }
    #expect(tests.filter { $0.statistic < critical }.allSatisfy { $0.pValue > level * 0.99 })
    #expect(tests.filter { $0.statistic > critical }.allSatisfy { $0.pValue < level * 1.01 })
    #expect(tests.contains { $0.statistic > critical })
  }

  @Test func alikeWindowsHaveNoError() throws {
    let requests = (0..<40).map { 1_000 + 10 * $0 }
    let mean = try StationaryMean(hits: requests.map { $0 * 3 / 10 }, requests: requests)
    #expect(mean.standardError == 0 && mean.stationarity.pValue == 1)
    #expect(mean.interval() == 0.3...0.3)
  }

  @Test func intervalsStayAmongRatios() throws {
    let hits = (0..<20).map { $0 % 10 == 0 ? 100 : 0 }
    let mean = try StationaryMean(hits: hits, requests: [Int](repeating: 100, count: 20))
    #expect(mean.nextTrace().lowerBound == 0)
  }

  @Test func shortTracesAreRefused() {
    let error = #expect(throws: StatisticsError.self) {
      try StationaryMean(hits: [1, 2, 3, 4], requests: [5, 5, 5, 5])
    }
    #expect(
      error?.description
        == "4 windows with requests, and at least 20 are needed; cut the trace into more")
    #expect(throws: StatisticsError.self) { try StationaryMean(hits: [], requests: []) }
  }

  @Test func windowsHaveRequestsAndPartners() {
    var some = [Int](repeating: 5, count: 20)
    some[1] = 0
    let error = #expect(throws: StatisticsError.self) {
      try StationaryMean(hits: some, requests: some)
    }
    #expect(
      error?.description
        == "the number of requests of window 2 is 0.0; leave out windows without requests")
    #expect(throws: StatisticsError.self) { try StationaryMean(hits: [1], requests: some) }
    #expect(throws: StatisticsError.self) {
      try StationaryMean(comparing: some, with: [], requests: some)
    }
  }

  private func width(_ range: ClosedRange<Double>) -> Double {
    range.upperBound - range.lowerBound
  }
}
