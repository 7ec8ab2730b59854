import Comparison
import Results
import Testing

/// The findings of a comparison of two documents, and the verdict of a gate on them.
@Suite struct ResultComparisonTests {
  static func cell(_ policy: String, hits: Int = 10, speed: SpeedFigures? = nil)
    -> Results.Measurement
  {
    var cell = Results.Measurement(kind: .sweep, trace: "t", policy: policy, capacity: 10)
    cell.requests = 100
    cell.hits = hits
    cell.insertions = 90
    cell.speed = speed
    return cell
  }

  static let environment = Environment {
    $0.version = "1"
    $0.toolchain = "Swift"
    $0.os = "Linux"
    $0.cpu = "c"
    $0.cores = 2
    $0.date = "2026-01-01T00:00:00Z"
    $0.architecture = "x86_64"
  }

  static func document(
    _ cells: [Results.Measurement], environment: Environment = environment
  ) -> ResultSet {
    ResultSet(
      environment: environment,
      traces: [TraceSummary(name: "t", format: "plain", requests: 100, distinct: 20, sha256: "a")],
      measurements: cells)
  }

  static func compare(_ before: [Results.Measurement], _ after: [Results.Measurement])
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
    #expect(comparison.cells.count == 2 && comparison.compared == 2)
    #expect(comparison.omissions.isEmpty)
    #expect(!Judgement.gate(comparison).hasFailed)
    #expect(Judgement.gate(comparison).summary == "2 runs compared: nothing differs")
  }

  @Test func oneHitMoreIsFound() {
    let comparison = Self.compare([Self.cell("lru")], [Self.cell("lru", hits: 11)])
    #expect(
      comparison.differences == [
        Difference(
          CellKey(Self.cell("lru")), "hits", before: 10, after: 11, .changed)
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
    before.replay = Replay {
      $0.threads = 2
      $0.lock = "mutex"
    }
    var after = before
    after.hits = 11
    let comparison = Self.compare([before], [after])
    #expect(comparison.differences.isEmpty && comparison.compared == 0)
    #expect(
      comparison.omissions.map(\.sentence) == [
        "hits of 1 run are not compared: several threads hit what the scheduler lets them"
      ])
    before.replay?.threads = 1
    after.replay?.threads = 1
    #expect(Self.compare([before], [after]).differences.map(\.figure) == ["hits"])
  }

  @Test func nothingComparedFails() {
    var replay = Self.cell("lru")
    replay.kind = .replay
    replay.replay = Replay {
      $0.threads = 2
      $0.lock = "mutex"
    }
    for cells in [[], [replay]] {
      let judgement = Judgement.gate(Self.compare(cells, cells))
      #expect(judgement.hasFailed && judgement.items.isEmpty)
      #expect(judgement.remarks[0].severity == .failure)
      #expect(
        judgement.remarks[0].text
          == "no run could be compared; is this the baseline of these results?")
      #expect(judgement.summary == "no run compared: 1 failure")
    }
  }

  @Test func someComparedIsSaid() {
    var replay = Self.cell("lru")
    replay.replay = Replay {
      $0.threads = 2
      $0.lock = "mutex"
    }
    let judgement = Judgement.gate(
      Self.compare([Self.cell("lru"), replay], [Self.cell("lru"), replay]))
    #expect(!judgement.hasFailed)
    #expect(judgement.summary == "1 of 2 runs compared: nothing differs")
    #expect(judgement.remarks.map(\.severity) == [.note])
  }

  @Test func repeatedRunsAreComparedInTheirOrder() {
    let before = [Self.cell("lru", hits: 10), Self.cell("lru", hits: 12)]
    #expect(Self.compare(before, before).compared == 2)
    let changed = Self.compare(before, [Self.cell("lru"), Self.cell("lru", hits: 13)])
    #expect(changed.differences.map(\.before) == [12])
    #expect(changed.differences.map(\.after) == [13])
    #expect(Self.compare(before, [Self.cell("lru")]).differences.map(\.verdict) == [.missing])
    #expect(Self.compare([Self.cell("lru")], before).differences.map(\.verdict) == [.added])
  }

  @Test func boundsOfBytesAreCompared() {
    var before = Self.cell("bounds")
    before.kind = .bounds
    before.byteHitRatioBounds = 0.25...0.5
    var after = before
    after.byteHitRatioBounds = 0.25...0.75
    #expect(Self.compare([before], [after]).differences.map(\.figure) == ["byte hit ratio bounds"])
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

  @Test func instructionsThatAreGoneAreSaid() {
    let counted = [Self.cell("lru", speed: SpeedFigures(instructions: 1000, ratios: Self.calm))]
    let uncounted = [Self.cell("lru", speed: SpeedFigures(ratios: Self.calm))]
    let gone = Self.compare(counted, uncounted)
    #expect(
      gone.omissions.map(\.sentence) == [
        "instructions of 1 run are not compared: the new results have none; "
          + "use evict speed where valgrind is installed"
      ])
    #expect(Judgement.gate(gone).remarks.map(\.severity) == [.advice])
    #expect(!Judgement.gate(gone).hasFailed)
    #expect(Judgement.gate(gone, requiresInstructions: true).hasFailed)
    #expect(!Judgement.gate(Self.compare(counted, counted), requiresInstructions: true).hasFailed)
    let unmeasured = Self.compare(counted, [Self.cell("lru")])
    #expect(unmeasured.omissions.map(\.figure) == ["instructions", "times"])
    let grown = Self.compare([Self.cell("lru")], counted)
    #expect(
      grown.omissions.map(\.reason) == [
        "the results before have none", "the results before have none",
      ])
  }

  /// Neither document has any, or only a run of one that the other lacks.
  @Test func instructionsThatWereNeverCountedAreNoSuccess() {
    let uncounted = Self.cell("lru", speed: SpeedFigures(ratios: Self.calm))
    let counted = Self.cell("arc", speed: SpeedFigures(instructions: 1000))
    for (before, after) in [
      ([Self.cell("lru")], [Self.cell("lru")]), ([uncounted], [uncounted]),
      ([uncounted], [uncounted, counted]),
    ] {
      let comparison = Self.compare(before, after)
      #expect(!Judgement.gate(comparison).hasFailed)
      let judgement = Judgement.gate(comparison, requiresInstructions: true)
      #expect(judgement.hasFailed)
      #expect(
        judgement.remarks.map(\.text) == [
          "no instructions were counted: install valgrind, and measure the results and the baseline with "
            + "evict speed"
        ])
      #expect(judgement.summary.hasPrefix("1 "))
      #expect(!judgement.summary.contains("nothing differs"))
    }
  }

  /// A baseline that is made anew.
  @Test func runsThatDoNotDifferStayInABaseline() {
    func cell(_ policy: String, _ speed: SpeedFigures, hits: Int = 10) -> Results.Measurement {
      Self.cell(policy, hits: hits, speed: speed)
    }
    let other = Self.calm.map { $0 + 0.001 }
    let old = SpeedFigures(instructions: 1000, ratios: Self.calm)
    let new = SpeedFigures(instructions: 1001, ratios: other)
    let before = [cell("lru", old), cell("arc", old), cell("fifo", old), cell("lfu", old)]
    let after = [
      cell("lru", new), cell("arc", new, hits: 11),
      cell("fifo", SpeedFigures(instructions: 900, ratios: other)),
      // More rounds are what was wanted.
      cell("lfu", SpeedFigures(instructions: 1001, ratios: other + other)), cell("sieve", new),
    ]
    func kept(_ before: ResultSet, _ after: ResultSet) -> [Bool] {
      let results = after.keepingRuns(of: before, tolerances: .init())
      return zip(results.measurements, after.measurements).map { $0 != $1 }
    }
    let baseline = Self.document(before)
    #expect(kept(baseline, Self.document(after)) == [true, false, false, false, false])
    var elsewhere = Self.environment
    elsewhere.cpu = "other"
    let moved = Self.document(after, environment: elsewhere)
    #expect(!kept(baseline, moved).contains(true))
    var changed = Self.document(after)
    changed.traces[0].sha256 = "b"
    #expect(!kept(baseline, changed).contains(true))
  }

  /// A run of `evict speed`.
  private static func speed(
    _ form: Results.Measurement.Form?, hits: Int = 10, instructions: Int = 1000
  ) -> Results.Measurement {
    var cell = cell(
      "lru", hits: hits, speed: SpeedFigures(instructions: instructions, ratios: calm))
    cell.form = form
    return cell
  }

  @Test func formsAreComparedEachWithItsOwn() {
    let before = [Self.speed(.policy), Self.speed(.cache), Self.speed(.theorem)]
    #expect(Self.compare(before, before).compared == 3)
    for (place, label) in ["lru at 10", "lru at 10, cache", "lru at 10, theorem"].enumerated() {
      var after = before
      after[place].hits += 1
      after[place].speed?.instructions = 2000
      let found = Self.compare(before, after).differences
      #expect(found.map(\.figure) == ["hits", "instructions"])
      #expect(found.allSatisfy { $0.cell.label == label })
      after.remove(at: place)
      let lost = Self.compare(before, after).differences
      #expect(lost.map(\.verdict) == [.missing] && lost[0].cell.label == label)
    }
  }

  @Test func aPolicyAloneIsHeldAgainstTheRunOfASweep() {
    let comparison = Self.compare([Self.cell("lru")], [Self.speed(.policy)])
    #expect(comparison.compared == 1 && comparison.differences.isEmpty)
    let fewer = Self.compare([Self.cell("lru", hits: 11)], [Self.speed(.policy)])
    #expect(fewer.differences.map(\.figure) == ["hits"])
  }

  @Test func instructionsOfAnUnknownFormAreNotCompared() {
    let old = [Self.speed(nil, instructions: 5)]
    let new = [Self.speed(.policy), Self.speed(.cache)]
    let comparison = Self.compare(old, new)
    #expect(comparison.differences.map(\.verdict) == [.added])
    #expect(comparison.omissions.map(\.figure) == ["instructions", "times"])
    #expect(
      comparison.omissions[0].sentence
        == "instructions of 1 run are not compared: the results before do not say in which form the "
        + "policy ran, as an earlier version wrote them; measure them again")
    #expect(!Judgement.gate(comparison).hasFailed)
    #expect(Judgement.gate(comparison, requiresInstructions: true).hasFailed)
    let fewer = Self.compare([Self.speed(nil, hits: 11)], new)
    #expect(Judgement.gate(fewer).hasFailed)
    #expect(Self.compare(old, old).omissions.isEmpty)
  }

  /// Facts of the other machine, and what is not compared for them.
  @Test(arguments: [
    ("toolchain", "another compiler, processor or system (Swift → other)"),
    ("architecture", "another compiler, processor or system (x86_64 → other)"),
    ("os", "another compiler, processor or system (Linux → other)"), ("cpu", nil),
  ])
  func anotherMachineIsNotCompared(_ fact: String, _ reason: String?) {
    var other = Self.environment
    switch fact {
    case "toolchain": other.toolchain = "other"
    case "architecture": other.architecture = "other"
    case "os": other.os = "other"
    default: other.cpu = "other"
    }
    let before = Self.cell("lru", speed: SpeedFigures(instructions: 1000, ratios: Self.calm))
    let after = Self.cell(
      "lru", speed: SpeedFigures(instructions: 2000, ratios: Self.calm.map { 2 * $0 }))
    let comparison = ResultComparison(
      before: Self.document([before]), after: Self.document([after], environment: other))
    #expect(
      comparison.differences.map(\.figure) == (reason == nil ? ["instructions"] : []))
    let instructions = comparison.omissions.first { $0.figure == "instructions" }
    #expect(instructions?.reason == reason)
    let times = comparison.omissions.first { $0.figure == "times" }
    #expect(times?.reason.hasPrefix("another machine (") == true)
    #expect(Judgement.gate(comparison, requiresInstructions: true).hasFailed)
  }

  /// Ratios of a quiet machine.
  static let calm = (0..<20).map { 1 + 0.01 * Double($0 * 7 % 20) / 20 }

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
    #expect(comparison.differences.isEmpty)
    #expect(
      comparison.omissions.map(\.sentence) == [
        "times of 1 run are not compared: 3 times in a set, and at least 10 are needed; "
          + "repeat the measurement"
      ])
  }

  @Test func noiseThatHidesAGrowthIsSaid() {
    let wild = [1, 1.5, 0.8, 1.3, 0.9, 1.6, 0.7, 1.2, 1.1, 0.85, 1.4, 0.95]
    let comparison = Self.compare(
      [Self.cell("lru", speed: SpeedFigures(ratios: wild))],
      [Self.cell("lru", speed: SpeedFigures(ratios: wild.map { 1.1 * $0 }))])
    #expect(comparison.differences.map(\.verdict) == [.unclear])
    #expect(
      comparison.differences.map(\.reason) == ["12 rounds are too few for this noise"])
    #expect(Judgement.gate(comparison).items.map(\.severity) == [.note])
  }

  @Test func timesThatDriftAreSaid() {
    let rising = (0..<20).map { 1 + 0.1 * Double($0) }
    let comparison = Self.compare(
      [Self.cell("lru", speed: SpeedFigures(ratios: rising))],
      [Self.cell("lru", speed: SpeedFigures(ratios: rising.map { 3 * $0 }))])
    #expect(comparison.differences.map(\.verdict) == [.unclear])
    #expect(comparison.differences.map(\.reason) == ["the times drift in themselves"])
  }

  @Test func aSlowerTimeSaysByHowMuch() {
    let comparison = Self.compare(
      [Self.cell("lru", speed: SpeedFigures(ratios: Self.calm))],
      [Self.cell("lru", speed: SpeedFigures(ratios: Self.calm.map { 1.2 * $0 }))])
    #expect(comparison.differences.map(\.verdict) == [.slower])
    let reason = comparison.differences.first?.reason ?? ""
    #expect(reason.wholeMatch(of: /by \+19\.[0-9] % to \+2[01]\.[0-9] %/) != nil, "\(reason)")
  }
}
