import EvictionCore
import Synchronization

extension TieredCache: Cache {
  /// The error of the lower tier; memory has none.
  public typealias Failure = DiskCacheError

  /// The number of entries in memory, remembered absences among them.
  public var count: Int { memory.count }

  /// The sum of the costs of the entries in memory.
  public var totalCost: Int { memory.totalCost }

  /// The most entries in memory; nil for no limit.
  public var countLimit: Int? { memory.countLimit }

  /// The largest sum of costs in memory; nil for no limit.
  public var costLimit: Int? { memory.costLimit }

  /// Changes the limits of the memory; nil means no limit. A lower one evicts before the call returns.
  public func setLimits(count: Int?, cost: Int?) { memory.setLimits(count: count, cost: cost) }

  /// Removes what has expired from memory.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  public func trim() -> Int { memory.trim() }

  /// Evicts from memory, by its policy, until at most `count` entries are left there.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  public func trim(toCount count: Int) -> Int { memory.trim(toCount: count) }

  /// Evicts from memory, by its policy, until the entries there cost at most `cost`.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  public func trim(toCost cost: Int) -> Int { memory.trim(toCost: cost) }

  /// The counts of the whole: a hit found a value in memory or below; what left, left the memory.
  public var statistics: CacheStatistics {
    var statistics = memory.statistics
    let counters = counters.withLock { $0 }
    statistics.hits += counters.lowerHits - counters.negativeHits
    statistics.misses += counters.negativeHits - counters.lowerHits
    statistics.loads = counters.loads
    statistics.failedLoads = counters.failedLoads
    statistics.failedWrites = disk.counters.withLock { $0.cache.failedWrites }
    return statistics
  }

  /// The counts of each tier, and of what went between them. Loads are the whole cache's, and in ``statistics`` alone: the
  /// `loads` of `memory` and `disk` do not count them.
  public var tierStatistics: TierStatistics {
    var statistics = TierStatistics()
    statistics.memory = memory.statistics
    statistics.disk = disk.statistics
    statistics.waitingWrites = writeBack.count
    statistics.savedWrites = writeBack.saved
    statistics.failedWrites = statistics.disk.failedWrites
    counters.withLock {
      statistics.promotions = $0.promotions
      statistics.negativeHits = $0.negativeHits
    }
    return statistics
  }
}
