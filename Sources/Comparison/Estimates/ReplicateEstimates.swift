import Parameters
import Results
import Statistics

/// The hit ratio over all seeds of a policy that draws random numbers, or over all orders of a trace, and how far it is
/// above another policy's, seed by seed or order by order.
///
/// Over seeds it is the mean, with Student's interval. Over orders it is the median, with one by order statistics: some
/// policies hit alike in most orders and far less in a few, where Student's interval does not hold. A policy that hits the
/// same under every seed draws none, and has no interval.
struct ReplicateEstimates: Sendable {
  /// The estimated quantity.
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
        [middle(of: runs)]
          + (runs[0].contender == place.baseline
            ? [] : [gain(of: runs, over: others, comparisons: comparisons)])
      }.compactMap(\.self)
    }
  }

  private func middle(of runs: [Measurement]) -> Estimate? {
    estimate(runs.compactMap(\.comparedHitRatio), Estimate(runs[0], of: estimand))
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
    return estimate(
      gains, Estimate(runs[0], against: others[0], of: estimand), comparisons: comparisons)
  }

  private func estimate(
    _ values: [Double], _ start: Estimate, comparisons: Int = 1
  ) -> Estimate? {
    let confidence = 1 - (1 - Estimate.confidence) / Double(comparisons)
    var estimate = start
    if estimand == .orders {
      guard values.count > 1, let median = try? QuantileInterval(values, 0.5, of: estimand) else {
        return nil
      }
      estimate.value = median.value
      estimate.interval = median.interval(confidence: confidence)
      if estimate.interval == nil {
        estimate.reason =
          "\(values.count) are too few for \(comparisons) comparison\(comparisons == 1 ? "" : "s"); "
          + "give --orders \(OrderCount.needed(confidence: confidence))"
      }
    } else {
      guard let mean = try? MeanInterval(values, of: estimand) else { return nil }
      estimate.value = mean.mean
      estimate.interval = mean.interval(confidence: confidence)
    }
    estimate.comparisons = comparisons > 1 ? comparisons : nil
    estimate.samples = values.count
    return estimate
  }
}

/// The orders that intervals for medians need.
enum OrderCount {
  /// The fewest whose median has an interval of that confidence.
  static func needed(confidence: Double) -> Int {
    var count = 2
    while QuantileInterval.ranks(0.5, count: count, confidence: confidence) == nil { count += 1 }
    return count
  }
}
