import Laboratory
import Testing

/// Results documents round-trip exactly.
@Suite struct ResultSetTests {
  static let environment = Environment(
    version: "1", commit: nil, toolchain: "Swift", os: "Linux", cpu: "a \"fast\" one", cores: 2,
    date: "2026-01-01T00:00:00Z")

  static let sweep = {
    var sweep = Measurement(
      kind: .sweep, trace: "日本.lis", policy: "slru",
      parameters: [
        .init("fill", "protected"), .init("protected", .number(0.8)),
        .init("resize", .boolean(true)),
        .init("segments", .integer(4)),
      ],
      capacity: 1000, unit: .bytes, seed: 7)
    sweep.requests = 3
    sweep.hits = 1
    sweep.byteHitRatio = 0.1
    sweep.insertions = 2
    sweep.evictions = 1
    sweep.record(seconds: 1.0 / 3, requestsRun: 3)
    return sweep
  }()

  static let replay = {
    var replay = Measurement(kind: .replay, trace: "t", policy: "lru", capacity: 10)
    let summary = LatencySummary(
      count: 10, mean: 1.5, p50: 1, p90: 2, p99: 3, p999: 4, max: 5)
    let durations = DurationSummary(p50: 1, p99: 2, max: 3, total: 4)
    replay.replay = Replay(
      threads: 2, lock: "mutex",
      latency: LatencyReport(get: summary, hit: summary, miss: summary, timerOverhead: 40.5),
      contention: ContentionSummary(
        acquisitions: 10, contended: 1, wait: durations, hold: durations))
    return replay
  }()

  static let results = ResultSet(
    environment: environment,
    traces: [
      TraceSummary(name: "日本.lis", format: "lis", requests: 3, distinct: 2, sha256: "ab"),
      TraceSummary(name: "t", format: "plain", requests: 0, distinct: 0),
    ],
    measurements: [sweep, replay], isComplete: false)

  @Test func documentIsReadBackAsItWas() throws {
    let read = try ResultSet(reading: Self.results.json.document.utf8, file: "x")
    #expect(read == Self.results)
    #expect(read.json == Self.results.json)
  }

  @Test func replayHasItsKeysInOrder() {
    let latency =
      #"{"count": 10, "mean": 1.5, "p50": 1, "p90": 2, "p99": 3, "p999": 4, "max": 5}"#
    let durations = #"{"p50": 1, "p99": 2, "max": 3, "total": 4}"#
    #expect(
      Self.replay.json.text == """
        {"kind": "replay", "trace": "t", "policy": "lru", "parameters": {}, "capacity": 10, \
        "unit": "objects", "seed": 42, "requests": 0, "hits": 0, "hitRatio": null, \
        "byteHitRatio": null, "costHitRatio": null, "insertions": 0, "evictions": 0, \
        "seconds": 0.0, "requestsPerSecond": 0.0, "threads": 2, "lock": "mutex", "system": null, \
        "latency": {"unit": "ns", "operation": {"get": \(latency), "hit": \(latency), "miss": \
        \(latency), "set": null}, "timerOverhead": 40.5}, "contention": {"acquisitions": 10, \
        "contended": 1, "contendedRatio": 0.1, "wait": \(durations), "hold": \(durations)}}
        """)
  }

  static let learned = {
    var learned = sweep
    learned.internals = InternalsSeries(
      requests: [1, 3],
      series: [.init(name: "p", values: [0, 1.5]), .init(name: "w_lru", values: [0.1, 1e-9])])
    return learned
  }()

  @Test func internalsStandLastAndAreReadBack() throws {
    let results = ResultSet(environment: Self.environment, measurements: [Self.learned])
    #expect(
      Self.learned.json.text.hasSuffix(
        #", "internals": {"requests": [1, 3], "p": [0.0, 1.5], "w_lru": [0.1, 1e-09]}}"#))
    #expect(try ResultSet(reading: results.json.document.utf8, file: "x") == results)
    let text = results.json.document
    #expect(
      message(text.replacing("[0.0, 1.5]", with: "[0.0]")) == """
        x: “p” of “internals” is not a list of 2 numbers; write the document again
        """)
    #expect(
      message(text.replacing("[0.0, 1.5]", with: "[0.0, \"a\"]")) == """
        x: “p” of “internals” is not a list of numbers; write the document again
        """)
    #expect(
      message(text.replacing("[1, 3]", with: "[1, 2.5]")) == """
        x: “requests” of “internals” is not a list of whole numbers; write the document again
        """)
  }

  @Test func completeStandsOnlyWhereItIsFalse() {
    var results = Self.results
    #expect(results.json.document.hasSuffix("  ],\n  \"complete\": false\n}\n"))
    results.isComplete = true
    #expect(results.json["complete"] == nil)
  }

  @Test func unknownKeysAreAccepted() throws {
    let text = Self.results.json.document
      .replacing("\"kind\"", with: "\"new\": {\"a\": [1]}, \"kind\"")
      .replacing("\"environment\": {", with: "\"extra\": 1, \"environment\": {\"more\": null, ")
    #expect(try ResultSet(reading: text.utf8, file: "x") == Self.results)
  }

  @Test func anotherSchemaIsRefused() {
    let text = Self.results.json.document.replacing("results/1", with: "results/2")
    #expect(
      throws: ResultSetError.schema(
        file: "x", expected: ResultSet.schema, found: "evictionlab.results/2")
    ) {
      try ResultSet(reading: text.utf8, file: "x")
    }
    #expect(throws: ResultSetError.schema(file: "x", expected: ResultSet.schema, found: nil)) {
      try ResultSet(reading: "[]".utf8, file: "x")
    }
  }

  @Test func missingAndWrongValuesAreNamed() {
    let text = Self.results.json.document
    #expect(
      message(text.replacing("\"hits\": 0", with: "\"hits\": 0.5")) == """
        x: “hits” of entry 2 of “results” is not a whole number; write the document again
        """)
    #expect(
      message(text.replacing("\"kind\": \"replay\"", with: "\"kind\": \"nope\"")) == """
        x: “kind” of entry 2 of “results” is not one of sweep, replay; write the document again
        """)
    #expect(
      message(text.replacing("\"cores\": 2, ", with: "")) == """
        x: “cores” of “environment” is not a whole number; write the document again
        """)
    #expect(
      message(String(text.dropLast(3))) == """
        x: byte \(text.utf8.count - 3): expected a comma or a closing brace; is this a document of “evictionlab.results/1”?
        """)
  }

  private func message(_ text: String) -> String {
    do throws(ResultSetError) {
      _ = try ResultSet(reading: text.utf8, file: "x")
      return "no error"
    } catch {
      return error.description
    }
  }
}
