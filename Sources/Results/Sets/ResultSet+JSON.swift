extension ResultSet {
  /// Reads a results document.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - file: The name of the document in messages.
  /// - Throws: ``ResultSetError`` when it is not JSON, has another schema, lacks a value, or has two results
  ///   for one deterministic cell.
  package init(reading bytes: some Sequence<UInt8>, file: String) throws(ResultSetError) {
    try self.init(
      JSONNode(
        reading: bytes, schema: ResultSet.schema, or: ResultSet.rankingSchema, file: file))
    try ResultSet.checkContradictions([(file, self)])
  }

  /// The document as JSON, its keys in their fixed order.
  package var json: JSON { .object(Self.fields.flatMap { $0.write(self) }) }
}

extension ResultSet: Documented {
  package static let blank = ResultSet(environment: .blank)
  package static let fields: [Field<ResultSet>] = [
    schemaField,
    Field("environment", \.environment, "where, when and with what the results were measured"),
    .only(
      "in a ranking", if: { $0.suite != nil },
      .constant("metric", SuiteRecord.metric, "the value of a policy at a capacity of a trace")),
    Field("traces", \.traces, "the traces of the results"),
    .only(
      "in a ranking", if: { $0.suite != nil },
      .derived("ranking", \.ranking, "the policies over all recorded traces, the best first")),
    entries,
    .unless([], "references", \.references, "curves to compare the runs with: exact LRU"),
    .unless([], "explanations", \.explanations, "why requests miss (`--explain`)"),
    .unless([], "recommendations", \.recommendations, "thresholds for the store on disk"),
    .unless([], "estimates", \.estimates, "intervals for what the results stand for"),
    .unless(nil, "suite", \.suite, "the ranking over a list of traces (`evict suite`)"),
    .unless(nil, "plan", \.plan, "the sweep that the results belong to"),
    .unless(
      true, "complete", \.isComplete, .exact, "false for a document that lacks results of its plan"),
  ]

  private static let schemaField = Field<ResultSet>(
    rows: [
      DocumentRow(
        "schema", String.format,
        .exact,
        "the kind of document and its version: `\"\(schema)\"`, of a ranking `\"\(rankingSchema)\"`"
      )
    ]
  ) { [JSON.Member("schema", .string($0.suite == nil ? schema : rankingSchema))] }

  /// The policies of the suite; none without one.
  private var ranking: [RankingRow] { suite?.ranking ?? [] }

  /// Runs and curves, which stand in one list.
  private static let entries: Field<ResultSet> = {
    let (runs, curves) = ([Measurement].format, [MissRatioCurve].format)
    var row = DocumentRow(
      "results", partsOf: runs, "the runs, in the order of the plan, then the curves")
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

extension Environment: Documented {
  package static let blank = Environment(
    version: "", commit: nil, toolchain: "", os: "", cpu: "", cores: 0, date: "")
  package static let fields: [Field<Environment>] = [
    Field("version", \.version, .descriptive, "the version of this project"),
    Field("commit", \.commit, .descriptive, "the commit it was built from"),
    Field("toolchain", \.toolchain, .descriptive, "the compiler"),
    Field("os", \.os, .descriptive, "the operating system"),
    Field("cpu", \.cpu, .descriptive, "the processor"),
    Field("cores", \.cores, .descriptive, "the cores that could be used"),
    Field("date", \.date, .descriptive, "the date and time, in ISO 8601"),
    Field("architecture", \.processorKind, .descriptive, "the kind of processor; empty if unknown"),
    .unless(nil, "command", \.command, .descriptive, "the command line"),
    .unless(
      nil, "build", \.build, .descriptive,
      "the build of the program: its build-id, else a checksum"),
    .unless(
      [], "others", \.others, .descriptive,
      "other programs and machines that measured results in it"),
  ]

  /// The architecture, which older documents lack.
  private var processorKind: String? {
    get { architecture }
    set { architecture = newValue ?? "" }
  }
}

extension TraceSummary: Documented {
  package static let blank = TraceSummary(name: "", format: "", requests: 0, distinct: 0)
  package static let fields: [Field<TraceSummary>] = [
    Field(
      "name", \.name, .exact,
      "the file's name, with the folders that tell it from others of that name"),
    Field("format", \.format, .descriptive, "the format it was read in"),
    .unless(nil, "formatReason", \.formatReason, .descriptive, "the reason for the format"),
    Field("requests", \.requests, .count, .exact, "requests read"),
    Field("distinct", \.distinct, .count, .exact, "distinct keys among them"),
    .unless(
      false, "groups", \.hasGroups, .exact, "the requests stand in groups, as blocks of prompts do"),
    Field("sha256", \.sha256, .exact, "the checksum of the file as stored"),
  ]
}

extension Explanation: Documented {
  package static let blank = Explanation(
    trace: "", capacity: 0, unit: .objects, compulsoryMissRatio: 0, optimumHitRatio: 0...0,
    bestPolicy: "", bestHitRatio: 0)
  package static let fields: [Field<Explanation>] = [
    Field("trace", \.trace, .exact, "the trace's name"),
    Field("capacity", \.capacity, .from(0), .exact, "the capacity, in `unit`"),
    Field("unit", \.unit, .exact, "what the capacity counts"),
    Field(
      "compulsoryMissRatio", \.compulsoryMissRatio, .exact,
      "the miss ratio of a cache without limit"),
    Field("optimumHitRatio", \.optimumHitRatio, .exact, "bounds of the optimum's hit ratio"),
    Field("bestPolicy", \.bestPolicy, .exact, "the policy with most hits, with its parameters"),
    Field("bestHitRatio", \.bestHitRatio, .exact, "its hit ratio"),
    .derived("text", \.text, .descriptive, "the explanation in a sentence"),
  ]
}
