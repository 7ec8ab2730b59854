import Laboratory
import Testing

/// What a comparison of two documents finds, and what a gate makes of it.
@Suite struct ResultComparisonTests {
  static func cell(_ policy: String, hits: Int = 10, speed: SpeedFigures? = nil)
    -> Laboratory.Measurement
  {
    var cell = Laboratory.Measurement(kind: .sweep, trace: "t", policy: policy, capacity: 10)
    cell.requests = 100
    cell.hits = hits
    cell.insertions = 90
    cell.speed = speed
    return cell
  }

  static func document(_ cells: [Laboratory.Measurement], toolchain: String = "Swift") -> ResultSet
  {
    ResultSet(
      environment: Environment(
        version: "1", commit: nil, toolchain: toolchain, os: "Linux", cpu: "c", cores: 2,
        date: "2026-01-01T00:00:00Z", architecture: "x86_64"),
      traces: [TraceSummary(name: "t", format: "plain", requests: 100, distinct: 20, sha256: "a")],
      measurements: cells)
  }

  static func compare(_ before: [Laboratory.Measurement], _ after: [Laboratory.Measurement])
    -> ResultComparison
  {
    ResultComparison(before: document(before), after: document(after))
  }

  /// Ratios around one with the noise of a busy machine: some rounds take half as long again.
  static func ratios(_ factor: Double, rounds: Int, seed: UInt64) -> [Double] {
    var state = seed
    return (0..<rounds).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let uniform = Double(state >> 11) / Double(1 << 53)
      return factor * (uniform > 0.9 ? 1.5 : 1 + 0.04 * uniform)
    }
  }

  @Test func equalDocumentsHaveNoFindings() {
    let cells = [Self.cell("lru"), Self.cell("arc", speed: SpeedFigures(instructions: 1000))]
    let comparison = Self.compare(cells, cells)
    #expect(comparison.differences.isEmpty)
    #expect(comparison.cells.count == 2)
    #expect(!Judgement.gate(comparison).hasFailed)
    #expect(Judgement.gate(comparison).summary == "2 runs compared: nothing differs")
  }

  @Test func oneHitMoreIsFound() {
    let comparison = Self.compare([Self.cell("lru")], [Self.cell("lru", hits: 11)])
    #expect(
      comparison.differences == [
        Difference(
          CellIdentity(Self.cell("lru")), "hits", before: 10, after: 11, .changed)
      ])
    #expect(Judgement.gate(comparison).hasFailed)
    #expect(!Judgement.information(comparison).hasFailed)
  }

  @Test func missingRunsFailAndNewOnesDoNot() {
    let comparison = Self.compare([Self.cell("lru")], [Self.cell("arc")])
    #expect(comparison.differences.map(\.verdict) == [.missing, .added])
    #expect(Judgement.gate(comparison).items.map(\.severity) == [.failure, .note])
  }

  @Test func anotherTraceFailsOnceAndIsNotCompared() {
    var after = Self.document([Self.cell("lru", hits: 1), Self.cell("arc", hits: 1)])
    after.traces[0].sha256 = "b"
    let comparison = ResultComparison(
      before: Self.document([Self.cell("lru"), Self.cell("arc")]), after: after)
    #expect(comparison.differences.map(\.figure) == ["trace"])
    #expect(Judgement.gate(comparison).hasFailed)
  }

  @Test func hitsOfSeveralThreadsAreNotCompared() {
    var before = Self.cell("lru")
    before.kind = .replay
    before.replay = Replay(threads: 2, lock: "mutex")
    var after = before
    after.hits = 11
    #expect(Self.compare([before], [after]).differences.isEmpty)
    before.replay?.threads = 1
    after.replay?.threads = 1
    #expect(Self.compare([before], [after]).differences.map(\.figure) == ["hits"])
  }

  @Test(arguments: [
    (1004, nil), (1006, Difference.Verdict.slower), (994, .faster), (1100, .slower),
  ])
  func instructionsAreComparedWithTheirTolerance(after: Int, verdict: Difference.Verdict?) {
    let comparison = Self.compare(
      [Self.cell("lru", speed: SpeedFigures(instructions: 1000))],
      [Self.cell("lru", speed: SpeedFigures(instructions: after))])
    #expect(comparison.differences.first?.verdict == verdict)
    #expect(Judgement.gate(comparison).hasFailed == (verdict == .slower))
  }

  @Test func instructionsOfAnotherCompilerAreNotCompared() {
    let comparison = ResultComparison(
      before: Self.document([Self.cell("lru", speed: SpeedFigures(instructions: 1000))]),
      after: Self.document(
        [Self.cell("lru", speed: SpeedFigures(instructions: 2000))], toolchain: "other"))
    #expect(comparison.differences.isEmpty)
    #expect(Judgement.gate(comparison).remarks.count == 1)
  }

  @Test func unchangedTimesAreNoAlarm() {
    for seed in 1...50 as ClosedRange<UInt64> {
      let comparison = Self.compare(
        [Self.cell("lru", speed: SpeedFigures(ratios: Self.ratios(1, rounds: 60, seed: seed)))],
        [Self.cell("lru", speed: SpeedFigures(ratios: Self.ratios(1, rounds: 60, seed: ~seed)))])
      #expect(!comparison.differences.contains { $0.verdict == .slower || $0.verdict == .faster })
    }
  }

  @Test(arguments: [(1.1, Difference.Verdict.slower), (1 / 1.1, .faster)])
  func timesThatGrewAreAdvice(factor: Double, verdict: Difference.Verdict) {
    for seed in 1...20 as ClosedRange<UInt64> {
      let comparison = Self.compare(
        [Self.cell("lru", speed: SpeedFigures(ratios: Self.ratios(1, rounds: 60, seed: seed)))],
        [
          Self.cell(
            "lru", speed: SpeedFigures(ratios: Self.ratios(factor, rounds: 60, seed: ~seed)))
        ])
      #expect(comparison.differences.map(\.verdict) == [verdict])
      #expect(!Judgement.gate(comparison).hasFailed)
    }
  }

  @Test func tooFewRoundsAreSaidToBeSo() {
    let comparison = Self.compare(
      [Self.cell("lru", speed: SpeedFigures(ratios: [1, 1, 1]))],
      [Self.cell("lru", speed: SpeedFigures(ratios: [1.2, 1.2, 1.2]))])
    #expect(comparison.differences.map(\.verdict) == [.unclear])
  }

  @Test func speedIsReadBackAsItWas() throws {
    let results = Self.document([
      Self.cell("lru", speed: SpeedFigures(instructions: 7, ratios: [1.5, 2])),
      Self.cell("arc", speed: SpeedFigures(ratios: [])),
    ])
    #expect(try ResultSet(reading: results.json.document.utf8, file: "x") == results)
  }
}
