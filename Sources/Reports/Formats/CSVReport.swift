import Parameters
import Rendering
import Results

/// One line per run, and per point of a curve, under a header of the results document's keys, those of
/// nested objects joined by points, and the trace's format; empty where the document has `null`. Series (`internals`,
/// `windows`, `classes`) are left out. Points of curves with prices have their costs, and the seconds that these are for. Quotes follow RFC 4180.
///
///     kind,trace,policy,parameters,capacity,…
///     sweep,OLTP.lis.zst,slru,protected=0.5,1000,…
enum CSVReport: ReportFormat {
  static let information = CatalogEntry(
    name: "csv", summary: "one line per run, everything, in full precision")

  static let showsVariations = true

  static func render(_ results: ResultSet, style: ReportStyle) -> String {
    let rows =
      results.measurements.map(results.fields) + results.curves.flatMap(results.rows)
    var header: [String] = []
    var known: Set<String> = []
    for field in rows.joined() where known.insert(field.key).inserted { header.append(field.key) }
    let lines = rows.map { fields in
      let texts = Dictionary(uniqueKeysWithValues: fields.map { ($0.key, $0.text) })
      return header.map { texts[$0] ?? "" }
    }
    return ([header] + lines).map { $0.map(\.csvField).joined(separator: ",") + "\n" }.joined()
  }
}
