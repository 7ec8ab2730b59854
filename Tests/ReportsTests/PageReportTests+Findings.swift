import Foundation
import Rendering
import Reports
import ResultSamples
import Results
import Testing

private typealias Measurement = Results.Measurement

/// The first sentences of a page, and the page of claims.
extension PageReportTests {
  @Test func findingIsTheBestOfOnePlaceOrOnAverage() throws {
    #expect(
      try lead(
        results([run("lru", 328, toOptimum: 0.2), run("arc", 389, toOptimum: 0.139)]))
        == "On OLTP at 1000 objects arc hits 38.9\u{A0}%, 6.1 points above lru, and closes "
        + "30.5\u{A0}% of its gap to the optimum.")
    #expect(
      try lead(
        results([
          run("lru", 300), run("arc", 310), run("lru", 500, capacity: 20_000),
          run("arc", 600, capacity: 20_000),
        ]))
        == "On OLTP over 2 sizes arc hits most: 45.5\u{A0}% on average (31.0 to 60.0\u{A0}% by size)."
    )
  }

  @Test func findingSaysWhenNothingBeatsLRU() throws {
    #expect(
      try lead(results([run("lru", 300), run("fifo", 300)]))
        == "On OLTP at 1000 objects no policy hits more than lru, 30.0\u{A0}%.")
  }

  /// One policy is no field that LRU leads.
  @Test func aPolicyAloneStandsBesideTheOptimum() throws {
    #expect(
      try lead(results([run("lru", 589, capacity: 261, toOptimum: 0.151)]))
        == "On OLTP at 261 objects lru hits 58.9\u{A0}%; the optimum 74.0\u{A0}%.")
    #expect(
      try lead(results([run("fifo", 400, capacity: 2_000)], references: [lru("OLTP")]))
        == "On OLTP at 2000 objects fifo hits 40.0\u{A0}%, 10.0 points below lru.")
  }

  @Test func findingReadsLRUFromTheReferenceCurve() throws {
    let curve = MissRatioCurve(
      trace: "OLTP", policy: "lru", method: .stackDistances,
      points: [.init(capacity: 1, missRatio: 1), .init(capacity: 1_999, missRatio: 0.5)])
    #expect(
      try lead(results([run("arc", 389)], references: [curve]))
        == "On OLTP at 1000 objects arc hits 38.9\u{A0}%, 13.9 points above lru.")
    #expect(
      try lead(results([run("arc", 389), run("fifo", 100)]))
        == "On OLTP at 1000 objects arc hits 38.9\u{A0}%, the most of 2 policies.")
  }

  @Test func boundsAreNoContenders() throws {
    #expect(
      try lead(results([run("lru", 300), run("opt", 600), run("arc", 400)]))
        == "On OLTP at 1000 objects arc hits 40.0\u{A0}%, 10.0 points above lru.")
  }

  /// Tokens, and the sizes at both ends; of other definitions there are no tokens, and the usual sentence stands.
  @Test func findingOfPrefixCachesCountsTokens() throws {
    func prefix(_ policy: String, _ tokens: Int, _ capacity: Int) -> Measurement {
      var run = ResultSamples.prefix(policy, hitBlocks: 5, hitTokens: tokens)
      run.capacity = capacity
      return run
    }
    let runs = [
      prefix("lru", 10, 8), prefix("s3fifo", 20, 8), prefix("lru", 30, 16),
      prefix("s3fifo", 50, 16),
    ]
    #expect(
      try lead(results(runs))
        == "On t s3fifo saves most prompt tokens on average: 20.0\u{A0}% with 8 blocks, 50.0\u{A0}% with "
        + "16 blocks, where lru saves 30.0\u{A0}%.")
    #expect(
      try lead(results([runs[0]]))
        == "On t lru saves 10.0\u{A0}% of the prompt tokens with 8 blocks.")
  }

  @Test func findingOfCurvesAndBounds() throws {
    var curves = ResultSet(
      environment: ResultSamples.environment, curves: [ResultSamples.exact])
    #expect(
      try lead(curves)
        == "On t the miss ratio of lru falls from 100.0\u{A0}% at 1 object to 12.5\u{A0}% at "
        + "30 objects.")
    var other = ResultSamples.exact
    other.trace = "u"
    curves.curves = [ResultSamples.exact, other]
    #expect(
      try lead(curves)?.hasSuffix(
        " On u the miss ratio of lru falls from 100.0\u{A0}% at 1 object to 12.5\u{A0}% at 30 objects."
      ) == true)
    curves.curves = [ResultSamples.curve]
    #expect(
      try lead(curves)
        == "On t a cache of 20 objects under slru:protected=0.5 is cheapest: 125.2 while the trace lasts, of which "
        + "memory costs 0.2500 and misses 125.0. No cache costs 500.0. "
        + "It spares the backend 75.0\u{A0}% of the requests.")
    var bounds = Measurement(
      kind: .bounds, trace: "t", policy: "optimum", capacity: 64 << 20, unit: .bytes)
    bounds.hitRatioBounds = 0.25...0.5
    #expect(
      try lead(results([bounds])) == "On t at 64MiB no policy can hit more than 50.0\u{A0}%.")
  }

  @Test func findingOfCurvesNamesTheWidestGap() throws {
    func curve(_ policy: String, _ ratios: [Double]) -> MissRatioCurve {
      MissRatioCurve(
        trace: "t", policy: policy, method: .simulations,
        points: zip([10, 100, 200, 1_000], ratios).map { .init(capacity: $0, missRatio: $1) })
    }
    var curves = ResultSet(
      environment: ResultSamples.environment,
      curves: [
        curve("arc", [0.9, 0.7, 0.66, 0.1]), curve("lru", [1, 0.8, 0.8, 0.1]),
        curve("wtinylfu", [0.9, 0.75, 0.31, 0.1]),
      ])
    #expect(
      try lead(curves)
        == "On t the miss ratio of lru falls from 100.0\u{A0}% at 10 objects to 10.0\u{A0}% at 1000 "
        + "objects. Of 4 sizes the gap to lru is widest at 200 objects: wtinylfu misses 31\u{A0}%, "
        + "arc 66\u{A0}%, lru 80\u{A0}%.")
    curves.curves = [curve("fifo", [0.5, 0.4, 0.4, 0.5])]
    #expect(
      try lead(curves)
        == "On t the miss ratio of fifo is 50.0\u{A0}% at 10 objects and 50.0\u{A0}% at 1000 objects."
    )
  }

  @Test func memoryThatLRUNeedsLiesBetweenThePointsOfItsCurve() throws {
    let text = try page(
      results([run("fifo", 300), run("arc", 375)], references: [lru("OLTP")]))
    #expect(text.contains("For as many hits lru needs 1.5 times the memory."))
  }

  @Test func hitsWithinThePrecisionOfTheCurveAreAsMany() throws {
    // Where the curve is flat, a hit more would else be worth much memory.
    var arc = run("arc", 5_004, capacity: 2_000)
    arc.requests = 10_000
    let text = try page(
      results([run("fifo", 300, capacity: 2_000), arc], references: [lru("OLTP")]))
    #expect(!text.contains("For as many hits"))
  }

  @Test func rankingIsByTheMeanOverTraces() throws {
    let text = try page(results(reductions, references: [lru("s"), lru("t")]))
    #expect(
      text.contains(
        "<p class=\"lead\">Over 2 traces lirs has the fewest misses: 22.5\u{A0}% fewer than fifo "
          + "on average (20.0 to 25.0\u{A0}% by trace).</p>"))
    #expect(
      text.contains(
        "<p>Next is lru with 7.5\u{A0}%; lirs is ahead of it on 2 of 2 traces, and never behind "
          + "fifo. For as many hits lru needs 2.0 times the memory (median of 2 sizes).</p>"))
    let ranking = try section("ranking", of: text)
    let names = ranking.matches(of: /<tr><th scope="row">([a-z]+)<\/th>/).map { String($0.1) }
    #expect(names == ["lirs", "lru", "arc", "fifo", "s", "t"])
    #expect(ranking.contains("aria-label=\"s 50.0, t −40.0\""))
    #expect(ranking.contains("data-value=\"2000\">2000 objects</td>"))
  }

  @Test func leadOfFewTracesIsNotClear() throws {
    var runs = reductions
    for index in runs.indices where runs[index].policy == "arc" {
      runs[index].missRatioReduction = runs[index].trace == "s" ? 0.9 : -0.1
    }
    #expect(
      try page(results(runs)).contains(
        "<p>No clear lead: next is lirs with 22.5\u{A0}%; arc is ahead of it on 1 of 2 traces, and "
          + "behind fifo on t.</p>"))
  }

  @Test func policyThatDidNotRunEverywhereIsLast() throws {
    let runs = reductions.filter { $0.policy != "lirs" || $0.trace == "t" }
    let ranking = try section("ranking", of: page(results(runs)))
    let names = ranking.matches(of: /<tr><th scope="row">([a-z]+)<\/th>/).map { String($0.1) }
    #expect(names.prefix(4) == ["lru", "arc", "fifo", "lirs"])
    #expect(ranking.contains("Policies that did not run everywhere come last."))
  }

  @Test func onePolicyHasAHeadlineOfAllItsSizes() throws {
    let runs = [(10, 100), (20, 300), (30, 450)].map { run("arc", $0.1, capacity: $0.0) }
    #expect(
      try lead(results(runs)) == "On OLTP arc hits 10.0 to 45.0\u{A0}% at 3 sizes.")
    #expect(
      try lead(results(runs, references: [lru("OLTP")]))?.hasSuffix(
        ", and more than lru at 3 of 3 sizes.") == true)
  }

  @Test func policiesWithEqualValuesLeadTogether() throws {
    let runs = ["arc", "car", "lru"].flatMap { policy in
      [10, 20].map { run(policy, policy == "lru" ? 100 : 200 + $0, capacity: $0) }
    }
    let text = try page(results(runs))
    #expect(text.contains("On OLTP over 2 sizes arc and car hit most: 21.5\u{A0}% on average"))
    #expect(text.contains("Next is lru with 10.0\u{A0}%"))
  }

  @Test func locksAreComparedByTheirThroughput() throws {
    let runs = [("mutex", 1, 9e6), ("spin", 1, 8e6), ("mutex", 2, 2e6), ("spin", 2, 3e6)].map {
      var run = contended("lru", threads: $0.1, $0.2)
      run.replay?.lock = $0.0
      return run
    }
    #expect(
      try lead(results(runs))
        == "With 2 threads the lock spin serves most, 3.0 M requests/s (median "
        + "of 1 cell), and mutex least, 2.0 M requests/s.")
  }

  @Test func replaySaysAtTheTopWhatThreadsChangeAndWhatWasDisturbed() throws {
    let runs = [("lru", 1, 8e6), ("lru", 2, 4e6), ("arc", 1, 6e6), ("arc", 2, 3e6)].map {
      var run = contended($0.0, threads: $0.1, $0.2)
      run.replay?.latency?.get?.p99 = $0.1 == 1 ? 57 : 600
      run.replay?.disturbed = ["waiting: 56 % (at most 5 %)"]
      return run
    }
    let text = try page(results(runs))
    let header = text[..<(try #require(text.firstRange(of: "</header>"))).lowerBound]
    #expect(
      header.contains(
        "With 2 threads a cache serves 0.50 times as many requests as with 1, 3.5 M requests/s instead "
          + "of 7.0 (medians of 2 cells), and the 99th percentile of a get is 600\u{A0}ns instead of "
          + "57\u{A0}ns."))
    #expect(
      header.contains(
        "<p class=\"note\">Disturbed (!): 4 of 4 runs, such as waiting: 56\u{A0}% (at most "
          + "5\u{A0}%).</p>"))
    #expect(try !page(results([runs[0], runs[2]])).contains("times as many requests"))
  }

  /// A system that holds too much on one trace is no match on another, where it held less in the end.
  @Test func systemWithoutARankIsFirstNowhere() throws {
    func driven(_ hits: Int, _ system: String?, on trace: String, holds residents: Int)
      -> Measurement
    {
      var driven = run("lru", hits, capacity: 100, trace: trace)
      driven.kind = .replay
      driven.replay = Replay {
        $0.threads = 1
        $0.lock = "mutex"
      }
      driven.replay?.system = system
      driven.replay?.systemUse = system.map { _ in
        SystemUse {
          $0.residents = residents
          $0.bytesSet = 1
        }
      }
      return driven
    }
    let runs = ["s", "t"].flatMap { trace in
      [
        driven(300, nil, on: trace, holds: 0), driven(400, "fair", on: trace, holds: 100),
        driven(900, "large", on: trace, holds: trace == "s" ? 50 : 300),
      ]
    }
    let text = try page(results(runs))
    #expect(text.contains("Over 2 traces fair (lru) hits most"))
    let ranking = try section("ranking", of: text)
    let names = ranking.matches(of: /<tr><th scope="row">([a-z ()]+)<\/th>/).map { String($0.1) }
    #expect(names == ["fair (lru)", "lru", "s", "t", "large (lru)"])
    #expect(ranking.contains("<caption>Not ranked: they hold more than the capacity</caption>"))
    #expect(ranking.contains("<th scope=\"row\">large (lru)</th><td class=\"number\""))
    #expect(ranking.contains(">3.0</td>"))
  }

  @Test func limitOfTheRequestsIsSaid() throws {
    var results = results([run("lru", 300), run("arc", 400)])
    #expect(try !page(results).contains("Only the first"))
    results.environment.command = "evict sweep OLTP --policy lru,arc --limit 1e4"
    #expect(
      try page(results).contains("Only the first 10,000 requests of each trace count (--limit)."))
  }

  @Test func claimsHaveAPage() {
    var claim = ClaimDocument()
    claim.id = "C7"
    claim.claim = "One is faster than 2 < 3."
    claim.verdict = .refuted
    var condition = ClaimConditionResult()
    condition.factors = [.init("threads", .string("2"))]
    condition.rule = "below 0.9"
    var effect = ClaimEffect()
    effect.value = 1.25
    effect.interval = 1.125...1.375
    condition.effect = effect
    claim.conditions = [condition]
    let text = ClaimPage.html([claim])
    #expect(text.contains("<p class=\"lead\">C7, refuted: One is faster than 2 &lt; 3.</p>"))
    #expect(text.contains("threads 2") && text.contains(">1.25<") && text.contains(">1.38<"))
    #expect(ClaimPage.html([claim, claim]).contains("Of 2 claims: 2 refuted."))
  }
}
