import Foundation
import Rendering
import Reports
import ResultSamples
import Results
import Testing

/// Foundation has a type of that name, too.
private typealias Measurement = Results.Measurement

/// The page on results.
@Suite struct PageReportTests {
  private func page(_ results: ResultSet, highlighted: [String] = []) throws -> String {
    let report = try #require(ReportFormats.form(named: "html"))
    return report.render(results, style: ReportStyle(highlighted: highlighted, bounds: ["opt"]))
  }

  private func lead(_ results: ResultSet) throws -> String? {
    try page(results).firstMatch(of: /<p class="lead">(.*)<\/p>/).map { String($0.1) }
  }

  private func run(
    _ policy: String, _ hits: Int, capacity: Int = 1_000, trace: String = "OLTP",
    toOptimum: Double? = nil
  ) -> Measurement {
    var run = Measurement(kind: .sweep, trace: trace, policy: policy, capacity: capacity)
    run.requests = 1_000
    run.hits = hits
    run.distanceToOptimum = toOptimum
    return run
  }

  private func results(
    _ measurements: [Measurement], references: [MissRatioCurve] = []
  ) -> ResultSet {
    var results = ResultSet(
      environment: ResultSamples.environment, measurements: measurements, references: references)
    results.estimates = results.estimated(bounds: ["opt"])
    return results
  }

  private func sections(_ page: String) -> [String] {
    page.matches(of: /<section id="([a-z-]+)"/).map { String($0.1) }
  }

