import Parameters
import Results
import Statistics

extension ResultSet {
  /// The policies of a sweep that the best cannot be told apart from over the orders that were run.
  ///
  /// Policies are compared order by order, by the mean over traces and capacities of their misses against FIFO's, or of
  /// their hit ratios. One is ahead where the interval of the median difference is above 0, at 95 % for all pairs of policies
  /// together (Bonferroni), as the best is chosen by the same runs. It is one by order statistics, which needs no assumption
  /// but that orders are drawn independently.
  ///
  /// - Parameter bounds: The names of policies that no cache could run, which are left out.
  /// - Returns: Nil for fewer than two policies, for fewer than two orders in which all of them ran everywhere, for orders of
  ///   several models or reaches, and where no order changes anything.
  package func leaders(bounds: Set<String>) -> OrderLeaders? {
    let runs = measurements.filter {
      $0.kind == .sweep && $0.variation?.kind == .order && !bounds.contains($0.policy)
    }
    guard let first = runs.first?.variation,
      runs.allSatisfy({ $0.variation?.isAlike(first) == true })
    else { return nil }
    let isReduced = runs.allSatisfy { $0.missRatioReduction != nil }
    let contenders = runs.grouped(by: \.contender).map {
      OrderMerits(policy: $0[0].contender, runs: $0, isReduced: isReduced)
    }
    let places = contenders.map(\.places).max { $0.count < $1.count } ?? []
    let orders =
      contenders.map { $0.orders(at: places) }.reduce(nil as Set<Int>?) {
        $0?.intersection($1) ?? $1
      }?.sorted() ?? []
    guard contenders.count > 1, orders.count > 1 else { return nil }
    let ranked = contenders.map { (policy: $0.policy, merits: $0.merits(in: orders)) }
      .sorted { ($0.merits.median ?? 0) > ($1.merits.median ?? 0) }
    if ranked.allSatisfy({ Set($0.merits).count == 1 }) { return nil }
    let pairs = ranked.count * (ranked.count - 1) / 2
    let confidence = 1 - (1 - Estimate.confidence) / Double(pairs)
    let policies = ranked.filter { other in
      if other.policy == ranked[0].policy { return true }
      let differences = zip(ranked[0].merits, other.merits).map { $0 - $1 }
      let median = try? QuantileInterval(differences, 0.5, of: .orders)
      guard let interval = median?.interval(confidence: confidence) else { return true }
      return interval.lowerBound <= 0
    }.map(\.policy)
    let (model, reach) = (first.model ?? "", Int(first.extent))
    let needed = OrderCount.needed(confidence: confidence)
    return OrderLeaders(
      policies: policies, compared: ranked.count,
      orders: "\(orders.count) orders (\(model), no request further than \(reach) places)",
      needed: needed > orders.count ? needed : nil)
  }
}

/// The merits of a policy in each order, place by place.
private struct OrderMerits {
  let policy: String
  /// By order and place, the mean over seeds.
  private let values: [Int: [CellKey.Place: Double]]

  init(policy: String, runs: [Measurement], isReduced: Bool) {
    self.policy = policy
    let orders = Dictionary(grouping: runs) { $0.variation?.number ?? 0 }
    values = orders.mapValues { runs in
      Dictionary(grouping: runs) { CellKey.Place($0) }.compactMapValues { runs in
        runs.compactMap { isReduced ? $0.missRatioReduction : $0.comparedHitRatio }.mean
      }
    }
  }

  /// The places at which it ran in any order.
  var places: Set<CellKey.Place> { values.values.reduce(into: []) { $0.formUnion($1.keys) } }

  /// The orders in which it ran at all of these places.
  func orders(at places: Set<CellKey.Place>) -> Set<Int> {
    Set(values.filter { places.isSubset(of: $0.value.keys) }.keys)
  }

  /// The mean over traces of the mean over capacities, in each of these orders.
  func merits(in orders: [Int]) -> [Double] {
    orders.map { order in
      let traces = Dictionary(grouping: values[order] ?? [:]) { $0.key.trace }
      // In one order, so that equal sums are equal.
      return traces.sorted { $0.key < $1.key }.compactMap { _, values in
        values.sorted { ($0.key.capacity ?? 0) < ($1.key.capacity ?? 0) }.map(\.value).mean
      }.mean ?? 0
    }
  }
}
