import EvictionCore
import Traces

extension Claim {
  /// A purge to a low-water mark against one victim at a time.
  static let lowWaterMarkBeatsJustEnough = Claim(
    "C29", "Purging to a low-water mark beats evicting just enough.",
    hypothesis: "A purge to 60 % or to half of the limit costs no hits, and shortens the "
      + "longest sets.",
    effect: "low-water mark against just enough: hit ratio less hit ratio, or p99.9 ratio of a set",
    conditions: [0.6, 0.5].flatMap { mark in
      Trace.bundled.map { name in
        ClaimCondition(
          ["metric": "hit ratio", "mark": "\(mark)", "trace": name], .hitsNoLess
        ) { context in
          let trace = try context.trace(name)
          return Trial(
            claimed: replay(trace, mark: mark).hitRatio, other: replay(trace, mark: 1).hitRatio)
        }
      } + [
        ClaimCondition(["metric": "p99.9 of a set", "mark": "\(mark)"], .faster) { context in
          let trace = try context.trace("zipf.txt.zst")
          return context.compare {
            replay(trace, mark: mark).tail
          } with: {
            replay(trace, mark: 1).tail
          }
        }
      ]
    })

  private static func replay(_ trace: Trace, mark: Double) -> (hitRatio: Double, tail: Double) {
    var options = MemoryCacheOptions()
    options.lowWaterMark = mark
    let cache = MemoryCache<Int, Int>(
      countLimit: trace.capacity(0.1), policy: .lru, lock: NoLock(), seed: 1, options: options)
    var hits = 0
    var times: [Double] = []
    for id in trace.ids {
      let key = Int(id)
      if cache.value(forKey: key) != nil {
        hits += 1
      } else {
        times.append(nanoseconds { cache.set(key, forKey: key) })
      }
    }
    return (Double(hits) / Double(trace.requests), times.quantile(0.999))
  }
}
