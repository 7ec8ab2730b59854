import Foundation
import Results
import Statistics
import Traces

/// The verdicts of a claim, from its trials.
package enum Verdicts {
  /// The procedure in words, a part of each rule's hash.
  package static let procedure =
    "bootstrap of paired trials, Clopper-Pearson for proportions, Holm over the conditions, 95 %; "
    + TrialMachine.rule

  private static let confidence = 0.95

  /// An estimate in the scale in which it is averaged.
  private struct Estimate {
    let rule: ClaimRule
    let value: Double
    let interval: (_ confidence: Double) -> ClosedRange<Double>

    var limit: Double { rule.statistic == .ratio ? log(rule.limit) : rule.limit }

    init?(_ trials: [Trial], _ rule: ClaimRule, seed: Int) {
      self.rule = rule
      if rule.statistic == .proportion {
        let attempts = Int(trials.reduce(0) { $0 + $1.other })
        if attempts == 0 { return nil }
        let events = Int(trials.reduce(0) { $0 + $1.claimed })
        let proportion = ProportionInterval(events: events, attempts: attempts)
        (value, interval) = (proportion.value, proportion.interval)
        return
      }
      let differences = trials.map {
        rule.statistic == .ratio ? log($0.claimed / $0.other) : $0.claimed - $0.other
      }
      if rule.isExact, let first = differences.first {
        value = first
        interval = { _ in first...first }
      } else if let bootstrap = try? PairedBootstrap(differences, seed: seed) {
        (value, interval) = (bootstrap.value, bootstrap.interval)
      } else {
        return nil
      }
    }

    /// The distance of the value from the limit, in margins.
    var distance: Double { abs(value - limit) / rule.margin }

    /// A value in the scale of the rule.
    func plain(_ value: Double) -> Double { rule.statistic == .ratio ? exp(value) : value }

    func verdict(_ confidence: Double) -> ClaimVerdict {
      let interval = interval(confidence)
      let (below, above) = (interval.upperBound < limit, interval.lowerBound > limit)
      return switch rule.side {
      case .below: below ? .confirmed : above ? .refuted : .undecided
      case .above: above ? .confirmed : below ? .refuted : .undecided
      }
    }
  }

  /// The fewest trials that a verdict by this rule rests on.
  static func least(_ rule: ClaimRule) -> Int { rule.isExact ? 1 : 6 }

  /// True where more trials would not change what is known: half the interval is at most a quarter of the
  /// margin, or of the distance to the limit.
  static func isNarrow(_ trials: [Trial], of claim: Claim, condition: Int, seed: Int) -> Bool {
    let rule = claim.conditions[condition].rule
    guard trials.count >= least(rule), let estimate = Estimate(trials, rule, seed: seed) else {
      return false
    }
    let corrected = 1 - (1 - confidence) / Double(claim.conditions.count)
    let interval = estimate.interval(corrected)
    let half = (interval.upperBound - interval.lowerBound) / 2
    return half <= max(rule.margin, abs(estimate.value - estimate.limit)) / 4
  }

  /// Fills in the verdicts, effects and rules of a claim.
  ///
  /// - Parameters:
  ///   - trials: Those of each condition.
  ///   - reasons: Why a condition has too few of them.
  package static func document(
    of claim: Claim, trials: [[Trial]], reasons: [Int: String], seed: Int
  ) -> ClaimDocument {
    let estimates = claim.conditions.indices.map { index in
      let (rule, trials) = (claim.conditions[index].rule, trials[index])
      let isMeasured = reasons[index] == nil && trials.count >= least(rule)
      return isMeasured ? Estimate(trials, rule, seed: seed) : nil
    }
    let known = estimates.compactMap { $0 }
    var confidences = HolmIntervals.confidences(
      of: known.map { HolmIntervals.Comparison(limit: $0.limit, interval: $0.interval) },
      confidence: confidence)[...]
    var document = ClaimDocument()
    document.conditions = claim.conditions.indices.map { index in
      let condition = claim.conditions[index]
      var result = ClaimConditionResult()
      result.factors = condition.factors.map { JSON.Member($0.name, .string($0.level)) }
      result.rule = condition.rule.description
      result.limit = condition.rule.limit
      result.trials = trials[index].count
      result.reason = reasons[index]
      result.details = medians(trials[index])
      guard let estimate = estimates[index], let confidence = confidences.popFirst() else {
        return result
      }
      let interval = estimate.interval(confidence)
      result.confidence = condition.rule.isExact ? nil : confidence
      result.effect = ClaimEffect {
        $0.name = claim.effect
        $0.value = estimate.plain(estimate.value)
        $0.interval = estimate.plain(interval.lowerBound)...estimate.plain(interval.upperBound)
      }
      result.verdict = estimate.verdict(confidence)
      return result
    }
    document.id = claim.id
    document.claim = claim.sentence
    document.hypothesis = claim.hypothesis
    document.note = claim.note
    document.rule = claim.rule
    document.ruleHash = claim.ruleHash
    document.verdict = whole(document.conditions.map(\.verdict))
    let measured = claim.conditions.indices.compactMap { index in
      estimates[index].map { (distance: $0.distance, effect: document.conditions[index].effect) }
    }
    document.effect = measured.min { $0.distance < $1.distance }?.effect
    document.seed = seed
    return document
  }

  /// The medians of what trials tell besides, each under its name.
  private static func medians(_ trials: [Trial]) -> [JSON.Member] {
    (trials.first?.details.map(\.name) ?? []).map { name in
      let values = trials.compactMap { $0.details.first { $0.name == name }?.value }.sorted()
      let middle = (values[(values.count - 1) / 2] + values[values.count / 2]) / 2
      return JSON.Member(name, .number(middle))
    }
  }

  /// The verdict on a claim with these verdicts on its conditions.
  package static func whole(_ verdicts: [ClaimVerdict]) -> ClaimVerdict {
    let distinct = Set(verdicts)
    if distinct.isSuperset(of: [.confirmed, .refuted]) { return .depends }
    return distinct.count == 1 ? verdicts[0] : .undecided
  }
}

extension Claim {
  /// The SHA-256 of all that decides the verdict.
  package var ruleHash: String {
    var lines = [id, sentence, hypothesis, effect, Verdicts.procedure]
    lines += conditions.map { condition in
      let factors = condition.factors.map { "\($0.name)=\($0.level)" }.joined(separator: " ")
      return "\(factors): \(condition.rule)"
    }
    var hash = SHA256()
    Array(lines.joined(separator: "\n").utf8).withUnsafeBytes { hash.update($0) }
    return hash.hexadecimal()
  }
}
