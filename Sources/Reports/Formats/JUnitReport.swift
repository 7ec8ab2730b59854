import Foundation
import Parameters
import Rendering
import Results

/// JUnit's XML for continuous integration: a suite for each trace, a passed case for each run with its
/// figures as properties, and an error where cells are missing.
///
///     <testsuites name="evictionlab" tests="2" failures="0" errors="0" time="0.125">
///     <testsuite name="OLTP.lis.zst" tests="2" …>
///     <testcase classname="OLTP.lis.zst" name="arc at 1000" time="0.0625">
///     <properties>
///     <property name="hitRatio" value="0.389451…"/>
enum JUnitReport: ReportFormat {
  static let information = CatalogEntry(
    name: "junit", summary: "JUnit XML for continuous integration: a case per run")

  static func render(_ results: ResultSet, style: ReportStyle) -> String {
    let measurements = results.measurements
    let traces = measurements.map(\.trace).unique
    let errors = results.isComplete ? 0 : 1
    let suites = traces.map { trace in
      suite(trace, measurements.filter { $0.trace == trace }, of: results)
    }
    let head =
      "<testsuites name=\"evictionlab\" tests=\"\(measurements.count + errors)\" failures=\"0\" "
      + "errors=\"\(errors)\" time=\"\(seconds(measurements))\">\n"
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + head + suites.joined()
      + (results.incompleteNote.map(stopped) ?? "") + "</testsuites>\n"
  }

  private static func suite(
    _ trace: String, _ measurements: [Measurement], of results: ResultSet
  ) -> String {
    "<testsuite name=\"\(trace.markupEscaped)\" tests=\"\(measurements.count)\" failures=\"0\" "
      + "errors=\"0\" time=\"\(seconds(measurements))\" timestamp=\"\(results.environment.date.markupEscaped)\">\n"
      + measurements.map { testCase($0, results.fields(of: $0)) }.joined() + "</testsuite>\n"
  }

  private static func testCase(_ measurement: Measurement, _ fields: [ResultField]) -> String {
    let properties = fields.filter { !$0.text.isEmpty }.map {
      "<property name=\"\($0.key.markupEscaped)\" value=\"\($0.text.markupEscaped)\"/>\n"
    }
    return "<testcase classname=\"\(measurement.trace.markupEscaped)\" "
      + "name=\"\(CellKey(measurement).label.markupEscaped)\" time=\"\(seconds([measurement]))\">\n"
      + "<properties>\n" + properties.joined() + "</properties>\n</testcase>\n"
  }

  private static func stopped(_ note: String) -> String {
    "<testsuite name=\"complete\" tests=\"1\" failures=\"0\" errors=\"1\">\n"
      + "<testcase classname=\"evictionlab\" name=\"complete\">\n"
      + "<error message=\"\(note.markupEscaped)\"/>\n</testcase>\n</testsuite>\n"
  }

  private static func seconds(_ measurements: [Measurement]) -> String {
    String(format: "%.6f", measurements.reduce(0) { $0 + $1.seconds })
  }
}
