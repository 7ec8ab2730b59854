import Parameters
import Results

/// The headlines of pages of curves.
extension Headline {
  /// The least distance of two curves that is worth a sentence.
  private static let leastGap = 0.02

  /// The fall of LRU's curve on each trace, else of the first one's, of the first three traces by name; of one
  /// trace the size where another policy is farthest below it, too.
  static func fall(_ curves: [MissRatioCurve]) -> String? {
    let traces = curves.filter { !$0.points.isEmpty }.grouped { [$0.trace, $0.unit.rawValue] }
    if traces.isEmpty { return nil }
    var sentences = traces.prefix(3).compactMap { fall(of: base(of: $0)) }
    if traces.count == 1 {
      sentences += [gap(below: base(of: traces[0]), in: traces[0])].compactMap(\.self)
    }
    let others = traces.count - min(traces.count, 3)
    if others > 0 { sentences.append("The curves of \(others) more traces are in the tables.") }
    return sentences.joined(separator: " ")
  }

  /// The curve that others are compared with.
  private static func base(of curves: [MissRatioCurve]) -> MissRatioCurve {
    curves.first { $0.policyLabel == "lru" } ?? curves[0]
  }

  private static func fall(of curve: MissRatioCurve) -> String? {
    guard let first = curve.points.first, let last = curve.points.last else { return nil }
    func text(_ point: MissRatioCurve.Point) -> String {
      "\(percent(point.missRatio)) at \(amount(point.capacity, curve.unit))"
    }
    let subject = "On \(curve.trace) the miss ratio of \(curve.policyLabel)"
    let depth = first.missRatio - last.missRatio
    if curve.points.count == 1 { return "\(subject) is \(text(first))." }
    if depth <= 0 { return "\(subject) is \(text(first)) and \(text(last))." }
    let near = curve.points.first { first.missRatio - $0.missRatio >= 0.9 * depth } ?? last
    let early =
      near.capacity == last.capacity
      ? "" : "; at \(amount(near.capacity, curve.unit)) it has fallen by nine tenths of that"
    return "\(subject) falls from \(text(first)) to \(text(last))\(early)."
  }

  /// A capacity with a curve's miss ratio there, and those of the others, the lowest first.
  private struct Size {
    let capacity: Int
    let own: Double
    let ranked: [(policy: String, missRatio: Double)]

    var gap: Double { own - ranked[0].missRatio }
  }

  /// The size, of those that all others have, at which one of them is farthest below a curve; nil for estimates, and
  /// where none is far below.
  private static func gap(below base: MissRatioCurve, in curves: [MissRatioCurve]) -> String? {
    let others = curves.filter { $0.policyLabel != base.policyLabel }
    guard let first = others.first, Set(curves.map(\.policyLabel)).count == curves.count,
      curves.allSatisfy(\.isExact)
    else { return nil }
    let shared = others.reduce(Set(first.points.map(\.capacity))) {
      $0.intersection($1.points.map(\.capacity))
    }
    let sizes = shared.sorted().compactMap { capacity -> Size? in
      guard let own = base.missRatio(at: capacity) else { return nil }
      let ranked = others.map { curve in
        (policy: curve.policyLabel, missRatio: curve.missRatio(at: capacity) ?? 1)
      }
      return Size(
        capacity: capacity, own: own, ranked: ranked.sorted { $0.missRatio < $1.missRatio })
    }
    guard let widest = sizes.max(by: { $0.gap < $1.gap }), sizes.count > 1,
      widest.gap >= leastGap
    else { return nil }
    // LRU's curve is within 0.05 points of the lines between its points.
    func whole(_ ratio: Double) -> String { "\(Int((ratio * 100).rounded()))\u{A0}%" }
    let next = others.count > 2 ? ", the next," : ""
    let ratios = widest.ranked.prefix(2).enumerated().map { rank, score in
      "\(score.policy)\(rank == 0 ? " misses" : next) \(whole(score.missRatio))"
    }
    return "Of \(sizes.count) sizes the gap to \(base.policyLabel) is widest at "
      + "\(amount(widest.capacity, base.unit)): \(ratios.joined(separator: ", ")), "
      + "\(base.policyLabel) \(whole(widest.own))."
  }
}
