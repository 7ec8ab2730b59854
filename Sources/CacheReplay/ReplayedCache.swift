import EvictionCore
import Parameters
import Requests

/// A cache that a replay drives, behind closures that were compiled for its policy: the replay itself
/// is compiled once. What a closure costs to call is a fraction of the cheapest lock.
///
/// A value is its key's id, so that a wrong one is noticed.
@usableFromInline
package struct ReplayedCache: Sendable {
  /// What a get finds.
  let value: @Sendable (ReplayKey) -> UInt32?
  /// Stores the key's id, with a cost and what it costs to make again.
  let set: @Sendable (ReplayKey, Int, Double) -> Void
  let removeValue: @Sendable (ReplayKey) -> Void
  /// The cost of a resident key.
  let cost: @Sendable (ReplayKey) -> Int?
  let setCost: @Sendable (Int, ReplayKey) -> Void
  let statistics: @Sendable () -> CacheStatistics

  /// An empty cache of the policy, within the options' capacity: objects, or bytes in a sized run.
  ///
  /// - Parameter lock: Makes the cache's lock, or each shard's.
  /// - Throws: ``PolicyError`` if the policy cannot run so.
  @inlinable
  init<Policy: ReplacementPolicy & ~Copyable>(
    of policy: Policy.Type, parameters: Specification, options: RunOptions, isSized: Bool,
    arrangement: CacheArrangement, lock: () -> any CacheLock
  ) throws(PolicyError) {
    if policy.needs.contains(.expiry) {
      throw .conflict(
        policy: policy.information.name,
        explanation: "it needs times to live, which a replay does not have; simulate it")
    }
    let countLimit = isSized ? nil : options.capacity
    let costLimit = isSized ? options.capacity : nil
    let admission = options.arguments.nested("admission")
    if let shards = arrangement.shards {
      self.init(
        try ShardedCache<ReplayKey, UInt32, Policy>(
          shards: shards, countLimit: countLimit, costLimit: costLimit, parameters: parameters,
          admission: admission, lock: lock, seed: options.seed, exactHistory: true,
          options: arrangement.options))
    } else {
      self.init(
        try MemoryCache<ReplayKey, UInt32, Policy>(
          countLimit: countLimit, costLimit: costLimit, parameters: parameters,
          admission: admission, lock: lock(), seed: options.seed,
          exactHistory: true, options: arrangement.options))
    }
  }

  @inlinable
  init(_ cache: some InMemoryCache<ReplayKey, UInt32>) {
    self.init(
      value: { cache.value(forKey: $0) },
      set: { _ = cache.set($0.id, forKey: $0, cost: $1, missCost: $2) },
      removeValue: { _ = cache.remove($0) },
      cost: { cache.cost(forKey: $0) },
      setCost: { cache.setCost($0, forKey: $1) },
      statistics: { cache.statistics })
  }

  @usableFromInline
  package init(
    value: @escaping @Sendable (ReplayKey) -> UInt32?,
    set: @escaping @Sendable (ReplayKey, Int, Double) -> Void,
    removeValue: @escaping @Sendable (ReplayKey) -> Void,
    cost: @escaping @Sendable (ReplayKey) -> Int?,
    setCost: @escaping @Sendable (Int, ReplayKey) -> Void,
    statistics: @escaping @Sendable () -> CacheStatistics
  ) {
    self.value = value
    self.set = set
    self.removeValue = removeValue
    self.cost = cost
    self.setCost = setCost
    self.statistics = statistics
  }
}

/// A trace's key in a real cache: its id, its length, and its stable hash, the one that a simulation
/// gives to policies.
@usableFromInline
package struct ReplayKey: CacheKey {
  /// The trace's number for the key.
  @usableFromInline package let id: UInt32
  @usableFromInline let length: UInt32
  @usableFromInline let hash: UInt64

  @inlinable @inline(__always)
  init(_ request: Request) {
    id = request.slot
    length = UInt32(clamping: request.keyLength)
    hash = request.keyHash
  }

  @inlinable @inline(__always)
  package static func == (left: ReplayKey, right: ReplayKey) -> Bool { left.id == right.id }

  @inlinable
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }

  @inlinable @inline(__always)
  package func stableHash(seed: UInt64) -> UInt64 { hash }

  @inlinable @inline(__always)
  package var keyLength: Int { Int(length) }
}
