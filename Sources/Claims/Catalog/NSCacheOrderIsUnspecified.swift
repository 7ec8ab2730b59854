import Foundation

extension Claim {
  /// The order in which Foundation's cache evicts.
  static let nsCacheOrderIsUnspecified = Claim(
    "C15", "NSCache's eviction order is unspecified.",
    hypothesis: "The rule “lowest cost first, the newest among equals” fails to predict a victim.",
    effect: "evictions that the rule does not predict / evictions",
    note: "the order is the one of Foundation on this platform, and observed, not promised",
    conditions: [1, 5, 1_000].map { costs in
      ClaimCondition(["distinct costs": "\(costs)"], .happens) { context in
        let evictions = FoundationEvictions(costs: costs, context: &context)
        return Trial(
          claimed: Double(evictions.unpredicted), other: Double(evictions.count))
      }
    })
}
