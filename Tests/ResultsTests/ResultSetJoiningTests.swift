import ResultSamples
import Results
import Testing

/// Several documents as one: nothing is lost, and a name stands for one trace.
@Suite struct ResultSetJoiningTests {
  private static func document(
    requests: Int = 20_000, counted: Int? = nil, sha256: String? = "abcdef0123456789",
    trace: String = "t", hits: Int = 100
  ) -> ResultSet {
    var run = Measurement(kind: .sweep, trace: trace, policy: "arc", capacity: 10)
    run.requests = counted ?? requests
    run.hits = hits
    return ResultSet(
      environment: ResultSamples.environment,
      traces: [
        TraceSummary(
          name: trace, format: "lis", requests: requests, distinct: requests / 2, sha256: sha256)
      ],
      measurements: [run],
      references: [
        MissRatioCurve(
          trace: trace, policy: "lru", method: .stackDistances, requests: requests,
          points: [.init(capacity: 10, missRatio: Double(hits) / Double(requests))])
      ],
      explanations: [
        Explanation {
          $0.trace = trace
          $0.capacity = 10
          $0.unit = .objects
          $0.compulsoryMissRatio = 0.1
          $0.optimumHitRatio = 0.5...0.5
          $0.bestPolicy = "arc"
          $0.bestHitRatio = 0.25
        }
      ])
  }

  @Test func recommendationsAreKept() throws {
    let results = ResultSet(
      environment: ResultSamples.environment, recommendations: [ResultSamples.recommendation])
    let joined = ResultSet(joining: [results])
    #expect(joined.recommendations == results.recommendations)
    #expect(try ResultSet(reading: joined.json.document.utf8, file: "x") == joined)
  }

  @Test func partsOfOneTraceAreToldApartByTheirRequests() {
    let joined = ResultSet(
      joining: [Self.document(requests: 10_000), Self.document(requests: 20_000)])
    let names = ["t (10000 requests)", "t (20000 requests)"]
    #expect(joined.traces.map(\.name) == names)
    #expect(joined.traces.map(\.requests) == [10_000, 20_000])
    #expect(joined.measurements.map(\.trace) == names)
    #expect(joined.references.map(\.trace) == names)
    #expect(joined.references.map { $0.points[0].missRatio } == [0.01, 0.005])
    #expect(joined.explanations.map(\.trace) == names)
  }

  @Test func otherContentOfEqualLengthIsToldApartByItsChecksum() {
    let joined = ResultSet(
      joining: [Self.document(), Self.document(sha256: "0123456789abcdef")])
    #expect(
      joined.measurements.map(\.trace) == ["t (SHA-256 abcdef012345)", "t (SHA-256 0123456789ab)"])
  }

  @Test func runsThatCountOtherRequestsAreToldApart() {
    let joined = ResultSet(
      joining: [Self.document(), Self.document(counted: 15_000), Self.document()])
    #expect(
      joined.measurements.map(\.trace) == [
        "t (20000 counted)", "t (15000 counted)", "t (20000 counted)",
      ])
    #expect(joined.traces.count == 2)
  }

  @Test func onlyWhatTellsTracesApartFollowsTheirNames() {
    let joined = ResultSet(
      joining: [
        Self.document(requests: 10_000, sha256: "aa"), Self.document(sha256: "bb"),
        Self.document(trace: "u"),
      ])
    #expect(joined.traces.map(\.name) == ["t (10000 requests)", "t (20000 requests)", "u"])
  }

  @Test func equalTracesStandOnceAndAnUnknownChecksumTellsNothing() {
    let joined = ResultSet(joining: [Self.document(sha256: nil), Self.document(hits: 200)])
    #expect(joined.traces.map(\.name) == ["t"])
    #expect(joined.traces[0].sha256 == "abcdef0123456789")
    #expect(joined.measurements.map(\.trace) == ["t", "t"])
    #expect(joined.references.count == 1)
  }

  @Test func curvesOfOtherUnitsAreKept() {
    var sized = Self.document()
    sized.references[0].unit = .bytes
    #expect(ResultSet(joining: [Self.document(), sized]).references.count == 2)
  }

  @Test func commandsNameTracesAsTheyAreOnDisk() {
    var measured = Self.document(requests: 10_000)
    measured.environment.command = "evict sweep t --limit 10000"
    let joined = ResultSet(joining: [measured, Self.document()])
    #expect(
      joined.commands == ["evict sweep t --limit 10000\nevict sweep t --policy arc --capacity 10"])
  }
}
