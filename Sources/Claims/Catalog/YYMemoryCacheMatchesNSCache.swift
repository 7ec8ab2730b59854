import Foundation
import Systems

extension Claim {
  /// YYMemoryCache against Foundation's cache.
  static let yyMemoryCacheMatchesNSCache = Claim(
    "C13", "YYMemoryCache performs like NSCache or better.",
    hypothesis:
      "The same load takes no more time in YYMemoryCache than in NSCache, and hits no less often.",
    effect: "YYMemoryCache against NSCache: time ratio, or hit ratio less hit ratio",
    note:
      "YYMemoryCache is the project's composition; NSCache is the one of Foundation on this platform",
    conditions: [0.01, 0.1].flatMap { fraction in
      [
        ClaimCondition(["metric": "time", "capacity": "\(fraction)"], .notSlower) { context in
          let ids = try requests(context)
          return context.compare {
            replayYYMemoryCache(ids, fraction).time
          } with: {
            replayFoundation(ids, fraction).time
          }
        },
        ClaimCondition(["metric": "hit ratio", "capacity": "\(fraction)"], .hitsNoLess) { context in
          let ids = try requests(context)
          return Trial(
            claimed: replayYYMemoryCache(ids, fraction).hitRatio,
            other: replayFoundation(ids, fraction).hitRatio)
        },
      ]
    })

  private static func requests(_ context: TrialContext) throws -> [Int] {
    try context.trace("zipf.txt.zst").ids.prefix(20_000).map(Int.init)
  }

  private static func capacity(_ ids: [Int], _ fraction: Double) -> Int {
    max(1, Int(Double(Set(ids).count) * fraction))
  }

  private static func replayYYMemoryCache(
    _ ids: [Int], _ fraction: Double
  ) -> (time: Double, hitRatio: Double) {
    let cache = YYMemoryCache<NumberKey, NumberValue>(countLimit: capacity(ids, fraction))
    return replay(ids, get: { cache.value(forKey: $0) }, set: { cache.set($1, forKey: $0) })
  }

  private static func replayFoundation(
    _ ids: [Int], _ fraction: Double
  ) -> (time: Double, hitRatio: Double) {
    let cache = FoundationCache()
    cache.countLimit = capacity(ids, fraction)
    return replay(ids, get: { cache.object(forKey: $0) }, set: { cache.setObject($1, forKey: $0) })
  }

  @inline(__always)
  private static func replay(
    _ ids: [Int], get: (NumberKey) -> NumberValue?, set: (NumberKey, NumberValue) -> Void
  ) -> (time: Double, hitRatio: Double) {
    let keys = ids.map(NumberKey.init)
    var hits = 0
    let time = nanoseconds {
      for key in keys {
        if get(key) != nil { hits += 1 } else { set(key, NumberValue(key.number)) }
      }
    }
    return (time, Double(hits) / Double(ids.count))
  }
}
