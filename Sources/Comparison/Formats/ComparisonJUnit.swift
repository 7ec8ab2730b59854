import Parameters
import Rendering
import Results

/// JUnit's XML, which continuous-integration servers read: a suite per trace, a test case per run.
enum ComparisonJUnit: ComparisonReport {
  static let information = CatalogEntry(
    name: "junit", summary: "JUnit XML: a test case per run, failed or not")

  static func render(_ judgement: Judgement, style: ReportStyle) -> String {
    var lines: [CellKey: [Judgement.Item]] = [:]
    for item in judgement.items { lines[item.difference.cell, default: []].append(item) }
    var suites = judgement.cells.grouped(by: \.trace).map { cells in
      let trace = cells[0].trace
      return suite(
        trace,
        cells.map { cell in
          let found = (lines[cell] ?? []).map {
            (severity: $0.severity, sentence: $0.difference.sentence)
          }
          return testCase(trace, cell.label, found)
        })
    }
    if !judgement.remarks.isEmpty {
      let name = "what is not compared"
      let cases = judgement.remarks.map { remark in
        testCase(name, remark.text, [(severity: remark.severity, sentence: remark.text)])
      }
      suites.append(suite(name, cases))
    }
    return document(suites)
  }

  static func report(onError problem: String) -> String? {
    let name = "the comparison"
    let text = problem.markupEscaped
    return document([
      "  <testsuite name=\"\(name)\" tests=\"1\" failures=\"0\" errors=\"1\">\n"
        + "    <testcase classname=\"\(name)\" name=\"results and baseline\">\n"
        + "      <error message=\"\(text)\"/>\n    </testcase>\n  </testsuite>\n"
    ])
  }

  private static func document(_ suites: [String]) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites.joined()
      + "</testsuites>\n"
  }

  private typealias TestCase = (text: String, hasFailed: Bool)
  private typealias Line = (severity: Judgement.Severity, sentence: String)

  private static func suite(_ name: String, _ cases: [TestCase]) -> String {
    "  <testsuite name=\"\(name.markupEscaped)\" tests=\"\(cases.count)\""
      + " failures=\"\(cases.count(where: \.hasFailed))\">\n" + cases.map(\.text).joined()
      + "  </testsuite>\n"
  }

  private static func testCase(
    _ suite: String, _ name: String, _ found: [Line]
  ) -> TestCase {
    let start = "    <testcase classname=\"\(suite.markupEscaped)\" name=\"\(name.markupEscaped)\""
    if found.isEmpty { return (start + "/>\n", false) }
    let lines = found.map {
      let sentence = $0.sentence.markupEscaped
      return $0.severity == .failure
        ? "      <failure message=\"\(sentence)\"/>\n"
        : "      <system-out>\(sentence)</system-out>\n"
    }
    let text = start + ">\n" + lines.joined() + "    </testcase>\n"
    return (text, found.contains { $0.severity == .failure })
  }
}
