import Comparison
import Foundation
import Results
import Testing

/// Comparisons in every form.
@Suite struct ComparisonReportsTests {
  private static let judgement = Judgement.gate(
    ResultComparisonTests.compare(
      [
        ResultComparisonTests.cell("lru"), ResultComparisonTests.cell("slru:protected=0.5"),
        ResultComparisonTests.cell("arc", speed: SpeedFigures(instructions: 1000)),
      ],
      [
        ResultComparisonTests.cell("lru", hits: 9),
        ResultComparisonTests.cell("slru:protected=0.5"),
        ResultComparisonTests.cell("arc", speed: SpeedFigures(instructions: 900)),
      ]))

  private func render(_ name: String, _ judgement: Judgement = judgement) throws -> String {
    try #require(ComparisonReports.form(named: name)).render(judgement, style: .plain)
  }

  @Test func everyFileOfTheFolderIsRegistered() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Comparison/Formats")
    let files = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    #expect(files.sorted() == ComparisonReports.all.map { "\($0).swift" }.sorted())
  }

  @Test func tableShowsWhatFellAndByHowMuch() throws {
    #expect(
      try render("table") == """
                 trace  run        figure        before  after    change  verdict
        failure  t      lru at 10  hits              10      9  -10.00 %  worse

        note     t      arc at 10  instructions    1000    900  -10.00 %  faster

        3 runs compared: 1 failure, 1 noted

        """)
  }

  @Test func markdownIsATable() throws {
    let text = try render("markdown")
    #expect(text.hasPrefix("**3 runs compared: 1 failure, 1 noted**\n"))
    #expect(text.contains("| failure | t | lru at 10 | hits | 10 | 9 | -10.00 % | worse |\n"))
  }

  @Test func annotationsAreEscaped() throws {
    #expect(
      try render("github") == """
        ::error title=hits of lru::lru at 10 on t: hits 10 → 9 (-10.00 %25), worse
        ::notice title=instructions of arc::arc at 10 on t: instructions 1000 → 900 (-10.00 %25), \
        faster
        ::notice::3 runs compared: 1 failure, 1 noted

        """)
  }

  @Test func annotationsAreOneForEachPolicy() throws {
    func cells(_ hits: [Int]) -> [Results.Measurement] {
      hits.enumerated().map { index, hits in
        var cell = ResultComparisonTests.cell(index < 3 ? "lru" : "arc", hits: hits)
        cell.capacity = index + 1
        cell.insertions = 100 - hits
        return cell
      }
    }
    let judgement = Judgement.gate(
      ResultComparisonTests.compare(cells([10, 20, 30, 40]), cells([9, 60, 15, 41])))
    #expect(
      try render("github", judgement) == """
        ::error title=hits%2C insertions of lru::lru at 3 on t: hits 30 → 15 (-50.00 %25), worse; \
        3 of 3 runs differ, 2 for the worse and 1 for the better
        ::error title=hits%2C insertions of arc::arc at 4 on t: hits 40 → 41 (+2.50 %25), better
        ::notice::4 runs compared: 4 failures

        """)
  }

  @Test(arguments: [
    ([9, 10], "fall behind"), ([9, 11], "fall behind"), ([11, 10], "are better than"),
  ])
  func moreHitsAreBetter(_ hits: [Int], _ relation: String) {
    let names = ["lru", "arc"]
    let judgement = Judgement.gate(
      ResultComparisonTests.compare(
        names.map { ResultComparisonTests.cell($0) },
        zip(names, hits).map { ResultComparisonTests.cell($0, hits: $1) }))
    #expect(judgement.hasFailed)
    #expect(judgement.relation == relation)
  }

  /// What hits more may also insert less; what hits less, or inserts less without hitting more, still fails.
  @Test(arguments: [(11, 80, false), (9, 80, true), (10, 80, true), (11, 90, false)])
  func gainsAreForgivenWhereThatIsAsked(_ hits: Int, _ insertions: Int, _ fails: Bool) {
    var after = ResultComparisonTests.cell("lru", hits: hits)
    after.insertions = insertions
    let comparison = ResultComparisonTests.compare([ResultComparisonTests.cell("lru")], [after])
    #expect(Judgement.gate(comparison, forgivesGains: true).hasFailed == fails)
    #expect(Judgement.gate(comparison).hasFailed)
  }

  @Test func testCasesAreOnePerRun() throws {
    let text = try render("junit")
    let parser = XMLCounter(text)
    #expect(parser.isWellFormed)
    #expect(
      parser.counts == [
        "testsuites": 1, "testsuite": 1, "testcase": 3, "failure": 1, "system-out": 1,
      ])
    #expect(text.contains("<testsuite name=\"t\" tests=\"3\" failures=\"1\">"))
  }

  @Test func anErrorIsACaseOfItsOwn() throws {
    let form = try #require(ComparisonReports.form(named: "junit"))
    let report = form.report(onError: "a.json: <broken> & more")
    let text = try #require(report)
    let counter = XMLCounter(text)
    #expect(counter.isWellFormed)
    #expect(counter.counts == ["testsuites": 1, "testsuite": 1, "testcase": 1, "error": 1])
    #expect(text.contains("<error message=\"a.json: &lt;broken&gt; &amp; more\"/>"))
    #expect(text.contains("tests=\"1\" failures=\"0\" errors=\"1\""))
    let table = try #require(ComparisonReports.form(named: "table")).report(onError: "x")
    #expect(table == nil)
  }

  @Test(arguments: [
    ("table", "failure: no run could be compared; is this the baseline of these results?\n"),
    ("markdown", "failure: no run could be compared; is this the baseline of these results?\n"),
    ("github", "::error::no run could be compared; is this the baseline of these results?\n"),
    (
      "junit", "<failure message=\"no run could be compared; is this the baseline of these results?"
    ),
    (
      "json",
      "{\"severity\": \"failure\", \"text\": \"no run could be compared; is this the baseline"
    ),
  ])
  func nothingComparedIsAFailureInEveryForm(_ name: String, _ text: String) throws {
    let nothing = Judgement.gate(ResultComparisonTests.compare([], []))
    let rendered = try render(name, nothing)
    #expect(rendered.contains(text), "\(rendered)")
    if name == "junit" { #expect(XMLCounter(rendered).isWellFormed) }
  }

  /// A document that contradicts itself has no difference, and fails.
  @Test(arguments: [
    ("table", "failure: x\n2 runs compared: 1 failure\n"),
    ("markdown", "**2 runs compared: 1 failure**\n\nfailure: x\n"),
    ("github", "::error::x\n::notice::2 runs compared: 1 failure\n"),
    ("junit", "tests=\"1\" failures=\"1\""), ("json", "\"failed\": true"),
  ])
  func failuresWithoutADifferenceAreCounted(_ name: String, _ text: String) throws {
    let cells = ["lru", "arc"].map { ResultComparisonTests.cell($0) }
    let judgement = Judgement.gate(
      ResultComparisonTests.compare(cells, cells), inconsistencies: ["x"])
    let rendered = try render(name, judgement)
    #expect(rendered.contains(text) && !rendered.contains("nothing differs"), "\(rendered)")
  }

  @Test(arguments: [
    (1_000_000, 999_999, "-0.0001 %"), (1_000_000, 1_000_049, "+0.005 %"),
    (1_000_000, 999_000, "-0.10 %"), (3_000_000, 3_000_001, "+0.00003 %"),
  ])
  func oneHitOfManyIsNotNothing(_ before: Int, _ after: Int, _ growth: String) throws {
    let cells = [before, after].map { hits in
      var cell = ResultComparisonTests.cell("lru", hits: hits)
      cell.requests = 10_000_000
      return cell
    }
    let judgement = Judgement.gate(ResultComparisonTests.compare([cells[0]], [cells[1]]))
    #expect(try render("table", judgement).contains(" \(growth)  "))
  }

  @Test func documentHoldsEveryFinding() throws {
    let json = try JSON(reading: render("json").utf8)
    #expect(json["schema"] == "evictionlab.comparison/2")
    #expect(json["compared"] == .integer(3) && json["runs"] == .integer(3))
    #expect(json["failed"] == .boolean(true))
    guard case .array(let differences) = json["differences"] else {
      Issue.record("no differences")
      return
    }
    #expect(differences.map { $0["severity"] } == ["failure", "note"])
    #expect(differences.map { $0["run"] } == ["lru at 10", "arc at 10"])
    #expect(differences[0]["figure"] == "hits")
    #expect(differences[0]["growth"] == .number(-0.1))
    #expect(
      differences[0]["better"] == .boolean(false) && differences[1]["better"] == .boolean(true))
  }
}

/// Counts each element, if brackets and quotes match up.
private struct XMLCounter {
  var counts: [String: Int] = [:]
  var isWellFormed = true

  init(_ text: String) {
    var open: [String] = []
    for tag in text.matches(of: /<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>/) {
      let name = String(tag.2)
      if tag.1.isEmpty {
        counts[name, default: 0] += 1
        if tag.4.isEmpty { open.append(name) }
      } else if open.popLast() != name {
        isWellFormed = false
      }
    }
    if !open.isEmpty || text.count(where: { $0 == "<" }) != text.count(where: { $0 == ">" }) {
      isWellFormed = false
    }
  }
}