  @Test func everyFileOfTheFolderIsRegistered() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Reports/Sections")
    let files = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    let registered = ResultsSections.names.map { "\($0).swift" } + ["ResultsSection.swift"]
    #expect(files.sorted() == registered.sorted())
  }

  @Test func findingNamesTheLargestGain() throws {
    #expect(
      try lead(
        results([run("lru", 328, toOptimum: 0.2), run("arc", 389, toOptimum: 0.139)]))
        == "On OLTP at 1\u{A0}000 objects arc hits 38.9\u{A0}%, 6.1 points above lru, and closes "
        + "30.5\u{A0}% of its gap to the optimum.")
    #expect(
      try lead(
        results([
          run("lru", 300), run("arc", 310), run("lru", 500, capacity: 20_000),
          run("arc", 600, capacity: 20_000),
        ]))
        == "On OLTP at 20\u{A0}000 objects arc hits 60.0\u{A0}%, 10.0 points above lru; "
        + "of 2 sizes and traces, it gains most there.")
  }

  @Test func findingSaysWhenNothingBeatsLRU() throws {
    #expect(
      try lead(results([run("lru", 300), run("fifo", 300)]))
        == "On OLTP at 1\u{A0}000 objects nothing asked for hits more than lru, 30.0\u{A0}%.")
  }

  @Test func findingReadsLRUFromTheReferenceCurve() throws {
    let curve = MissRatioCurve(
      trace: "OLTP", policy: "lru", method: .stackDistances,
      points: [.init(capacity: 1, missRatio: 1), .init(capacity: 1_999, missRatio: 0.5)])
    #expect(
      try lead(results([run("arc", 389)], references: [curve]))
        == "On OLTP at 1\u{A0}000 objects arc hits 38.9\u{A0}%, 13.9 points above lru.")
    #expect(
      try lead(results([run("arc", 389), run("fifo", 100)]))
        == "On OLTP at 1\u{A0}000 objects arc hits 38.9\u{A0}%, the most of 2 policies.")
  }

  @Test func boundsAreNoContenders() throws {
    #expect(
      try lead(results([run("lru", 300), run("opt", 600), run("arc", 400)]))
        == "On OLTP at 1\u{A0}000 objects arc hits 40.0\u{A0}%, 10.0 points above lru.")
  }

  @Test func findingOfCurvesAndBounds() throws {
    var curves = ResultSet(
      environment: ResultSamples.environment, curves: [ResultSamples.exact])
    #expect(
      try lead(curves)
        == "On t the miss ratio of lru falls from 100.0\u{A0}% at 1 object to 12.5\u{A0}% at "
        + "30 objects.")
    curves.curves = [ResultSamples.curve]
    #expect(
      try lead(curves)
        == "On t a cache of 20 objects under slru:protected=0.5 is cheapest: 125.2, of which "
        + "memory costs 0.2500 and misses 125.0.")
    var bounds = Measurement(
      kind: .bounds, trace: "t", policy: "optimum", capacity: 64 << 20, unit: .bytes)
    bounds.hitRatioBounds = 0.25...0.5
    #expect(
      try lead(results([bounds])) == "On t at 64MiB no policy can hit more than 50.0\u{A0}%.")
  }

  @Test func sectionsFollowTheDocument() throws {
    #expect(try sections(page(results([run("lru", 300)]))) == ["curves", "runs", "environment"])
    #expect(
      try sections(page(ResultSamples.results))
        == ["curves", "runs", "latency", "environment"])
    var sweep = run("arc", 300)
    sweep.windows = RequestWindows(ends: [500, 1_000], requests: [500, 500], hits: [100, 200])
    sweep.internals = InternalsSeries(
      requests: [500, 1_000], series: [.init(name: "p", values: [1, 2])])
    var replay = ResultSamples.replay
    replay.replay?.threads = 1
    #expect(
      try sections(
        page(
          results([
            sweep, run("lru", 310), run("lru", 400, capacity: 9), ResultSamples.replay, replay,
          ])))
        == [
          "curves", "runs", "estimates", "heat-map", "over-time", "internals", "latency",
          "contention", "environment",
        ])
    #expect(try sections(page(results([]))) == ["environment"])
  }

  @Test func heatMapMarksOnlyWhatIsExact() throws {
    func replayed(_ policy: String, _ hits: Int, capacity: Int, threads: Int) -> Measurement {
      var replayed = run(policy, hits, capacity: capacity)
      replayed.kind = .replay
      replayed.replay = Replay(threads: threads, lock: "mutex")
      return replayed
    }
    func marks(threads: Int) throws -> Int {
      let runs = [10, 20].flatMap { capacity in
        [("lru", 300), ("arc", 400)].map {
          replayed($0.0, $0.1, capacity: capacity, threads: threads)
        }
      }
      let text = try page(results(runs))
      #expect(text.contains("The stronger the colour, the better."))
      return text.matches(of: /class="number heat-5 best"/).count
    }
    #expect(try marks(threads: 1) == 2)
    #expect(try marks(threads: 2) == 0)
  }

  @Test func cellsHoldExactValuesBesideTheirKeys() throws {
    let text = try page(results([run("lru", 1), run("arc", 333)]))
    #expect(
      text.contains("<th scope=\"col\" data-key=\"hitRatio\" class=\"number\">hit ratio %</th>"))
    #expect(text.contains("<td class=\"number best\" data-value=\"0.333\">33.30</td>"))
    #expect(text.contains("<td class=\"number\" data-value=\"0.001\">0.10</td>"))
    #expect(text.contains("data-name=\"arc\" data-points=\"[[1000.0, 66.7]]\""))
  }

  @Test func everyKeyIsAMemberOfTheDocument() throws {
    var runs = [ResultSamples.sweep, ResultSamples.replay]
    runs += [(1, 4_096, "none"), (2, 8_192, "powerLoss")].map { round, page, durability in
      var run = Measurement(kind: .disk, trace: "d", policy: "lru", capacity: 10)
      run.disk = DiskMeasures(
        round: round, inlineThreshold: 100 * round, pageSize: page, durability: durability)
      return run
    }
    let text = try page(results(runs))
    let report = try #require(ReportFormats.form(named: "csv"))
    let members = report.render(results(runs), style: .plain)
      .split(separator: "\n")[0].split(separator: ",").map(String.init)
    let keys = text.matches(of: /data-key="([^"]*)"/).map { String($0.1) }
    #expect(Set(keys).subtracting(members) == [])
    for key in ["inlineThreshold", "pageSize", "durability", "round"] {
      #expect(keys.contains("disk.\(key)"))
    }
    #expect(text.contains("data-value=\"8192\">8192</td>"))
  }

  @Test func textsAreEscapedAndNothingIsLoaded() throws {
    let text = try page(results([run("lru", 1, trace: "<b> & \"c\""), run("arc", 2)]))
    #expect(text.contains("&lt;b&gt; &amp; &quot;c&quot;") && !text.contains("<b>"))
    for loaded in ["<script", "http", "url(", "@import", "<link", "<img"] {
      #expect(!text.contains(loaded), "\(loaded)")
    }
    #expect(!text.contains(/\b(nan|inf)\b/))
  }

  @Test func unfinishedWorkIsSaid() throws {
    let text = try page(ResultSamples.results)
    #expect(
      text.contains(
        "<p class=\"note\">Stopped before its end: these are the 2 finished runs.</p>"))
    #expect(try !page(results([run("lru", 1)])).contains("class=\"note\""))
  }

  @Test func ofManyPoliciesTheBestAndTheAskedStandOut() throws {
    let many = (0..<40).map { run("p\($0)", $0) } + [run("lru", 5)]
    let text = try page(results(many), highlighted: ["p3"])
    let named = text.matches(of: /data-name="([a-z0-9]+)"/).map { String($0.1) }
    #expect(Set(named) == ["p3", "lru", "p39", "p38", "p37", "p36", "p35", "p34"])
    #expect(text.matches(of: /<g class="series faint">/).count == 33)
    #expect(text.contains("33 more"))
    let few = try page(results(Array(many.prefix(16))))
    #expect(!few.contains("series faint"))
  }

  @Test func responseTimesAreDrawnByLoadBesideNoCache() throws {
    let runs = [("25%", 300.0), ("50%", 600), ("90%", 1_080)].map { label, offered in
      var run = ResultSamples.openLoop
      run.replay?.pace?.label = label
      run.replay?.pace?.offered = offered
      return run
    }
    #expect(!sections(try page(results([runs[0]]))).contains("load"))
    let page = try page(results(runs))
    let start = try #require(page.firstRange(of: "<section id=\"load\""))
    let text = page[start.lowerBound...]
    let section = text[..<(try #require(text.firstRange(of: "</section>"))).lowerBound]
    #expect(section.contains("offered, % of the bare throughput"))
    let series = section.matches(of: /data-name="([^"]*)" data-points="([^"]*)"/)
    #expect(Set(series.map(\.1)) == ["lru", "no cache"])
    for one in series { #expect(one.2.matches(of: /\[(25|50|90)[.0]*,/).count == 3, "\(one.2)") }
  }

  @Test func everySeedHasALineOfItsOwn() throws {
    let runs = [1, 2].map { seed in
      var run = run("random", 100)
      run.seed = seed
      run.windows = RequestWindows(ends: [1_000], requests: [1_000], hits: [100 * seed])
      return run
    }
    let text = try page(results(runs))
    #expect(text.contains("data-name=\"random, seed 1\" data-points=\"[[1000.0, 10.0]]\""))
    #expect(text.contains("data-name=\"random, seed 2\" data-points=\"[[1000.0, 20.0]]\""))
  }

  @Test func pastSixChartsAreFolded() throws {
    let many = (1...9).map { run("lru", 1, trace: "t\($0)") }
    let text = try page(results(many))
    let parts = text.components(separatedBy: "<details>")
    #expect(parts.count == 2)
    #expect(parts[0].components(separatedBy: "<figure>").count == 7)
    #expect(parts[1].components(separatedBy: "<figure>").count == 4)
  }
}
