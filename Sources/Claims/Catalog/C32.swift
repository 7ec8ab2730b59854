import Foundation

extension Claim {
  /// The limits of Foundation's cache.
  static let c32 = Claim(
    "C32", "NSCache's limits are advisory: evicted now, later or never.",
    hypothesis: "After a set, NSCache holds more than its limit.",
    effect: "sets after which it holds more than its limit / sets",
    note: "the limits are those of Foundation on this platform; Apple documents them as hints",
    conditions: ["count", "cost"].flatMap { limit in
      [1, 100].map { costs in
        ClaimCondition(["limit": limit, "distinct costs": "\(costs)"], .happens) { context in
          let cache = FoundationCache()
          if limit == "count" { cache.countLimit = 20 } else { cache.totalCostLimit = 20 * costs }
          var entries: [(key: NumberKey, cost: Int)] = []
          var over = 0
          for number in 0..<200 {
            let entry = (NumberKey(number), 1 + context.random.index(below: costs))
            entries.append((key: entry.0, cost: entry.1))
            cache.setObject(NumberValue(number), forKey: entry.0, cost: entry.1)
            let resident = entries.filter { cache.object(forKey: $0.key) != nil }
            let used = limit == "count" ? resident.count : resident.reduce(0) { $0 + $1.cost }
            if used > (limit == "count" ? 20 : 20 * costs) { over += 1 }
          }
          return Trial(claimed: Double(over), other: Double(entries.count))
        }
      }
    })
}
