/// The runs on one trace as the reports that people read show them: a table, grouped by capacity.
struct ReportSection: Sendable {
  /// The trace, and what is known of it.
  let title: String
  /// The runs.
  let table: TextTable
  /// Why requests miss, one sentence for each capacity, where that was asked for.
  let explanations: [String]

  /// The sections of a document, in its order.
  static func sections(of results: ResultSet) -> [ReportSection] {
    struct Key: Hashable {
      let trace: String
      let kind: Measurement.Kind
      let unit: Measurement.Unit
    }
    return grouped(results.measurements) { Key(trace: $0.trace, kind: $0.kind, unit: $0.unit) }
      .map { measurements in
        ReportSection(
          title: title(of: measurements[0].trace, in: results) + lockNote(of: measurements),
          table: table(of: measurements),
          explanations: results.explanations.filter {
            $0.trace == measurements[0].trace && $0.unit == measurements[0].unit
          }.map(\.text) + recommendations(for: measurements[0], in: results))
      }
  }

  /// What is recommended for the trace, below its experiments on disk.
  private static func recommendations(
    for measurement: Measurement, in results: ResultSet
  ) -> [String] {
    if measurement.kind != .disk { return [] }
    return results.recommendations.filter { $0.trace == measurement.trace }.map(\.text)
  }

  private static func title(of trace: String, in results: ResultSet) -> String {
    guard let summary = results.traces.first(where: { $0.name == trace }) else { return trace }
    return "\(trace): \(summary.requests) requests, \(summary.distinct) distinct keys"
  }

  /// The lock, where all runs have the same, and so no column for it.
  private static func lockNote(of measurements: [Measurement]) -> String {
    let locks = Set(measurements.compactMap(\.replay?.lock))
    return locks.count == 1 ? locks.map { "; lock \($0)" }.joined() : ""
  }

  private static func table(of measurements: [Measurement]) -> TextTable {
    let columns = ReportColumn.all.filter { $0.isWanted(for: measurements) }
    var table = TextTable(columns.map { TextTable.Column($0.title, $0.alignment) })
    for group in grouped(measurements, by: \.capacity) {
      table.beginGroup()
      let bests = columns.map { best(of: group, by: $0.merit) }
      for measurement in group {
        table.append(
          columns.indices.map { index in
            TextTable.Cell(
              columns[index].text(measurement) ?? "–",
              isBest: bests[index] != nil && columns[index].merit?(measurement) == bests[index])
          })
      }
    }
    return table
  }

  /// The largest value, if there is a smaller one to tell it from.
  private static func best(
    of group: [Measurement], by merit: (@Sendable (Measurement) -> Double?)?
  ) -> Double? {
    guard let merit else { return nil }
    let values = group.compactMap(merit)
    guard let best = values.max(), values.contains(where: { $0 < best }) else { return nil }
    return best
  }

  /// The elements with equal keys together, in the order of their first appearance.
  private static func grouped<Key: Hashable>(
    _ measurements: [Measurement], by key: (Measurement) -> Key
  ) -> [[Measurement]] {
    var places: [Key: Int] = [:]
    var groups: [[Measurement]] = []
    for measurement in measurements {
      let place = places[key(measurement), default: groups.count]
      if place == groups.count {
        places[key(measurement)] = place
        groups.append([])
      }
      groups[place].append(measurement)
    }
    return groups
  }
}

extension ResultSet {
  /// What a reader must know when the work was stopped; nil when it was not.
  var incompleteNote: String? {
    isComplete ? nil : "Stopped before its end: these are the \(measurements.count) finished runs."
  }
}
