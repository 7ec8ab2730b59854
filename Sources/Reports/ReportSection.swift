import Parameters
import Rendering
import Results

/// The runs on one trace as the reports that people read show them: a table, grouped by capacity.
struct ReportSection: Sendable {
  /// The trace, and what is known of it.
  let title: String
  /// The runs.
  let table: TextTable
  /// The notes beside the metrics, and the causes of misses if they were requested, a sentence for each
  /// capacity.
  let explanations: [String]

  /// True where a hit ratio or a latency is marked as the best of its capacity.
  var hasBests: Bool {
    let ratios = table.columns.indices.filter { table.columns[$0].key != nil }
    return table.groups.joined().contains { row in ratios.contains { row[$0].isBest } }
  }

  /// The sections of a document, in its order.
  ///
  /// - Parameters:
  ///   - bounds: The names of policies that no cache could run.
  ///   - showsSpeed: False to leave out the speed of simulations, which is that of one run.
  static func sections(
    of results: ResultSet, bounds: Set<String>, showsSpeed: Bool = true
  ) -> [ReportSection] {
    if let suite = results.suite {
      return suite.sections(of: results.traces, leaders: results.leaders)
    }
    let runs = results.measurements.grouped { [$0.trace, $0.kind.rawValue, $0.unit.rawValue] }
    return runs.map { measurements in
      ReportSection(
        title: title(of: measurements[0].trace, in: results) + lockNote(of: measurements)
          + delayNote(of: measurements),
        table: table(of: measurements, bounds: bounds, showsSpeed: showsSpeed),
        explanations: lacks(of: [measurements[0].trace], in: results)
          + sizeNotes(on: measurements) + chargeNotes(on: measurements)
          + blockNotes(on: measurements, in: results)
          + ReplayNotes.lines(for: measurements)
          + results.explanations.filter {
            $0.trace == measurements[0].trace && $0.unit == measurements[0].unit
          }.map(\.text) + recommendations(for: measurements[0], in: results))
    } + classes(of: results) + curves(of: results)
  }

  /// The sections of a document's curves.
  static func curves(of results: ResultSet) -> [ReportSection] {
    results.curves.grouped { [$0.trace, $0.unit.rawValue] }.map { curves in
      ReportSection(
        title: title(of: curves[0].trace, in: results) + "; miss-ratio curves"
          + samplingNote(of: curves),
        table: CurveTable.table(of: curves),
        explanations: lacks(of: [curves[0].trace], in: results) + intervalNotes(on: curves)
          + blockNotes(on: [curves[0].trace], in: results))
    }
  }

  /// Returns the policies whose estimates have no interval.
  private static func intervalNotes(on curves: [MissRatioCurve]) -> [String] {
    let estimates = curves.filter { !$0.isExact && !$0.points.isEmpty }
    let without = estimates.filter { $0.points.allSatisfy { $0.interval == nil } }
    let inPart = estimates.filter { curve in
      curve.points.contains { $0.interval == nil } && curve.points.contains { $0.interval != nil }
    }
    return [
      without.isEmpty
        ? ""
        : "No intervals for \(without.map(\.policyLabel).joined(separator: ", ")): none were "
          + "measured to hold, or the sample is too small.",
      inPart.isEmpty
        ? ""
        : "The sample is too small for intervals of \(inPart.map(\.policyLabel).joined(separator: ", ")) at "
          + "the capacities without one.",
    ].filter { !$0.isEmpty }
  }

  /// Returns the sampled part of the trace; nil for the whole.
  private static func samplingNote(of curves: [MissRatioCurve]) -> String {
    let rate = curves.map(\.rate).min() ?? 1
    return rate < 1 ? ", estimated from \(rate.percent) of the keys, with 95 % intervals" : ""
  }

  /// Returns the recommendations for the trace, below its experiments on disk.
  private static func recommendations(
    for measurement: Measurement, in results: ResultSet
  ) -> [String] {
    if measurement.kind != .disk { return [] }
    return results.recommendations.filter { $0.trace == measurement.trace }.map(\.text)
  }

  private static func title(of trace: String, in results: ResultSet) -> String {
    guard let summary = results.traces.first(where: { $0.name == trace }) else { return trace }
    let gets = summary.gets.map { ", \($0) of them gets" } ?? ""
    let misses =
      summary.gets == nil ? "compulsory misses" : "of the gets are compulsory misses"
    let compulsory = summary.compulsoryMissRatio.map { " (\($0.percent) \(misses))" } ?? ""
    return "\(trace) (\(summary.formatText)): \(summary.requests) requests\(gets), "
      + "\(summary.distinct) distinct keys" + compulsory
  }

