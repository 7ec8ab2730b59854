import Foundation
import Rendering
import Reports
import ResultSamples
import Results
import Testing

private typealias Measurement = Results.Measurement

/// The last sentences of a table.
extension ReportFormatsTests {
  @Test func prefixesAreRankedByTheRatioOfTheirDefinition() throws {
    // By blocks lru is ahead, by tokens arc.
    var results = ResultSet(
      environment: ResultSamples.environment,
      measurements: [
        ResultSamples.prefix("lru", hitBlocks: 5, hitTokens: 60),
        ResultSamples.prefix("arc", hitBlocks: 4, hitTokens: 75),
      ])
    #expect(
      try render("table", results).contains(
        "Verdict: on t at 8 blocks arc hits 75.00 % (token hit ratio), next lru: 60.00 %."))
    let page = try render("html", results)
    #expect(
      page.contains(
        "On t arc saves most prompt tokens: 75.0\u{A0}% with 8 blocks, where lru saves 60.0\u{A0}%."
      ))
    #expect(page.contains("token hit ratio, %") && !page.contains("objects"))
    for index in results.measurements.indices {
      results.measurements[index].prefix?.setup.definition = .mooncake
    }
    #expect(
      try render("table", results).contains(
        "Verdict: on t at 8 blocks lru hits 50.00 % (block hit ratio), next arc: 40.00 %."))
  }

  @Test(arguments: [
    ([2, 2, 2], "Verdict: on t at 1 object each of 3 policies hits 20.00 %."),
    ([2, 2, 1], "Verdict: on t at 1 object p0 hits 20.00 %, as does p1, next p2: 10.00 %."),
    ([3, 3, 3, 1], "Verdict: on t at 1 object p0 hits 30.00 %, as do p1, p2, next p3: 10.00 %."),
  ])
  func nothingWinsAmongEquals(_ hits: [Int], _ verdict: String) throws {
    let runs = hits.enumerated().map { number, hits in
      var run = Measurement(kind: .sweep, trace: "t", policy: "p\(number)", capacity: 1)
      run.requests = 10
      run.hits = hits
      return run
    }
    let results = ResultSet(environment: ResultSamples.environment, measurements: runs)
    let text = try render("table", results)
    #expect(text.contains(verdict), "\(text)")
    let page = try render("html", results)
    #expect(
      page.contains("each of \(hits.count) policies hits") == (Set(hits).count == 1), "\(page)")
  }

  @Test(arguments: ["table", "markdown", "html"])
  func bestByBytesIsNamedWhereItIsAnother(_ form: String) throws {
    func text(_ unit: Measurement.Unit, _ byteHitRatios: (Double, Double)) throws -> String {
      func run(_ policy: String, _ hits: Int, _ byteHitRatio: Double) -> Measurement {
        var run = Measurement(
          kind: .sweep, trace: "t", policy: policy, capacity: 1 << 20, unit: unit)
        run.requests = 10
        run.hits = hits
        run.byteHitRatio = byteHitRatio
        return run
      }
      let results = ResultSet(
        environment: ResultSamples.environment,
        measurements: [run("rank", 6, byteHitRatios.0), run("mq", 5, byteHitRatios.1)])
      return try render(form, results).replacing("\n", with: " ").replacing("\u{A0}", with: " ")
    }
    let sentence = "By bytes mq hits most: 42.73 %; rank 28.43 %."
    #expect(try text(.bytes, (0.2843, 0.4273)).contains(sentence))
    #expect(try !text(.bytes, (0.4273, 0.2843)).contains("By bytes"))
    #expect(try !text(.objects, (0.2843, 0.4273)).contains("By bytes"))
  }

  /// Rows of `evict speed`, a policy in several forms.
  @Test(arguments: [
    (["lru"], "Verdict: on t at 1 object lru hits 20.00 %."),
    (["lru", "arc"], "Verdict: on t at 1 object each of 2 policies hits 20.00 %."),
  ])
  func formsAreOnePolicy(_ policies: [String], _ verdict: String) throws {
    let forms: [Measurement.Form] = [.policy, .cache, .theorem]
    let runs = policies.flatMap { policy in
      forms.map { form in
        var run = Measurement(kind: .sweep, trace: "t", policy: policy, capacity: 1)
        run.form = form
        run.requests = 10
        run.hits = 2
        // Ten requests were a warm-up's.
        run.record(seconds: 2, requestsRun: 20)
        run.speed = SpeedFigures(instructions: form == .cache ? 1050 : nil, ratios: [1])
        return run
      }
    }
    let results = ResultSet(environment: ResultSamples.environment, measurements: runs)
    let text = try render("table", results)
    #expect(text.contains(verdict), "\(text)")
    #expect(text.contains("52.5") && text.contains("instructions"), "\(text)")
    let page = try render("html", results)
    #expect(page.contains("instructions a request") && !page.contains("of 3 policies"))
  }

  @Test func runsOfAPolicyStayTogetherBehindBetterOnes() throws {
    func run(_ policy: String, _ hits: Int, threads: Int, capacity: Int = 1) -> Measurement {
      var run = Measurement(kind: .replay, trace: "t", policy: policy, capacity: capacity)
      run.requests = 10
      run.hits = hits
      run.replay = Replay {
        $0.threads = threads
        $0.lock = "mutex"
      }
      return run
    }
    let runs = [
      run("lru", 1, threads: 1, capacity: 7), run("lru", 2, threads: 1), run("lru", 8, threads: 2),
      run("arc", 6, threads: 1), run("arc", 5, threads: 2),
    ]
    let text = try render(
      "table", ResultSet(environment: ResultSamples.environment, measurements: runs))
    let rows = text.split(separator: "\n").compactMap {
      $0.firstMatch(of: #/^ +(\d) +(\w+) +(\d) /#)
    }
    #expect(
      rows.map { "\($0.1) \($0.2) \($0.3)" } == [
        "7 lru 1", "1 arc 1", "1 arc 2", "1 lru 1", "1 lru 2",
      ])
  }

  @Test func verdictNamesTheBestOnAverageAndItsSpread() throws {
    func run(_ policy: String, _ hits: Int, _ reduction: Double, trace: String) -> Measurement {
      var run = Measurement(kind: .sweep, trace: trace, policy: policy, capacity: 1)
      run.requests = 10
      run.hits = hits
      run.missRatioReduction = reduction
      return run
    }
    // Alone on one trace lru is far ahead; on average it is not.
    let runs = [
      run("lru", 9, 0.5, trace: "a"), run("arc", 8, 0.4, trace: "a"), run("opt", 10, 1, trace: "a"),
      run("lru", 1, -0.2, trace: "b"), run("arc", 4, 0.1, trace: "b"),
      run("opt", 9, 0.9, trace: "b"),
    ]
    let text = try render(
      "table", ResultSet(environment: ResultSamples.environment, measurements: runs),
      style: ReportStyle(bounds: ["opt"]))
    #expect(
      text.contains(
        """
        Verdict: on 2 traces at 2 sizes arc misses 25.00 % less than FIFO on average (10.00 % less \
        to 40.00 % less), next lru: 15.00 % less; arc hits more in 1 of 2.
        """))
  }

  @Test func systemThatHoldsMoreThanTheCapacityIsNotRanked() throws {
    func run(_ hits: Int, system: String?, residents: Int) -> Measurement {
      var run = Measurement(kind: .replay, trace: "t", policy: "lru", capacity: 100)
      run.requests = 10
      run.hits = hits
      run.replay = Replay {
        $0.threads = 1
        $0.lock = "mutex"
      }
      run.replay?.system = system
      run.replay?.systemUse = system.map { _ in
        SystemUse {
          $0.residents = residents
          $0.bytesSet = 1
        }
      }
      return run
    }
    let runs = [
      run(1, system: nil, residents: 0), run(3, system: "large", residents: 106),
      run(2, system: "fair", residents: 105),
    ]
    let text = try render(
      "table", ResultSet(environment: ResultSamples.environment, measurements: runs))
    #expect(text.contains("fair (lru) hits 20.00 %"))
    #expect(text.contains("Not ranked, as they hold more than the capacity: large (lru)."))
  }
}
