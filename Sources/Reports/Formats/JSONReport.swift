import Parameters
import Rendering
import Results

/// The results document: what other programs read.
///
///     {
///       "schema": "evictionlab.results/1",
///       …
///       "results": [
///         {"kind": "sweep", "trace": "OLTP.lis.zst", "policy": "arc", …}
///       ]
///     }
enum JSONReport: ReportFormat {
  static let information = CatalogEntry(
    name: "json", summary: "the results document: everything, in full precision")

  static var showsChecksums: Bool { true }
  static var showsReferences: Bool { true }

  static let showsVariations = true

  static func render(_ results: ResultSet, style: ReportStyle) -> String { results.json.document }
}
