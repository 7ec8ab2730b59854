import Foundation
import Rendering
import Reports
import ResultSamples
import Results
import Testing

private typealias Measurement = Results.Measurement

/// Reports of runs in which misses take time: policies are ranked by their mean latency.
@Suite struct DelayedReportsTests {
  /// A run of 100 requests with FIFO's mean latency 50 ms and its 40 misses.
  private static func run(
    _ policy: String, at capacity: Int = 10, misses: Int, milliseconds: Double
  ) -> Measurement {
    var run = Measurement(kind: .sweep, trace: "t", policy: policy, capacity: capacity)
    run.requests = 100
    run.hits = 100 - misses
    run.missRatioReduction = Double(40 - misses) / 40
    run.latency = LatencyMeasures {
      $0.miss = 200_000_000
      $0.misses = misses
      $0.mean = milliseconds * 1e6
      $0.total = Int(milliseconds * 1e8)
      $0.least = 1_000_000_000
    }
    run.latencyReduction = (50 - milliseconds) / 50
    return run
  }

  /// At both capacities mq hits most, and lru-mad has the lowest latency.
  private static func results(capacities: [Int] = [10]) -> ResultSet {
    ResultSet(
      environment: ResultSamples.environment,
      measurements: capacities.flatMap { capacity in
        [
          run("mq", at: capacity, misses: 20, milliseconds: 45),
          run("lru-mad", at: capacity, misses: 30, milliseconds: 40),
          run("lru", at: capacity, misses: 38, milliseconds: 52),
        ]
      })
  }

  private static func render(_ form: String, _ results: ResultSet) throws -> String {
    try #require(ReportFormats.form(named: form)).render(results, style: .plain)
  }

  @Test func verdictIsByLatencyAndNamesTheBestByHits() throws {
    let text = try Self.render("table", Self.results()).replacing("\u{A0}", with: " ")
    let verdict =
      "Verdict: on t at 10 objects lru-mad has a mean latency of 40.0 ms, 20.00 % less than FIFO, "
      + "next mq: 10.00 % less."
    #expect(text.contains(verdict), "\(text)")
    #expect(
      text.contains(
        "By hits mq is the best: 50.0 % fewer misses than fifo; lru-mad: 25.0 % fewer misses than fifo."
      ), "\(text)")
    #expect(text.contains("Rows are sorted by mean latency"))
    #expect(text.contains("40.0000*") && text.contains("80.00*"), "\(text)")
    #expect(text.contains("latency reduction %") && text.contains("-4.00"))
  }

  @Test func headlineIsByLatency() throws {
    let one = try Self.render("html", Self.results()).replacing("\u{A0}", with: " ")
    #expect(
      one.contains(
        "On t at 10 objects lru-mad has the lowest mean latency of 3 policies, 40.0 ms, 20.0 % below fifo"
      ), "\(one)")
    let two = try Self.render("html", Self.results(capacities: [10, 20]))
      .replacing("\u{A0}", with: " ")
    #expect(
      two.contains(
        "On t over 2 sizes lru-mad has the lowest mean latency: 20.0 % below fifo"),
      "\(two)")
    #expect(two.contains("By hits mq is the best: 50.0 % fewer misses than fifo on average;"))
    #expect(two.contains("latency reduction against fifo, %"))
    #expect(two.contains("Mean latency by capacity") && two.contains("no policy below"))
    #expect(two.contains("A miss takes 200 ms, a hit no time."))
  }

  @Test func bestByBothIsNamedOnce() throws {
    var results = Self.results()
    results.measurements.removeFirst()
    let text = try Self.render("markdown", results).replacing("\u{A0}", with: " ")
    #expect(
      text.contains("lru-mad is the best by hits, too: 25.0 % fewer misses than fifo."), "\(text)")
  }

  @Test func onePolicyIsNotTheLowestOfAny() throws {
    var results = Self.results()
    results.measurements.removeFirst(2)
    let text = try Self.render("html", results).replacing("\u{A0}", with: " ")
    #expect(
      text.contains("On t at 10 objects lru has a mean latency of 52.0 ms, 4.0 % above fifo"),
      "\(text)")
    #expect(!text.contains("by hits") && !text.contains("By hits"))
  }

  @Test func formsAgree() throws {
    let results = Self.results(capacities: [10, 20])
    let ranking = try Self.render("csv-ranking", results).split(separator: "\n")
    #expect(ranking.dropFirst().map { $0.prefix { $0 != "," } } == ["lru-mad", "mq", "lru"])
    #expect(ranking[1].hasPrefix("lru-mad,0.2,"))
    let markdown = try Self.render("markdown", results)
    #expect(markdown.contains("**40.0000**") && markdown.contains("By hits mq is the best"))
    let latex = try Self.render("latex", results)
    #expect(latex.contains("\\textbf{40.0000}"), "\(latex)")
    let grid = try Self.render("latex-grid", results)
    #expect(grid.contains("% mean latency in ms; capacities in objects"))
    #expect(grid.contains("% bold: the lowest of a column\n"), "\(grid)")
    #expect(grid.contains("lru-mad & \\textbf{40.0000} & \\textbf{40.0000} \\\\\nmq & 45.0000"))
    #expect(grid.contains("no policy below & 10.0000 & 10.0000"), "\(grid)")
    let properties = try Self.render("junit", results)
    #expect(properties.contains("<property name=\"latencyReduction\" value=\"0.2\"/>"))
    #expect(try Self.render("csv", results).contains("latencyReduction"))
  }

  @Test func chartOfLatenciesIsAPicture() throws {
    var style = ReportStyle.plain
    style.pictured = ["virtual-latency"]
    let form = try #require(ReportFormats.form(named: "svg"))
    let results = Self.results(capacities: [10, 20])
    #expect(form.emptiness(of: results, style: style) == nil)
    #expect(form.render(results, style: style).contains("mean latency, ms"))
    for index in results.measurements.indices {
      var plain = results
      plain.measurements[index].latency = nil
      plain.measurements[index].latencyReduction = nil
      plain.measurements = [plain.measurements[index]]
      #expect(form.emptiness(of: plain, style: style) != nil)
    }
  }

  @Test func withoutDelaysPoliciesAreRankedByHits() throws {
    var results = Self.results()
    for index in results.measurements.indices {
      results.measurements[index].latency = nil
      results.measurements[index].latencyReduction = nil
    }
    let text = try Self.render("table", results)
    #expect(text.contains("mq hits 80.00 %, misses 50.00 % less than FIFO"), "\(text)")
    #expect(!text.contains("latency") && !text.contains("By hits"))
  }
}
