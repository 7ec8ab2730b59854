import CInline
import EvictionCore
import Synchronization

extension Claim {
  /// Evicted values released on another thread.
  static let releasingInTheBackgroundHelps = Claim(
    "C11", "Releasing evicted values asynchronously helps the caller.",
    hypothesis: "The 99th percentile of a set that evicts is shorter when the value is released on "
      + "another thread.",
    effect: "p99 of a set, released in the background / by the caller",
    note: "the details hold the most values that were alive at once, of ten in the cache, and "
      + "their bytes",
    conditions: [0, 100, 10_000].map { parts in
      ClaimCondition(["objects per value": "\(parts + 1)"], .faster) { context in
        context.compare {
          percentile(.background, parts: parts)
        } with: {
          percentile(.caller, parts: parts)
        }
      }
    })

  /// Returns the percentile, with the most values that were alive at once.
  private static func percentile(_ release: ValueRelease, parts: Int) -> ClaimSample {
    var options = MemoryCacheOptions()
    options.release = release
    let cache = MemoryCache<Int, Graph>(countLimit: 10, policy: .lru, seed: 1, options: options)
    let living = Living()
    let times = (0..<300).map { key in
      let value = Graph(parts: parts, of: living)
      return nanoseconds { cache.set(value, forKey: key) }
    }
    return ClaimSample(
      times.quantile(0.99),
      [
        "p50": times.quantile(0.5), "longest": times.max() ?? 0,
        "mostValuesAlive": Double(living.most),
        "mostBytesAlive": Double(living.most * Graph(parts: parts, of: living).bytes),
      ])
  }
}

/// A value of many objects.
private final class Graph: Sendable {
  private final class Part: Sendable {}

  private let parts: [Part]
  private let living: Living

  init(parts: Int, of living: Living) {
    self.parts = (0..<parts).map { _ in Part() }
    self.living = living
    living.add(1)
  }

  deinit { living.add(-1) }

  /// The memory of the parts and of the array that holds them.
  var bytes: Int {
    let part = parts.first.map { evl_allocated_bytes(Unmanaged.passUnretained($0).toOpaque()) } ?? 0
    return parts.count * (part + MemoryLayout<Part>.stride)
  }
}

/// The values that are alive, and the most that were.
private final class Living: Sendable {
  private let counts = Mutex((now: 0, most: 0))

  var most: Int { counts.withLock { $0.most } }

  func add(_ number: Int) {
    counts.withLock { counts in
      counts.now += number
      counts.most = max(counts.most, counts.now)
    }
  }
}
