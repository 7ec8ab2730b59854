import Results
import Testing

/// Suites without what tells their traces, and suites of several owners.
@Suite struct AnonymousResultsTests {
  /// A suite of these traces: name, checksum of its requests, collection.
  private func suite(
    _ list: String, _ traces: [(name: String, requests: String, collection: String)]
  ) -> ResultSet {
    var results = ResultSet(environment: Environment { $0.command = "evict suite secret-folder" })
    results.traces = traces.map {
      TraceSummary(name: $0.name, format: "plain", requests: 10, distinct: 5, sha256: "secret-sum")
    }
    results.measurements = traces.map { trace in
      var run = Measurement(kind: .sweep, trace: trace.name, policy: "lru", capacity: 1)
      run.requests = 10
      return run
    }
    var suite = SuiteRecord()
    suite.list = list
    suite.missing = ["secret-missing"]
    suite.traces = traces.map { trace in
      SuiteTrace {
        $0.name = trace.name
        $0.requests = trace.requests
        $0.collection = trace.collection
      }
    }
    results.suite = suite
    return results
  }

  @Test func nothingTellsTheTraces() throws {
    let results = suite(
      "1",
      [
        ("secret-a", "aaaaaaaaaaaaaaaa", "secret-x"), ("secret-b", "bbbbbbbbbbbbbbbb", "secret-x"),
        ("secret-copy", "aaaaaaaaaaaaaaaa", "secret-y"),
      ])
    let sent = results.anonymous
    #expect(!sent.json.text.contains("secret"), "\(sent.json.text)")
    // A copy may hit otherwise, as policies hash keys, and counts nowhere.
    #expect(sent.measurements.map(\.trace) == ["trace-aaaaaaaaaaaa", "trace-bbbbbbbbbbbb"])
    let collections = try #require(sent.suite).traces.map(\.collection)
    #expect(collections == ["collection-aaaaaaaaaaaa", "collection-aaaaaaaaaaaa"])
    var plain = results
    plain.suite = nil
    #expect(!plain.anonymous.json.text.contains("secret"))
  }

  @Test func aTraceOfTwoOwnersCountsOnce() {
    let mine = suite("1", [("a", "aa", "x"), ("b", "bb", "x")])
    let theirs = suite("2", [("c", "aa", "y"), ("d", "dd", "y")])
    let once = ResultSet.countingOnce([mine, theirs])
    #expect(once.map { $0.measurements.map(\.trace) } == [["a", "b"], ["d"]])
    #expect(once[1].suite?.traces.map(\.name) == ["d"])
    // Parts of one suite hold other cells of a trace.
    let parts = ResultSet.countingOnce([mine, mine])
    #expect(parts.map(\.measurements.count) == [2, 2])
  }

  @Test func olderDocumentsOfATraceDoNotCountGets() {
    let old = TraceSummary(name: "t", format: "csv", requests: 10, distinct: 5, sha256: "s")
    var new = old
    new.hasOperations = true
    new.gets = 7
    new.firstGets = 3
    #expect(new.isOf(old) && old.isOf(new))
    var other = new
    other.gets = 8
    #expect(!other.isOf(new))
    other = old
    other.distinct = 6
    #expect(!other.isOf(new))
  }
}
