/// Everything that was measured in one go, with what one needs to judge it: the results document.
///
///     let results = try ResultSet(reading: bytes, file: "results/replay.json")
///     for measurement in results.measurements { print(measurement.policy, measurement.hits) }
///
/// Unknown keys are accepted when reading; another schema is not.
package struct ResultSet: Sendable, Equatable {
  /// The name of documents of this kind; a change that breaks readers raises the number.
  package static let schema = "evictionlab.results/1"
  /// The name of documents of this kind that hold a ranking, too.
  package static let rankingSchema = "evictionlab.ranking/1"

  /// The machine and the program of the measurements.
  package var environment: Environment
  /// The traces that were run.
  package var traces: [TraceSummary]
  /// The runs, in the order in which they were planned.
  package var measurements: [Measurement]
  /// The requested miss-ratio curves.
  package var curves: [MissRatioCurve]
  /// Miss-ratio curves that stand beside the runs, to compare these with: exact LRU at all sizes.
  package var references: [MissRatioCurve]
  /// The causes of misses, if they were requested.
  package var explanations: [Explanation]
  /// The recommendations of experiments on disk, if they were requested.
  package var recommendations: [DiskRecommendation]
  /// The quantities that the runs estimate, with intervals; they follow from the runs.
  package var estimates: [Estimate] = []
  /// The notes that stand under the tables of reports; they follow from the runs and the catalog.
  package var notes: [String] = []
  /// The ranking over a list of traces; nil for other documents.
  package var suite: SuiteRecord?
  /// The sweep that the runs belong to; nil where they belong to none.
  package var plan: PlanRecord?
  /// False when the work was stopped before its end, or shares of it are missing.
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
}

/// The facts of a trace in a results document.
package struct TraceSummary: Sendable, Equatable {
  /// The file's name without its folder.
  package var name: String
  /// The format it was read in.
  package var format: String
  /// The reason for the format, as a part of a sentence; nil where the trace was not read, and in older documents.
  package var formatReason: String?
  /// Requests read.
  package var requests: Int
  /// Distinct keys among them.
  package var distinct: Int
  /// True if the requests stand in groups, as the blocks of prompts do: a block is then of use with all those
  /// before it only.
  package var hasGroups: Bool
  /// The checksum of the file as stored; nil where it was not read from a file.
  package var sha256: String?

  /// A trace with these facts.
  package init(
    name: String, format: String, formatReason: String? = nil, requests: Int, distinct: Int,
    hasGroups: Bool = false, sha256: String? = nil
  ) {
    self.name = name
    self.format = format
    self.formatReason = formatReason
    self.requests = requests
    self.distinct = distinct
    self.hasGroups = hasGroups
    self.sha256 = sha256
  }
}

extension TraceSummary {
  /// The format and the reason for it: `csv, told by its content`.
  package var formatText: String { formatReason.map { "\(format), \($0)" } ?? format }

  /// The fraction of the requests that are the first for their key, and miss in every cache; nil without
  /// requests.
  package var compulsoryMissRatio: Double? {
    requests == 0 ? nil : Double(distinct) / Double(requests)
  }
}

extension ResultSetError: CustomStringConvertible {
  /// One line: what is wrong, where, and what to do.
  package var description: String {
    switch self {
    case .malformed(let file, let schema, let error):
      "\(file): byte \(error.byte): \(error.problem); is this a document of “\(schema)”?"
    case .schema(let file, let expected, let found):
      "\(file): its schema is \(found.map { "“\($0)”" } ?? "missing"), not “\(expected)”; "
        + "write it again with this version"
    case .value(let file, let path, let expected):
      "\(file): \(path) is not \(expected); write the document again"
    case .empty(let file): "\(file): holds no results, and is no baseline; measure something first"
    case .contradiction(let file, let other, let cell, let counts):
      (file == other ? "\(file) contradicts itself" : "\(other) and \(file) contradict each other")
        + ": \(cell) has \(counts[0]) and \(counts[1]); measure it again"
    case .incomplete(let file):
      "\(file): was stopped before its end, and is no baseline; run it to its end (sweep --resume)"
    }
  }
}
