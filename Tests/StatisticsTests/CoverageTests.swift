import Foundation
import Statistics
import Testing

/// Intervals of 95 % hold the truth in 93 to 97 % of the simulations.
@Suite(.enabled(if: isOptimized)) struct CoverageTests {
  private static let promised = 0.93...0.97

  @Test(arguments: [5, 30])
  func student(_ count: Int) throws {
    let coverage = try share(of: simulations(2_000)) { draws in
      let sample = (0..<count).map { _ in 10 + draws.normal() }
      return try MeanInterval(sample, of: .timings).interval().contains(10)
    }
    #expect(CoverageTests.promised.contains(coverage))
  }

  /// The mean and the middle of paired differences whose parts are far more scattered than they are.
  @Test func paired() throws {
    let count = simulations(1_000)
    var (means, middles) = (0, 0)
    _ = try share(of: count) { draws in
      let pairs = (0..<24).map { _ in
        let common = draws.uniform()
        return (common + 0.02 + 0.01 * draws.normal(), common + 0.01 * draws.normal())
      }
      let comparison = try PairedComparison(pairs.map(\.0), pairs.map(\.1), of: .seeds)
      if comparison.mean.interval().contains(0.02) { means += 1 }
      if comparison.ranks.interval()?.contains(0.02) == true { middles += 1 }
      return true
    }
    #expect(CoverageTests.promised.contains(Double(means) / Double(count)))
    #expect(CoverageTests.promised.contains(Double(middles) / Double(count)))
  }

  @Test func shiftOfHeavyTailedSets() throws {
    let coverage = try share(of: simulations(1_000)) { draws in
      let first = (0..<20).map { _ in draws.normal() / max(0.1, abs(draws.normal())) }
      let second = (0..<25).map { _ in 3 + draws.normal() / max(0.1, abs(draws.normal())) }
      let interval = try RankSumTest(first, second, of: .timings).interval()
      return interval?.contains(3) == true
    }
    #expect(CoverageTests.promised.contains(coverage))
  }

  @Test(arguments: [(0.5, 400), (0.99, 4_000)])
  func quantile(_ quantile: Double, _ count: Int) throws {
    let coverage = try share(of: simulations(1_000)) { draws in
      let sample = (0..<count).map { _ in -log(1 - draws.uniform()) }
      let interval = try QuantileInterval(sample, quantile, of: .timings).interval()
      return interval?.contains(-log(1 - quantile)) == true
    }
    #expect(CoverageTests.promised.contains(coverage))
  }

  /// Windows of a quarter of an eviction age, whose hits depend on those before as far as that.
  @Test(arguments: [20, 60])
  func blocks(_ blocks: Int) throws {
    let coverage = try share(of: simulations(1_000)) { draws in
      let hits = draws.remembering(4, count: blocks * 40).map {
        Int(600 + 50 * $0 + 20 * draws.normal())
      }
      let bootstrap = try BlockBootstrap(
        hits: hits, requests: [Int](repeating: 1_000, count: hits.count), evictionAge: 4_000,
        replicates: 500, seed: 1)
      return bootstrap.interval().contains(0.6)
    }
    #expect(CoverageTests.promised.contains(coverage))
  }

  @Test(arguments: [TimingChange.Arrangement.interleaved, .separate])
  func ratioOfTimes(_ arrangement: TimingChange.Arrangement) throws {
    let coverage = try share(of: simulations(1_000)) { draws in
      let before = (0..<30).map { _ in draws.time() }
      let after = (0..<30).map { _ in 1.1 * draws.time() }
      let change = try TimingChange(before: before, after: after, arrangement)
      return change.interval()?.contains(1.1) == true
    }
    #expect(CoverageTests.promised.contains(coverage))
  }

  /// A trace of 5 000 keys, the popular ones with more hits, of which one in twenty is drawn.
  @Test func keySample() {
    var draws = Draws(seed: 11)
    let keys = (0..<5_000).map { _ in
      let requests = 1 + Int(-40 * log(1 - draws.uniform()))
      return (hits: Int(Double(requests - 1) * (0.3 + 0.7 * draws.uniform())), requests: requests)
    }
    let requests = keys.reduce(0) { $0 + $1.requests }
    let truth = 1 - Double(keys.reduce(0) { $0 + $1.hits }) / Double(requests)
    let coverage = share(of: simulations(1_000)) { draws in
      let sample = keys.filter { _ in draws.uniform() < 0.05 }
      let ratio = KeySampleRatio(
        counts: sample.map { UInt32($0.requests - $0.hits) }, ofKeys: keys.count,
        requests: requests)
      return ratio.interval().contains(truth)
    }
    #expect(CoverageTests.promised.contains(coverage))
  }

  /// The requests at which the interval begins to be given, and a tenth of that, at which it is not.
  @Test(arguments: [(30, 0.2), (60, 0.5), (60, 1.0)])
  func zipf(_ keys: Int, _ alpha: Double) {
    let shares = (1...keys).map { pow(Double($0), -alpha) }
    let sums = shares.indices.map { shares[...$0].reduce(0, +) }
    func coverage(_ requests: Double) -> Double {
      share(of: simulations(400)) { draws in
        var counts = [UInt32](repeating: 0, count: keys)
        for _ in 0..<Int(requests) {
          let place = draws.uniform() * sums[keys - 1]
          counts[sums.firstIndex { $0 > place } ?? keys - 1] += 1
        }
        // Keys are ranked by what was drawn, as those of a trace are.
        counts.sort(by: >)
        guard let fit = ZipfFit(descendingCounts: counts) else { return false }
        return abs(fit.alpha - alpha) <= 1.96 * fit.standardError
      }
    }
    let needed = Double(keys * keys) / (2 * alpha * alpha)
    #expect((0.9...0.98).contains(coverage(needed)))
    #expect(coverage(4 * needed) >= 0.92)
    if alpha < 1 { #expect(coverage(needed / 10) < 0.9) }
  }
}
