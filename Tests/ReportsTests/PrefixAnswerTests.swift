import Rendering
import Reports
import ResultSamples
import Results
import Testing

private typealias Measurement = Results.Measurement

/// The answers on caches of prefixes: which order, its gain, and whether it is worth it.
@Suite struct PrefixAnswerTests {
  /// lru, an order and the optimum at 8 of 80 blocks: of 100 tokens they hit 20, 30 and 40, of 10 blocks 5, 4 and 6.
  private func results(order hits: Int = 30, hasCurve: Bool = true) -> ResultSet {
    var runs = [
      ResultSamples.prefix("lru", hitBlocks: 5, hitTokens: 20),
      ResultSamples.prefix("session", hitBlocks: 4, hitTokens: hits),
      ResultSamples.prefix("opt", hitBlocks: 6, hitTokens: 40),
    ]
    runs[2].prefix?.tokenHitRatioBound = 0.45
    var curve = MissRatioCurve(
      trace: "t", policy: "lru", unit: .blocks, method: .stackDistances,
      points: [
        .init(capacity: 1, missRatio: 1), .init(capacity: 8, missRatio: 0.8),
        .init(capacity: 16, missRatio: 0.6), .init(capacity: 80, missRatio: 0.5),
      ])
    curve.definition = .own
    var environment = ResultSamples.environment
    environment.command =
      "evict prefix traces --policy all --capacity=10% --model llama-3-8b --format html --output x"
    return ResultSet(
      environment: environment, measurements: runs, references: hasCurve ? [curve] : [])
  }

  private func render(_ form: String, _ results: ResultSet) throws -> String {
    try #require(ReportFormats.form(named: form)).render(
      results, style: ReportStyle(bounds: ["opt"])
    ).replacing("\u{A0}", with: " ")
  }

  @Test(arguments: ["table", "markdown", "html"])
  func answersAreInWords(_ form: String) throws {
    #expect(
      try render(form, results()).contains(
        "On t at 8 blocks (10.0 % of all) lru hits 20.0 % of the tokens, the optimum 40.0 %. session hits 30.0 %, "
          + "10.0 points more and 50.0 % of that gap; lru needs 1.50 times the blocks for that. Twice the blocks "
          + "bring lru 20.0 points: size matters more than the order."))
  }

  @Test func anOrderMayMatterMoreThanSize() throws {
    let text = try render("table", results(order: 41))
    // 40.95 % lie on the line from 40 % at 16 blocks to 50 % at 80.
    #expect(
      text.contains(
        "session hits 41.0 %, 21.0 points more and 105.0 % of that gap; lru needs 2.76 times the "
          + "blocks for that. Twice the blocks bring lru 20.0 points: the order matters more than size."
      ), "\(text)")
    #expect(try render("table", results(order: 60)).contains("; lru never hits as much."))
  }

  @Test func nothingIsGainedWhereNothingIs() throws {
    #expect(
      try render("table", results(order: 20)).contains(
        "the optimum 40.0 %. No order hits a tenth of a point more. Twice the blocks bring lru 20.0 points"
      ))
    var flat = results(order: 20, hasCurve: false)
    flat.measurements[2].prefix?.hitTokens = 20
    let text = try render("table", flat)
    #expect(
      text.contains("the optimum 20.0 %. No order can gain a tenth of a point."), "\(text)")
    // Nothing says what more blocks bring.
    #expect(!text.contains("Twice"))
  }

  /// Without lru's curve the next size at which it ran stands in its place, and no verdict.
  @Test func theNextSizeStandsForTheCurve() throws {
    var results = results(hasCurve: false)
    var larger = ResultSamples.prefix("lru", hitBlocks: 8, hitTokens: 70)
    larger.capacity = 24
    results.measurements.insert(larger, at: 0)
    let text = try render("markdown", results)
    #expect(
      text.contains(
        "10.0 points more and 50.0 % of that gap. 3.0 times the blocks bring lru 50.0 points."
      ), "\(text)")
  }

  @Test func everyWayOfCountingHasItsTable() throws {
    let page = try render("html", results())
    let start = try #require(page.firstRange(of: "<section id=\"answers\""))
    let section = page[start.lowerBound...]
    let captions = ["Each trace and size, by tokens", "By mean of prompts", "By blocks"]
    for caption in captions { #expect(section.contains(caption), "\(caption)") }
    #expect(section.contains("1 row: every order"))
    // By blocks the order loses as much as the optimum gains.
    #expect(section.contains("−100.00"))
    #expect(
      section.contains(
        "evict prefix t --policy lru,session,opt --capacity 8 --curve --model llama-3-8b"))
  }

  @Test func aTieIsNamedAsOne() throws {
    let tie = try render("html", results(order: 20))
    #expect(
      tie.contains(
        "On t session, lru tie, alike to a tenth of a point: they save 20.0 % of the prompt tokens with 8 blocks."
      )
        || tie.contains(
          "On t lru, session tie, alike to a tenth of a point: they save 20.0 % of the prompt tokens with 8 blocks."
        ), "\(tie)")
    var three = results(order: 30)
    three.measurements.append(ResultSamples.prefix("turns", hitTokens: 30))
    let lead = try render("html", three)
    #expect(
      lead.contains(
        "On t session, turns tie, alike to a tenth of a point: they save most prompt tokens, 30.0 % with 8 blocks, "
          + "where lru saves 20.0 %."), "\(lead)")
    #expect(try render("html", results()).contains("On t session saves most prompt tokens: 30.0 %"))
  }

  @Test func ordersAreExplained() throws {
    let style = ReportStyle(
      bounds: ["opt"], summaries: ["session": "the end of a session leaves first", "fifo": "none"])
    let page = try #require(ReportFormats.form(named: "html")).render(results(), style: style)
    #expect(page.contains("The orders, a sentence on each"))
    #expect(page.contains("session: the end of a session leaves first."))
    #expect(!page.contains("fifo: none."))
    #expect(try !render("html", results()).contains("The orders, a sentence on each"))
  }

  @Test func idsAndBlocksAreToldApart() throws {
    var results = results()
    results.traces = [TraceSummary(name: "t", format: "ragpulse", requests: 10, distinct: 60)]
    let page = try render("html", results)
    let start = try #require(page.firstRange(of: "<section id=\"environment\""))
    let section = page[start.lowerBound...]
    #expect(section.contains(">ids</th>") && section.contains(">blocks</th>"))
    #expect(section.contains(">60</td>") && section.contains(">80</td>"))
    #expect(section.contains("a block is an id behind all that precede it in its prompt"))
    #expect(!section.contains("distinct keys"))
  }

  @Test func ordersWithinNoiseAreNamed() throws {
    var results = results()
    for (index, mean) in [(0, 0.2), (1, 0.3)] {
      results.measurements[index].spreads = [
        try #require(VariationSpread(.order, [mean - 0.1, mean + 0.1]))
      ]
    }
    #expect(
      try render("table", results).contains(
        "session, lru cannot be told apart over 2 other orders of the prompts, so no gain over lru is certain."
      ))
    for (index, mean) in [(0, 0.2), (1, 0.3)] {
      results.measurements[index].spreads = [
        try #require(VariationSpread(.order, [mean - 0.01, mean + 0.01]))
      ]
    }
    #expect(
      try render("table", results).contains(
        "session is ahead over 2 other orders of the prompts."))
  }
}
