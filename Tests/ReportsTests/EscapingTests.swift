import Comparison
import Reports
import ResultSamples
import Results
import Testing

/// Names from outside that try to be more than a text, in every form.
///
/// Line ends of two scalars, and what a form gives a meaning with a mark on it, are one character each.
@Suite struct EscapingTests {
  static let names = [
    "x\r\n::stop-commands::evil", "a\"\u{301} onload=alert(1)", "<\u{338}script>alert(1)</script>",
    "&\u{301}lt;", "a,\u{301}b\"\u{301}c", "|\u{301}d\n# e", "\u{1B}[2J\u{1}f", "'\u{301} g='",
  ]

  private static func results(_ name: String) -> ResultSet {
    var run = Results.Measurement(kind: .sweep, trace: name, policy: "lru", capacity: 10)
    run.requests = 10
    run.hits = 4
    let other = Results.Measurement(kind: .sweep, trace: name, policy: name, capacity: 10)
    let curve = MissRatioCurve(
      trace: name, policy: name, method: .simulations, requests: 10,
      points: [.init(capacity: 1, missRatio: 1), .init(capacity: 9, missRatio: 0.5)])
    return ResultSet(
      environment: ResultSamples.environment,
      traces: [TraceSummary(name: name, format: "plain", requests: 10, distinct: 5, sha256: name)],
      measurements: [run, other], curves: [curve])
  }

  private func render(_ form: String, _ name: String) throws -> String {
    try #require(ReportFormats.form(named: form)).render(Self.results(name), style: .plain)
  }

  private func compare(_ form: String, _ name: String) throws -> String {
    var after = Self.results(name)
    after.measurements[0].hits = 5
    after.isComplete = false
    let judgement = Judgement.gate(ResultComparison(before: Self.results(name), after: after))
    return try #require(ComparisonReports.form(named: form)).render(judgement, style: .plain)
  }

  /// The lines as programs see them that know nothing of characters, without those of commands.
  private func lines(_ text: String) -> [String] {
    text.utf8.split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }
      .map { String(decoding: $0, as: UTF8.self) }.filter { !$0.hasPrefix("    ") }
  }

  /// The tags of a page or of XML, with what stands in their quotes left out; nil where a quote or a
  /// bracket has no partner.
  private func tags(_ text: String) -> [String]? {
    var tags: [String] = []
    var tag: [UInt8]?
    var isQuoted = false
    for byte in text.utf8 {
      switch (byte, tag != nil, isQuoted) {
      case (UInt8(ascii: "\""), true, _): isQuoted.toggle()
      case (_, true, true): continue
      case (UInt8(ascii: "<"), true, false), (UInt8(ascii: ">"), false, _): return nil
      case (UInt8(ascii: "<"), false, _): tag = []
      case (UInt8(ascii: ">"), true, false):
        tags.append(String(decoding: tag ?? [], as: UTF8.self))
        tag = nil
      default: tag?.append(byte)
      }
    }
    return tag == nil ? tags : nil
  }

  /// The same without style sheet and script, in which `>` is a sign of its own.
  private func body(_ page: String) -> String {
    page.replacing(#/<style>[\s\S]*?</style>/#, with: "")
      .replacing(#/<script>[\s\S]*?</script>/#, with: "")
  }

  @Test(arguments: names)
  func markupHasTheTagsOfAPlainName(_ name: String) throws {
    let plain = try [
      body(render("html", "plain")), render("junit", "plain"), compare("junit", "plain"),
    ]
    let named = try [body(render("html", name)), render("junit", name), compare("junit", name)]
    #expect(plain.allSatisfy { tags($0) != nil })
    #expect(named.map(tags) == plain.map(tags))
    for text in try [render("html", name), render("junit", name), compare("junit", name)] {
      #expect(!text.utf8.contains { $0 < 0x20 && $0 != 0x0A && $0 != 0x0D }, "no controls")
    }
    #expect(markup("a\u{301}&'\r\u{1}") == "a\u{301}&amp;&#39;&#13;\u{FFFD}")
  }

  /// A text as a page shows it.
  private func markup(_ text: String) -> String? {
    let page = try? render("html", text)
    return page?.firstMatch(of: #/<title>([\s\S]*?) · [^<]*</title>/#).map { String($0.1) }
  }

  @Test(arguments: names)
  func linesAreThoseOfAPlainName(_ name: String) throws {
    for form in ["table", "markdown"] {
      #expect(try lines(render(form, name)).count == lines(render(form, "plain")).count)
      #expect(try lines(compare(form, name)).count == lines(compare(form, "plain")).count)
      #expect(try !render(form, name).utf8.contains(0x1B))
    }
    for (row, plain) in zip(try lines(render("markdown", name)), try lines(render("markdown", "p")))
    {
      #expect(bars(row) == bars(plain), "\(row)")
    }
  }

  /// Returns the number of bars of a line that are between cells.
  private func bars(_ line: String) -> Int {
    let scalars = Array(line.unicodeScalars)
    return scalars.indices.count { scalars[$0] == "|" && ($0 == 0 || scalars[$0 - 1] != "\\") }
  }

  @Test(arguments: names)
  func annotationsAreOneCommandALine(_ name: String) throws {
    let commands = try lines(compare("github", name)).dropLast()
    #expect(try commands.count == lines(compare("github", "plain")).count - 1)
    for command in commands {
      #expect(
        ["::error", "::warning", "::notice"].contains { command.hasPrefix($0) }, "\(command)")
      #expect(!command.unicodeScalars.contains { $0 < " " || $0 == "\u{7F}" })
    }
  }

  @Test(arguments: names)
  func separatedValuesAreReadBack(_ name: String) throws {
    let rows = try Self.records(render("csv", name))
    #expect(rows.count == 5 && Set(rows.map(\.count)).count == 1)
    let place = try #require(rows[0].firstIndex(of: "trace"))
    // Controls but line ends and tabs become question marks.
    let expected = String.UnicodeScalarView(
      name.unicodeScalars.map {
        $0.properties.generalCategory == .control && !"\n\r\t".unicodeScalars.contains($0)
          ? "?" : $0
      })
    for row in rows.dropFirst() { #expect(row[place].unicodeScalars.elementsEqual(expected)) }
  }

  /// Reads RFC 4180.
  private static func records(_ text: String) -> [[String]] {
    var (rows, row, field) = ([[String]](), [String](), [UInt8]())
    var (isQuoted, wasQuote) = (false, false)
    for byte in text.utf8 {
      switch (byte, isQuoted) {
      case (UInt8(ascii: "\""), _):
        // A quote right behind one that ended the quotes is one of the text.
        if !isQuoted && wasQuote { field.append(byte) }
        isQuoted.toggle()
        wasQuote = !isQuoted
        continue
      case (UInt8(ascii: ","), false):
        row.append(String(decoding: field, as: UTF8.self))
        field = []
      case (0x0A, false):
        rows.append(row + [String(decoding: field, as: UTF8.self)])
        (row, field) = ([], [])
      default: field.append(byte)
      }
      wasQuote = false
    }
    return rows
  }

  @Test(arguments: names)
  func documentIsReadBack(_ name: String) throws {
    let read = try ResultSet(reading: render("json", name).utf8, file: "x")
    #expect(read.measurements[0].trace.unicodeScalars.elementsEqual(name.unicodeScalars))
    #expect(try !compare("json", name).utf8.contains(0x1B))
  }
}
