import Experiments
import Results
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
    sweep.missRatioReduction = -0.25
    sweep.distanceToOptimum = 0.125
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
    measurements: [sweep, replay],
    explanations: [
      Explanation(
        trace: "t", capacity: 10, unit: .objects, compulsoryMissRatio: 0.1,
        optimumHitRatio: 0.5...0.5, bestPolicy: "lru", bestHitRatio: 0.25)
    ], isComplete: false)

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
        "seconds": 0.0, "requestsPerSecond": 0.0, "missRatioReduction": null, \
        "distanceToOptimum": null, "threads": 2, "lock": "mutex", "system": null, \
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

  static let openLoop = {
    var openLoop = replay
    let summary = LatencySummary(
      count: 10, mean: 1.5, p50: 1, p90: 2, p99: 3, p999: 4, max: 5)
    openLoop.replay?.latency?.sample = 16
    openLoop.replay?.latency?.slowdown = 0.25
    openLoop.replay?.contention?.shards = [7, 3]
    openLoop.replay?.isOversubscribed = true
    openLoop.replay?.division = .copies
    openLoop.replay?.missPenalty = MissPenalty(nanoseconds: 5_000, wait: .spin)
    openLoop.replay?.pace = PaceReport(
      label: "120%", arrivals: .uniform, offered: 1_200, achieved: 1_000, isOverload: true,
      capacity: 1_000, tick: 1_000, requestsPerReading: 1.5)
    openLoop.replay?.response = ResponseSummary(whole: summary, quarters: [1, 2, 3, 4])
    openLoop.replay?.service = ResponseSummary(whole: summary, quarters: [1, 1, 1, 1])
    openLoop.replay?.lateness = summary
    let part = CutReport.Part(requests: 10, hits: 5, seconds: 2, get: summary)
    openLoop.replay?.cut = CutReport(cold: part, postFill: part)
    openLoop.replay?.resources = ResourceUse(
      cpuSeconds: 1.5, allocations: 0, peakMemory: 1 << 20)
    openLoop.replay?.repetitions = Repetitions(
      count: 3, figures: [.init(name: "get.p99", values: [1, 2, 3], mean: 2, interval: 0.5...3.5)])
    return openLoop
  }()

  @Test func openLoopHasItsKeysInOrderAndIsReadBack() throws {
    let summary =
      #""count": 10, "mean": 1.5, "p50": 1, "p90": 2, "p99": 3, "p999": 4, "max": 5"#
    let part = """
      {"requests": 10, "hits": 5, "hitRatio": 0.5, "seconds": 2.0, "requestsPerSecond": 5.0, \
      "get": {\(summary)}}
      """
    let text = Self.openLoop.json.text
    #expect(
      text.hasSuffix(
        """
        , "shards": [7, 3], "shardSkew": 1.4}, "oversubscribed": true, "share": "copies", \
        "missPenalty": {"ns": 5000, "wait": "spin"}, "pace": {"pace": "120%", "arrivals": \
        "uniform", "offered": 1200.0, "achieved": 1000.0, "overload": true, "capacity": 1000.0, \
        "tick": 1000, "requestsPerReading": 1.5}, "response": {\(summary), "quarters": \
        [1, 2, 3, 4]}, "service": {\(summary), "quarters": [1, 1, 1, 1]}, "lateness": \
        {\(summary)}, "cold": \(part), "postFill": \(part), "cpuSeconds": 1.5, "allocations": 0, \
        "peakMemory": 1048576, "repetitions": 3, "intervals": {"confidence": 0.95, "get.p99": \
        {"mean": 2.0, "interval": [0.5, 3.5], "values": [1.0, 2.0, 3.0]}}}
        """))
    #expect(text.contains(#""timerOverhead": 40.5, "sample": 16, "slowdown": 0.25}"#))
    var results = Self.results
    results.measurements = [Self.openLoop]
    results.measurements[0].replay?.cut?.postFill = nil
    results.measurements.append(Self.openLoop)
    let document = results.json.document
    #expect(try ResultSet(reading: document.utf8, file: "x") == results)
    #expect(
      message(document.replacing("[0.5, 3.5]", with: "[3.5]")) == """
        x: “interval” of “get.p99” is not a pair of rising numbers; write the document again
        """)
    #expect(
      message(document.replacing("\"spin\"", with: "\"nap\"")) == """
        x: “wait” of “missPenalty” is not one of sleep, spin; write the document again
        """)
  }

  @Test func completeStandsOnlyWhereItIsFalse() {
    var results = Self.results
    #expect(results.json.document.hasSuffix("  ],\n  \"complete\": false\n}\n"))
    results.isComplete = true
    #expect(results.json["complete"] == nil)
  }

  @Test func keysThatCameLaterMayBeMissing() throws {
    var results = Self.results
    results.measurements = [Self.replay]
    results.explanations = []
    let text = results.json.document
      .replacing(" \"missRatioReduction\": null, \"distanceToOptimum\": null,", with: "")
    #expect(!text.contains("distanceToOptimum") && !text.contains("explanations"))
    #expect(try ResultSet(reading: text.utf8, file: "x") == results)
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
        x: “kind” of entry 2 of “results” is not one of sweep, replay, bounds, disk, curve; \
        write the document again
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

  /// What no run can count would make sums overflow, or mean nothing.
  @Test func countsOutOfRangeAreNamed() {
    var results = Self.results
    results.measurements[1].windows = RequestWindows(
      ends: [5, 9], requests: [0, 0], hits: [0, 0])
    let text = results.json.document
    let count = "a whole number from 0 to 9007199254740992"
    for (found, wrong, field, expected) in [
      ("\"hits\": 1", "\"hits\": -9223372036854775808", "hits", count),
      ("\"hits\": 1", "\"hits\": 4", "hits", "at most “requests”"),
      ("\"insertions\": 2", "\"insertions\": -1", "insertions", count),
      ("\"evictions\": 1", "\"evictions\": 9223372036854775807", "evictions", count),
      ("\"capacity\": 1000", "\"capacity\": -1", "capacity", "a whole number from 0 on"),
    ] {
      #expect(
        message(text.replacing(found, with: wrong))
          == "x: “\(field)” of entry 1 of “results” is not \(expected); write the document again")
    }
    for (found, wrong, field, expected) in [
      (
        "\"requests\": [0, 0]", "\"requests\": [0, -1]", "requests",
        "a list of counts, together \(count)"
      ),
      (
        "\"requests\": [0, 0]", "\"requests\": [9007199254740992, 1]", "requests",
        "a list of counts, together \(count)"
      ),
      ("\"hits\": [0, 0]", "\"hits\": [0, 1]", "hits", "at most “requests” in each window"),
    ] {
      #expect(
        message(text.replacing(found, with: wrong))
          == "x: “\(field)” of “windows” is not \(expected); write the document again")
    }
  }

  @Test func recommendationsOfNoRoundAreRefused() {
    var results = Self.results
    var measurement = Measurement(kind: .disk, trace: "t", policy: "lru", capacity: 10)
    for threshold in [0, 1_000] {
      var disk = DiskMeasures(
        round: 1, inlineThreshold: threshold, pageSize: 4_096, durability: "none")
      disk.sizes = [SizeTimes(from: 64, isInline: threshold > 0)]
      disk.sizes[0].reads = 1
      disk.sizes[0].read = 5
      measurement.disk = disk
      results.measurements.append(measurement)
    }
    results.recommendations = DiskRecommendation.recommendations(from: results.measurements)
    let text = results.json.document
    #expect(text.contains("\"rounds\": 1,"))
    for rounds in ["0", "-5000"] {
      #expect(
        message(text.replacing("\"rounds\": 1,", with: "\"rounds\": \(rounds),")) == """
          x: “rounds” of entry 1 of “recommendations” is not a whole number from 1 on; write the document again
          """)
    }
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
