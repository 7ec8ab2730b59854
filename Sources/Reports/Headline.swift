import Foundation
import Rendering
import Results

/// The first sentence of a report.
struct Headline {
  /// The sentence; nil where nothing was measured.
  let text: String?

  init(_ view: ResultsView) {
    let results = view.results
    text =
      Headline.gain(view) ?? Headline.price(results.curves) ?? Headline.fall(results.curves)
      ?? Headline.bound(results.measurements)
  }

  /// Where a policy gains most over LRU.
  private static func gain(_ view: ResultsView) -> String? {
    let gains = view.comparisons.compactMap { Gain($0, view.results) }
    guard let most = gains.max(by: { $0.points < $1.points }) else {
      return view.comparisons.first.flatMap(leader)
    }
    let place = place(most.comparison)
    if most.points <= 0 {
      let scope = gains.count == 1 ? "" : "; no policy hits more at any of \(gains.count) sizes"
      return "\(place) nothing asked for hits more than lru, \(percent(most.lru))\(scope)."
    }
    var text = "\(place) \(most.best.policy) hits \(percent(most.best.hitRatio)), "
    text += "\(points(most.points)) above lru" + (interval(of: most, in: view.estimates) ?? "")
    if let closed = most.closed {
      text += ", and closes \(percent(closed)) of its gap to the optimum"
    }
    if gains.count > 1 { text += "; of \(gains.count) sizes and traces, it gains most there" }
    return text + "."
  }

  /// The interval of a gain, where it has one.
  private static func interval(of gain: Gain, in estimates: [Estimate]) -> String? {
    let estimate = estimates.first {
      $0.trace == gain.comparison.trace && $0.capacity == gain.comparison.capacity
        && $0.unit == gain.comparison.unit && $0.policy == gain.best.policy && $0.against == "lru"
        && $0.interval != nil
    }
    return estimate.flatMap { estimate in
      estimate.interval.map {
        String(format: " (%.1f to %.1f", $0.lowerBound * 100, $0.upperBound * 100)
          + " for \(estimate.estimandText), 95\u{A0}% confidence)"
      }
    }
  }

  private struct Gain {
    let comparison: Standing
    let best: Standing.Score
    let lru: Double

    /// nil where nothing says what LRU hits.
    init?(_ comparison: Standing, _ results: ResultSet) {
      let own = comparison.scores.first { $0.policy == "lru" }?.hitRatio
      let curve = results.references.first {
        $0.trace == comparison.trace && $0.unit == comparison.unit && $0.policyLabel == "lru"
      }
      let read = curve?.missRatio(at: comparison.capacity).map { 1 - $0 }
      guard let best = comparison.best, let lru = own ?? read else { return nil }
      self.comparison = comparison
      self.best = best
      self.lru = lru
    }

    var points: Double { best.hitRatio - lru }

    /// The share of LRU's distance to the optimum that the best policy covers.
    var closed: Double? {
      guard let distance = best.distanceToOptimum, points > 0 else { return nil }
      return points / (points + max(distance, 0))
    }
  }

  private static func leader(_ comparison: Standing) -> String? {
    guard let best = comparison.best else { return nil }
    let rivals = comparison.contenders.count
    let rank = rivals > 1 ? ", the most of \(rivals) policies" : ""
    return "\(place(comparison)) \(best.policy) hits \(percent(best.hitRatio))\(rank)."
  }

  private static func price(_ curves: [MissRatioCurve]) -> String? {
    let priced = curves.compactMap { curve in curve.cheapest.map { (curve, $0) } }
    guard let (curve, cheapest) = priced.min(by: { $0.1.total < $1.1.total }) else { return nil }
    return "On \(curve.trace) a cache of \(amount(cheapest.capacity, curve.unit)) under "
      + "\(curve.policyLabel) is cheapest: \(cheapest.total.digits(4)), of which memory costs "
      + "\(cheapest.memory.digits(4)) and misses \(cheapest.misses.digits(4))."
  }

  private static func fall(_ curves: [MissRatioCurve]) -> String? {
    guard let curve = curves.first, let first = curve.points.first, let last = curve.points.last
    else { return nil }
    return "On \(curve.trace) the miss ratio of \(curve.policyLabel) falls from "
      + "\(percent(first.missRatio)) at \(amount(first.capacity, curve.unit)) to "
      + "\(percent(last.missRatio)) at \(amount(last.capacity, curve.unit))."
  }

  private static func bound(_ measurements: [Measurement]) -> String? {
    guard let first = measurements.first, let bounds = first.hitRatioBounds else { return nil }
    return "On \(first.trace) at \(amount(first.capacity, first.unit)) no policy can hit more than "
      + "\(percent(bounds.upperBound))."
  }

  private static func place(_ comparison: Standing) -> String {
    "On \(comparison.trace) at \(amount(comparison.capacity, comparison.unit))"
  }

  /// `1 000 objects`, `64MiB`.
  static func amount(_ capacity: Int, _ unit: Measurement.Unit) -> String {
    if unit == .bytes { return Measurement.text(of: capacity, unit) }
    return "\(capacity.grouped) \(capacity == 1 ? "object" : "objects")"
  }

  private static func percent(_ ratio: Double) -> String {
    String(format: "%.1f\u{A0}%%", ratio * 100)
  }

  private static func points(_ difference: Double) -> String {
    String(format: "%.1f points", difference * 100)
  }
}

extension Int {
  /// The number in groups of three digits with no-break spaces between: `186 880`.
  var grouped: String {
    let digits = Array(String(magnitude))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index).isMultiple(of: 3) { text += "\u{A0}" }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + text
  }
}