  /// The notes on traces that are not whole.
  static func lacks(of traces: [String], in results: ResultSet) -> [String] {
    results.traces.filter { traces.contains($0.name) }.compactMap { trace in
      trace.incomplete.map { "\(trace.name) is not whole: \($0)." }
    }
  }

  /// The note on requests of objects of unknown sizes, for each trace that has them; the most that any run counts.
  static func sizeNotes(on measurements: [Measurement]) -> [String] {
    measurements.filter { $0.unknownSizes > 0 }.grouped(by: \.trace).map { runs in
      let most = runs.map(\.unknownSizes).max() ?? 0
      return "On \(runs[0].trace) "
        + (most == 1
          ? "1 request is of an object whose size no request had told yet: it misses, and admits "
          : "\(most) requests are of objects whose size no request had told yet: they miss, and admit ")
        + "nothing."
    }
  }

  /// The note on metadata that are charged to capacities; none where they are not.
  static func chargeNotes(on measurements: [Measurement]) -> [String] {
    guard let charged = measurements.lazy.compactMap(\.metadata).first else { return [] }
    let size = charged.objectSize.map { " of \(ByteCount.text($0)) an object" } ?? ""
    return [
      "Capacities are bytes\(size), of which each policy's own memory takes its part; bounds, the optimum too, are "
        + "charged nothing."
    ]
  }

  /// The notes on hits of blocks of these runs' traces; none for caches of prefixes.
  static func blockNotes(on measurements: [Measurement], in results: ResultSet) -> [String] {
    let matched = measurements.filter { $0.kind != .prefix }.map(\.trace)
    return blockNotes(on: matched.unique, in: results)
  }

  /// The notes on hits of blocks, one for each of the traces that has prompts.
  static func blockNotes(on traces: [String], in results: ResultSet) -> [String] {
    traces.filter { trace in results.traces.contains { $0.name == trace && $0.hasGroups } }.map {
      "Hits on \($0) are block hits, not prefix hits: a block counts where an earlier one of its "
        + "prompt is missing."
    }
  }

  /// The lock, where all runs have the same, and so no column for it.
  static func lockNote(of measurements: [Measurement]) -> String {
    let locks = Set(measurements.compactMap(\.replay?.lock))
    return locks.count == 1 ? locks.map { "; lock \($0)" }.joined() : ""
  }

  /// The time of a miss with its unit; nil where it takes none.
  static func delay(of measurements: [Measurement]) -> String? {
    measurements.lazy.compactMap(\.delayed).first.map { $0.unit.text(Double($0.miss)) }
  }

  /// The time of a miss behind a title, where it takes some.
  static func delayNote(of measurements: [Measurement]) -> String {
    delay(of: measurements).map { "; a miss takes \($0)" } ?? ""
  }

  /// Runs of one kind as a table, those at one capacity of one trace together.
  static func table(
    of measurements: [Measurement], bounds: Set<String>, showsSpeed: Bool = true
  ) -> TextTable {
    // What several threads hit differs from run to run; a rented cache has no capacity.
    func mayBeBest(_ run: Measurement) -> Bool {
      !bounds.contains(run.policy) && run.isDeterministic && run.prefix?.rent == nil
    }
    let keepsSpeed = showsSpeed || measurements.contains { $0.kind != .sweep || $0.form != nil }
    let columns = RunColumns.all.filter {
      $0.isWanted(for: measurements) && (keepsSpeed || $0.key != "requestsPerSecond")
    }
    var table = TextTable(columns.map(\.ofTable))
    for group in measurements.grouped(by: \.place) {
      table.beginGroup()
      let bests = columns.map { best(of: group.filter(mayBeBest), by: $0.merit) }
      for measurement in group {
        let exact = exactTexts(of: measurement)
        table.append(
          columns.indices.map { index in
            TextTable.Cell(
              columns[index].text(measurement) ?? "–",
              isBest: mayBeBest(measurement) && bests[index] != nil
                && columns[index].merit?(measurement) == bests[index],
              exact: columns[index].key.flatMap { exact[$0] })
          })
      }
    }
    return table
  }

  /// The members of the results document, by their paths; those that are `null` are left out.
  private static func exactTexts(of measurement: Measurement) -> [String: String] {
    Dictionary(
      measurement.fields.filter { !$0.text.isEmpty }.map { ($0.key, $0.text) },
      uniquingKeysWith: { first, _ in first })
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
}

extension ResultSet {
  /// The note on missing runs; nil when none is missing.
  var incompleteNote: String? {
    if isComplete { return nil }
    let isOfShares = plan?.shares.contains { !$0.share.isWhole } ?? false
    return (isOfShares ? "Not the whole sweep" : "Not complete, as it was stopped or cells failed")
      + ": these are the \(measurements.count) finished runs."
  }
}
