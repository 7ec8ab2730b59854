import Parameters
import Results

/// The hit ratios and latencies of the policies at one capacity of one trace, with runs that differ by chance or lock
/// averaged.
struct Standing {
  /// One of the policies.
  struct Score {
    /// The policy with its parameters.
    let policy: String
    /// True if it is a bound that no cache could run, but that others are compared with.
    let isBound: Bool
    let hitRatio: Double
    /// Nil where objects have no sizes.
    let byteHitRatio: Double?
    /// True if its runs hit the same whenever they are repeated.
    let isExact: Bool
    /// By how much of FIFO's miss ratio its own is smaller; nil where it was not compared.
    let missRatioReduction: Double?
    /// The optimum's hit ratio less this one; nil where it is not known.
    let distanceToOptimum: Double?
    /// In the unit of the place; nil where a miss takes no time.
    let meanLatency: Double?
    /// By how much of FIFO's mean latency its own is lower; nil where it was not compared.
    let latencyReduction: Double?
  }

  let trace: String
  let capacity: Int
  let unit: Measurement.Unit
  /// The name of the compared ratio.
  let ratioName: String
  /// Nil where a miss takes no time.
  let latencyUnit: LatencyMeasures.Unit?
  /// The mean latency that no policy is below; nil where it is not known.
  let leastLatency: Double?
  /// The policies, in the document's order.
  let scores: [Score]

  /// The policies that a cache can run.
  var contenders: [Score] { scores.filter { !$0.isBound } }

  /// The contender that hits most.
  var best: Score? { contenders.max { $0.hitRatio < $1.hitRatio } }

  /// The hit ratio of the optimum, Belady's MIN with bypass.
  var optimum: Double? {
    scores.compactMap { score in score.distanceToOptimum.map { $0 + score.hitRatio } }.max()
  }

  /// Every capacity of every trace, in the document's order. Of replays, those with the fewest threads:
  /// the others hit what the scheduler lets them. Systems that hold more than the capacity in any run are no
  /// match in all, and rented caches have no capacity. The forms in which a policy's speed was measured are one
  /// policy: all hit the same.
  ///
  /// - Parameter bounds: The names of policies that no cache could run.
  static func all(of results: ResultSet, bounds: Set<String>) -> [Standing] {
    let unranked = Set(results.unranked)
    let runs = results.measurements.filter {
      $0.kind != .bounds && $0.prefix?.rent == nil && $0.comparedHitRatio != nil
        && !unranked.contains($0.contender)
    }
    let fewest = runs.compactMap(\.replay?.threads).min()
    let compared = runs.filter { $0.replay == nil || $0.replay?.threads == fewest }
    return compared.grouped(by: \.place).map {
      Standing(
        trace: $0[0].trace, capacity: $0[0].capacity, unit: $0[0].unit,
        ratioName: $0[0].comparedHitRatioName, latencyUnit: $0[0].delayed?.unit,
        leastLatency: $0.compactMap(\.leastMeanLatency).max(),
        scores: $0.grouped(by: \.rankedName).map { score(of: $0, bounds: bounds) })
    }
  }

  private static func score(of all: [Measurement], bounds: Set<String>) -> Score {
    let runs = all.filter { $0.form == all[0].form }
    return Score(
      policy: runs[0].rankedName, isBound: bounds.contains(runs[0].policy),
      hitRatio: runs.compactMap(\.comparedHitRatio).mean ?? 0,
      byteHitRatio: runs.compactMap(\.byteHitRatio).mean,
      isExact: runs.allSatisfy(\.isDeterministic),
      missRatioReduction: runs.compactMap(\.missRatioReduction).mean,
      distanceToOptimum: runs.compactMap(\.distanceToOptimum).mean,
      meanLatency: runs.compactMap(\.delayed?.mean).mean,
      latencyReduction: runs.compactMap(\.latencyReduction).mean)
  }
}

extension Measurement {
  /// The latencies of a run in which misses take time; nil for a delay of 0, too.
  var delayed: LatencyMeasures? { latency.flatMap { $0.miss > 0 ? $0 : nil } }

  /// The bound of the mean latency; a cache without limit has a lower one.
  var leastMeanLatency: Double? {
    guard let latency, requests > 0 else { return nil }
    return Double(latency.least) / Double(requests)
  }

  /// The contender, whatever form its speed was measured in.
  fileprivate var rankedName: String { form == nil ? contender : policyLabel }

  /// The entries that a system held at the end, as a multiple of the capacity; nil where that is not known.
  var heldMultiple: Double? {
    guard unit == .objects, let residents = replay?.systemUse?.residents else { return nil }
    return Double(residents) / Double(max(capacity, 1))
  }
}

extension ResultSet {
  /// The systems that held over 5 % more entries than the capacity in one run at least.
  var unranked: [String] {
    measurements.filter { ($0.heldMultiple ?? 0) > 1.05 }.map(\.contender).unique
  }
}

extension Array<Standing> {
  /// The comparisons on each trace, capacities in one unit.
  var byTrace: [[Standing]] { grouped { "\($0.unit.rawValue) \($0.trace)" } }
}
