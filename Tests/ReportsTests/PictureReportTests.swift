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
  private func picture(_ name: String, _ results: ResultSet) throws -> String {
    try #require(ReportFormats.form(named: name)).render(results, style: .plain)
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
      #expect(text.matches(of: /<text class="caption"/).count == traces.count)
      #expect(text.contains(">a&lt;b</text>") == !traces.isEmpty)
    }
  }

  @Test func darkAndLightDifferInTheirColoursOnly() throws {
    let results = results(["one.lis"])
    let (light, dark) = (try picture("svg", results), try picture("svg-dark", results))
    #expect(light != dark)
    #expect(light == dark.replacing("@media all", with: "@media not all"))
    #expect(!light.contains("prefers-color-scheme"))
  }

  @Test func everyTraceAddsToTheHeight() throws {
    let heights = try [["a"], ["a", "b"]].map { traces in
      let text = try picture("svg", results(traces))
      let match = try #require(text.firstMatch(of: /viewBox="0 0 \d+ (\d+)"/))
      return try #require(Int(match.1))
    }
    #expect(heights[1] == 2 * heights[0])
  }
}
