import Parameters
import Rendering
import Results

/// The headlines of runs in which a miss takes time.
extension Headline {
  /// The policy with the lowest mean latency; nil where policies are ranked by hits.
  static func latency(_ view: ResultsView) -> String? {
    let (ranking, standings) = (view.ranking, view.comparisons)
    guard ranking.metric == .latencyReduction, let best = ranking.places.first, best.isComplete,
      let first = standings.first, let unit = first.latencyUnit
    else { return nil }
    let isAlone = ranking.places.count == 1
    let scope =
      ranking.columns.count == 1 || isAlone && !ranking.isOfTraces
      ? "On \(first.trace)" : scope(of: view)
    let latencies = standings.compactMap { standing in
      standing.contenders.first { $0.policy == best.policy }?.meanLatency
    }
    guard let least = latencies.min(), let most = latencies.max() else { return nil }
    let (low, high) = (unit.text(least), unit.text(most))
    if standings.count == 1 {
      let names =
        ranking.tied.count == ranking.places.count - 1 && !isAlone
        ? "each of \(ranking.places.count) policies" : leaders(of: ranking)
      let isLowest = !isAlone && ranking.tied.count < ranking.places.count - 1
      let noun =
        isLowest
        ? "the lowest mean latency of \(ranking.places.count) policies," : "a mean latency of"
      return
        "\(place(first)) \(names) \(ranking.tied.isEmpty || !isLowest ? "has" : "have") \(noun) \(low), "
        + "\(change(best.mean)) fifo's."
    }
    if isAlone {
      return "\(scope) \(best.policy) has a mean latency of \(low) to \(high) at "
        + "\(standings.count) sizes, \(change(best.mean)) fifo's on average."
    }
    if !isGain(best.mean) {
      return "\(scope) no policy has a mean latency 0.1 % below fifo's on average."
    }
    return "\(scope) \(leaders(of: ranking)) "
      + "\(ranking.tied.isEmpty ? "has" : "have") the lowest mean latency: \(change(best.mean)) fifo's "
      + "on average (\(range(of: best)) by \(ranking.noun))."
  }

  /// The best policy by hits, where policies are ranked by their latencies; nil elsewhere.
  static func hits(beside ranking: Ranking) -> String? {
    guard ranking.metric == .latencyReduction, ranking.places.count > 1,
      let best = ranking.places.first
    else { return nil }
    let hits = Ranking(ranking.columns.flatMap(\.standings), byHits: true)
    guard let first = hits.places.first,
      let own = hits.places.first(where: { $0.policy == best.policy })
    else { return nil }
    func text(_ place: Ranking.Place) -> String {
      hits.isReduction
        ? "\(percent(abs(place.mean))) \(place.mean < 0 ? "more" : "fewer") misses than fifo"
        : "hits \(percent(place.mean))"
    }
    let average = ranking.columns.flatMap(\.standings).count > 1 ? " on average" : ""
    return own.rank == first.rank
      ? "\(best.policy) is the best by hits, too: \(text(own))\(average)."
      : "By hits \(first.policy) is the best: \(text(first))\(average); \(best.policy): \(text(own))."
  }

  /// `4.8 % below`, `1.2 % above`.
  private static func change(_ reduction: Double) -> String {
    "\(percent(abs(reduction))) \(reduction < 0 ? "above" : "below")"
  }
}

extension LatencyMeasures.Unit {
  /// A latency with its unit: `33.5 ms`, `81.2 requests`.
  func text(_ latency: Double) -> String {
    switch self {
    case .nanoseconds: Headline.duration(Int(latency.rounded()))
    case .requests: latency.digits(3) + "\u{A0}requests"
    }
  }
}
