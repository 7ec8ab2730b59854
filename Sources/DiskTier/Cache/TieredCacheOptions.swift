import EvictionCore
import Parameters

/// How a ``TieredCache`` keeps values in memory, and when it writes them to disk.
public struct TieredCacheOptions: Sendable {
  /// When a set reaches the disk.
  public enum Writing: Sendable, Equatable {
    /// Before it returns.
    case through
    /// Soon after, in the background; of several sets of a key meanwhile only the latest. At most `limit`
    /// values wait: then a set writes before it returns. What waits is lost with the process. A value that
    /// cannot be encoded is not written, and only counted, in ``TieredCacheStatistics/failedWrites``.
    case back(limit: Int)
  }

  /// The most entries in memory; nil for no limit.
  public var memoryCountLimit: Int?
  /// The largest sum of costs in memory; nil for no limit.
  public var memoryCostLimit: Int?
  /// The parameters of the policy in memory.
  public var memoryParameters: Specification?
  /// What the cache in memory does beyond its limits.
  public var memory = MemoryCacheOptions()
  /// When a set reaches the disk.
  public var writing = Writing.through
  /// How long it is remembered, in memory, that a load found nothing; nil for not at all.
  public var negativeTimeToLive: Duration?

  /// The defaults: no limits, writing through.
  public init() {}
}

/// What the tiers of a ``TieredCache`` have counted.
public struct TieredCacheStatistics: Equatable, Sendable {
  /// The cache in memory; its misses are what was asked of the disk.
  public var memory = CacheStatistics()
  /// The cache on disk.
  public var disk = DiskCacheStatistics()
  /// Values that came from the disk, or from among those that wait to be written, into memory.
  public var promotions = 0
  /// Gets that were answered by a remembered absence; in memory they are hits.
  public var negativeHits = 0
  /// Values that wait to be written.
  public var waitingWrites = 0
  /// Sets that were never written, since another set of the key or its removal came before.
  public var savedWrites = 0
  /// Writes that failed: in the background, where they are tried again, or of loaded values.
  public var failedWrites = 0

  /// Nothing counted yet.
  public init() {}
}
