import EvictionCore

extension Claim {
  /// Evicted values released on another thread.
  static let c11 = Claim(
    "C11", "Releasing evicted values asynchronously helps the caller.",
    hypothesis: "The 99th percentile of a set that evicts is shorter when the value is released on "
      + "another thread.",
    effect: "p99 of a set, released in the background / by the caller",
    conditions: [0, 100, 10_000].map { parts in
      ClaimCondition(["objects per value": "\(parts + 1)"], .faster) { context in
        context.compare {
          percentile(.background, parts: parts)
        } with: {
          percentile(.caller, parts: parts)
        }
      }
    })

  private static func percentile(_ release: ValueRelease, parts: Int) -> Double {
    var options = MemoryCacheOptions()
    options.release = release
    let cache = MemoryCache<Int, Graph>(countLimit: 10, policy: .lru, seed: 1, options: options)
    let times = (0..<300).map { key in
      let value = Graph(parts: parts)
      return nanoseconds { cache.set(value, forKey: key) }
    }
    return times.quantile(0.99)
  }
}

/// A value of many objects.
private final class Graph: Sendable {
  private final class Part: Sendable {}

  private let parts: [Part]

  init(parts: Int) { self.parts = (0..<parts).map { _ in Part() } }
}
