import ResultSamples
import Results
import Testing

/// Results documents round-trip exactly.
@Suite struct ResultSetTests {
  @Test func documentIsReadBackAsItWas() throws {
    let read = try ResultSet(reading: ResultSamples.results.json.document.utf8, file: "x")
    #expect(read == ResultSamples.results)
    #expect(read.json == ResultSamples.results.json)
  }

  @Test func replayHasItsKeysInOrder() {
    let latency =
      #"{"count": 10, "mean": 1.5, "p50": 1, "p90": 2, "p99": 3, "p999": 4, "max": 5}"#
    let durations = #"{"p50": 1, "p99": 2, "p9999": 3, "max": 3, "total": 4}"#
    #expect(
      ResultSamples.replay.json.text == """
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

  @Test(arguments: Measurement.Form.allCases)
  func formIsReadBackAndNamesTheCell(form: Measurement.Form) throws {
    var run = ResultSamples.sweep
    run.form = form
    run.speed = SpeedFigures(instructions: 7, ratios: [0.5])
    let text = ResultSet(measurements: [run]).json.document
    #expect(text.contains("\"seed\": 7, \"form\": \"\(form.rawValue)\", \"requests\""))
    let read = try ResultSet(reading: text.utf8, file: "f").measurements[0]
    #expect(read == run)
    #expect((CellKey(read) == CellKey(ResultSamples.sweep)) == (form == .policy))
    #expect(CellKey(read).form == (form == .policy ? nil : form))
    #expect(!ResultSamples.sweep.json.text.contains("form"))
  }

  @Test func internalsStandLastAndAreReadBack() throws {
    let results = ResultSet(
      environment: ResultSamples.environment, measurements: [ResultSamples.learned])
    #expect(
      ResultSamples.learned.json.text.hasSuffix(
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

  @Test func openLoopHasItsKeysInOrderAndIsReadBack() throws {
    let summary =
      #""count": 10, "mean": 1.5, "p50": 1, "p90": 2, "p99": 3, "p999": 4, "max": 5"#
    let part = """
      {"requests": 10, "hits": 5, "hitRatio": 0.5, "seconds": 2.0, "requestsPerSecond": 5.0, \
      "get": {\(summary)}}
      """
    let text = ResultSamples.openLoop.json.text
    #expect(
      text.hasSuffix(
        """
        , "criterion": "takersPresent", "slowdown": 0.1, "shards": [7, 3], "shardSkew": 1.4}, \
        "oversubscribed": true, "share": "copies", \
        "missPenalty": {"ns": 5000, "wait": "spin"}, "pace": {"pace": "120%", "arrivals": \
        "uniform", "offered": 1200.0, "achieved": 1000.0, "overload": true, "capacity": 1000.0, \
        "tick": 1000, "requestsPerReading": 1.5}, "response": {\(summary), "quarters": \
        [1, 2, 3, 4]}, "service": {\(summary), "quarters": [1, 1, 1, 1]}, "lateness": \
        {\(summary)}, "idle": {\(summary)}, "machine": {"seconds": 2.0, "pinned": true, \
        "overlap": 0.5, "waiting": 0.25, "hiccups": 0.125, "longestHiccup": 5000000, "steal": \
        0.0, "preemptions": 3, "clockDrift": 0.0, "frequency": [2000000000.0, 3000000000.0]}, \
        "disturbed": ["overlap: 50 % (at least 90 %)"], "cold": \(part), "postFill": \(part), "cpuSeconds": 1.5, "allocations": 0, \
        "peakMemory": 1048576, "repetitions": 3, "intervals": {"confidence": 0.95, "get.p99": \
        {"mean": 2.0, "median": 2.0, "interval": [0.5, 3.5], "values": [1.0, 2.0, 3.0]}}}
        """))
    #expect(
      text.contains(
        #""timerOverhead": 40.5, "sample": 16, "slowdown": 0.25, "clock": {"source": "counter", "#
          + #""resolution": 10.0, "floor": 1.0}}"#))
    var results = ResultSamples.results
    results.measurements = [ResultSamples.openLoop]
    results.measurements[0].replay?.cut?.postFill = nil
    results.measurements.append(ResultSamples.openLoop)
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
    var results = ResultSamples.results
    #expect(results.json.document.hasSuffix("  ],\n  \"complete\": false\n}\n"))
    results.isComplete = true
    #expect(results.json["complete"] == nil)
  }

  @Test func keysThatCameLaterMayBeMissing() throws {
    var results = ResultSamples.results
    results.measurements = [ResultSamples.replay]
    results.explanations = []
    let text = results.json.document
      .replacing(" \"missRatioReduction\": null, \"distanceToOptimum\": null,", with: "")
    #expect(!text.contains("distanceToOptimum") && !text.contains("explanations"))
    #expect(try ResultSet(reading: text.utf8, file: "x") == results)
  }

  @Test func unknownKeysAreAccepted() throws {
    let text = ResultSamples.results.json.document
      .replacing("\"kind\"", with: "\"new\": {\"a\": [1]}, \"kind\"")
      .replacing("\"environment\": {", with: "\"extra\": 1, \"environment\": {\"more\": null, ")
    #expect(try ResultSet(reading: text.utf8, file: "x") == ResultSamples.results)
  }

  @Test func anotherSchemaIsRefused() {
    let text = ResultSamples.results.json.document.replacing("results/1", with: "results/2")
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
    let text = ResultSamples.results.json.document
    #expect(
      message(text.replacing("\"hits\": 0", with: "\"hits\": 0.5")) == """
        x: “hits” of entry 2 of “results” is not a whole number; write the document again
        """)
    #expect(
      message(text.replacing("\"kind\": \"replay\"", with: "\"kind\": \"nope\"")) == """
        x: “kind” of entry 2 of “results” is not one of sweep, replay, bounds, disk, prefix, curve; \
        write the document again
        """)
    #expect(
      message(text.replacing("\"cores\": 2, ", with: "")) == """
        x: “cores” of “environment” is missing or null; write the document again
        """)
    #expect(
      message(String(text.dropLast(3))) == """
        x: byte \(text.utf8.count - 3): expected a comma or a closing brace; is this a document of “evictionlab.results/1”?
        """)
  }

  @Test func conflictsOfAMergeAreNamed() {
    let lines = ResultSamples.results.json.document
      .split(separator: "\n", omittingEmptySubsequences: false)
    let merged = lines[..<2] + ["<<<<<<< HEAD"] + lines[2..<3] + ["======="] + lines[2...]
    #expect(
      message(merged.joined(separator: "\n"))
        == "x: has conflict markers of a merge; resolve them, or write the document again")
  }

  /// Counts that no run can have would make sums overflow, or mean nothing.
  @Test func countsOutOfRangeAreNamed() {
    var results = ResultSamples.results
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
    var results = ResultSamples.results
    results.recommendations = [ResultSamples.recommendation]
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
