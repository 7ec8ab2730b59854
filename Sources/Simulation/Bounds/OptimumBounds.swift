/// Bounds of the hits of any cache of a size: no policy gains more than `upper`, and a schedule that was found
/// gains `lower`.
///
/// Which objects to keep is, with objects of different sizes, a problem that is solved exactly only on
/// tiny traces. From above it is bounded by its relaxation: room is sold by size and time, every stay
/// is bought that gains more than it costs, and what the room of the whole cache would bring is added.
/// For every price that is a bound; with one price for all times it is PFOO-L, and here prices differ
/// from one part of the trace to another and are adjusted until supply meets demand. From below it is
/// bounded by a schedule: the stays that gain most for what they cost are kept wherever there is room.
///
/// The optimum may refuse newcomers, so the upper bound holds for every policy, and the lower one is
/// reached by policies that may.
///
/// - Paper: D. S. Berger, N. Beckmann, M. Harchol-Balter, “Practical bounds on optimal caching with
///   variable object sizes”, SIGMETRICS 2018. In its terms, which count misses, ours from above is
///   PFOO-L sharpened, and ours from below takes the place of PFOO-U.
package struct OptimumBounds: Sendable, Equatable {
  /// The objective of the optimum.
  package enum Objective: Sendable, CaseIterable {
    /// Hits.
    case objects
    /// Bytes that hit.
    case bytes
  }

  /// The gain of a schedule, in hits or bytes.
  package let lower: Int
  /// The gain that nothing can exceed, in hits or bytes.
  package let upper: Int
  /// Everything that was requested, in requests or bytes.
  package let total: Int

  /// Both bounds as shares of what was requested; nil if nothing was.
  package var ratios: ClosedRange<Double>? {
    total == 0 ? nil : Double(lower) / Double(total)...Double(upper) / Double(total)
  }

  init(lower: Int, upper: Int, total: Int) {
    self.lower = lower
    self.upper = upper
    self.total = total
  }

  /// Bounds the optimum for the stays of a trace at `capacity`.
  ///
  /// - Parameter goesOn: Asked about every 16 384 stays in each pass over them; false stops the work.
  /// - Returns: The bounds, or nil if the work was stopped.
  /// - Complexity: O(requests × log requests). Memory: about 100 bytes per request.
  package static func of(
    _ reuse: ReuseIntervals, capacity: Int, objective: Objective,
    goesOn: () -> Bool = { true }
  ) -> OptimumBounds? {
    if !goesOn() { return nil }
    guard
      let market = StayMarket(reuse, capacity: capacity, objective: objective, goesOn: goesOn)
    else { return nil }
    guard let prices = market.prices(goesOn: goesOn) else { return nil }
    guard let kept = market.schedule(prices.prices, goesOn: goesOn) else { return nil }
    let total = reuse.total(objective)
    return OptimumBounds(lower: kept, upper: min(prices.bound, total), total: total)
  }
}
