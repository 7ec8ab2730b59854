import Parameters
import Rendering
import Results

/// The page on claims that were tested: the verdict of each, then its conditions with their effects.
package enum ClaimPage {
  /// The text of the page.
  package static func html(_ claims: [ClaimDocument]) -> String {
    let counts = ClaimVerdict.allCases.compactMap { verdict in
      let count = claims.count { $0.verdict == verdict }
      return count > 0 ? "\(count) \(verdict.rawValue)" : nil
    }
    let lead =
      claims.count == 1
      ? "\(claims[0].id), \(claims[0].verdict.rawValue): \(claims[0].claim)"
      : "Of \(claims.count) claims: \(counts.joined(separator: ", "))."
    return Page(
      title: claims.map(\.id).joined(separator: ", "), kind: "claims, tested", lead: lead,
      sections: claims.map(section)
        + claims.prefix(1).map { .environment($0.environment, commands: ["evict claims"]) }
    ).html
  }

  private static func section(of claim: ClaimDocument) -> PageSection {
    var table = TextTable(
      [
        .init("condition"), .init("verdict"), .init("effect", .right), .init("95 %, from", .right),
        .init("to", .right), .init("rule"), .init("trials", .right), .init("disturbed", .right),
      ])
    for condition in claim.conditions {
      let effect = condition.effect
      table.append(
        [
          .init(
            condition.factors.map { "\($0.key) \(text(of: $0.value))" }.joined(separator: ", ")),
          .init(condition.verdict.rawValue), .init(effect.map { $0.value.digits(3) } ?? "–"),
          .init(effect.map { $0.interval.lowerBound.digits(3) } ?? "–"),
          .init(effect.map { $0.interval.upperBound.digits(3) } ?? "–"),
          .init(condition.reason ?? condition.rule), .init("\(condition.trials)"),
          .init("\(condition.disturbed)"),
        ])
    }
    let name = claim.effect?.name ?? "effect"
    return PageSection(
      id: claim.id, heading: "\(claim.id): \(claim.verdict.rawValue)",
      texts: [claim.claim, "Tested: \(claim.hypothesis)"],
      tables: [PageTable(table, caption: name)], notes: claim.note.map { [$0] } ?? [])
  }

  private static func text(of value: JSON) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .number(let number): number.digits(3)
    case .boolean(let isTrue): "\(isTrue)"
    case .null, .array, .object: "–"
    }
  }
}
