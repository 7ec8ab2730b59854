import Results
import Testing

/// Documents of runs in which misses take time.
@Suite struct DelayedResultsTests {
  /// A document of one run, whose misses take a time.
  private static func document(
    _ trace: String, miss: Int?, _ unit: LatencyMeasures.Unit = .nanoseconds
  ) -> ResultSet {
    var run = Results.Measurement(kind: .sweep, trace: trace, policy: "lru", capacity: 1)
    run.latency = miss.map { miss in
      LatencyMeasures {
        $0.unit = unit
        $0.miss = miss
      }
    }
    return ResultSet(measurements: [run])
  }

  private static func refusal(of documents: [ResultSet]) -> ResultSetError? {
    do throws(ResultSetError) {
      try ResultSet.checkDelays(documents.enumerated().map { ("\($0.offset).json", $0.element) })
      return nil
    } catch { return error }
  }

  @Test func documentsOfOneDelayGoTogether() {
    #expect(Self.refusal(of: [Self.document("a", miss: 5), Self.document("b", miss: 5)]) == nil)
    #expect(
      Self.refusal(of: [Self.document("a", miss: nil), Self.document("b", miss: nil)]) == nil)
    #expect(Self.refusal(of: []) == nil)
  }

  @Test func documentsOfTwoDelaysAreRefused() {
    let delayed = Self.document("a", miss: 5)
    let others = [
      (Self.document("b", miss: nil), "no time"), (Self.document("b", miss: 6), "6ns"),
      (Self.document("b", miss: 5, .requests), "5requests"),
    ]
    for (other, text) in others {
      #expect(
        Self.refusal(of: [delayed, other])
          == .delays(file: "0.json", other: "1.json", ["5ns", text]))
    }
    let error = ResultSetError.delays(file: "a.json", other: "b.json", ["5ns", "no time"])
    #expect(
      "\(error)"
        == "a.json and b.json have results of two delays: a miss takes 5ns and no time; report each delay apart"
    )
  }

  @Test func documentThatMixesDelaysIsNotRead() {
    var mixed = Self.document("a", miss: 5)
    mixed.measurements += Self.document("b", miss: nil).measurements
    #expect(throws: ResultSetError.delays(file: "m.json", other: "m.json", ["5ns", "no time"])) {
      try ResultSet(reading: Array(mixed.json.document.utf8), file: "m.json")
    }
  }
}
