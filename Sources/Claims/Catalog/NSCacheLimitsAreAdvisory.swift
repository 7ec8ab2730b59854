import EvictionCore
import Foundation

extension Claim {
  /// The limits of Foundation's cache.
  static let nsCacheLimitsAreAdvisory = Claim(
    "C32", "NSCache's limits are advisory: evicted now, later or never.",
    hypothesis: "After a set, NSCache holds more than its limit.",
    effect: "sets after which it holds more than its limit / sets",
    note: "the limits are those of Foundation on this platform; Apple documents them as hints; the "
      + "details hold, as parts of the limit, the most that it held after a set, what it held in "
      + "the middle, at the end and a tenth of a second later, and the most that a cache with "
      + "strict limits held",
    conditions: ["count", "cost"].flatMap { limit in
      [1, 100].map { costs in
        ClaimCondition(["limit": limit, "distinct costs": "\(costs)"], .happens) { context in
          let most = limit == "count" ? 20 : 20 * costs
          let cache = FoundationCache()
          if limit == "count" { cache.countLimit = most } else { cache.totalCostLimit = most }
          let strict = MemoryCache<Int, Int>(
            countLimit: limit == "count" ? most : nil, costLimit: limit == "count" ? nil : most,
            costs: .given,
            policy: .lru, lock: NoLock(), seed: 1)
          var entries: [(key: NumberKey, cost: Int)] = []
          func used() -> Double {
            let resident = entries.filter { cache.object(forKey: $0.key) != nil }
            let used = limit == "count" ? resident.count : resident.reduce(0) { $0 + $1.cost }
            return Double(used) / Double(most)
          }
          var series: [Double] = []
          var strictMost = 0.0
          for number in 0..<200 {
            let cost = 1 + context.random.index(below: costs)
            entries.append((key: NumberKey(number), cost: cost))
            cache.setObject(NumberValue(number), forKey: entries[number].key, cost: cost)
            series.append(used())
            strict.set(number, forKey: number, cost: cost)
            let held = limit == "count" ? strict.count : strict.totalCost
            strictMost = max(strictMost, Double(held) / Double(most))
          }
          usleep(100_000)
          return Trial(
            claimed: Double(series.count { $0 > 1 }), other: Double(series.count),
            details: [
              "most": series.max() ?? 0, "middle": series[series.count / 2],
              "end": series[series.count - 1], "later": used(), "strictMost": strictMost,
            ])
        }
      }
    })
}
