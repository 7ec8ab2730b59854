import Reports
import ResultSamples
import Results
import Testing

/// JUnit's XML.
@Suite struct JUnitReportTests {
  @Test func everyRunIsACase() throws {
    var sweep = Measurement(kind: .sweep, trace: "a&b", policy: "lru", capacity: 10)
    sweep.requests = 4
    sweep.hits = 1
    sweep.record(seconds: 0.5, requestsRun: 4)
    let results = ResultSet(
      environment: ResultSamples.environment, measurements: [sweep], isComplete: false)
    let report = try #require(ReportFormats.form(named: "junit"))
    #expect(
      report.render(results, style: .plain) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="evictionlab" tests="2" failures="0" errors="1" time="0.500000">
        <testsuite name="a&amp;b" tests="1" failures="0" errors="0" time="0.500000" \
        timestamp="2026-01-01T00:00:00Z">
        <testcase classname="a&amp;b" name="lru at 10" time="0.500000">
        <properties>
        <property name="kind" value="sweep"/>
        <property name="trace" value="a&amp;b"/>
        <property name="policy" value="lru"/>
        <property name="capacity" value="10"/>
        <property name="unit" value="objects"/>
        <property name="seed" value="42"/>
        <property name="requests" value="4"/>
        <property name="hits" value="1"/>
        <property name="hitRatio" value="0.25"/>
        <property name="insertions" value="0"/>
        <property name="evictions" value="0"/>
        <property name="seconds" value="0.5"/>
        <property name="requestsPerSecond" value="8.0"/>
        </properties>
        </testcase>
        </testsuite>
        <testsuite name="complete" tests="1" failures="0" errors="1">
        <testcase classname="evictionlab" name="complete">
        <error message="Not complete, as it was stopped or cells failed: these are the 1 finished runs."/>
        </testcase>
        </testsuite>
        </testsuites>

        """)
  }

  @Test func namesTellRunsApart() throws {
    let report = try #require(ReportFormats.form(named: "junit"))
    #expect(
      report.render(ResultSamples.results, style: .plain)
        .contains("name=\"lru at 10, 2 threads, mutex\""))
  }
}
