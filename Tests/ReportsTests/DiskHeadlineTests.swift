import Reports
import ResultSamples
import Results
import Testing

/// The headline of an experiment on disk.
@Suite struct DiskHeadlineTests {
  private func run(threshold: Int, round: Int, read: Int) -> Results.Measurement {
    var run = Results.Measurement(kind: .disk, trace: "d", policy: "lru", capacity: 10)
    run.disk = DiskMeasures {
      $0.setup.round = round
      $0.setup.inlineThreshold = threshold
      $0.setup.pageSize = 4_096
      $0.setup.durability = "none"
      $0.read = LatencySummary { $0.p50 = read }
      $0.write = LatencySummary { $0.p50 = 10 * read }
    }
    return run
  }

  private func headline(_ runs: [Results.Measurement]) throws -> String {
    let results = ResultSet(environment: ResultSamples.environment, measurements: runs)
    return try #require(ReportFormats.form(named: "html")).render(results, style: .plain)
      .replacing("\u{A0}", with: " ")
  }

  @Test func roundsOfOneSetupHaveMedians() throws {
    let text = try headline(
      [(1, 3_000), (2, 1_000), (3, 2_000)].map { run(threshold: 0, round: $0, read: $1) })
    #expect(
      text.contains("a read takes 2.00 µs, a write takes 20.0 µs (medians)."), "\(text)")
  }

  /// Times of one threshold are not mixed with those of another.
  @Test func ofSeveralSetupsTheQuickestIsNamed() throws {
    let text = try headline(
      [(0, 1, 9_000), (0, 2, 9_000), (100, 1, 1_000), (100, 2, 3_000)].map {
        run(threshold: $0, round: $1, read: $2)
      })
    #expect(
      text.contains(
        "a read takes 2.00 µs, a write takes 20.0 µs (medians), where reads are quickest of 2 setups: "
          + "inline ≤ 100, page 4096, none."), "\(text)")
  }
}
