/// Everything that was measured in one go, with what one needs to judge it: the results document.
///
///     let results = try ResultSet(reading: bytes, file: "results/replay.json")
///     for measurement in results.measurements { print(measurement.policy, measurement.hits) }
///
/// Unknown keys are accepted when reading; another schema is not.
package struct ResultSet: Documented {
  /// The name of documents of this kind; a change that breaks readers raises the number.
  package static let schema = "evictionlab.results/1"
  /// The name of documents of this kind that hold a ranking, too.
  package static let rankingSchema = "evictionlab.ranking/1"

  package var environment: Environment
  package var traces: [TraceSummary]
  /// The runs, in the order in which they were planned.
  package var measurements: [Measurement]
  /// The requested miss-ratio curves.
  package var curves: [MissRatioCurve]
  package var references: [MissRatioCurve]
  package var explanations: [Explanation]
  package var recommendations: [DiskRecommendation]
  package var estimates: [Estimate] = []
  /// The policies that are the best over the orders of a sweep; nil where none were run.
  package var leaders: OrderLeaders?
  /// The notes that stand under the tables of reports; they follow from the runs and the catalog.
  package var notes: [String] = []
  /// Nil for other documents.
  package var suite: SuiteRecord?
  /// Nil where they belong to none.
  package var plan: PlanRecord?
  package var isComplete: Bool

  /// A document with these parts.
  package init(
    environment: Environment = .current, traces: [TraceSummary] = [],
    measurements: [Measurement] = [], curves: [MissRatioCurve] = [],
    references: [MissRatioCurve] = [], explanations: [Explanation] = [],
    recommendations: [DiskRecommendation] = [], plan: PlanRecord? = nil, isComplete: Bool = true
  ) {
    self.environment = environment
    self.traces = traces
    self.measurements = measurements
    self.curves = curves
    self.references = references
    self.explanations = explanations
    self.recommendations = recommendations
    self.plan = plan
    self.isComplete = isComplete
  }

  /// A document of which nothing is known yet, its environment neither.
  package init() { self.init(environment: Environment()) }

  package static let fields: [Field<ResultSet>] = [
    schemaField,
    Field("environment", \.environment, "where, when and with what the results were measured"),
    .only(
      "in a ranking", if: { $0.suite != nil },
      .derived("metric", \.suite?.metric, SuiteRecord.Metric.help, .descriptive)),
    Field("traces", \.traces, "the traces of the results"),
    .only(
      "in a ranking", if: { $0.suite != nil },
      .derived("ranking", \.ranking, "the policies over all recorded traces, the best first")),
    entries,
    .omittable("references", \.references, "curves to compare the runs with: exact LRU"),
    .omittable("explanations", \.explanations, "why requests miss (`--explain`)"),
    .omittable("recommendations", \.recommendations, "thresholds for the store on disk"),
    .omittable("estimates", \.estimates, "intervals for what the results stand for"),
    .omittable("suite", \.suite, "the ranking over a list of traces (`evict suite`)"),
    .omittable("plan", \.plan, "the sweep that the results belong to"),
    .omittable(
      "complete", \.isComplete, "false for a document that lacks results of its plan", .exact),
  ]

  private static let schemaField = Field<ResultSet>(
    rows: [
      DocumentRow(
        "schema", String.format,
        "the kind of document and its version: `\"\(schema)\"`, of a ranking `\"\(rankingSchema)\"`",
        .exact
      )
    ]
  ) { [JSON.Member("schema", .string($0.suite == nil ? schema : rankingSchema))] }

  /// The metric by which policies are ranked: the mean latency where it was compared with FIFO's.
  package var rankingMetric: SuiteRecord.Metric {
    measurements.contains { $0.latencyReduction != nil } ? .latency : .misses
  }

  /// The policies of the suite; none without one.
  private var ranking: [RankingRow] { suite?.ranking ?? [] }

  /// Runs and curves, which stand in one list.
  private static let entries: Field<ResultSet> = {
    let (runs, curves) = ([Measurement].format, [MissRatioCurve].format)
    var row = DocumentRow(
      "results", runs, "the runs, in the order of the plan, then the curves", nil)
    row.type += ", or \(curves.plural)"
    row.parts += curves.parts
    return Field(rows: [row]) { results in
      let entries = results.measurements.map(\.json) + results.curves.map(\.json)
      return [JSON.Member("results", .array(entries))]
    } read: { results, object throws(ResultSetError) in
      for entry in try object["results"].elements() {
        if entry["kind"].json == .string(MissRatioCurve.kind) {
          results.curves.append(try MissRatioCurve(entry))
        } else {
          results.measurements.append(try Measurement(entry))
        }
      }
    }
  }()
}

