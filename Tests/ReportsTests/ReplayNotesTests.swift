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

  /// A policy may depend on the order of neighbours, which threads change.
  @Test func hitsThatChangeWithTheThreadsAreExplained() throws {
    func note(_ hits: Int, lock: String = "adaptive") throws -> String? {
      var alone = ResultSamples.replay
      alone.requests = 1_000
      alone.hits = 306
      alone.replay?.threads = 1
      alone.replay?.lock = "adaptive"
      var together = alone
      together.replay?.threads = 2
      together.replay?.lock = lock
      together.hits = hits
      let results = ResultSet(
        environment: ResultSamples.environment, measurements: [alone, together])
      let text = try #require(ReportFormats.form(named: "markdown")).render(results, style: .plain)
      return text.split(separator: "\n").first { $0.contains("Hits change with the threads") }
        .map(String.init)
    }
    let found = try #require(try note(140))
    #expect(found.contains("30.60 % with 1 thread and 14.00 % with 2"))
    #expect(try note(306) == nil && note(140, lock: "mutex") == nil)
  }

  /// The clock decides when a model changes.
  @Test func trainingsBesideTheRequestsAreCounted() throws {
    func hasNote(isBeside: Bool) throws -> Bool {
      var run = ResultSamples.replay
      var learning = LearningMeasures()
      learning.isBeside = isBeside
      learning.begunTrainings = 5
      learning.trainings = 4
      learning.skippedTrainings = 2
      run.learning = learning
      let results = ResultSet(environment: ResultSamples.environment, measurements: [run])
      let text = try #require(ReportFormats.form(named: "markdown")).render(results, style: .plain)
      return text.replacing("\u{A0}", with: " ")
        .contains("5 trainings began, 4 ended in time, 2 came while one was under way and fell out")
    }
    #expect(try hasNote(isBeside: true))
    #expect(try !hasNote(isBeside: false))
  }
}
