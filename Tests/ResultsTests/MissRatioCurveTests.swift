import ResultSamples
import Results
import Testing

/// Curves, windows, percentiles and command lines in results documents.
@Suite struct MissRatioCurveTests {
  static let results = ResultSet(
    environment: ResultSamples.environment, measurements: [ResultSamples.sweep],
    curves: [ResultSamples.curve], references: [ResultSamples.exact])

  private func message(_ text: String) -> String {
    do throws(ResultSetError) {
      _ = try ResultSet(reading: text.utf8, file: "x")
      return "no error"
    } catch {
      return error.description
    }
  }

  @Test func documentIsReadBackAsItWas() throws {
    let text = Self.results.json.document
    #expect(try ResultSet(reading: text.utf8, file: "x") == Self.results)
    #expect(
      text.contains(
        """
            {"kind": "curve", "trace": "t", "policy": "slru", "parameters": {"protected": 0.5}, \
        "unit": "objects", "seed": 7, "method": "simulations", "rate": 0.25, "requests": 1000, \
        "seconds": 1.5, "points": [[10, 0.5, 0.4, 0.6], [20, 0.25, 0.2, 0.3]], \
        "cheapest": {"pricePerGiB": 3.0, "costPerMiss": 0.5, "bytesPerObject": 100.0, \
        "capacity": 20, "memory": 0.25, "misses": 125.0, "total": 125.25}}
        """))
    #expect(text.contains("\"references\": [\n    {\"kind\": \"curve\""))
    #expect(text.contains("[[1, 1.0, null, null], [30, 0.125, null, null]]"))
  }

  @Test func wrongPointsAreNamed() {
    let text = Self.results.json.document
    let expected =
      "x: “points” of entry 2 of “results” is not a list of [capacity, missRatio, low, high] by "
      + "rising capacity; write the document again"
    #expect(message(text.replacing("[20, 0.25", with: "[10, 0.25")) == expected)
    #expect(message(text.replacing("[20, 0.25,", with: "[20,")) == expected)
    #expect(message(text.replacing("[20, 0.25", with: "[20, null")) == expected)
  }

  @Test func missRatioIsReadBetweenPoints() {
    #expect(ResultSamples.curve.missRatio(at: 10) == 0.5)
    #expect(ResultSamples.curve.missRatio(at: 14) == 0.4)
    #expect(ResultSamples.curve.missRatio(at: 20) == 0.25)
    #expect(
      ResultSamples.curve.missRatio(at: 9) == nil && ResultSamples.curve.missRatio(at: 21) == nil)
  }

  @Test func windowsStandLastAndAreReadBack() throws {
    var sweep = ResultSamples.learned
    sweep.windows = RequestWindows(seconds: 2.5, ends: [1, 3], requests: [1, 2], hits: [0, 1])
    let results = ResultSet(environment: ResultSamples.environment, measurements: [sweep])
    #expect(
      sweep.json.text.hasSuffix(
        #", "windows": {"seconds": 2.5, "ends": [1, 3], "requests": [1, 2], "hits": [0, 1]}}"#))
    let text = results.json.document
    #expect(try ResultSet(reading: text.utf8, file: "x") == results)
    #expect(
      message(text.replacing("\"hits\": [0, 1]", with: "\"hits\": [0]"))
        == "x: “hits” of “windows” is not as long as “ends”; write the document again")
  }

  @Test func percentilesAndCommandAreReadBack() throws {
    var replay = ResultSamples.replay
    replay.replay?.latency?.get?.percentiles = [
      .init(percent: 50, nanoseconds: 1), .init(percent: 99.9, nanoseconds: 4),
    ]
    var environment = ResultSamples.environment
    environment.command = "evict replay 'a b.txt'"
    let results = ResultSet(environment: environment, measurements: [replay])
    let text = results.json.document
    #expect(text.contains("\"max\": 5, \"percentiles\": [[50.0, 1], [99.9, 4]]}"))
    #expect(try ResultSet(reading: text.utf8, file: "x") == results)
    #expect(
      message(text.replacing("[99.9, 4]", with: "[100, 4]"))
        == "x: “percentiles” of “get” is not a list of [percent, nanoseconds]; "
        + "write the document again")
  }

  @Test func commandsAreThoseGivenOrMadeOfTheRuns() {
    var results = Self.results
    #expect(
      results.commands == [
        "evict sweep '日本.lis' --policy "
          + "slru:fill=protected:protected=0.8:resize=true:segments=4 --capacity 1000B --seed 7",
        "evict curve t --policy slru:protected=0.5 --seed 7",
      ])
    results.environment.command = "evict sweep x"
    #expect(results.commands == ["evict sweep x"])
    let replay = ResultSet(
      environment: ResultSamples.environment, measurements: [ResultSamples.replay])
    #expect(
      replay.commands
        == ["evict replay t --policy lru --capacity 10 --lock mutex --threads 2"])
  }

  @Test func joinedDocumentsHoldEverythingOnce() {
    let joined = ResultSet(joining: [ResultSamples.results, ResultSamples.results])
    #expect(joined.measurements.count == 4)
    #expect(joined.traces == ResultSamples.results.traces)
    #expect(!joined.isComplete)
    #expect(ResultSet(joining: [Self.results, Self.results]).references == [ResultSamples.exact])
    var other = ResultSamples.environment
    #expect(other.isLike(ResultSamples.environment))
    other.date = "2027-01-01T00:00:00Z"
    #expect(other.isLike(ResultSamples.environment))
    other.cpu = "another"
    #expect(!other.isLike(ResultSamples.environment))
    // What stands beside it may have been measured anywhere.
    var mixed = ResultSamples.environment
    mixed.add(other)
    #expect(mixed.others.count == 1 && !mixed.isLike(mixed))
  }
}