/// The facts of a trace in a results document.
package struct TraceSummary: Documented {
  package var name = ""
  package var format = ""
  /// Nil where the trace was not read, and in older documents.
  package var formatReason: String?
  package var requests = 0
  package var distinct = 0
  /// True where requests have operations, and some are no gets as far as is known.
  package var hasOperations = false
  /// Nil where all requests are gets, and where they were not counted.
  package var gets: Int?
  /// Nil where all requests are gets, and where they were not counted.
  package var firstGets: Int?
  package var hasGroups = false
  /// The parts that it lacks, such as damaged lines; nil where it is whole.
  package var incomplete: String?
  /// Nil where it was not read from a file.
  package var sha256: String?

  /// A trace with these facts.
  package init(
    name: String, format: String, formatReason: String? = nil, requests: Int, distinct: Int,
    hasGroups: Bool = false, incomplete: String? = nil, sha256: String? = nil
  ) {
    self.name = name
    self.format = format
    self.formatReason = formatReason
    self.requests = requests
    self.distinct = distinct
    self.hasGroups = hasGroups
    self.incomplete = incomplete
    self.sha256 = sha256
  }

  package init() {}

  package static let fields: [Field<TraceSummary>] = [
    Field(
      "name", \.name, "the file's name, with the folders that tell it from others of that name",
      .exact),
    Field("format", \.format, "the format it was read in", .descriptive),
    .omittable("formatReason", \.formatReason, "the reason for the format", .descriptive),
    Field("requests", \.requests, "requests read", .exact, as: .count),
    Field("distinct", \.distinct, "distinct keys among them", .exact, as: .count),
    .omittable(
      "operations", \.hasOperations, "requests have operations: not all of them are gets",
      .descriptive),
    .omittable(
      "gets", \.gets,
      "the requests that look an object up, and writes of blocks, where there are others", .exact),
    .omittable(
      "firstGets", \.firstGets,
      "the gets that miss in every cache: of objects that were not requested or written before, or deleted since",
      .exact),
    .omittable(
      "groups", \.hasGroups, "the requests stand in groups, as blocks of prompts do", .exact),
    .omittable(
      "incomplete", \.incomplete,
      "the parts that it lacks, such as damaged lines that were left out",
      .descriptive),
    Field("sha256", \.sha256, "the checksum of the file as stored", .exact),
  ]
}

extension TraceSummary {
  /// True for the same trace, as far as both say it: older documents do not count gets.
  package func isOf(_ other: TraceSummary) -> Bool {
    var (mine, others) = (self, other)
    if gets == nil || other.gets == nil {
      for path in [\TraceSummary.gets, \TraceSummary.firstGets] {
        mine[keyPath: path] = nil
        others[keyPath: path] = nil
      }
      (mine.hasOperations, others.hasOperations) = (false, false)
    }
    return mine == others
  }

  /// The format and the reason for it: `csv, told by its content`.
  package var formatText: String { formatReason.map { "\(format), \($0)" } ?? format }

  /// The fraction of the gets that miss in every cache, which without operations are the first requests of the keys;
  /// nil without gets, and where they were not counted.
  package var compulsoryMissRatio: Double? {
    let counted = hasOperations ? gets : requests
    let misses = hasOperations ? firstGets : distinct
    guard let counted, let misses, counted > 0 else { return nil }
    return Double(misses) / Double(counted)
  }
}

extension ResultSetError: CustomStringConvertible {
  /// One line: what is wrong, where, and what to do.
  package var description: String {
    switch self {
    case .malformed(let file, let schema, let error):
      "\(file): byte \(error.byte): \(error.problem); is this a document of “\(schema)”?"
    case .conflict(let file):
      "\(file): has conflict markers of a merge; resolve them, or write the document again"
    case .brokenBaseline(let file, let problem):
      "\(file): \(problem); make it anew with --update"
    case .schema(let file, let expected, let found):
      "\(file): its schema is \(found.map { "“\($0)”" } ?? "missing"), not “\(expected)”; "
        + "write it again with this version"
    case .value(let file, let path, let expected):
      "\(file): \(path) is not \(expected); write the document again"
    case .absent(let file, let path):
      "\(file): \(path) is missing or null; write the document again"
    case .noBaseline(let file):
      "\(file): there is no such baseline; check the path, or make it with --update"
    case .empty(let file): "\(file): holds no results, and is no baseline; measure something first"
    case .uncounted(let file):
      "\(file): holds no instructions, and is no baseline for --require-instructions; install valgrind, and "
        + "measure with evict speed"
    case .contradiction(let file, let other, let cell, let counts):
      (file == other ? "\(file) contradicts itself" : "\(other) and \(file) contradict each other")
        + ": \(cell) has \(counts[0]) and \(counts[1]); measure it again"
    case .delays(let file, let other, let delays):
      (file == other ? "\(file) has results" : "\(file) and \(other) have results")
        + " of two delays: a miss takes \(delays[0]) and \(delays[1]); report each delay apart"
    case .inconsistent(let words): "\(words); measure it again"
    case .incomplete(let file):
      "\(file): is not complete, and no baseline; run it to its end (sweep --resume)"
    }
  }
}

extension ResultSet {
  /// Reads a results document.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - file: The name of the document in messages.
  /// - Throws: ``ResultSetError`` when it is not JSON, has another schema, lacks a value, or has two delays or two
  ///   results for one deterministic cell.
  package init(reading bytes: some Sequence<UInt8>, file: String) throws(ResultSetError) {
    try self.init(
      JSONNode(
        reading: bytes, schema: ResultSet.schema, or: ResultSet.rankingSchema, file: file))
    try ResultSet.checkDelays([(file, self)])
    try ResultSet.checkContradictions([(file, self)])
  }
}
