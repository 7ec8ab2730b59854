import Rendering
import Reports
import ResultSamples
import Results
import Testing

/// The lines below a table of replays.
@Suite struct ReplayNotesTests {
  /// Who does not know it reads a bad hit ratio as the policy's.
  @Test func foundationsCacheComesWithANote() throws {
    func hasNote(_ system: String?, byteHitRatio: Double? = nil) throws -> Bool {
      var run = ResultSamples.replay
      run.replay?.system = system
      run.byteHitRatio = byteHitRatio
      let results = ResultSet(environment: ResultSamples.environment, measurements: [run])
      return try ["table", "markdown", "html"].allSatisfy {
        try #require(ReportFormats.form(named: $0)).render(results, style: .plain).replacing(
          "\u{A0}", with: " "
        )
        .contains("admits nothing while it is full of equal costs")
      }
    }
    #expect(try hasNote("nscache") && hasNote("sdwebimage:memory=0.2"))
    #expect(try !hasNote("nscache-documented") && !hasNote("yycache") && !hasNote(nil))
    #expect(try !hasNote("nscache", byteHitRatio: 0.5))
  }
}
