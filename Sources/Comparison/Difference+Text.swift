import Foundation

extension Difference {
  /// The figure before, as one reads it.
  var beforeText: String { before.map(Difference.number) ?? "–" }

  /// The figure after, as one reads it.
  var afterText: String { after.map(Difference.number) ?? "–" }

  /// By how much it grew, in percent with its sign: one hit of many is not nothing, and has the digits to show it.
  var growthText: String {
    guard let growth else { return "–" }
    let percent = growth * 100
    let isSmall = percent != 0 && abs(percent) < 0.005
    let decimals = isSmall ? Int((-log10(abs(percent))).rounded(.up)) : 2
    return String(format: "%+.*f %%", decimals, percent)
  }

  /// The verdict on the metric, in words.
  var verdictText: String {
    let words =
      switch verdict {
      case .changed: isBetter.map { $0 ? "better" : "worse" } ?? "changed"
      case .missing: "missing"
      case .added: "new"
      case .slower: "slower"
      case .faster: "faster"
      case .unclear: "unclear"
      }
    return reason.isEmpty ? words : "\(words): \(reason)"
  }

  /// The whole difference in a sentence.
  var sentence: String {
    let place = "\(cell.label) on \(cell.trace)"
    if before == nil && after == nil {
      let isThere = verdict == .missing || verdict == .added
      return "\(place): " + (isThere ? "the \(figure) is " : "\(figure) ") + verdictText
    }
    return "\(place): \(figure) \(beforeText) → \(afterText) (\(growthText)), \(verdictText)"
  }

  /// Counts in full, shares and ratios to six digits.
  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15
      ? "\(Int(value))" : String(format: "%.6g", value)
  }
}
