import RecordedTraces
import Testing
import TraceAnalysis
import Traces

@Suite struct ReuseDistanceTests {
  /// Distances by the definition, with a list in the order of the last requests.
  private static func distances(_ trace: Trace) -> [Int] {
    var stack: [UInt32] = []
    var distances: [Int] = []
    for id in trace.ids {
      if let place = stack.lastIndex(of: id) {
        distances.append(stack.count - 1 - place)
        stack.remove(at: place)
      }
      stack.append(id)
    }
    return distances.sorted()
  }

  /// Of so many requests that some distances reach from one block into another.
  @Test(arguments: ["zipf:alpha=0.7:keys=300", "hotscan:hot=20:scan=150", "zipf:alpha=0:keys=3"])
  func exactDistancesAreThoseOfTheStack(_ generator: String) throws {
    let trace = try TraceGenerators.trace("\(generator):requests=40000", seed: 5)
    let expected = ReuseDistanceTests.distances(trace)
    var options = TraceProfile.Options()
    options.replicates = 0
    let summary = try #require(
      try TraceProfile(trace, options: options)[ReuseDistance.self]?.summary)
    #expect(summary.count == expected.count)
    #expect(summary.mean == Double(expected.reduce(0, +)) / Double(expected.count))
    #expect(summary.largest == expected.last)
    for (share, quantile) in zip(DistributionSummary.shares, summary.quantiles) {
      let place = Int((share * Double(expected.count)).rounded(.up)) - 1
      #expect(quantile == expected[place])
    }
  }

  /// A sample of so few keys that only counting within the block can be right.
  @Test func shortReusesAreCountedInEverySample() throws {
    let trace = try TraceGenerators.trace("zipf:alpha=0:keys=100:requests=10000")
    let expected = ReuseDistanceTests.distances(trace)
    var options = ReuseDistanceTests.sampled(followedKeys: 1, seed: 1)
    options.measuredRequests = 10_000
    let distance = try #require(try TraceProfile(trace, options: options)[ReuseDistance.self])
    #expect(!distance.method.isExact && distance.method.requests == expected.count)
    #expect(
      distance.summary?.mean == Double(expected.reduce(0, +)) / Double(expected.count))
    #expect(distance.summary?.largest == expected.last)
  }

  private static func sampled(followedKeys: Int, seed: Int) -> TraceProfile.Options {
    var options = TraceProfile.Options()
    options.exactRequests = 0
    options.followedKeys = followedKeys
    options.measuredRequests = 20_000
    options.replicates = 0
    options.seed = seed
    return options
  }

  @Test func sampleSaysSoAndComesWithItsError() throws {
    let trace = try TraceGenerators.trace("zipf:alpha=0.8:keys=40000:requests=60000")
    let exact = try #require(try TraceProfile(trace)[ReuseDistance.self])
    let sampled = try #require(
      try TraceProfile(trace, options: ReuseDistanceTests.sampled(followedKeys: 4_000, seed: 1))[
        ReuseDistance.self])
    #expect(exact.method.isExact && !sampled.method.isExact)
    #expect(abs(sampled.method.keyRate - 4_000 / Double(trace.distinct)) < 0.02)
    #expect(sampled.intervals.count == DistributionSummary.shares.count)
    let truth = try #require(exact.summary)
    for (interval, quantile) in zip(sampled.intervals, truth.quantiles) {
      #expect(interval.contains(quantile))
    }
  }

  /// Each of the intervals is right nineteen times in twenty; together they err on the wide side.
  @Test(.inReleaseBuilds, arguments: ["zipf:alpha=0.6", "zipf:alpha=1.0"])
  func intervalsHoldTheTruthAsOftenAsTheySay(_ generator: String) throws {
    let trace = try TraceGenerators.trace("\(generator):keys=200000:requests=600000")
    let truth = try #require(try TraceProfile(trace)[ReuseDistance.self]?.summary)
    var misses = 0
    for seed in 1...20 {
      let options = ReuseDistanceTests.sampled(followedKeys: 4_000, seed: seed)
      let sampled = try #require(try TraceProfile(trace, options: options)[ReuseDistance.self])
      for (interval, quantile) in zip(sampled.intervals, truth.quantiles)
      where !interval.contains(quantile) {
        misses += 1
      }
    }
    #expect(misses <= 12, "of 120 intervals")
  }

  @Test func lengthAsksForExactness() throws {
    let trace = try TraceGenerators.trace("zipf:keys=5000:requests=20000")
    var options = ReuseDistanceTests.sampled(followedKeys: 500, seed: 1)
    #expect(try TraceProfile(trace, options: options)[ReuseDistance.self]?.method.isExact == false)
    options.isExact = true
    #expect(try TraceProfile(trace, options: options)[ReuseDistance.self]?.method.isExact == true)
    options.isExact = false
    options.exactRequests = 20_000
    #expect(try TraceProfile(trace, options: options)[ReuseDistance.self]?.method.isExact == true)
  }
}
