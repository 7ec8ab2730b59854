import Statistics
import Testing

@Suite struct BlockBootstrapTests {
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
    let bootstrap = try BlockBootstrap(
      hits: hits, requests: requests, evictionAge: 500, replicates: 200, seed: 1)
    #expect(bootstrap.value == Double(hits.reduce(0, +)) / 400_000)
    #expect(bootstrap.blockLength == 5 && bootstrap.blocks == 80)
    #expect(bootstrap.estimand == .futureWindows)
  }

  @Test func pairingSharpensTheComparison() throws {
    var draws = Draws(seed: 5)
    let (first, second) = twoPolicies(&draws)
    let gain = try BlockBootstrap(
      comparing: first, with: second, requests: requests, evictionAge: 1_000, replicates: 200,
      seed: 1)
    let alone = try BlockBootstrap(
      hits: first, requests: requests, evictionAge: 1_000, replicates: 200, seed: 1)
    func width(_ range: ClosedRange<Double>) -> Double { range.upperBound - range.lowerBound }
    #expect(gain.interval().contains(0.02) && !gain.interval().contains(0))
    #expect(width(gain.interval()) < width(alone.interval()) / 4)
  }

  @Test func seedsRepeat() throws {
    var draws = Draws(seed: 6)
    let (hits, _) = twoPolicies(&draws)
    func bootstrap(_ seed: Int) throws -> BlockBootstrap {
      try BlockBootstrap(
        hits: hits, requests: requests, evictionAge: 1_000, replicates: 200, seed: seed)
    }
    #expect(try bootstrap(1) == bootstrap(1))
    #expect(try bootstrap(1).interval() != bootstrap(2).interval())
  }

  @Test func changedTrafficIsNotStationary() throws {
    var draws = Draws(seed: 7)
    let calm = (0..<400).map { _ in Int(500 + 50 * draws.normal()) }
    let shifted = calm.enumerated().map { $0 < 200 ? $1 : $1 + 60 }
    func isStationary(_ hits: [Int]) throws -> Bool {
      try BlockBootstrap(
        hits: hits, requests: requests, evictionAge: 1_000, replicates: 200, seed: 1
      ).isStationary
    }
    #expect(try isStationary(calm))
    #expect(try !isStationary(shifted))
  }

  /// Blocks that are as short as the memory make intervals that are too short: what ten eviction ages prevent.
  @Test func longMemoryWidensTheInterval() throws {
    var draws = Draws(seed: 8)
    let hits = draws.correlated(4_000, by: 0.95).map { Int(500 + 100 * $0) }
    let requests = [Int](repeating: 1_000, count: 4_000)
    func width(_ age: Double) throws -> Double {
      let interval = try BlockBootstrap(
        hits: hits, requests: requests, evictionAge: age, replicates: 200, seed: 1
      )
      .interval()
      return interval.upperBound - interval.lowerBound
    }
    #expect(try width(15_000) > 3 * width(0))
  }

  @Test func shortTracesAreRefused() {
    let error = #expect(throws: StatisticsError.self) {
      try BlockBootstrap(hits: [1, 2, 3, 4], requests: [5, 5, 5, 5], evictionAge: 1, seed: 1)
    }
    #expect(
      error?.description == "2 blocks of ten eviction ages, and at least 20 are needed; "
        + "take a longer trace, a smaller capacity or shorter windows")
    #expect(throws: StatisticsError.self) {
      try BlockBootstrap(
        comparing: [.max], with: [.min], requests: [.max], evictionAge: 1, seed: 1)
    }
    #expect(throws: StatisticsError.self) {
      try BlockBootstrap(hits: [], requests: [], evictionAge: 1, seed: 1)
    }
    #expect(throws: StatisticsError.self) {
      try BlockBootstrap(hits: requests, requests: requests, evictionAge: 1e300, seed: 1)
    }
  }

  @Test func windowsHaveRequestsAndPartners() {
    let error = #expect(throws: StatisticsError.self) {
      try BlockBootstrap(hits: [1, 0], requests: [5, 0], evictionAge: 1, seed: 1)
    }
    #expect(
      error?.description
        == "the number of requests of window 2 is 0.0; leave out windows without requests")
    #expect(throws: StatisticsError.self) {
      try BlockBootstrap(hits: [1], requests: [5, 5], evictionAge: 1, seed: 1)
    }
    #expect(throws: StatisticsError.self) {
      try BlockBootstrap(comparing: [1], with: [], requests: [5], evictionAge: 1, seed: 1)
    }
  }
}
