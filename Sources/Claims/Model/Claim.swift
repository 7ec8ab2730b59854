/// A claim as an experiment: a sentence, conditions, and rules that are fixed before the run.
package struct Claim: Sendable {
  /// The identifier: `C9`.
  package let id: String
  /// The claim's sentence.
  package let sentence: String
  /// The statement that the experiment tests.
  package let hypothesis: String
  /// The name of the effect: what is divided by, or subtracted from, what.
  package let effect: String
  /// A remark on the platform.
  package let note: String?
  /// The conditions.
  package let conditions: [ClaimCondition]

  package init(
    _ id: String, _ sentence: String, hypothesis: String, effect: String, note: String? = nil,
    conditions: [ClaimCondition]
  ) {
    precondition(!conditions.isEmpty, "a claim has conditions")
    self.id = id
    self.sentence = sentence
    self.hypothesis = hypothesis
    self.effect = effect
    self.note = note
    self.conditions = conditions
  }

  /// All rules in words.
  package var rule: String {
    var texts: [String] = []
    for text in conditions.map(\.rule.description) where !texts.contains(text) {
      texts.append(text)
    }
    return "confirmed if \(effect) is " + texts.joined(separator: ", or ")
      + " (as each condition says) over the whole corrected interval; refuted if it is not"
  }
}

/// A combination of the levels of a claim's factors, with its rule and its trial.
package struct ClaimCondition: Sendable {
  /// The factors with their levels.
  package let factors: [(name: String, level: String)]
  /// The rule.
  package let rule: ClaimRule
  /// Measures once.
  package let trial: @Sendable (inout TrialContext) throws -> Trial

  package init(
    _ factors: KeyValuePairs<String, String>, _ rule: ClaimRule,
    trial: @escaping @Sendable (inout TrialContext) throws -> Trial
  ) {
    self.factors = factors.map { (name: $0.key, level: $0.value) }
    self.rule = rule
    self.trial = trial
  }
}

/// The measurement of one side of a trial.
package struct ClaimSample: Sendable {
  /// Nanoseconds, or a ratio.
  package let value: Double
  /// Further numbers, which no verdict depends on.
  package let details: KeyValuePairs<String, Double>

  package init(_ value: Double, _ details: KeyValuePairs<String, Double> = [:]) {
    self.value = value
    self.details = details
  }
}

/// The outcome of one trial.
package struct Trial: Sendable {
  /// Nanoseconds, a ratio, or a number of events.
  package let claimed: Double
  /// The value that it is compared with, or the number of attempts.
  package let other: Double
  /// Further numbers, which no verdict depends on.
  package let details: [(name: String, value: Double)]

  package init(
    claimed: Double, other: Double, details: KeyValuePairs<String, Double> = [:]
  ) {
    self.claimed = claimed
    self.other = other
    self.details = details.map { (name: $0.key, value: $0.value) }
  }

  /// The outcome of two sides; the names of their details begin with `claimed.` and `other.`.
  package init(_ claimed: ClaimSample, _ other: ClaimSample) {
    self.claimed = claimed.value
    self.other = other.value
    details =
      claimed.details.map { (name: "claimed.\($0.key)", value: $0.value) }
      + other.details.map { (name: "other.\($0.key)", value: $0.value) }
  }
}

/// The reason why a condition cannot be measured here.
package struct ClaimUnavailable: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
