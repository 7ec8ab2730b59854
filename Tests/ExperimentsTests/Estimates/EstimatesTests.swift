import Comparison
import Experiments
import Foundation
import Reports
import ResultSamples
import Results
import Runner
import Statistics
import Testing
import Traces

/// Foundation has a type of that name, too.
private typealias Measurement = Results.Measurement

/// The estimates that runs stand for: a stationary process, seeds, and cases without an answer.
@Suite struct EstimatesTests {
  /// A run whose windows of 1000 requests have so many hits each.
  static func run(
    _ policy: String, hits: [Int], capacity: Int = 100, seed: Int = 42
  ) -> Results.Measurement {
    var run = Measurement(
      kind: .sweep, trace: "t", policy: policy, capacity: capacity, seed: seed)
    run.requests = hits.count * 1_000
    run.hits = hits.reduce(0, +)
    run.insertions = run.requests - run.hits
    run.evictions = max(0, run.insertions - capacity)
    run.windows = RequestWindows(
      ends: hits.indices.map { ($0 + 1) * 1_000 }, requests: hits.map { _ in 1_000 }, hits: hits)
    return run
  }

  /// Hits of windows that go up and down without memory, by a fixed rule.
  static func noise(_ mean: Int, salt: UInt64) -> [Int] {
    var state = salt
    return (0..<400).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return mean + Int(state >> 33) % 41 - 20
    }
  }

  static func results(_ runs: [Results.Measurement]) -> ResultSet {
    var results = ResultSet(
      environment: ResultSamples.environment,
      traces: [
        TraceSummary(
          name: "t", format: "plain", requests: runs.first?.requests ?? 0, distinct: 10_000)
      ],
      measurements: runs)
    results.estimates = results.estimated(bounds: ["opt"])
    return results
  }

  static let lru = run("lru", hits: noise(500, salt: 1))
  static let arc = run("arc", hits: noise(525, salt: 2))

  @Test func policiesAreComparedInAStationaryProcess() throws {
    let estimates = Self.results([Self.lru, Self.arc]).estimates
    #expect(estimates.map(\.policy) == ["lru", "arc"])
    #expect(estimates.map(\.against) == [nil, "lru"])
    let gain = try #require(estimates.last)
    let interval = try #require(gain.interval)
    #expect(abs(gain.value - Double(Self.arc.hits - Self.lru.hits) / 400_000) < 1e-12)
    #expect(interval.contains(0.025) && interval.lowerBound > 0.02 && interval.upperBound < 0.03)
    #expect(gain.estimand == .stationaryMean && gain.reason == nil && gain.comparisons == nil)
    #expect(gain.samples == 400 && gain.blockLength == 1)
    let next = try #require(gain.nextTrace)
    #expect(next.lowerBound < interval.lowerBound && next.upperBound > interval.upperBound)
    #expect(
      gain.text.wholeMatch(
        of:
          /arc above lru by 2\.\d\d points; 95 % interval for the mean of a stationary process like this trace \[2\.\d\d, 2\.\d\d\], for the next trace \[2\.\d\d, 2\.\d\d\], stationarity p = 0\.\d\d\d/
      ) != nil)
  }

  @Test func withoutLRUTheFirstPolicyIsTheMeasure() {
    let sieve = Self.run("sieve", hits: Self.noise(480, salt: 3))
    let estimates = Self.results([Self.arc, sieve]).estimates
    #expect(estimates.map(\.against) == [nil, "arc"])
    #expect(estimates[1].text.hasPrefix("sieve below arc by 4."))
  }

  @Test func theBestIsAlsoComparedWithTheNextBest() throws {
    let sieve = Self.run("sieve", hits: Self.noise(510, salt: 3))
    let estimates = Self.results([Self.lru, sieve, Self.arc]).estimates
    #expect(estimates.map(\.policy) == ["lru", "sieve", "arc", "arc"])
    #expect(estimates.map(\.against) == [nil, "lru", "lru", "sieve"])
    #expect(estimates.map(\.isBest) == [false, false, false, true])
    #expect(estimates.map(\.comparisons) == [nil, 2, 2, nil])
    let best = estimates[3]
    #expect(best.interval?.contains(best.value) == true && best.nextTrace == nil)
    #expect(best.text.hasPrefix("arc above the next best, sieve, by 1."))
  }

  /// The interval of the best is at most what the comparison with the next best alone says.
  @Test func choosingTheBestCosts() throws {
    let rivals = (1...8).map { Self.run("p\($0)", hits: Self.noise(500, salt: UInt64($0))) }
    let best = try #require(Self.results(rivals).estimates.last)
    let pair = rivals.filter { [best.policy, best.against].contains($0.policy) }
      .sorted { $0.hits < $1.hits }
    let alone = try #require(Self.results(pair).estimates.last)
    let (wide, narrow) = (try #require(best.interval), try #require(alone.interval))
    #expect(abs(best.value - alone.value) < 1e-12)
    #expect(wide.lowerBound < narrow.lowerBound && wide.contains(0))
  }

  @Test func comparisonsOfOneTraceHoldTogether() throws {
    let sizes = [100, 200, 300].flatMap { capacity in
      [("lru", 500, 1), ("arc", 525, 2)].map {
        Self.run($0.0, hits: Self.noise($0.1, salt: $0.2), capacity: capacity)
      }
    }
    let together = Self.results(sizes).estimates.filter { $0.against != nil }
    #expect(together.map(\.comparisons) == [3, 3, 3])
    let alone = try #require(Self.results([Self.lru, Self.arc]).estimates.last?.interval)
    let interval = try #require(together[0].interval)
    #expect(interval.lowerBound < alone.lowerBound && interval.upperBound > alone.upperBound)
  }

  @Test func changedTrafficHasASmallPValue() throws {
    let hits = Self.noise(500, salt: 2).enumerated().map {
      $0.offset < 200 ? $0.element : $0.element + 80
    }
    let gain = try #require(Self.results([Self.lru, Self.run("arc", hits: hits)]).estimates.last)
    #expect(try #require(gain.stationarity) < 0.001 && gain.interval != nil)
    #expect(gain.text.hasSuffix("stationarity p < 0.001"))
  }

  @Test func blocksAreAsLongAsTheTrafficsMemory() throws {
    // What happens lasts for five windows.
    let draws = Self.noise(525, salt: 2)
    let hits = draws.indices.map { draws[$0 / 5] }
    let steady = Self.run("lru", hits: draws.map { _ in 500 })
    let gain = try #require(Self.results([steady, Self.run("arc", hits: hits)]).estimates.last)
    #expect(gain.interval?.contains(gain.value) == true)
    #expect(try #require(gain.blockLength) >= 5)
  }

  @Test func equalWindowsSayNothing() {
    let steady = Self.run("arc", hits: Self.lru.windows?.hits ?? [])
    let gain = Self.results([Self.lru, steady]).estimates.last
    #expect(gain?.interval == nil && gain?.stationarity == nil)
    #expect(gain?.reason == "the figure is the same in every window")
  }

  @Test func runsInOtherWindowsAreNotCompared() {
    var arc = Self.arc
    arc.windows?.requests[0] -= 1
    #expect(
      Self.results([Self.lru, arc]).estimates.last?.reason == "lru was counted in other windows")
  }

  @Test func seedsOfARandomisedPolicyHaveAnInterval() throws {
    let runs = (1...4).flatMap { seed in
      [("lru", [500]), ("random", [400 + seed * 10])].map { policy, hits in
        var run = Self.run(policy, hits: hits, seed: seed)
        run.windows = nil
        return run
      }
    }
    let estimates = Self.results(runs).estimates
    // LRU draws nothing: its hits are exact.
    #expect(estimates.map(\.policy) == ["random", "random"])
    #expect(estimates.map(\.against) == [nil, "lru"])
    #expect(estimates.allSatisfy { $0.estimand == .seeds && $0.samples == 4 })
    let expected = try MeanInterval([0.41, 0.42, 0.43, 0.44], of: .seeds)
    #expect(abs(estimates[0].value - expected.mean) < 1e-12)
    let interval = try #require(estimates[0].interval)
    #expect(abs(interval.lowerBound - expected.interval().lowerBound) < 1e-12)
    #expect(abs(estimates[1].value + 0.075) < 1e-12)
    #expect(
      estimates[0].text
        == "random hits 42.50 %; 95 % interval for the mean over all seeds [40.45, 44.55]")
    #expect(Self.results(Array(runs.prefix(2))).estimates.isEmpty)
  }

  @Test func everyReportShowsThem() throws {
    let results = Self.results([Self.lru, Self.arc])
    func render(_ name: String) throws -> String {
      try #require(ReportFormats.form(named: name)).render(results, style: .plain)
    }
    let table = try render("table")
    #expect(table.contains("t: what is uncertain\n\ncapacity  policy  metric            value"))
    #expect(
      table.contains(
        "A run's hits are exact; a 95 % interval is for the mean of a stationary process like this trace."
      ))
    #expect(try render("markdown").contains("| points above lru | 2."))
    let page = try render("html")
    #expect(page.contains("<section id=\"estimates\""))
    #expect(
      page.contains(
        /points above lru \(2\.\d to 2\.\d for the mean of a stationary process like this trace, 95\u{A0}% confidence\)/
      ))
    let document = try JSON(reading: render("json").utf8)
    guard case .array(let estimates) = document["estimates"] else {
      Issue.record("no estimates")
      return
    }
    #expect(estimates[1]["estimand"] == "stationary mean")
    #expect(estimates[1]["blockLength"] == .integer(1))
    let read = try ResultSet(reading: render("json").utf8, file: "x")
    #expect(read.estimates == results.estimates)
    #expect(read.estimated(bounds: ["opt"]) == results.estimates)
  }

  @Test func documentsKeepTheirEstimatesUntilTheyAreEstimatedAnew() throws {
    let results = Self.results([Self.lru, Self.arc])
    let text = results.json.document.replacing("blockLength\": 1", with: "blockLength\": 7")
    let read = try ResultSet(reading: text.utf8, file: "x")
    #expect(read.json.document == text)
    #expect(read.estimates.last?.blockLength == 7)
    #expect(read.estimated(bounds: ["opt"]) == results.estimates)
  }

  @Test func documentsOfEarlierVersionsAreRead() throws {
    let text = Self.results([Self.lru, Self.arc]).json.document
      .replacing("\"stationary mean\"", with: "\"future windows\"")
      .replacing(/"stationarity": [0-9.e-]+/, with: "\"stationary\": true")
    let read = try ResultSet(reading: text.utf8, file: "x")
    #expect(read.estimates.map(\.estimand) == [.stationaryMean, .stationaryMean])
    #expect(read.estimates.map(\.stationarity) == [nil, nil])
  }

  @Test func reasonsStandBelowTheTableOnce() throws {
    let runs = [10_000, 20_000].flatMap { capacity in
      [("lru", 500, 1), ("arc", 525, 2)].map {
        Self.run($0.0, hits: Array(Self.noise($0.1, salt: $0.2)[..<10]), capacity: capacity)
      }
    }
    let table = try #require(ReportFormats.form(named: "table"))
      .render(Self.results(runs), style: .plain)
    #expect(
      table.contains(
        """
        No interval on t at 10000, 20000: fewer than 20 windows with requests; cut the trace into more.

        """))
  }

  @Test func documentsOfOnePolicyEachAreCompared() throws {
    let comparison = ResultComparison(
      before: Self.results([Self.lru]), after: Self.results([Self.arc]))
    #expect(comparison.isDisjoint && comparison.gains.map(\.policy) == ["arc"])
    let remarks = Judgement.information(comparison).remarks
    #expect(remarks.count == 2)
    #expect(remarks.last?.text.hasPrefix("On t at 100: arc above lru by 2.") == true)
  }

  @Test func changedHitsSayWhatTheyMean() throws {
    var after = Self.lru
    after.windows = Self.arc.windows
    after.hits = Self.arc.hits
    let comparison = ResultComparison(
      before: Self.results([Self.lru]), after: Self.results([after]))
    #expect(!comparison.isDisjoint && comparison.gains.isEmpty)
    #expect(comparison.differences.map(\.figure) == ["hits"])
    #expect(
      comparison.differences[0].reason.hasPrefix(
        "95 % interval for the mean of a stationary process like this trace [2."))
  }

  /// Traces of one kind, each with its interval: most hold the mean gain over all of them.
  @Test func intervalsHoldWhatTracesOfTheKindShow() throws {
    let estimates = try (1...12).map { seed in
      let trace = try TraceGenerators.trace(
        "zipf:keys=500:requests=20000", seed: UInt64(seed))
      let plan = try ExperimentPlan(
        traces: [trace], policies: PolicyChoice.parse(["lru,arc"]), capacities: [.count(20)],
        sweep: SweepExperiment(windows: .count(100)))
      let runs = ExperimentRun(plan).run().measurements
      return try #require(
        ResultSet(environment: ResultSamples.environment, measurements: runs)
          .estimated(bounds: []).last)
    }
    let truth = estimates.map(\.value).reduce(0, +) / 12
    #expect(estimates.count { $0.interval?.contains(truth) == true } >= 10)
    #expect(estimates.allSatisfy { ($0.samples ?? 0) >= 20 })
  }
}
