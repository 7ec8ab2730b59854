extension Claim {
  /// The cost of what Foundation's cache evicts.
  static let cheapItemsStayInNSCache = Claim(
    "C16", "Cheap items do not go first in NSCache.",
    hypothesis: "NSCache evicts a value although a cheaper one is there.",
    effect: "evictions of other than a cheapest value / evictions",
    note: "the order is the one of Foundation on this platform, and observed, not promised",
    conditions: [5, 1_000].map { costs in
      ClaimCondition(["distinct costs": "\(costs)"], .happens) { context in
        let evictions = FoundationEvictions(costs: costs, context: &context)
        return Trial(claimed: Double(evictions.notCheapest), other: Double(evictions.count))
      }
    })
}
