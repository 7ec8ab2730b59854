/// The verdict on a claim, or on one of its conditions.
package enum ClaimVerdict: String, Sendable, CaseIterable, JSONValue {
  /// The interval lies wholly on the claim's side of the margin.
  case confirmed
  /// The interval lies wholly off the claim's side.
  case refuted
  /// Conditions give both.
  case depends
  /// Anything else.
  case undecided
}

/// A claim with its verdict and the trials behind it: `evictionlab.claim/1`.
package struct ClaimDocument: Sendable, Equatable {
  /// The document's schema.
  package static let schema = "evictionlab.claim/1"

  /// The claim's identifier.
  package var id = ""
  /// The claim's sentence.
  package var claim = ""
  /// The statement that the experiment tests.
  package var hypothesis = ""
  /// The verdict on the whole.
  package var verdict = ClaimVerdict.undecided
  /// The verdicts of all runs, each in another order; empty for one run.
  package var verdicts: [ClaimVerdict] = []
  /// The effect under the condition that lies nearest to its limit.
  package var effect: ClaimEffect?
  /// The conditions, each with its verdict.
  package var conditions: [ClaimConditionResult] = []
  /// The rule in words, fixed before the run.
  package var rule = ""
  /// The SHA-256 of the identifier, hypothesis, conditions and rules.
  package var ruleHash = ""
  /// A remark on the platform.
  package var note: String?
  /// The seed of the random order and of the workloads.
  package var seed = 42
  /// True for a run with few trials.
  package var isQuick = false
  /// The machine.
  package var environment = Environment.blank
  /// The trials, in the order in which they ran.
  package var results: [ClaimTrial] = []

  package init() {}

  /// True if all runs came to the same verdict.
  package var agrees: Bool { Set(verdicts).count <= 1 }

  /// Adds the verdicts of a run of the same claim, on the whole and on each condition.
  package mutating func addVerdicts(of run: ClaimDocument) {
    verdicts.append(run.verdict)
    for (place, condition) in run.conditions.enumerated() {
      conditions[place].verdicts.append(condition.verdict)
    }
  }

  /// Reads a document.
  ///
  /// - Throws: ``ResultSetError`` when it is not JSON, has another schema or lacks a value.
  package init(reading bytes: some Sequence<UInt8>, file: String) throws(ResultSetError) {
    try self.init(JSONNode(reading: bytes, schema: ClaimDocument.schema, file: file))
  }

  /// The document as text.
  package var text: String { json.document }
}

/// An estimate with its interval.
package struct ClaimEffect: Sendable, Equatable {
  /// The name of the number.
  package var name: String
  /// The estimate.
  package var value: Double
  /// The corrected interval.
  package var interval: ClosedRange<Double>

  package init(name: String, value: Double, interval: ClosedRange<Double>) {
    self.name = name
    self.value = value
    self.interval = interval
  }
}

/// A condition of a claim, as it came out.
package struct ClaimConditionResult: Sendable, Equatable {
  /// The levels of the factors.
  package var factors: [JSON.Member] = []
  /// The rule in words.
  package var rule = ""
  /// The limit that the interval is compared with.
  package var limit = 0.0
  /// The verdict.
  package var verdict = ClaimVerdict.undecided
  /// The verdicts of all runs, each in another order; empty for one run.
  package var verdicts: [ClaimVerdict] = []
  /// The effect; nil without enough trials.
  package var effect: ClaimEffect?
  /// The confidence of the interval, corrected for the number of conditions.
  package var confidence: Double?
  /// The number of trials.
  package var trials = 0
  /// The trials that do not count, as the machine was disturbed.
  package var disturbed = 0
  /// The medians of the trials' further numbers, which no verdict depends on.
  package var details: [JSON.Member] = []
  /// The reason for a condition without a verdict.
  package var reason: String?

  package init() {}
}

