import Foundation
import Parameters
import Results
import Statistics

/// The rules that compare the speed of runs, the same for all runs of two documents.
struct SpeedRules {
  let tolerances: ResultComparison.Tolerances
  /// The confidence of the verdict on one run's times: all together are wrong as rarely as requested.
  let confidence: Double
  /// The reason why instructions of the two documents do not compare; nil where they do.
  let instructionObstacle: String?
  /// The reason why times of the two documents do not compare; nil where they do.
  let timeObstacle: String?

  init(_ before: ResultSet, _ after: ResultSet, _ tolerances: ResultComparison.Tolerances) {
    self.tolerances = tolerances
    let judged = before.measurements.count { $0.speed?.ratios.isEmpty == false }
    confidence = 1 - tolerances.errorRate / Double(max(1, judged))
    let (old, new) = (before.environment, after.environment)
    let platform = [
      (old.toolchain, new.toolchain), (old.architecture, new.architecture), (old.os, new.os),
    ]
    let mixture = (old.others + new.others).first.map { "a document holds results of \($0), too" }
    instructionObstacle =
      SpeedRules.obstacle("another compiler, processor or system", platform) ?? mixture
    timeObstacle =
      SpeedRules.obstacle("another machine", platform + [(old.cpu, new.cpu)]) ?? mixture
  }

  /// Returns the facts that differ, behind a few words for them; nil if none does.
  private static func obstacle(_ words: String, _ facts: [(String, String)]) -> String? {
    func name(_ fact: String) -> String { fact.isEmpty ? "unknown" : fact }
    let differing = facts.filter { $0 != $1 }.map { "\(name($0)) → \(name($1))" }
    return differing.isEmpty ? nil : "\(words) (\(differing.joined(separator: ", ")))"
  }
}

extension CellComparison {
  /// Compares how fast two runs were.
  mutating func compareSpeed(
    _ run: Results.Measurement, _ other: Results.Measurement, _ rules: SpeedRules
  ) {
    let (before, after) = (run.speed, other.speed)
    if before != nil, after != nil, run.form != other.form {
      let reason =
        "\(run.form == nil ? "the results before" : "the new results") do not say in which form "
        + "the policy ran, as an earlier version wrote them; measure them again"
      gaps += [ResultComparison.instructions, "times"].map { Gap(figure: $0, reason: reason) }
      return
    }
    let (old, new) = (before?.instructions, after?.instructions)
    if canCompare(
      ResultComparison.instructions, old != nil, new != nil, rules.instructionObstacle,
      remedy: "use evict speed where valgrind is installed"), let old, let new
    {
      compareInstructions(old, new, rules.tolerances)
    }
    let (past, present) = (before?.ratios ?? [], after?.ratios ?? [])
    if canCompare(
      "times", !past.isEmpty, !present.isEmpty, rules.timeObstacle, remedy: "use evict speed")
    {
      compareTimes(past, present, rules)
    }
  }

  /// Returns true if both documents have a figure that compares; where only that fails, why.
  private mutating func canCompare(
    _ figure: String, _ before: Bool, _ after: Bool, _ obstacle: String?, remedy: String
  ) -> Bool {
    if !before && !after { return false }
    let reason =
      before && after
      ? obstacle : before ? "the new results have none; \(remedy)" : "the results before have none"
    if let reason { gaps.append(Gap(figure: figure, reason: reason)) }
    return reason == nil
  }

  private mutating func compareInstructions(
    _ before: Int, _ after: Int, _ tolerances: ResultComparison.Tolerances
  ) {
    isCompared = true
    comparesInstructions = true
    let growth = (Double(after) - Double(before)) / Double(max(1, before))
    if abs(growth) <= tolerances.instructions { return }
    differences.append(
      Difference(
        cell, ResultComparison.instructions, before: Double(before), after: Double(after),
        growth > 0 ? .slower : .faster))
  }

  /// Judges the rounds of two separate runs: nothing of theirs belongs together by pairs.
  private mutating func compareTimes(_ before: [Double], _ after: [Double], _ rules: SpeedRules) {
    let change: TimingChange
    do throws(StatisticsError) {
      change = try TimingChange(before: before, after: after)
    } catch {
      gaps.append(Gap(figure: "times", reason: "\(error)"))
      return
    }
    isCompared = true
    guard let (verdict, reason) = finding(change, rounds: min(before.count, after.count), rules)
    else { return }
    differences.append(
      Difference(
        cell, ResultComparison.time, before: before.median, after: after.median, verdict,
        reason: reason))
  }

  /// Returns the name of such a change of times and its reason; nil for nothing worth a word.
  private func finding(
    _ change: TimingChange, rounds: Int, _ rules: SpeedRules
  ) -> (Difference.Verdict, String)? {
    let tolerance = rules.tolerances.time
    let isBeyond = max(change.ratio, 1 / change.ratio) > 1 + tolerance
    switch change.verdict(confidence: rules.confidence, tolerance: tolerance) {
    case .slower: return (.slower, range(change, rules.confidence))
    case .faster: return (.faster, range(change, rules.confidence))
    case .drifting: return isBeyond ? (.unclear, "the times drift in themselves") : nil
    case .unchanged:
      return isBeyond ? (.unclear, "\(rounds) rounds are too few for this noise") : nil
    }
  }

  /// `by +6.1 % to +14.2 %`.
  private func range(_ change: TimingChange, _ confidence: Double) -> String {
    guard let interval = change.interval(confidence: confidence) else { return "" }
    return String(
      format: "by %+.1f %% to %+.1f %%", (interval.lowerBound - 1) * 100,
      (interval.upperBound - 1) * 100)
  }
}
