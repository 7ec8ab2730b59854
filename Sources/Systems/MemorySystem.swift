import EvictionCore
import Parameters

/// This project's cache in memory.
package final class MemorySystem: CacheSystem {
  package static let information = SystemInformation(
    name: "memorycache", summary: "this project's MemoryCache, with any policy", policy: "s3fifo",
    parameters: [.policy])

  private let cache: MemoryCache<SystemKey, SystemValue>
  private let key: @Sendable (UInt32) -> SystemKey

  package init(_ setup: SystemSetup) throws(SystemError) {
    key = setup.key
    var options = MemoryCacheOptions()
    options.hasExactHistory = true
    do throws(PolicyError) {
      cache = try MemoryCache.open(
        countLimit: setup.countLimit, costLimit: setup.costLimit, costs: .given,
        policy: setup.policy,
        lock: setup.lock(nil), seed: setup.seed, options: options)
    } catch { throw .policy(error) }
  }

  package func value(forKey key: UInt32) -> SystemValue? { cache.value(forKey: self.key(key)) }

  package func set(_ value: SystemValue, forKey key: UInt32, cost: Int) {
    cache.set(value, forKey: self.key(key), cost: cost)
  }

  package func remove(_ key: UInt32) { cache.remove(self.key(key)) }

  package func removeAll() { cache.removeAll() }

  package var statistics: CacheStatistics { cache.statistics }
}

/// A key with the hash and the length that a simulation gives to policies.
package struct SystemKey: StablyHashable {
  package let id: UInt32
  package let hash: UInt64
  package let keyLength: Int

  package init(id: UInt32, hash: UInt64, keyLength: Int) {
    self.id = id
    self.hash = hash
    self.keyLength = keyLength
  }

  package static func == (left: SystemKey, right: SystemKey) -> Bool { left.id == right.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }

  package func stableHash(seed: UInt64) -> UInt64 { hash }
}

extension Parameter {
  /// The policy of one of this project's caches.
  static let policy = Parameter(
    "policy", .text, default: .text("s3fifo"),
    help: "a policy of the catalog; its parameters follow as policy.NAME=VALUE")
}
