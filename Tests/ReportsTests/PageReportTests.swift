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
  func page(_ results: ResultSet, highlighted: [String] = []) throws -> String {
    let report = try #require(ReportFormats.form(named: "html"))
    return report.render(results, style: ReportStyle(highlighted: highlighted, bounds: ["opt"]))
  }

  func lead(_ results: ResultSet) throws -> String? {
    try page(results).firstMatch(of: /<p class="lead">(.*)<\/p>/).map { String($0.1) }
  }

  func run(
    _ policy: String, _ hits: Int, capacity: Int = 1_000, trace: String = "OLTP",
    toOptimum: Double? = nil
  ) -> Results.Measurement {
    var run = Measurement(kind: .sweep, trace: trace, policy: policy, capacity: capacity)
    run.requests = 1_000
    run.hits = hits
    run.distanceToOptimum = toOptimum
    return run
  }

  func results(
    _ measurements: [Results.Measurement], references: [MissRatioCurve] = []
  ) -> ResultSet {
    var results = ResultSet(
      environment: ResultSamples.environment, measurements: measurements, references: references)
    results.estimates = results.estimated(bounds: ["opt"])
    return results
  }

  func lru(_ trace: String) -> MissRatioCurve {
    MissRatioCurve(
      trace: trace, policy: "lru", method: .stackDistances,
      points: [
        .init(capacity: 1, missRatio: 1), .init(capacity: 2_000, missRatio: 0.5),
        .init(capacity: 9_000, missRatio: 0.49),
      ])
  }

  /// The text of a section.
  func section(_ id: String, of page: String) throws -> Substring {
    let start = try #require(page.firstRange(of: "<section id=\"\(id)\""))
    let text = page[start.lowerBound...]
    return text[..<(try #require(text.firstRange(of: "</section>"))).lowerBound]
  }

  func sections(_ page: String) -> [String] {
    page.matches(of: /<section id="([a-z-]+)"/).map { String($0.1) }
  }

  @Test func everyFileOfTheFolderIsRegistered() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Reports/Sections")
    let files = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    let registered = ResultsSections.names.map { "\($0).swift" } + ["ResultsSection.swift"]
    #expect(files.sorted() == registered.sorted())
  }

  @Test func chartsWhoseLinesLieOnOneAnotherAreCounted() throws {
    func timed(_ policy: String, _ nanoseconds: Int, threads: Int) -> Measurement {
      var run = ResultSamples.replay
      run.policy = policy
      run.replay?.threads = threads
      for path in [\LatencySummary.p50, \.p90, \.p99] {
        run.replay?.latency?.get?[keyPath: path] = nanoseconds
      }
      return run
    }
    let text = try section(
      "latency",
      of: page(
        results([
          timed("lru", 100, threads: 1), timed("arc", 200, threads: 1),
          timed("lru", 100, threads: 2), timed("arc", 201, threads: 2),
        ])))
    #expect(text.contains("On 1 of 2 charts all lines lie within a factor of 2 up to"))
  }

  @Test func sectionsFollowTheDocument() throws {
    #expect(try sections(page(results([run("lru", 300)]))) == ["runs", "environment"])
    #expect(
      try sections(page(ResultSamples.results))
        == ["latency", "runs", "environment"])
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
          "ranking", "curves", "contention", "latency", "estimates", "over-time", "internals",
          "runs", "environment",
        ])
    #expect(try sections(page(results([]))) == ["environment"])
  }

  /// Runs of two policies on two traces: the mean of one is larger, the other's best cell.
  var reductions: [Results.Measurement] {
    [
      ("fifo", "s", 0.0), ("fifo", "t", 0), ("lru", "s", 0.05), ("lru", "t", 0.1),
      ("arc", "s", 0.5), ("arc", "t", -0.4), ("lirs", "s", 0.2), ("lirs", "t", 0.25),
    ].map { policy, trace, reduction in
      var run = run(policy, 500, trace: trace)
      run.missRatioReduction = reduction
      return run
    }
  }

  /// The reductions on four traces.
  var wideReductions: [Results.Measurement] {
    reductions
      + reductions.map {
        var run = $0
        run.trace = $0.trace == "s" ? "u" : "v"
        return run
      }
  }

  @Test func heatMapTellsLossesFromNothing() throws {
    #expect(try !sections(page(results(reductions))).contains("heat-map"))
    let map = try section("heat-map", of: page(results(wideReductions)))
    #expect(!map.contains("<li class=\"worse-3\">") && map.contains("<li class=\"worse-4\">"))
    #expect(map.contains("<td class=\"number heat worse-4\" data-value=\"-0.4\">−40.0</td>"))
    #expect(map.contains("<td class=\"number heat better-0\" data-value=\"0.0\">0.0</td>"))
    #expect(map.contains("<td class=\"number heat better-4 best\" data-value=\"0.5\">50.0</td>"))
  }

  @Test func oneThreadHasNoChartsOfContention() throws {
    var run = ResultSamples.replay
    run.replay?.threads = 1
    var other = run
    other.replay?.lock = "spin"
    #expect(try !sections(page(results([run, other]))).contains("contention"))
  }

  /// A run on some threads, repeated.
  func contended(_ policy: String, threads: Int, _ requestsPerSecond: Double) -> Results.Measurement
  {
    var run = ResultSamples.replay
    run.policy = policy
    run.requestsPerSecond = requestsPerSecond
    run.replay?.threads = threads
    run.replay?.repetitions = Repetitions {
      $0.count = 6
      $0.figures = [
        Repetitions.Figure {
          $0.name = "requestsPerSecond"
          $0.median = requestsPerSecond
          $0.mean = requestsPerSecond
          $0.interval = requestsPerSecond * 0.9...requestsPerSecond * 1.1
        }
      ]
    }
    return run
  }

  @Test func twoThreadCountsStandInATable() throws {
    let runs = [("lru", 1, 8_123_456.0), ("lru", 2, 4e6), ("arc", 1, 5e6), ("arc", 2, 6e6)].map {
      contended($0.0, threads: $0.1, $0.2)
    }
    let two = try section("contention", of: page(results(runs)))
    #expect(!two.contains("<figure>"))
    // A tenth of 8.12 is 0.8: one digit behind the point is known.
    #expect(two.contains(/>lru<\/th><td[^>]*>[^<]*<\/td><td[^>]*>8\.1<\/td><td[^>]*>4\.0<\/td>/))
    let three = try section(
      "contention", of: page(results(runs + [contended("lru", threads: 4, 3e6)])))
    #expect(three.contains("<figure>") && !three.contains("<table"))
  }

  @Test func wideNumbersHaveCommasAndTheirExactValues() throws {
    let text = try page(
      results([run("lru", 328, capacity: 123_456), run("arc", 389, capacity: 123_456)]))
    let runs = try section("runs", of: text)
    #expect(runs.contains("<td data-value=\"123456\">123,456</td>"))
    #expect(text.contains("On OLTP at 123,456 objects arc hits"))
    #expect(
      try page(results([run("lru", 1, trace: "20240101.csv")])).contains("On 20240101.csv at"))
  }

  @Test func rowsAreRankedAsInTables() throws {
    let runs = try section(
      "runs", of: page(results([run("lru", 1), run("arc", 3), run("fifo", 2)])))
    #expect(
      runs.matches(of: /<th scope="row">([a-z]+)</).map { String($0.1) } == ["arc", "fifo", "lru"])
  }

  @Test func closePoliciesAreDrawnByTheirReductions() throws {
    func text(apart: Int) throws -> String {
      let runs = [100, 200, 400, 800].flatMap { capacity in
        [("fifo", 300, 0.0), ("lru", 480, 0.2), ("arc", 485, 0.21), ("lirs", 480 + apart, 0.22)].map
        {
          var run = run($0.0, $0.1, capacity: capacity)
          run.missRatioReduction = $0.2
          return run
        }
      }
      return try page(results(runs))
    }
    #expect(try !sections(text(apart: 100)).contains("reductions"))
    let reductions = try section("reductions", of: text(apart: 10))
    let names = reductions.matches(of: /data-name="([a-z]+)"/).map { String($0.1) }
    #expect(Set(names) == ["lru", "arc", "lirs"])
    #expect(reductions.contains("[800.0, 22.0]"))
  }

  @Test func percentilesAreOfFiveTracesOrMore() throws {
    func runs(_ traces: Int) -> [Measurement] {
      (0..<traces).flatMap { trace in
        [("fifo", 0.0), ("arc", Double(trace) / 8), ("lru", 0.05)].map {
          var run = run($0.0, 500, trace: "t\(trace)")
          run.missRatioReduction = $0.1
          return run
        }
      }
    }
    #expect(try !sections(page(results(runs(4)))).contains("percentiles"))
    let text = try section("percentiles", of: page(results(runs(5))))
    #expect(
      text.contains(
        "data-points=\"[[10.0, 5.0], [25.0, 12.5], [50.0, 25.0], [75.0, 37.5], [90.0, 45"))
    let csv = try #require(ReportFormats.form(named: "csv-ranking"))
    let lines = csv.render(results(runs(5)), style: .plain).split(separator: "\n")
    #expect(lines[0] == "policy,mean,p10,p25,p50,p75,p90,t0,t1,t2,t3,t4")
    #expect(lines[1].hasPrefix("arc,0.25,") && lines.count == 4)
    let latex = try #require(ReportFormats.form(named: "latex"))
    #expect(
      latex.render(results(runs(5)), style: .plain).contains("arc & 5 & 25.0 & 5.0 & 12.5 & 25.0"))
  }

  @Test func fewCapacitiesAreNotJoined() throws {
    func strokes(_ capacities: Range<Int>) throws -> Int {
      let runs = capacities.map { run("arc", $0, capacity: $0) }
      return try section("curves", of: page(results(runs))).matches(of: /class="stroke"/).count
    }
    #expect(try strokes(1..<4) == 0)
    #expect(try strokes(1..<5) == 1)
  }

  @Test func runsOfAllTracesStandInOneTable() throws {
    let runs = try section("runs", of: page(results(reductions)))
    #expect(runs.matches(of: /<table class="numbers sortable">/).count == 1)
    #expect(runs.contains("<caption>8 runs</caption>"))
    #expect(runs.contains("<td class=\"text\">t</td>"))
  }

  @Test func heatMapMarksOnlyWhatIsExact() throws {
    func replayed(_ policy: String, _ hits: Int, capacity: Int, threads: Int) -> Measurement {
      var replayed = run(policy, hits, capacity: capacity)
      replayed.kind = .replay
      replayed.replay = Replay {
        $0.threads = threads
        $0.lock = "mutex"
      }
      return replayed
    }
    func marks(threads: Int) throws -> Int {
      let runs = [10, 20, 30, 40].flatMap { capacity in
        [("lru", 300), ("arc", 400)].map {
          replayed($0.0, $0.1, capacity: capacity, threads: threads)
        }
      }
      let text = try page(results(runs))
      return text.matches(of: /class="number heat better-2 best"/).count
    }
    #expect(try marks(threads: 1) == 4)
    #expect(try marks(threads: 2) == 0)
  }

  @Test func cellsHoldExactValuesBesideTheirKeys() throws {
    let text = try page(results([run("lru", 1), run("arc", 333)], references: [lru("OLTP")]))
    #expect(
      text.contains("<th scope=\"col\" data-key=\"hitRatio\" class=\"number\">hit ratio %</th>"))
    #expect(text.contains("<td class=\"best\" data-value=\"0.333\">33.30</td>"))
    #expect(text.contains("<td data-value=\"0.001\">0.10</td>"))
    #expect(text.contains("data-name=\"arc\" data-points=\"[[1000.0, 66.7]]\""))
  }

  @Test func everyKeyIsAMemberOfTheDocument() throws {
    var runs = [ResultSamples.sweep, ResultSamples.replay]
    runs += [(1, 4_096, "none"), (2, 8_192, "powerLoss")].map { round, page, durability in
      var run = Measurement(kind: .disk, trace: "d", policy: "lru", capacity: 10)
      run.disk = DiskMeasures {
        $0.setup.round = round
        $0.setup.inlineThreshold = 100 * round
        $0.setup.pageSize = page
        $0.setup.durability = durability
      }
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
    #expect(text.contains("<td>8192</td>") && text.contains("<td>4096</td>"))
  }

  @Test func textsAreEscapedAndNothingIsLoaded() throws {
    let text = try page(results([run("lru", 1, trace: "<b> & \"c\""), run("arc", 2)]))
    #expect(text.contains("&lt;b&gt; &amp; &quot;c&quot;") && !text.contains("<b>"))
    for loaded in ["<script src", "http", "url(", "@import", "<link", "<img"] {
      #expect(!text.contains(loaded), "\(loaded)")
    }
    #expect(!text.contains(/\b(nan|inf)\b/))
  }

  @Test func unfinishedWorkIsSaid() throws {
    let text = try page(ResultSamples.results)
    #expect(
      text.contains(
        "<p class=\"note\">Not complete, as it was stopped or cells failed: these are the 2 finished runs.</p>"
      ))
    #expect(try !page(results([run("lru", 1)])).contains("class=\"note\""))
  }

  @Test func ofManyPoliciesTheBestAndTheAskedStandOut() throws {
    let many = (0..<40).map { run("p\($0)", $0) } + [run("lru", 5)]
    let text = try page(results(many, references: [lru("OLTP")]), highlighted: ["p3"])
    let named = text.matches(of: /data-name="([a-z0-9]+)"/).map { String($0.1) }
    #expect(Set(named).count == 41)
    let faint = text.matches(of: /<g class="series faint" data-name="([a-z0-9]+)"/)
      .map { String($0.1) }
    #expect(Set(named).subtracting(faint) == ["p3", "lru", "p39", "p38", "p37"])
    let few = try page(results(Array(many.prefix(5)), references: [lru("OLTP")]))
    #expect(few.contains("class=\"series ink-8\"") && !few.contains("series faint"))
  }

  @Test func responseTimesAreDrawnByLoadBesideNoCache() throws {
    let runs = [("25%", 300.0), ("50%", 600), ("90%", 1_080)].map { label, offered in
      var run = ResultSamples.openLoop
      run.replay?.pace?.label = label
      run.replay?.pace?.offered = offered
      return run
    }
    // One load is no curve, but its figures are not left to a table of thirty columns.
    let one = try section("load", of: page(results([runs[0]])))
    #expect(!one.contains("<figure>") && one.contains("data-value=\"300.0\">"))
    let page = try page(results(runs))
    let section = try section("load", of: page)
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
    let text = try page(results(many, references: many.map { lru($0.trace) }))
    let parts = text.components(separatedBy: "<details>")
    #expect(parts.count == 2)
    #expect(parts[0].components(separatedBy: "<figure>").count == 7)
    #expect(parts[1].components(separatedBy: "<figure>").count == 4)
  }
}
