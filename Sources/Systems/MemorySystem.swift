import EvictionCore
import Parameters

/// This project's cache in memory.
package final class MemorySystem: CacheSystem {
  package static let information = SystemInformation(
    name: "memorycache", summary: "this project's MemoryCache, with any policy", policy: "s3fifo",
    parameters: [.policy])

  private let cache: MemoryCache<UInt32, SystemValue>

  package init(_ setup: SystemSetup) throws(SystemError) {
    do throws(PolicyError) {
      cache = try MemoryCache.open(
        countLimit: setup.countLimit, costLimit: setup.costLimit, policy: setup.policy,
        lock: setup.lock(nil), seed: setup.seed)
    } catch { throw .policy(error) }
  }

  package func value(forKey key: UInt32) -> SystemValue? { cache.value(forKey: key) }

  package func set(_ value: SystemValue, forKey key: UInt32, cost: Int) {
    cache.set(value, forKey: key, cost: cost)
  }

  package func remove(_ key: UInt32) { cache.remove(key) }

  package func removeAll() { cache.removeAll() }

  package var statistics: CacheStatistics { cache.statistics }
}

extension Parameter {
  /// The policy of one of this project's caches.
  static let policy = Parameter(
    "policy", .text, default: .text("s3fifo"),
    help: "a policy of the catalog; its parameters follow as policy.NAME=VALUE")
}
