import Parameters
import Rendering
import Results

/// The document `evictionlab.trace/1`: for each trace an object whose members are always the same, in
/// the same order; those that the trace has no column for are `null`.
///
///     {"schema": "evictionlab.trace/1",
///      "traces": [{"name": "web.csv", "format": "csv", "requests": 1000, "distinct": 120,
///                  "bytes": 81000, "oneHitWonderRatio": 0.2, …, "reading": "Zipf 0.9: …"}]}
enum TraceJSONReport: TraceReport {
  static let information = CatalogEntry(
    name: "json", summary: "a document for programs, with everything in full precision")

  /// The name of documents of this kind.
  static let schema = "evictionlab.trace/1"

  static func render(_ analyses: [TraceProfile], style: ReportStyle) -> String {
    let document: JSON = [
      "schema": .string(schema), "traces": .array(analyses.map(\.json)),
    ]
    return document.document
  }
}

extension TraceProfile {
  /// The trace's entry in a document.
  var json: JSON {
    var members = [
      JSON.Member("name", .string(name)), JSON.Member("format", .string(format)),
      JSON.Member("formatReason", .optional(formatReason)),
    ]
    if !loss.isNone {
      let damaged = [JSON.Member("damagedLines", .integer(loss.damagedLines))]
      members.append(
        JSON.Member(
          "loss",
          .object(
            [
              JSON.Member("cutOff", .boolean(loss.isCutOff)),
              JSON.Member("droppedEvents", .integer(loss.droppedEvents)),
            ] + (loss.damagedLines > 0 ? damaged : []))))
    }
    if loss.otherLines > 0 {
      members.append(JSON.Member("otherLines", .integer(loss.otherLines)))
    }
    var values: [String: JSON] = [:]
    for figure in figures {
      for (key, value) in zip(type(of: figure).keys, figure.values) { values[key] = value }
    }
    for analyser in TraceAnalysers.all {
      members += analyser.keys.map { JSON.Member($0, values[$0] ?? .null) }
    }
    members += [
      JSON.Member("pattern", .string(reading.pattern.rawValue)),
      JSON.Member("reading", .string(reading.text)),
    ]
    return .object(members)
  }
}
