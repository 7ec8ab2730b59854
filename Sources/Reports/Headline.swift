import Foundation
import Rendering
import Results

/// The first sentence of a report, and what it rests on.
struct Headline {
  /// The sentence; nil where nothing was measured.
  let text: String?
  /// The certainty of the sentence, and the memory and the load that it is worth; nil where nothing is known.
  let support: String?

  init(_ view: ResultsView) {
    let results = view.results
    let special =
      Headline.recommendation(results) ?? Headline.indistinct(view) ?? Headline.disk(view)
      ?? Headline.lock(results) ?? Headline.prefix(view) ?? Headline.latency(view)
    let main =
      special ?? Headline.best(view) ?? Headline.single(view) ?? Headline.gain(view)
      ?? Headline.price(results.curves) ?? Headline.fall(results.curves)
      ?? Headline.bound(results.measurements)
    let statements = [main].compactMap(\.self) + Headline.costs(of: results, bounds: view.bounds)
    text = statements.isEmpty ? nil : statements.joined(separator: " ")
    let sentences = Support(view).sentences
    support = sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  /// The inline threshold of an experiment on disk.
  private static func recommendation(_ results: ResultSet) -> String? {
    results.recommendations.first.map { best in
      let (low, high) = (best.interval.lowerBound, best.interval.upperBound)
      return "On \(best.trace) values are fastest in the database up to "
        + "\(best.inlineThreshold) bytes, larger ones in files "
        + "(\(low) to \(high) over \(best.rounds) rounds)."
    }
  }

  /// The policies that the best cannot be told apart from over other orders of the requests; nil where it is ahead.
  static func indistinct(_ view: ResultsView) -> String? {
    guard let leaders = view.results.leaders, let first = view.comparisons.first,
      let best = view.ranking.places.first?.policy, leaders.needed == nil,
      leaders.policies != [best]
    else { return nil }
    let traces = Set(view.comparisons.map(\.trace)).count
    let place = traces > 1 ? "Over \(traces) traces" : "On \(first.trace)"
    let recorded =
      leaders.policies.contains(best) ? "" : " In the recorded order alone \(best) is the best."
    return "\(place) \(leaders.text).\(recorded)"
  }

  /// The best policy over several traces or sizes.
  private static func best(_ view: ResultsView) -> String? {
    let ranking = view.ranking
    guard ranking.columns.count > 1, ranking.places.count > 1, let best = ranking.places.first,
      best.isComplete
    else { return nil }
    let (scope, policies, tied) = (scope(of: view), leaders(of: ranking), ranking.tied)
    let range = range(of: best)
    if !ranking.isReduction {
      return
        "\(scope) \(policies) \(tied.isEmpty ? "hits" : "hit") most\(name(ranking.ratioName)): "
        + "\(percent(best.mean)) "
        + "on average (\(range) by \(ranking.noun))."
    }
    if !isGain(best.mean) {
      return "\(scope) no policy has 0.1 % fewer misses than fifo on average."
    }
    return "\(scope) \(policies) \(tied.isEmpty ? "has" : "have") the fewest misses: "
      + "\(percent(best.mean)) fewer than fifo "
      + "on average (\(range) by \(ranking.noun))."
  }

  /// The traces of a ranking, or its only one.
  static func scope(of view: ResultsView) -> String {
    view.ranking.isOfTraces
      ? "Over \(view.ranking.columns.count) traces"
      : "On \(view.comparisons[0].trace) over \(view.ranking.columns.count) sizes"
  }

  /// The best policy of a ranking, and those that have its values everywhere.
  static func leaders(of ranking: Ranking) -> String {
    let titles = (ranking.places.prefix(1) + ranking.tied).map(\.title)
    return titles.enumerated().map { index, title in
      index == 0 ? title : (index == titles.count - 1 ? " and " : ", ") + title
    }.joined()
  }

  /// The lowest and the highest value of a policy.
  static func range(of place: Ranking.Place) -> String {
    let values = place.values.compactMap(\.self)
    return "\(number(values.min() ?? 0)) to \(percent(values.max() ?? 0))"
  }

  /// The gain of the best policy over LRU, at one capacity of one trace.
  private static func gain(_ view: ResultsView) -> String? {
    guard let comparison = view.comparisons.first else { return nil }
    guard let gain = Gain(comparison, view.results) else { return leader(comparison) }
    let place = place(comparison)
    if gain.points <= 0 {
      // Where one policy was run, there is no field that lru leads.
      return comparison.contenders.count == 1
        ? leader(comparison, below: -gain.points)
        : "\(place) no policy hits more than lru, \(percent(gain.lru))."
    }
    var text = "\(place) \(gain.best.policy) hits \(percent(gain.best.hitRatio))"
    text += "\(name(comparison.ratioName)), \(points(gain.points)) above lru"
    text += interval(of: gain, in: view.estimates) ?? ""
    if let closed = gain.closed {
      text += ", and closes \(percent(closed)) of its gap to the optimum"
    }
    return text + "."
  }

  /// The interval of a gain, where it has one.
  private static func interval(of gain: Gain, in estimates: [Estimate]) -> String? {
    let estimate = estimates.first {
      $0.trace == gain.comparison.trace && $0.capacity == gain.comparison.capacity
        && $0.unit == gain.comparison.unit && $0.policy == gain.best.policy && $0.against == "lru"
        && $0.interval != nil && $0.estimand != .orders
    }
    return estimate.flatMap { estimate in
      estimate.interval.map {
        String(format: " (%.1f to %.1f", $0.lowerBound * 100, $0.upperBound * 100)
          + " for \(estimate.estimandText), 95\u{A0}% confidence)"
      }
    }
  }

  struct Gain {
    let comparison: Standing
    let best: Standing.Score
    let lru: Double

    /// nil where nothing says what LRU hits.
    init?(_ comparison: Standing, _ results: ResultSet) {
      let own = comparison.scores.first { $0.policy == "lru" }?.hitRatio
      let read = LRUEquivalent(comparison, in: results)?
        .hitRatio(at: comparison.capacity)
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

  /// The hits of the best, without those of LRU; of the only policy beside the optimum's, and by how much it is below LRU.
  private static func leader(_ comparison: Standing, below distance: Double = 0) -> String? {
    guard let best = comparison.best else { return nil }
    let rivals = comparison.contenders.count
    let areEqual = rivals > 1 && comparison.contenders.allSatisfy { $0.hitRatio == best.hitRatio }
    let rank = rivals > 1 && !areEqual ? ", the most of \(rivals) policies" : ""
    let policy = areEqual ? "each of \(rivals) policies" : best.policy
    let lru = distance > 0 ? ", \(points(distance)) below lru" : ""
    let optimum =
      rivals == 1 ? comparison.optimum.map { "; the optimum \(percent($0))" } ?? "" : ""
    return "\(place(comparison)) \(policy) hits \(percent(best.hitRatio))"
      + "\(name(comparison.ratioName))\(rank)\(lru)\(optimum)."
  }

  private static func bound(_ measurements: [Measurement]) -> String? {
    guard let first = measurements.first, let bounds = first.hitRatioBounds else { return nil }
    return "On \(first.trace) at \(amount(first.capacity, first.unit)) no policy can hit more than "
      + "\(percent(bounds.upperBound))."
  }

  static func place(_ comparison: Standing) -> String {
    "On \(comparison.trace) at \(amount(comparison.capacity, comparison.unit))"
  }

  /// The name of a ratio in parentheses; empty for the plain hit ratio.
  static func name(_ ratio: String) -> String { ratio == "hit ratio" ? "" : " (\(ratio))" }

  /// `1000 objects`, `500 blocks`, `64MiB`.
  static func amount(_ capacity: Int, _ unit: Measurement.Unit) -> String {
    if unit == .bytes { return Measurement.text(of: capacity, unit) }
    let noun = unit == .blocks ? "block" : "object"
    return "\(capacity) \(noun)\(capacity == 1 ? "" : "s")"
  }

  /// A time in nanoseconds: `57 ns`, `1.03 ms`.
  static func duration(_ nanoseconds: Int) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
    let time = Double(nanoseconds)
    guard let (size, unit) = units.first(where: { time >= $0.0 }) else {
      return "\(nanoseconds)\u{A0}ns"
    }
    return (time / size).digits(3) + "\u{A0}" + unit
  }

  static func percent(_ ratio: Double) -> String { number(ratio) + "\u{A0}%" }

  /// True for a ratio that is above 0 as ``number(_:)`` shows it.
  static func isGain(_ ratio: Double) -> Bool { (ratio * 1_000).rounded() > 0 }

  /// A ratio in hundredths, without the sign of a zero: `−3.5`.
  static func number(_ ratio: Double) -> String {
    let rounded = (ratio * 1_000).rounded() / 10
    return String(format: "%.1f", rounded == 0 ? 0 : rounded).replacing("-", with: "−")
  }

  private static func points(_ difference: Double) -> String {
    String(format: "%.1f points", difference * 100)
  }
}
