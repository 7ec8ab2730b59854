import Foundation
import Rendering
import Reports
import ResultSamples
import Results
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The charts of results as pictures.
@Suite struct PictureReportTests {
  private func picture(
    _ name: String, _ results: ResultSet, restyle: (inout ReportStyle) -> Void = { _ in }
  ) throws -> String {
    var style = ReportStyle.plain
    restyle(&style)
    return try #require(ReportFormats.form(named: name)).render(results, style: style)
  }

  private func results(_ traces: [String]) -> ResultSet {
    let runs = traces.flatMap { trace in
      [10, 20, 40, 80].flatMap { capacity in
        ["lru", "a<b"].enumerated().map { number, policy in
          var run = Results.Measurement(
            kind: .sweep, trace: trace, policy: policy, capacity: capacity)
          run.requests = 100
          run.hits = capacity + number
          return run
        }
      }
    }
    return ResultSet(environment: ResultSamples.environment, measurements: runs)
  }

  @Test(arguments: ["svg", "svg-dark"])
  func picturesAreXMLWithEveryChartAndItsNames(_ name: String) throws {
    for traces in [[], ["one.lis"], ["one.lis", "two & three.lis"]] {
      let text = try picture(name, results(traces))
      let parser = XMLParser(data: Data(text.utf8))
      #expect(parser.parse(), "\(String(describing: parser.parserError))")
      #expect(text.matches(of: /font-weight="bold"/).count == traces.count)
      #expect(text.contains(">a&lt;b</text>") == !traces.isEmpty)
      #expect(text.contains("<desc>EvictionLab: "))
    }
  }

  @Test(arguments: ["svg", "svg-dark"])
  func picturesNeedNoStyleSheet(_ name: String) throws {
    let text = try picture(name, results(["one.lis"]))
    for part in ["var(", "<style", "class=", "dominant-baseline", "paint-order", "em\""] {
      #expect(!text.contains(part), "\(part)")
    }
    for element in text.matches(of: /<(?:path|text|circle)[^>]*>/) {
      #expect(element.0.contains("fill="), "\(element.0)")
    }
  }

  @Test(arguments: ["svg", "svg-dark", "pdf"])
  func aPictureOfNothingIsTold(_ name: String) throws {
    let form = try #require(ReportFormats.form(named: name))
    let found = form.emptiness(of: results([]), style: .plain)
    let nothing = try #require(found)
    #expect(nothing.problem == "there is no chart of curves to draw")
    #expect(nothing.remedy == "curves take several capacities, or evict curve")
    let something = form.emptiness(of: results(["one.lis"]), style: .plain)
    #expect(something == nil)
    var style = ReportStyle.plain
    style.pictured = ["contention"]
    let rest = form.emptiness(of: results(["one.lis"]), style: style)
    let others = try #require(rest)
    #expect(others.remedy.hasPrefix("evict report --charts curves"), "\(others.remedy)")
  }

  /// What is named has the first colours, in the order of the names, in every figure.
  @Test func namedPoliciesKeepTheirColours() throws {
    func color(of policy: String, _ names: [String]) throws -> Substring {
      let text = try picture("svg", results(["one.lis"])) { $0.highlighted = names }
      let label = try #require(text.firstMatch(of: try Regex("<text[^>]*>\(policy)</text>")))
      return try #require(text[label.range].firstMatch(of: /fill="([^"]*)"/)).1
    }
    let first = try color(of: "lru", ["lru", "a<b"])
    #expect(try first == color(of: "a&lt;b", ["a<b", "lru"]))
    #expect(try first != color(of: "lru", ["a<b", "lru"]))
  }

  @Test func darkAndLightDifferInTheirColoursOnly() throws {
    let results = results(["one.lis"])
    let pictures = try ["svg", "svg-dark"].map { try picture($0, results) }
    #expect(pictures[0] != pictures[1])
    let shapes = pictures.map { $0.replacing(/#[0-9a-f]{3,6}/, with: "#") }
    #expect(shapes[0] == shapes[1])
  }

  private func size(_ text: String) throws -> [Int] {
    let match = try #require(text.firstMatch(of: /viewBox="0 0 (\d+) (\d+)"/))
    return [try #require(Int(match.1)), try #require(Int(match.2))]
  }

  @Test func chartsStandInRowsOfSoManyColumns() throws {
    let results = results(["a", "b", "c", "d"])
    let sizes = try [1, 2, 3, 4, 9].map { columns in
      try size(picture("svg", results) { $0.chartColumns = columns })
    }
    let (width, height) = (sizes[0][0], sizes[3][1])
    for (size, (columns, rows)) in zip(sizes, [(1, 4), (2, 2), (3, 2), (4, 1), (4, 1)]) {
      #expect(size[0] == width * columns + 24 * (columns - 1))
      #expect(size[1] == height * rows + 12 * (rows - 1))
    }
  }

  @Test func sectionsAreChosenByName() throws {
    var results = results(["a"])
    for index in results.measurements.indices {
      results.measurements[index].windows = RequestWindows(
        ends: [50, 100], requests: [50, 50], hits: [1, 2])
    }
    let text = try picture("svg", results) { $0.pictured = ["over-time"] }
    #expect(text.contains("Hit ratio over time") && text.contains(">hit ratio %<"))
    #expect(!text.contains(">miss ratio %<"))
    let both = try picture("svg", results) { $0.pictured = ["over-time", "curves"] }
    #expect(both.contains(">hit ratio %<") && both.contains(">miss ratio %<"))
  }

  /// The objects of a PDF file start where its table says, and its page has the picture's size.
  @Test func fileOfPDFIsWhole() throws {
    for traces in [[], ["one.lis"], ["(x) \\ µ", "two", "three"]] {
      let results = results(traces)
      let text = try picture("pdf", results) { $0.chartColumns = 2 }
      #expect(text.utf8.allSatisfy { $0 < 0x80 })
      let bytes = Array(text.utf8)
      let start = try #require(text.firstMatch(of: /startxref\n(\d+)\n%%EOF\n$/))
      let table = try #require(Int(start.1))
      #expect(String(decoding: bytes[table...].prefix(5), as: UTF8.self) == "xref\n")
      let offsets = text.matches(of: #/(\d{10}) 00000 n \n/#).compactMap { Int($0.1) }
      #expect(offsets.count == 5)
      for (number, offset) in offsets.enumerated() {
        let head = "\(number + 1) 0 obj\n"
        #expect(String(decoding: bytes[offset...].prefix(head.utf8.count), as: UTF8.self) == head)
      }
      let stream = try #require(
        text.firstMatch(of: /\/Length (\d+) >>\nstream\n([\s\S]*)endstream/))
      #expect(Int(stream.1) == stream.2.utf8.count)
      let box = try #require(text.firstMatch(of: /MediaBox \[0 0 (\d+)\.00 (\d+)\.00\]/))
      let svg = try picture("svg", results) { $0.chartColumns = 2 }
      #expect(try size(svg) == [box.1, box.2].compactMap { Int($0) })
      #expect(stream.2.matches(of: /\nq\n/).count == stream.2.matches(of: /\nQ\n/).count)
      if traces.count == 3 { #expect(text.contains("(\\(x\\) \\\\ \\265) Tj")) }
    }
  }
}
