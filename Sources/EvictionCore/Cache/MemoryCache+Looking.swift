// Looking at a cache: nothing is counted, and the policy does not learn of it.
extension MemoryCache {
  /// Returns the value of `key`, or nil, without a trace: nothing is counted, no lifetime is extended, and the policy
  /// does not learn of it.
  ///
  ///     print(cache.peek("/") ?? "not there")
  public func peek(_ key: Key) -> Value? { peek(key) { $0 } }

  /// The entries, in no promised order, read a few at a time; see ``CacheEntries``.
  public var entries: CacheEntries<Key, Value> { CacheEntries(caches: [self]) }

  /// Returns the keys that ``trim(toCount:)`` would evict if `count` entries were to leave, the first to leave first;
  /// all if there are fewer. What has expired leaves before.
  ///
  ///     cache.coldest(10)  // those that ten evictions would take
  ///
  /// - Returns: Nil if the policy is none of the catalog and can't tell without evicting: it has no
  ///   ``ReplacementPolicy/visitState(_:)``.
  /// - Complexity: O(slots), as the policy's state is copied, with the lock held.
  public func coldest(_ count: Int) -> [Key]? { evictionOrder(atMost: count) }

  /// Returns the keys that would leave last if all were evicted one by one, the last of them first; all if there are fewer
  /// than `count`.
  ///
  /// - Returns: Nil if the policy can't tell without evicting; see ``coldest(_:)``.
  /// - Complexity: O(slots), with the lock held.
  public func hottest(_ count: Int) -> [Key]? {
    evictionOrder(atMost: .max).map { Array($0.suffix(max(count, 0)).reversed()) }
  }

  /// The numbers that the policy has learned by now (ARC's p, a learner's weights), by short names; none if it learns
  /// nothing.
  public var policyInternals: [String: Double] {
    var internals: [String: Double] = [:]
    whenCurrent { core in
      policy.inspection.showInternals(core.policy.state) { internals[$0] = $1 }
    }
    return internals
  }

  /// The costs of what the policy trained and predicted; none for one that does not.
  package var learningCosts: [LearningCosts] {
    var costs: LearningCosts?
    whenCurrent { core in costs = policy.inspection.learningCosts(core.policy.state) }
    return costs.map { [$0] } ?? []
  }

  private func evictionOrder(atMost limit: Int) -> [Key]? {
    var keys: [Key]?
    whenCurrent { core in
      guard let copy = copyPolicy(core) else { return }
      keys = core.victims(atMost: limit, of: copy).prefix(max(limit, 0)).map {
        core.store.entries[Int($0)].key
      }
    }
    return keys
  }
}

extension ShardedCache {
  /// The policy of each shard, with its parameters.
  public var policy: CachePolicy { shards[0]._withUnsafeGuaranteedRef { $0.policy } }

  /// Returns the value of `key`, or nil, without a trace; see ``MemoryCache/peek(_:)``.
  public func peek(_ key: Key) -> Value? { shard(of: key).peek(key) }

  /// The entries, in no promised order, one shard after the other, read a few at a time; see ``CacheEntries``.
  public var entries: CacheEntries<Key, Value> {
    CacheEntries(caches: parts)
  }

  /// Returns the keys that would be evicted if each shard were to lose an equal part of `count` entries, the first to leave
  /// first in every shard; a shard that holds fewer loses all.
  ///
  /// - Returns: Nil if the policy can't tell; see ``MemoryCache/coldest(_:)``.
  public func coldest(_ count: Int) -> [Key]? { inTurn(count) { $0.coldest($1) } }

  /// Returns the keys that would leave last, an equal part of `count` from each shard, the last first in every shard; all of
  /// one that holds fewer.
  ///
  /// - Returns: Nil if the policy can't tell; see ``MemoryCache/coldest(_:)``.
  public func hottest(_ count: Int) -> [Key]? { inTurn(count) { $0.hottest($1) } }

  /// The mean over the shards of each number that their policies have learned by now.
  public var policyInternals: [String: Double] {
    var sums: [String: Double] = [:]
    forEachShard { shard in
      sums.merge(shard.policyInternals) { $0 + $1 }
    }
    return sums.mapValues { $0 / Double(shardCount) }
  }

  /// The costs of what the policy of each shard trained and predicted.
  package var learningCosts: [LearningCosts] {
    var costs: [LearningCosts] = []
    forEachShard { costs += $0.learningCosts }
    return costs
  }

  /// The keys that the shards name for equal parts of `count`: the first of each, then the second of each.
  private func inTurn(_ count: Int, _ keys: (Shard, Int) -> [Key]?) -> [Key]? {
    var parts: [[Key]] = []
    for index in 0..<shardCount {
      let part = ShardedCache.part(index, of: max(count, 0), in: shardCount)
      let named = shards[index]._withUnsafeGuaranteedRef { keys($0, part) }
      guard let named else { return nil }
      parts.append(named)
    }
    let longest = parts.map(\.count).max() ?? 0
    return (0..<longest).flatMap { rank in parts.filter { $0.count > rank }.map { $0[rank] } }
  }
}
