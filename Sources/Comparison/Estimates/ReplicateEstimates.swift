import Parameters
import Results
import Statistics

/// The mean hit ratio over all seeds of a policy that draws random numbers, or over all orders of a trace, and how far
/// it is above another policy's, seed by seed or order by order: Student's intervals.
///
/// A policy that hits the same under every seed draws none, and has no interval.
struct ReplicateEstimates: Sendable {
  /// The mean that is estimated.
  let estimand: Estimand
  /// The number by which runs of two policies belong together; nil for a run that is none of these.
  let number: @Sendable (Measurement) -> Int?

  /// Over seeds.
  static let ofSeeds = ReplicateEstimates(estimand: .seeds) {
    $0.variation == nil ? $0.seed : nil
  }
  /// Over the orders of a model and a reach.
  static func ofOrders(like order: Variation) -> ReplicateEstimates {
    ReplicateEstimates(estimand: .orders) { run in
      run.variation.flatMap { $0.isAlike(order) ? $0.number : nil }
    }
  }

  /// Returns the estimates of the runs on a trace; the intervals of gains hold together.
  ///
  /// - Parameter places: The runs at each capacity, with the name of the baseline.
  func estimates(of places: [(runs: [Measurement], baseline: String)]) -> [[Estimate]] {
    let randomised = places.map { place in
      place.runs.filter { number($0) != nil }.grouped(by: \.contender)
        .map { runs in runs.grouped { number($0) }.map { $0[0] } }
        .filter { Set($0.map(\.hits)).count > 1 }
    }
    let comparisons = zip(places, randomised).reduce(0) { count, pair in
      count + pair.1.count { $0[0].contender != pair.0.baseline }
    }
    return zip(places, randomised).map { place, policies in
      let others = place.runs.filter { $0.contender == place.baseline }
      return policies.flatMap { runs in
        [mean(of: runs)]
          + (runs[0].contender == place.baseline
            ? [] : [gain(of: runs, over: others, comparisons: comparisons)])
      }.compactMap(\.self)
    }
  }

  private func mean(of runs: [Measurement]) -> Estimate? {
    let mean = try? MeanInterval(runs.compactMap(\.comparedHitRatio), of: estimand)
    return mean.map { estimate($0, Estimate(runs[0], of: estimand)) }
  }

  private func gain(
    of runs: [Measurement], over others: [Measurement], comparisons: Int
  ) -> Estimate? {
    let gains = runs.compactMap { run -> Double? in
      let other = others.first { number($0) == number(run) }
      guard let ratio = run.comparedHitRatio, let baseline = other?.comparedHitRatio else {
        return nil
      }
      return ratio - baseline
    }
    let mean = try? MeanInterval(gains, of: estimand)
    return mean.map {
      estimate($0, Estimate(runs[0], against: others[0], of: estimand), comparisons: comparisons)
    }
  }

  private func estimate(
    _ mean: MeanInterval, _ start: Estimate, comparisons: Int = 1
  ) -> Estimate {
    var estimate = start
    estimate.value = mean.mean
    estimate.interval = mean.interval(
      confidence: 1 - (1 - Estimate.confidence) / Double(comparisons))
    estimate.comparisons = comparisons > 1 ? comparisons : nil
    estimate.samples = mean.count
    return estimate
  }
}
