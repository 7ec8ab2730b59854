import Claims
import Foundation
import Results
import Testing

/// Verdicts on planted trials.
@Suite struct VerdictTests {
  /// A claim of two conditions by these rules.
  private func claim(_ rules: ClaimRule...) -> Claim {
    Claim(
      "C0", "A planted claim.", hypothesis: "It holds.", effect: "claimed / other",
      conditions: rules.enumerated().map { index, rule in
        ClaimCondition(["condition": "\(index)"], rule) { _ in Trial(claimed: 1, other: 1) }
      })
  }

  /// Trials around a ratio, alternately this much above and below it.
  private func trials(ratio: Double, noise: Double = 0.01, count: Int = 12) -> [Trial] {
    (0..<count).map { index in
      Trial(claimed: ratio * exp(index % 2 == 0 ? noise : -noise), other: 1)
    }
  }

  private func verdict(_ claim: Claim, _ trials: [Trial]...) -> ClaimVerdict {
    Verdicts.document(of: claim, trials: trials, reasons: [:], seed: 1).verdict
  }

  @Test func halfTheTimeConfirmsFaster() {
    #expect(verdict(claim(.faster), trials(ratio: 0.5)) == .confirmed)
  }

  @Test func equalTimesRefuteFaster() {
    #expect(verdict(claim(.faster), trials(ratio: 1)) == .refuted)
  }

  @Test func equalTimesConfirmNotSlower() {
    #expect(verdict(claim(.notSlower), trials(ratio: 1)) == .confirmed)
  }

  @Test func bothVerdictsMakeOneThatDepends() {
    let claim = claim(.faster, .faster)
    #expect(verdict(claim, trials(ratio: 0.5), trials(ratio: 2)) == .depends)
  }

  @Test func aConditionWithoutVerdictLeavesTheWholeUndecided() {
    let claim = claim(.faster, .faster)
    #expect(verdict(claim, trials(ratio: 0.5), trials(ratio: 1 / 1.1)) == .undecided)
    #expect(verdict(claim, trials(ratio: 0.5), trials(ratio: 0.5, count: 5)) == .undecided)
  }

  @Test func noiseIsUndecided() {
    #expect(verdict(claim(.faster), trials(ratio: 0.8, noise: 1)) == .undecided)
    #expect(verdict(claim(.faster), trials(ratio: 1, noise: 1)) == .undecided)
  }

  @Test func anExactCountNeedsOneTrial() {
    let better = [Trial(claimed: 0.506, other: 0.5)]
    let equal = [Trial(claimed: 0.504, other: 0.5)]
    #expect(verdict(claim(.hitsMore), better) == .confirmed)
    #expect(verdict(claim(.hitsMore), equal) == .refuted)
  }

  @Test func rareEventsTakeManyAttempts() {
    let attempts = { (count: Double) in (0..<10).map { _ in Trial(claimed: 0, other: count) } }
    #expect(verdict(claim(.neverHappens), attempts(10)) == .undecided)
    #expect(verdict(claim(.neverHappens), attempts(100)) == .confirmed)
    #expect(
      verdict(claim(.neverHappens), (0..<10).map { _ in Trial(claimed: 5, other: 100) })
        == .refuted)
  }

  @Test func aFailedConditionHasItsReasonAndNoVerdict() {
    let document = Verdicts.document(
      of: claim(.faster), trials: [trials(ratio: 0.5)], reasons: [0: "no disk"], seed: 1)
    #expect(document.verdict == .undecided)
    #expect(document.conditions[0].reason == "no disk")
  }

  @Test func manyConditionsWidenTheIntervals() throws {
    let alone = Verdicts.document(
      of: claim(.faster), trials: [trials(ratio: 0.9, noise: 0.05)], reasons: [:], seed: 1)
    let among = Verdicts.document(
      of: claim(.faster, .faster, .faster),
      trials: Array(repeating: trials(ratio: 0.9, noise: 0.05), count: 3), reasons: [:], seed: 1)
    let narrow = try #require(alone.conditions[0].effect?.interval)
    let wide = try #require(among.conditions[0].effect?.interval)
    #expect(wide.lowerBound < narrow.lowerBound && narrow.upperBound < wide.upperBound)
    #expect(alone.conditions[0].confidence == 0.95)
    #expect(abs((among.conditions[0].confidence ?? 0) - (1 - 0.05 / 3)) < 1e-12)
  }

  @Test func theRuleHashFollowsTheRules() {
    #expect(claim(.faster).ruleHash == claim(.faster).ruleHash)
    #expect(claim(.faster).ruleHash != claim(.slower).ruleHash)
    #expect(claim(.faster).ruleHash != claim(.faster, .faster).ruleHash)
  }
}
