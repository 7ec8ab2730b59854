/// A comparison with what it means: what failed, what is advice, and what else there is to say.
public struct Judgement: Sendable {
  /// What a difference means for whoever asked.
  public enum Severity: String, Sendable, CaseIterable {
    /// The gate closes.
    case failure
    /// Worth a look; nothing follows from it.
    case advice
    /// For completeness.
    case note
  }

  /// A difference and what it means.
  public struct Item: Sendable {
    /// What was found.
    public let difference: Difference
    /// What it means.
    public let severity: Severity
  }

  /// Every run that was looked at, whether anything was found or not.
  public let cells: [CellIdentity]
  /// What was found, the gravest first, else in the order of the runs.
  public let items: [Item]
  /// What else there is to say.
  public let remarks: [String]

  /// Whether the gate closes.
  public var hasFailed: Bool { items.contains { $0.severity == .failure } }

  /// What a gate makes of a comparison with its baseline.
  ///
  /// It closes for a count that differs, for a run or a trace that is not what it was, and for
  /// instructions that grew. Times are advice: no machine is quiet enough for more.
  public static func gate(_ comparison: ResultComparison) -> Judgement {
    Judgement(comparison) { difference in
      switch difference.verdict {
      case .changed, .missing: .failure
      case .slower: difference.figure == ResultComparison.instructions ? .failure : .advice
      case .faster, .added, .unclear: .note
      }
    }
  }

  /// What somebody who only asks what changed makes of a comparison: nothing fails.
  public static func information(_ comparison: ResultComparison) -> Judgement {
    Judgement(comparison) { $0.verdict == .unclear ? .note : .advice }
  }

  private init(_ comparison: ResultComparison, severity: (Difference) -> Severity) {
    cells = comparison.cells
    let items = comparison.differences.map { Item(difference: $0, severity: severity($0)) }
    self.items = Severity.allCases.flatMap { severity in items.filter { $0.severity == severity } }
    var remarks: [String] = []
    if !comparison.isSameToolchain {
      remarks.append("another compiler or processor: instructions are not compared")
    }
    if comparison.isDisjoint {
      remarks.append("no run is in both documents; evict report shows them side by side")
    }
    self.remarks = remarks + comparison.gains.map(\.sentence)
  }

  /// How many runs were looked at and what came of it, in a sentence.
  public var summary: String {
    func count(_ severity: Severity) -> Int { items.count { $0.severity == severity } }
    var text = "\(cells.count) runs compared: "
    text += items.isEmpty ? "nothing differs" : ""
    text += [
      (count(.failure), "failed"), (count(.advice), "to look at"), (count(.note), "noted"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return text
  }
}
