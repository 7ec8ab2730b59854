import Foundation
import Statistics
import Testing

@Suite struct SequentialRatioTestTests {
  private struct Outcome {
    var slower = 0.0
    var notSlower = 0.0
    var medianRounds = 0
  }

  /// Rounds on a machine that wanders by 2 % between two times, where one time in twenty is wild and a coin
  /// says who goes first.
  private func outcome(
    slowdown: Double, _ design: SequentialRatioTest.Design, simulations count: Int
  ) throws -> Outcome {
    var (outcome, rounds) = (Outcome(), [Int]())
    let slower = try share(of: count) { draws in
      var test = SequentialRatioTest(design)
      var speed = 1.0
      for candidateFirst in design.order(seed: rounds.count) where test.verdict == .undecided {
        let first = speed * draws.time()
        speed *= exp(0.02 * draws.normal())
        let second = 1.01 * speed * draws.time()
        let (baseline, candidate) = candidateFirst ? (second, first) : (first, second)
        try test.add(baseline: baseline, candidate: (1 + slowdown) * candidate)
      }
      rounds.append(test.rounds)
      if test.verdict == .notSlower { outcome.notSlower += 1 / Double(count) }
      return test.verdict == .slower
    }
    outcome.slower = slower
    outcome.medianRounds = rounds.sorted()[count / 2]
    return outcome
  }

  @Test(.enabled(if: isOptimized)) func falseAlarmsAreAsRareAsStated() throws {
    let design = SequentialRatioTest.Design(falseAlarm: 0.05, missed: 0.05, rounds: 100)
    let equal = try outcome(slowdown: 0, design, simulations: simulations(1_000))
    #expect(equal.slower <= 0.05)
    #expect(equal.notSlower > 0.9)
    let faster = try outcome(slowdown: -0.05, design, simulations: simulations(400))
    #expect(faster.slower == 0 && faster.notSlower > 0.99)
  }

  /// Slow-downs that were planted, and how many of them are found.
  @Test(.enabled(if: isOptimized), arguments: [(0.03, 0.6), (0.05, 0.85), (0.10, 0.95)])
  func plantedSlowdownsAreFound(_ slowdown: Double, _ power: Double) throws {
    let design = SequentialRatioTest.Design(slowdown: slowdown, rounds: 100)
    let planted = try outcome(slowdown: slowdown, design, simulations: simulations(400))
    #expect(planted.slower >= power)
    #expect(planted.notSlower <= design.missed)
  }

  @Test func firstAnswerStays() throws {
    var test = SequentialRatioTest(.init(slowdown: 0.1, rounds: 30))
    for _ in 0..<30 { try test.add(baseline: 1, candidate: 2) }
    #expect(test.verdict == .slower)
    let rounds = test.rounds
    #expect(rounds < 30)
    try test.add(baseline: 2, candidate: 1)
    #expect(test.verdict == .slower && test.rounds == rounds)
  }

  @Test func roundsRunOut() throws {
    var test = SequentialRatioTest(.init(slowdown: 0.01, rounds: 3))
    for _ in 0..<5 { try test.add(baseline: 1, candidate: 1.005) }
    #expect(test.verdict == .undecided && test.rounds == 3)
  }

  @Test func oneWildRoundLeavesTheEvidenceNearlyAlone() throws {
    var (calm, wild) = (SequentialRatioTest(.init()), SequentialRatioTest(.init()))
    var draws = Draws(seed: 1)
    for _ in 0..<8 {
      let candidate = 1 + 0.01 * draws.normal()
      try calm.add(baseline: 1, candidate: candidate)
      try wild.add(baseline: 1, candidate: candidate)
    }
    try wild.add(baseline: 1, candidate: 50)
    #expect(wild.evidenceOfSlowdown < 1.5 * calm.evidenceOfSlowdown)
    try wild.add(baseline: 1e-300, candidate: 1e300)
    #expect(wild.evidenceOfSlowdown < 1.5 * calm.evidenceOfSlowdown)
  }

  @Test func orderIsThatOfItsSeed() {
    let design = SequentialRatioTest.Design(rounds: 200)
    #expect(design.order(seed: 1) == design.order(seed: 1))
    #expect(design.order(seed: 1) != design.order(seed: 2))
    let first = design.order(seed: 1).filter { $0 }.count
    #expect((70...130).contains(first))
  }

  @Test func timesArePositive() throws {
    var test = SequentialRatioTest(.init())
    let error = #expect(throws: StatisticsError.self) { try test.add(baseline: 0, candidate: 1) }
    #expect(error?.description == "a time of round 1 is 0.0; times are positive")
    #expect(throws: StatisticsError.self) { try test.add(baseline: 1, candidate: .nan) }
    #expect(test.rounds == 0)
  }
}

@Suite struct SequentialPowerTests {
  private func noise() -> [Double] {
    var draws = Draws(seed: 9)
    return (0..<60).map { _ in draws.time() / draws.time() }
  }

  @Test func largerSlowdownsAreFoundSooner() throws {
    let design = SequentialRatioTest.Design(slowdown: 0.03)
    let powers = try [0.0, 0.03, 0.05, 0.1].map {
      try SequentialPower(
        design, slowdown: $0, noise: noise(), simulations: isOptimized ? 500 : 20, seed: 1)
    }
    #expect(powers[0].slower <= 0.03 && powers[0].notSlower > 0.5)
    #expect(powers[3].slower > 0.95)
    #expect(powers[3].medianRounds < powers[1].medianRounds)
    for power in powers {
      #expect(abs(power.slower + power.notSlower + power.undecided - 1) < 1e-12)
    }
  }

  @Test func repeatsWithItsSeed() throws {
    let design = SequentialRatioTest.Design()
    func power() throws -> SequentialPower {
      try SequentialPower(design, slowdown: 0.05, noise: noise(), simulations: 5, seed: 3)
    }
    #expect(try power() == power())
  }

  @Test func noiseIsNeeded() {
    #expect(throws: StatisticsError.self) {
      try SequentialPower(.init(), slowdown: 0.05, noise: [1, 1], seed: 1)
    }
    #expect(throws: StatisticsError.self) {
      try SequentialPower(.init(), slowdown: 0.05, noise: [1, -1], seed: 1)
    }
  }
}
