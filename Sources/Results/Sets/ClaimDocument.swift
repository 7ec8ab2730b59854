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
package struct ClaimDocument: Documented {
  /// The document's schema.
  package static let schema = "evictionlab.claim/1"

  package var id = ""
  package var claim = ""
  package var hypothesis = ""
  package var verdict = ClaimVerdict.undecided
  package var verdicts: [ClaimVerdict] = []
  package var effect: ClaimEffect?
  package var conditions: [ClaimConditionResult] = []
  package var rule = ""
  package var ruleHash = ""
  package var note: String?
  package var seed = 42
  package var isQuick = false
  package var environment = Environment()
  package var results: [ClaimTrial] = []

  package init() {}

  package static let fields: [Field<ClaimDocument>] = [
    .constant("schema", schema, "the kind of document and its version"),
    Field("id", \.id, "the claim's identifier", .descriptive),
    Field("claim", \.claim, "the claim's sentence", .descriptive),
    Field("hypothesis", \.hypothesis, "the statement that the experiment tests", .descriptive),
    Field("verdict", \.verdict, "the verdict on the whole", .timed),
    .omittable(
      "verdicts", \.verdicts, "with `--repeat`, the verdicts of all runs, in other orders", .timed),
    Field("effect", \.effect, "the effect under the condition that lies nearest to its limit"),
    Field("conditions", \.conditions, "the conditions, each with its verdict"),
    Field("rule", \.rule, "the rule, fixed before the run", .descriptive),
    Field(
      "ruleHash", \.ruleHash, "the SHA-256 of the identifier, hypothesis, conditions and rules",
      .descriptive),
    .omittable("note", \.note, "a remark on the platform", .descriptive),
    Field("seed", \.seed, "the seed of the random order and of the workloads", .descriptive),
    .omittable("quick", \.isQuick, "true for a run with few trials", .descriptive),
    Field("environment", \.environment, "where, when and with what it was measured"),
    Field("results", \.results, "the trials, in the order in which they ran"),
  ]

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

  /// True for bytes that begin as a document of this schema does.
  package static func isLike(_ bytes: some Collection<UInt8>) -> Bool {
    String(decoding: bytes.prefix(100), as: UTF8.self).contains("\"\(schema)\"")
  }

  /// The document as text.
  package var text: String { json.document }
}

/// An estimate with its interval.
package struct ClaimEffect: Documented {
  package var name = ""
  package var value = 0.0
  package var interval: ClosedRange<Double> = 0.0...0.0

  package init() {}

  package static let fields: [Field<ClaimEffect>] = [
    Field("name", \.name, "the name of the number", .exact),
    Field("value", \.value, "the estimate", .timed),
    Field("interval", \.interval, "the interval, corrected for the number of conditions", .timed),
  ]
}

/// A condition of a claim, as it came out.
package struct ClaimConditionResult: Documented {
  package var factors: [JSON.Member] = []
  package var rule = ""
  package var limit = 0.0
  package var verdict = ClaimVerdict.undecided
  package var verdicts: [ClaimVerdict] = []
  /// Nil without enough trials.
  package var effect: ClaimEffect?
  package var confidence: Double?
  package var trials = 0
  package var disturbed = 0
  package var details: [JSON.Member] = []
  package var reason: String?

  package init() {}

  package static let fields: [Field<ClaimConditionResult>] = [
    Field("factors", \.factors, "the levels of the factors", .exact, as: .members),
    Field("rule", \.rule, "the rule", .exact),
    Field("limit", \.limit, "the limit that the interval is compared with", .exact),
    Field("verdict", \.verdict, "the verdict", .timed),
    .omittable(
      "verdicts", \.verdicts, "with `--repeat`, the verdicts of all runs, in other orders", .timed),
    Field("effect", \.effect, "the effect; null without enough trials"),
    Field("confidence", \.confidence, "the interval's confidence, corrected", .timed),
    Field("trials", \.trials, "the number of trials", .timed, as: .count),
    .omittable(
      "disturbed", \.disturbed, "trials besides that do not count, as the machine was disturbed",
      .timed),
    Field("details", \.details, "the medians of the trials' further numbers", .timed, as: .members),
    .omittable("reason", \.reason, "the reason for a condition without a verdict", .descriptive),
  ]
}

/// One trial.
package struct ClaimTrial: Documented {
  package var condition = 0
  package var order = 0
  package var claimed = 0.0
  package var other = 0.0
  package var details: [JSON.Member] = []
  package var disturbances: [String] = []

  package init() {}

  package static let fields: [Field<ClaimTrial>] = [
    Field("condition", \.condition, "the number of the condition, from 0", .exact, as: .count),
    Field("order", \.order, "the place in the whole run's order, from 0", .exact, as: .count),
    Field("claimed", \.claimed, "the value of what the claim is about, or events", .timed),
    Field("other", \.other, "the value that it is compared with, or attempts", .timed),
    Field("details", \.details, "further numbers", .timed, as: .members),
    .omittable(
      "disturbances", \.disturbances, "the machine's disturbances; the trial does not count", .timed
    ),
  ]
}