/// One trial.
package struct ClaimTrial: Sendable, Equatable {
  /// The number of the condition, from 0.
  package var condition: Int
  /// The place of the trial in the whole run's order, from 0.
  package var order: Int
  /// The value of what the claim is about: nanoseconds, a ratio or a number of events.
  package var claimed: Double
  /// The value of what it is compared with, or the number of attempts.
  package var other: Double
  /// Further numbers.
  package var details: [JSON.Member]
  /// The disturbances of the machine, for which the trial does not count.
  package var disturbances: [String] = []

  package init(
    condition: Int, order: Int, claimed: Double, other: Double, details: [JSON.Member]
  ) {
    self.condition = condition
    self.order = order
    self.claimed = claimed
    self.other = other
    self.details = details
  }
}

extension ClaimDocument: Documented {
  package static let blank = ClaimDocument()
  package static let fields: [Field<ClaimDocument>] = [
    .constant("schema", schema, "the kind of document and its version"),
    Field("id", \.id, .descriptive, "the claim's identifier"),
    Field("claim", \.claim, .descriptive, "the claim's sentence"),
    Field("hypothesis", \.hypothesis, .descriptive, "the statement that the experiment tests"),
    Field("verdict", \.verdict, .timed, "the verdict on the whole"),
    .unless(
      [], "verdicts", \.verdicts, .timed,
      "with `--repeat`, the verdicts of all runs, in other orders"),
    Field("effect", \.effect, "the effect under the condition that lies nearest to its limit"),
    Field("conditions", \.conditions, "the conditions, each with its verdict"),
    Field("rule", \.rule, .descriptive, "the rule, fixed before the run"),
    Field(
      "ruleHash", \.ruleHash, .descriptive,
      "the SHA-256 of the identifier, hypothesis, conditions and rules"),
    .unless(nil, "note", \.note, .descriptive, "a remark on the platform"),
    Field("seed", \.seed, .descriptive, "the seed of the random order and of the workloads"),
    .unless(false, "quick", \.isQuick, .descriptive, "true for a run with few trials"),
    Field("environment", \.environment, "where, when and with what it was measured"),
    Field("results", \.results, "the trials, in the order in which they ran"),
  ]
}

extension ClaimEffect: Documented {
  package static let blank = ClaimEffect(name: "", value: 0, interval: 0...0)
  package static let fields: [Field<ClaimEffect>] = [
    Field("name", \.name, .exact, "the name of the number"),
    Field("value", \.value, .timed, "the estimate"),
    Field("interval", \.interval, .timed, "the interval, corrected for the number of conditions"),
  ]
}

extension ClaimConditionResult: Documented {
  package static let blank = ClaimConditionResult()
  package static let fields: [Field<ClaimConditionResult>] = [
    Field("factors", \.factors, .members, .exact, "the levels of the factors"),
    Field("rule", \.rule, .exact, "the rule"),
    Field("limit", \.limit, .exact, "the limit that the interval is compared with"),
    Field("verdict", \.verdict, .timed, "the verdict"),
    .unless(
      [], "verdicts", \.verdicts, .timed,
      "with `--repeat`, the verdicts of all runs, in other orders"),
    Field("effect", \.effect, "the effect; null without enough trials"),
    Field("confidence", \.confidence, .timed, "the interval's confidence, corrected"),
    Field("trials", \.trials, .count, .timed, "the number of trials"),
    .unless(
      0, "disturbed", \.disturbed,
      .timed,
      "trials besides that do not count, as the machine was disturbed"),
    Field("details", \.details, .members, .timed, "the medians of the trials' further numbers"),
    .unless(nil, "reason", \.reason, .descriptive, "the reason for a condition without a verdict"),
  ]
}

extension ClaimTrial: Documented {
  package static let blank = ClaimTrial(condition: 0, order: 0, claimed: 0, other: 0, details: [])
  package static let fields: [Field<ClaimTrial>] = [
    Field("condition", \.condition, .count, .exact, "the number of the condition, from 0"),
    Field("order", \.order, .count, .exact, "the place in the whole run's order, from 0"),
    Field("claimed", \.claimed, .timed, "the value of what the claim is about, or events"),
    Field("other", \.other, .timed, "the value that it is compared with, or attempts"),
    Field("details", \.details, .members, .timed, "further numbers"),
    .unless(
      [], "disturbances", \.disturbances, .timed,
      "the machine's disturbances; the trial does not count"),
  ]
}
