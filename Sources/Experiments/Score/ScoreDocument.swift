import Results

/// The judgement of a candidate: `evictionlab.score/1`.
package struct ScoreDocument: Documented {
  /// The document's schema.
  package static let schema = "evictionlab.score/1"

  package var environment = Environment()
  package var candidate = ""
  package var kind = CandidateKind.formula
  package var sandbox: String?
  package var suite = ""
  package var combinedScore = 0.0
  package var meanReduction = 0.0
  package var optimumReduction = 0.0
  package var traces: [ScoredTrace] = []
  package var hidden = HiddenScore()
  package var overfit = Overfit()
  package var contract = ScoredContract()
  package var determinism = ScoredDeterminism()
  package var seconds = 0.0
  package var nanosecondsPerRequest: Double?
  package var bytesPerEntry = 0
  package var policies: [ScoredPolicy] = []

  package init() {}

  package static let fields: [Field<ScoreDocument>] = [
    .constant("schema", schema, "the kind of document and its version"),
    Field("environment", \.environment, "where, when and with what it was measured"),
    Field("candidate", \.candidate, "the candidate, as it was named", .descriptive),
    Field("kind", \.kind, "the kind of candidate", .descriptive),
    Field(
      "sandbox", \.sandbox, "what confined the candidate's process; `null` for none",
      .descriptive),
    Field("suite", \.suite, "the name of the suite", .descriptive),
    .constant("formula", ScoreMetric.formula, "the formula of scores"),
    Field("combinedScore", \.combinedScore, "the score on the public traces", .exact),
    Field(
      "meanReduction", \.meanReduction,
      "mean reduction of the miss ratio against FIFO, a run without a result counts -1", .exact),
    Field("optimumReduction", \.optimumReduction, "the same of the optimum", .exact),
    Field("traces", \.traces, "the public traces"),
    Field("hidden", \.hidden, "the hidden half"),
    Field("overfit", \.overfit, "the public score less the hidden one"),
    Field("contract", \.contract, "the conformance suite"),
    .derived(
      "deterministic", \.isDeterministic,
      "true if equal runs were equal, and nothing depends on what must not matter; `null` if a run took too "
        + "long to be compared", .exact),
    Field("determinism", \.determinism, "the runs that were compared"),
    Field("seconds", \.seconds, "the time of the candidate's runs", .timed),
    Field(
      "nanosecondsPerRequest", \.nanosecondsPerRequest,
      "that time for each request; of native code with a switch of processes for each miss",
      .timed),
    Field("bytesPerEntry", \.bytesPerEntry, "memory for each key, as the candidate says", .exact),
    .omittable("policies", \.policies, "policies beside it, the best first"),
  ]

  private var isDeterministic: Bool? {
    determinism.isPassed && determinism.failure != nil ? nil : determinism.isPassed
  }
}

/// The kind of candidate.
package enum CandidateKind: String, Sendable, CaseIterable, JSONValue {
  /// A policy of the catalog, also by a formula.
  case formula
  /// A shared library.
  case plugin
  /// A file in C.
  case source
  /// A class in Python.
  case python
}

/// A trace with the candidate's results.
package struct ScoredTrace: Documented {
  package var name = ""
  package var requests = 0
  package var distinct = 0
  package var rows: [ScoreRow] = []

  package init() {}

  package static let fields: [Field<ScoredTrace>] = [
    Field("name", \.name, "the generator with its parameters, or a recording", .descriptive),
    Field("requests", \.requests, "requests", .exact),
    Field("distinct", \.distinct, "distinct keys", .exact),
    Field("rows", \.rows, "the capacities"),
  ]
}

/// A result at a capacity of a trace.
package struct ScoreRow: Documented {
  package var capacity = 0
  package var missRatio: Double?
  package var fifo = 0.0
  package var optimum = 0.0
  package var reduction = -1.0
  package var share: Double?
  package var failure: String?

  package init() {}

  package static let fields: [Field<ScoreRow>] = [
    Field("capacity", \.capacity, "objects", .exact),
    Field("missRatio", \.missRatio, "the candidate's miss ratio; `null` without a result", .exact),
    Field("fifo", \.fifo, "the miss ratio of FIFO", .exact),
    Field("optimum", \.optimum, "the miss ratio of the optimum, Belady's MIN with bypass", .exact),
    Field("reduction", \.reduction, "reduction of the miss ratio against FIFO", .exact),
    Field(
      "share", \.share, "that as a fraction of the optimum's; `null` where FIFO is the optimum",
      .exact),
    .omittable("failure", \.failure, "the reason why there is no result", .descriptive),
  ]
}

/// The score on traces that the salt has made.
package struct HiddenScore: Documented {
  package var salt = 0
  package var combinedScore = 0.0
  package var meanReduction = 0.0
  package var traces: [ScoredTrace] = []

  package init() {}

  package static let fields: [Field<HiddenScore>] = [
    Field("salt", \.salt, "the salt that made the traces: `--salt` makes the same", .descriptive),
    Field("combinedScore", \.combinedScore, "the score on them", .exact),
    Field("meanReduction", \.meanReduction, "mean reduction on them", .exact),
    Field("traces", \.traces, "the hidden traces"),
  ]
}

/// The public score compared with the hidden one.
package struct Overfit: Documented {
  package var difference = 0.0
  package var isExceeded = false

  package init() {}

  package static let fields: [Field<Overfit>] = [
    Field("difference", \.difference, "the public score less the hidden one", .exact),
    .constant("margin", ScoreMetric.margin, "the largest difference that is left to chance"),
    Field("exceeded", \.isExceeded, "true if the difference is larger", .exact),
  ]
}

/// The verdict of the conformance suite.
package struct ScoredContract: Documented {
  package var violations: [String] = []

  package init() {}

  package static let fields: [Field<ScoredContract>] = [
    .derived("conforms", \.conforms, "true without violations", .exact),
    Field(
      "violations", \.violations, "the properties that do not hold, each with its case", .exact),
  ]

  package var conforms: Bool { violations.isEmpty }
}

/// Runs on the public traces, at the middle capacity, that must be equal to the first.
package struct ScoredDeterminism: Documented {
  package var isRepeatable = true
  package var ignoresKeys = true
  package var ignoresTimes = true
  package var otherSeed: Double?
  package var failure: String?

  package init() {}

  package static let fields: [Field<ScoredDeterminism>] = [
    Field("repeatable", \.isRepeatable, "the same run again is the same", .exact),
    Field(
      "ignoresKeys", \.ignoresKeys,
      "with other slots, and other keys unless it needs their hashes, it is the same",
      .exact),
    Field("ignoresTimes", \.ignoresTimes, "an hour later it is the same", .exact),
    Field(
      "otherSeed", \.otherSeed,
      "the largest change of a miss ratio with another random seed; `null` without results",
      .exact),
    .omittable("failure", \.failure, "the reason why a run was not compared", .descriptive),
  ]

  var isPassed: Bool { isRepeatable && ignoresKeys && ignoresTimes }
}

/// A policy beside the candidate.
package struct ScoredPolicy: Documented {
  package var policy = ""
  package var combinedScore = 0.0
  package var hiddenScore = 0.0

  package init() {}

  package static let fields: [Field<ScoredPolicy>] = [
    Field("policy", \.policy, "the policy with its parameters", .descriptive),
    Field("combinedScore", \.combinedScore, "its score on the public traces", .exact),
    Field("hiddenScore", \.hiddenScore, "its score on the hidden ones", .exact),
  ]
}
