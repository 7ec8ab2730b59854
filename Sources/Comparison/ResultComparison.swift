import Parameters
import Results

/// Two results documents side by side: which runs both have, and in what they differ.
///
///     let comparison = ResultComparison(before: baseline, after: results)
///     for difference in comparison.differences { print(difference.cell.label, difference.figure) }
///
/// Counts of deterministic runs and points of curves are exact: any difference is real. Instructions differ
/// when they do so by more than ``Tolerances/instructions``, and are compared only where compiler, kind of
/// processor and operating system are the same. Times are compared through their ratios to the calibration
/// loop, as `evict speed` measures them, where the processor is the same too: the rounds of two
/// separate runs, by rank sums (`TimingChange`). Single timings prove nothing and are not compared.
///
/// Runs that were counted window by window also say what their difference is in a stationary process like the
/// trace.
///
/// What is not compared is said: ``omissions``, and how many runs were ``compared`` at all.
package struct ResultComparison: Sendable {
  /// The differences that count as none.
  package struct Tolerances: Sendable {
    /// The share by which instructions of one program differ between runs: allocation and
    /// start-up are not quite the same every time.
    package var instructions: Double
    /// The share by which times of one program differ from process to process; a difference counts where
    /// the whole interval of the times' ratio lies beyond it.
    package var time: Double
    /// The probability that any verdict on times is wrong, of all runs together.
    package var errorRate: Double

    /// Tolerances; by default half a percent of instructions, and 5 % of time at an error rate of 1 %.
    package init(instructions: Double = 0.005, time: Double = 0.05, errorRate: Double = 0.01) {
      self.instructions = instructions
      self.time = time
      self.errorRate = errorRate
    }
  }

  /// The name of the metric of the machine's instructions.
  static let instructions = "instructions"
  /// The name of the metric of times.
  static let time = "time"

  /// Every run and curve of either document, in the order of the differences.
  package private(set) var cells: [CellKey] = []
  /// The number of runs and curves in both documents that were compared in at least one metric.
  package private(set) var compared = 0
  /// True if the instructions of a run in both documents were compared.
  package private(set) var comparesInstructions = false
  /// The number of runs and curves to compare, with those that one of the documents lacks.
  package private(set) var runs = 0
  /// The differences: of runs, then of curves, each in the order of the first document; those that only the
  /// second has come last.
  package private(set) var differences: [Difference] = []
  /// The runs and curves that a document has and that were not compared, in the order of the first run.
  package private(set) var omissions: [Omission] = []

  /// The notes on documents that are not complete; empty where both are.
  package let incompletenesses: [String]
  /// True if no run or curve is in both documents.
  package private(set) var isDisjoint = false
  /// The gains of policies over each other, where no run is in both documents: those of the second are compared
  /// with LRU, or without it with the first policy of the first document.
  package private(set) var gains: [Estimate] = []

  /// Compares two documents: runs and curves, and the exact curves, explanations and rankings that stand beside them.
  ///
  /// - Parameters:
  ///   - before: The earlier results.
  ///   - after: The later results.
  ///   - tolerances: The differences that count as none.
  ///   - bounds: The names of policies that no cache could run, of which nothing is estimated.
  /// - Complexity: O(runs + points of curves), and a rank-sum test for each run with times.
  package init(
    before: ResultSet, after: ResultSet, tolerances: Tolerances = Tolerances(),
    bounds: Set<String> = []
  ) {
    incompletenesses = [("the results before", before), ("the new results", after)]
      .filter { !$0.1.isComplete }
      .map { "\($0.0) are not complete; run them to their end (sweep --resume)" }
    let rules = SpeedRules(before, after, tolerances)
    var traces = ResultComparison.differingTraces(before, after)
    var gaps: [CellComparison.Gap] = []
    hold(before.measurements, against: after.measurements, "run", &traces, &gaps) {
      CellKey($0)
    } compare: { comparison, before, after in
      comparison.compareCounts(before, after)
      comparison.compareSpeed(before, after, rules)
    }
    hold(before.curves, against: after.curves, "curve", &traces, &gaps) {
      CellKey($0)
    } compare: { comparison, before, after in
      comparison.compareCurves(before, after)
    }
    runs = cells.count
    cells = cells.unique
    addSpreads(of: after)
    isDisjoint =
      runs > 0 && differences.count == runs
      && differences.allSatisfy { $0.verdict == .missing || $0.verdict == .added }
    if isDisjoint {
      gains = ResultSet(joining: [before, after]).estimated(bounds: bounds)
        .filter { $0.against != nil }
    } else {
      holdOthers(before, after, &traces, &gaps)
    }
    omissions = gaps.grouped { $0 }.map {
      Omission(figure: $0[0].figure, runs: $0.count, reason: $0[0].reason)
    }
  }

  /// Says beside hits that changed by how much those of other orders differ. An exact count that changed stays a failure.
  private mutating func addSpreads(of results: ResultSet) {
    let changed = differences.indices.filter {
      differences[$0].figure == "hits" && differences[$0].verdict == .changed
    }
    if changed.isEmpty { return }
    let runs = results.recorded.measurements.filter { !$0.spreads.isEmpty }
    let spreads = Dictionary(runs.map { (CellKey($0), $0.spreads[0]) }) { first, _ in first }
    for index in changed where differences[index].reason.isEmpty {
      guard let spread = spreads[differences[index].cell] else { continue }
      differences[index].reason = String(
        printing: "other \(spread.kind.rawValue)s ± %.2g points", spread.deviation * 100)
    }
  }

  /// Holds entries of one kind against those of the same identity. Where a document repeats an identity,
  /// the first is held against the first, the second against the second; one that only repeats the one before it needs no
  /// counterpart.
  private mutating func hold<Entry>(
    _ before: [Entry], against after: [Entry], _ name: String, _ traces: inout [String: Bool],
    _ gaps: inout [CellComparison.Gap], identity: (Entry) -> CellKey,
    compare: (inout CellComparison, Entry, Entry) -> Void
  ) {
    var later = Dictionary(grouping: after, by: identity).mapValues { $0[...] }
    var last: [CellKey: Entry] = [:]
    func repeats(_ entry: Entry) -> Bool {
      let cell = identity(entry)
      guard let other = last[cell] else { return false }
      var comparison = CellComparison(cell)
      compare(&comparison, other, entry)
      return comparison.isCompared && comparison.differences.isEmpty
    }
    for entry in before {
      let cell = identity(entry)
      cells.append(cell)
      if let isReported = traces[cell.trace] {
        if !isReported {
          differences.append(Difference(cell, "trace", .changed, reason: "other content"))
        }
        traces[cell.trace] = true
      } else if let other = later[cell]?.popFirst() {
        last[cell] = other
        var comparison = CellComparison(cell)
        compare(&comparison, entry, other)
        if comparison.isCompared { compared += 1 }
        if comparison.comparesInstructions { comparesInstructions = true }
        differences += comparison.differences
        gaps += comparison.gaps
      } else if repeats(entry) {
        compared += 1
      } else {
        differences.append(Difference(cell, name, .missing))
      }
    }
    for cell in after.map(identity).unique where traces[cell.trace] == nil {
      for entry in later[cell] ?? [] where !repeats(entry) {
        last[cell] = entry
        cells.append(cell)
        differences.append(Difference(cell, name, .added))
      }
    }
  }

  /// Holds what stands beside runs and curves against its counterpart. None of it counts as a run.
  private mutating func holdOthers(
    _ before: ResultSet, _ after: ResultSet, _ traces: inout [String: Bool],
    _ gaps: inout [CellComparison.Gap]
  ) {
    let counts = (cells, compared)
    hold(before.references, against: after.references, "curve", &traces, &gaps) {
      CellKey($0)
    } compare: { comparison, before, after in
      comparison.compareCurves(before, after)
    }
    hold(before.explanations, against: after.explanations, "explanation", &traces, &gaps) {
      CellKey(kind: .sweep, place: CellKey.Place($0), policy: "explanation")
    } compare: { comparison, before, after in
      comparison.compare(before.figures, after.figures)
    }
    hold(before.rankings, against: after.rankings, "ranking", &traces, &gaps) {
      CellKey(
        kind: .sweep, place: CellKey.Place(trace: $0.name, capacity: nil, unit: .objects),
        policy: "ranking")
    } compare: { comparison, before, after in
      comparison.compare(before.figures, after.figures)
    }
    (cells, compared) = counts
  }

  /// Traces that have the same name and other bytes or requests, none of them reported yet.
  static func differingTraces(_ before: ResultSet, _ after: ResultSet) -> [String: Bool] {
    var differing: [String: Bool] = [:]
    let named = Set(after.measurements.map(\.trace) + after.curves.map(\.trace))
    for trace in before.traces {
      guard let other = after.traces.first(where: { $0.name == trace.name }) else {
        // Runs of a trace of which the document says nothing.
        if !after.traces.isEmpty, named.contains(trace.name) { differing[trace.name] = false }
        continue
      }
      // What one of them does not say of the trace tells them not apart.
      let isSame = zip(trace.figures, other.figures).allSatisfy { old, new in
        old.certainty != .exact || old.value == new.value
          || [old.value, new.value].contains(.null)
      }
      if !isSame { differing[trace.name] = false }
    }
    return differing
  }
}

extension ResultSet {
  /// The groups of a ranking over a list of traces.
  fileprivate var rankings: [RankedGroup] { suite?.groups ?? [] }
}
