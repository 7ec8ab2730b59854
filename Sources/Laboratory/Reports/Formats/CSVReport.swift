import Traces

/// One line per run under a header of the results document's keys, those of nested objects joined by
/// points; empty where the document has `null`. Series (`internals`) are left out. Quotes follow RFC
/// 4180.
///
///     kind,trace,policy,parameters,capacity,…
///     sweep,OLTP.lis.zst,slru,protected=0.5,1000,…
enum CSVReport: ReportFormat {
  static let information = CatalogEntry(
    name: "csv", summary: "one line per run, everything, in full precision")

  static func render(_ results: ResultSet, style: ReportStyle) -> String {
    let rows = results.measurements.map { fields(of: $0) }
    var header: [String] = []
    var known: Set<String> = []
    for field in rows.joined() where known.insert(field.key).inserted { header.append(field.key) }
    let lines = rows.map { fields in
      let texts = Dictionary(uniqueKeysWithValues: fields.map { ($0.key, $0.text) })
      return header.map { texts[$0] ?? "" }
    }
    return ([header] + lines).map { $0.map(quoted).joined(separator: ",") + "\n" }.joined()
  }

  private typealias Field = (key: String, text: String)

  private static func fields(of measurement: Measurement) -> [Field] {
    guard case .object(let members) = measurement.json else { return [] }
    return members.filter { $0.key != "internals" }.flatMap { member -> [Field] in
      if member.key == "parameters" {
        let given = measurement.parameters.map { "\($0.key)=\($0.value.plainText)" }
        return [(member.key, given.joined(separator: ":"))]
      }
      return flattened(member.value, under: member.key)
    }
  }

  private static func flattened(_ value: JSON, under key: String) -> [Field] {
    switch value {
    case .object(let members):
      members.flatMap { flattened($0.value, under: "\(key).\($0.key)") }
    case .null: [(key, "")]
    default: [(key, value.plainText)]
    }
  }

  private static func quoted(_ text: String) -> String {
    let isPlain = !text.contains { ",\"\n\r\r\n".contains($0) }
    return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
