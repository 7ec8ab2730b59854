import Parameters
import Results

/// A comparison with what it means: what failed, what is advice, and what else there is to say.
package struct Judgement: Sendable {
  /// The weight of a difference for the reader.
  package enum Severity: String, Sendable, CaseIterable {
    /// The gate closes.
    case failure
    /// Worth a look; nothing follows from it.
    case advice
    /// For completeness.
    case note
  }

  /// A difference and what it means.
  package struct Item: Sendable {
    /// The difference.
    package let difference: Difference
    /// Its severity.
    package let severity: Severity
  }

  /// Something to say of the documents as a whole: what was not compared.
  package struct Remark: Sendable, Equatable {
    /// Its severity.
    package let severity: Severity
    /// A sentence.
    package let text: String

    /// As a line: `advice: instructions of 24 runs are not compared: …`.
    package var line: String { "\(severity.rawValue): \(text)" }
  }

  /// Every run and curve that was looked at, whether anything was found or not.
  package let cells: [CellKey]
  /// The differences, the gravest first, else in the order of the runs.
  package let items: [Item]
  /// The other remarks.
  package let remarks: [Remark]
  /// The number of runs and curves held against their counterparts.
  package let compared: Int
  /// The number of runs.
  package let runs: Int

  /// True if the gate closes.
  package var hasFailed: Bool {
    (items.map(\.severity) + remarks.map(\.severity)).contains(.failure)
  }

  /// The relation of the results to their baseline, as a verb, for a gate that closes.
  package var relation: String {
    let failures = items.filter { $0.severity == .failure }.map(\.difference)
    let sides = failures.filter { $0.verdict != .missing }.compactMap(\.isBetter)
    if sides.contains(false) { return "fall behind" }
    if failures.contains(where: { $0.verdict == .missing }) { return "lack runs of" }
    return sides.isEmpty ? "differ from" : "are better than"
  }

  /// Returns the verdict of a gate on a comparison with its baseline.
  ///
  /// It closes for an exact figure or a point of a curve that differs, for an estimated one that differs by more than a
  /// tenth, for a run, a curve or a trace that is not what it was, for instructions that grew, for a document that was
  /// not complete or contradicts itself, and where nothing at all could be compared. Times are advice: no machine is quiet enough for more.
  ///
  /// - Parameters:
  ///   - comparison: The results beside their baseline.
  ///   - inconsistencies: The values in a document that do not follow from the others.
  ///   - requiresInstructions: True if it also closes for instructions that one of the documents has and
  ///     that were not compared, which are advice otherwise, and where neither document has any.
  ///   - forgivesGains: True if exact figures that are better are advice, and with them the counts of their runs.
  package static func gate(
    _ comparison: ResultComparison, inconsistencies: [String] = [],
    requiresInstructions: Bool = false, forgivesGains: Bool = false
  ) -> Judgement {
    let gains = comparison.differences.filter { $0.isBetter == true && $0.verdict == .changed }
    let better = Set(forgivesGains ? gains.map(\.cell) : [])
    let isEmpty = comparison.compared == 0
    let nothing = Remark(
      severity: .failure, text: "no run could be compared; is this the baseline of these results?")
    let lacksInstructions =
      requiresInstructions && !comparison.comparesInstructions
      && !comparison.omissions.contains { $0.figure == ResultComparison.instructions }
    let uncounted = Remark(
      severity: .failure,
      text:
        "no instructions were counted: install valgrind, and measure the results and the baseline "
        + "with evict speed")
    let absences = isEmpty ? [nothing] : lacksInstructions ? [uncounted] : []
    return Judgement(
      comparison,
      remarks: absences
        + (comparison.incompletenesses + inconsistencies).map {
          Remark(severity: .failure, text: $0)
        }
        + comparison.omissions.map {
          let isCounted = $0.figure == ResultComparison.instructions
          return Remark(
            severity: !isCounted ? .note : requiresInstructions ? .failure : .advice,
            text: $0.sentence)
        }
    ) { difference in
      switch difference.verdict {
      case .changed:
        difference.isBetter != false && better.contains(difference.cell) ? .advice : .failure
      case .missing: .failure
      case .slower: difference.figure == ResultComparison.instructions ? .failure : .advice
      case .faster, .added, .unclear: .note
      }
    }
  }

  /// Returns the verdict of a reader who only wants to know what changed: nothing fails.
  package static func information(_ comparison: ResultComparison) -> Judgement {
    Judgement(
      comparison,
      remarks: (comparison.isDisjoint ? [sideBySide] : [])
        + comparison.incompletenesses.map { Remark(severity: .advice, text: $0) }
        + comparison.gains.map { Remark(severity: .note, text: $0.sentence) }
        + comparison.omissions.map { Remark(severity: .advice, text: $0.sentence) }
    ) { $0.verdict == .unclear ? .note : .advice }
  }

  private static let sideBySide = Remark(
    severity: .advice,
    text: "no run is in both documents; evict report shows them side by side")

  private init(
    _ comparison: ResultComparison, remarks: [Remark], severity: (Difference) -> Severity
  ) {
    cells = comparison.cells
    compared = comparison.compared
    runs = comparison.runs
    let items = comparison.differences.map { Item(difference: $0, severity: severity($0)) }
    self.items = Severity.allCases.flatMap { severity in items.filter { $0.severity == severity } }
    self.remarks = remarks
  }

  /// The number of runs compared and what came of them, in a sentence; a run counts once, by its gravest difference, and
  /// each remark that closes the gate is a failure, too.
  package var summary: String {
    let gravest = items.grouped(by: \.difference.cell).map { $0[0].severity }
    var counts = Severity.allCases.map { severity in gravest.count { $0 == severity } }
    counts[0] += remarks.count { $0.severity == .failure }
    let words = [counts[0] == 1 ? "failure" : "failures", "to look at", "noted"]
    let found = zip(counts, words).filter { $0.0 > 0 }
      .map { "\($0) \($1)" }.joined(separator: ", ")
    if compared == 0 { return "no run compared" + (found.isEmpty ? "" : ": \(found)") }
    let share = compared == runs ? "\(compared)" : "\(compared) of \(runs)"
    return "\(share) run\(runs == 1 ? "" : "s") compared: "
      + (found.isEmpty ? "nothing differs" : found)
  }
}

/// A figure that a document has and that was not held against the other's, in how many runs, and why.
package struct Omission: Sendable, Equatable {
  /// The metric that was not compared: `hits`, `instructions`, `times`.
  package let figure: String
  /// In how many runs, for this reason.
  package let runs: Int
  /// The reason, and the remedy where there is one.
  package let reason: String

  /// The omission in a sentence.
  package var sentence: String {
    "\(figure) of \(runs) run\(runs == 1 ? "" : "s") are not compared: \(reason)"
  }
}
