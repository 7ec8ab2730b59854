import EvictionCore

extension Claim {
  /// The time of an access as a cache grows.
  static let listAccessIsConstant = Claim(
    "C8", "List LRU access stays O(1).",
    hypothesis: "A get takes no more time in a large cache than in one of 1000 entries.",
    effect: "time at this size / time at 1000 entries",
    note: "the number of steps is constant; what grows is the distance of memory",
    conditions: [4_000, 10_000, 100_000, 1_000_000].map { count in
      ClaimCondition(["entries": "\(count)"], .notSlower) { context in
        var random = context.random
        return context.compare {
          access(entries: count, &random)
        } with: {
          access(entries: 1_000, &random)
        }
      }
    })

  private static func access(entries: Int, _ random: inout SplitMix64) -> Double {
    let cache = MemoryCache<Int, Int>(countLimit: entries, policy: .lru, lock: NoLock(), seed: 1)
    for key in 0..<entries { cache.set(key, forKey: key) }
    let keys = (0..<100_000).map { _ in random.index(below: entries) }
    var sum = 0
    let time = nanoseconds { for key in keys { sum &+= cache.value(forKey: key) ?? 0 } }
    keep(sum)
    return time / Double(keys.count)
  }
}
